/* Series and profiles as the steps of a figure. */
#include "traces/steps.h"

#include <math.h>

#include "tests/unit/main.h"

START_TEST(test_width)
{
    ck_assert_uint_eq(traces_steps_width(0, 1), 1);
    ck_assert_uint_eq(traces_steps_width(TRACES_STEPS_MAX, 1), 1);
    ck_assert_uint_eq(traces_steps_width(TRACES_STEPS_MAX + 1, 1), 2);
    ck_assert_uint_eq(traces_steps_width(10, 16), 16);
    ck_assert_uint_eq(traces_steps_width(1000 * TRACES_STEPS_MAX, 300), 1200);
    uint64_t longest = UINT64_C(1) << 62;
    uint64_t width = traces_steps_width(longest, 1);
    ck_assert_uint_le(longest / width, TRACES_STEPS_MAX);
}
END_TEST

/* A row that lies across columns counts in each as far as it is there. */
START_TEST(test_columns)
{
    struct traces_steps steps;
    traces_steps_start(&steps, 25, 10);
    ck_assert_uint_eq(steps.count, 3);
    traces_steps_add(&steps, 0, 5, 1);
    traces_steps_add(&steps, 5, 10, 4);
    traces_steps_add(&steps, 20, 5, -3);
    ck_assert_double_eq(traces_steps_mean(&steps, 0), 2.5);
    ck_assert_double_eq(traces_steps_greatest(&steps, 0), 4);
    ck_assert_double_eq(traces_steps_mean(&steps, 1), 4);
    ck_assert_double_eq(traces_steps_mean(&steps, 2), -3);
    ck_assert_double_eq(traces_steps_greatest(&steps, 2), -3);
    traces_steps_free(&steps);
}
END_TEST

START_TEST(test_nothing)
{
    struct traces_steps steps;
    traces_steps_start(&steps, 4, 2);
    traces_steps_add(&steps, 0, 0, 7);
    ck_assert(isnan(traces_steps_mean(&steps, 0)));
    ck_assert(isnan(traces_steps_greatest(&steps, 0)));
    traces_steps_add(&steps, 3, 100, 7); /* beyond the last column */
    ck_assert_double_eq(traces_steps_mean(&steps, 1), 7);
    traces_steps_free(&steps);
    traces_steps_start(&steps, 0, 1);
    ck_assert_uint_eq(steps.count, 0);
    traces_steps_add(&steps, 0, 1, 7);
    traces_steps_free(&steps);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("steps");
    tcase_add_test(tcase, test_width);
    tcase_add_test(tcase, test_columns);
    tcase_add_test(tcase, test_nothing);
    return test_main("steps", tcase);
}
