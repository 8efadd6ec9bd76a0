/* The main program of a unit test. */
#ifndef TESTS_MAIN_H
#define TESTS_MAIN_H

#include <check.h>
#include <stdlib.h>

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
