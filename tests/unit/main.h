/* What every unit test needs: its main program. */
#ifndef TESTS_UNIT_MAIN_H
#define TESTS_UNIT_MAIN_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* Under sanitizers and valgrind everything is slower: less of the same is run. */
static inline bool test_is_quick(void)
{
    return getenv("HIATON_QUICK") != NULL;
}

/* Whether the test runs under valgrind (make memcheck). */
static inline bool test_is_memcheck(void)
{
    return getenv("HIATON_VALGRIND") != NULL;
}

/* How much of `whole` is tried: all of it, or so much as is `quick`; with sanitizers, which slow
 * everything down several times, a third of that. At least 1. */
static inline unsigned test_part(unsigned whole, unsigned quick)
{
#ifdef __SANITIZE_ADDRESS__
    quick = (quick + 2) / 3;
#endif
    return test_is_quick() ? quick : whole;
}

/* Runs one suite of one case as every test program does. */
static inline int test_main(const char *name, TCase *tcase)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
