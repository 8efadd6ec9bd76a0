/* The main function of all unit tests. */
#ifndef TESTS_UNIT_MAIN_H
#define TESTS_UNIT_MAIN_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* Whether to run fewer cases, as under sanitizers and valgrind, where all is slower. */
static inline bool test_is_quick(void)
{
    return getenv("HIATON_QUICK") != NULL;
}

/* Whether the test runs under valgrind (make memcheck). */
static inline bool test_is_memcheck(void)
{
    return getenv("HIATON_VALGRIND") != NULL;
}

/* Returns how many cases to run, at least 1: `whole`; `quick` if test_is_quick; with sanitizers a
 * third of `quick`. */
static inline unsigned test_part(unsigned whole, unsigned quick)
{
#ifdef __SANITIZE_ADDRESS__
    quick = (quick + 2) / 3;
#endif
    return test_is_quick() ? quick : whole;
}

/* Runs a test suite of one case. Returns the exit status of the program. */
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
