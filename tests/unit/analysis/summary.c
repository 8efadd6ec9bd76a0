/* Summaries of repetitions, and Student's t: against values of closed forms, of integrals
 * made another way, and worked out by hand. */
#include <math.h>

#include "analysis/student.h"
#include "analysis/summary.h"
#include "tests/unit/main.h"

static void check_near(double found, double expected, double share)
{
    ck_assert_msg(fabs(found - expected) <= share * fabs(expected),
                  "%.17g is not near %.17g", found, expected);
}

/* --- Student's t ------------------------------------------------------------------------ */

/* The density but for its factor. */
static double density(double t, double n)
{
    return exp(-(n + 1) / 2 * log1p(t * t / n));
}

/* Simpson's rule on [0, t], in steps of 1/2000 of it. */
static double integral(double t, double n)
{
    enum { STEPS = 2000 };
    double h = t / STEPS, sum = density(0, n) + density(t, n);
    for (int i = 1; i < STEPS; i++)
        sum += (i % 2 ? 4 : 2) * density(i * h, n);
    return sum * h / 3;
}

/* P(-t <= T <= t), with the factor of the density from the gamma function. */
static double within(double t, double n)
{
    double factor = exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(n * M_PI);
    return 2 * factor * integral(t, n);
}

START_TEST(test_student_integral)
{
    static const double at[] = {0.01, 0.5, 1, 2, 3.7, 8};
    for (uint64_t n = 1; n <= 200; n += n < 12 ? 1 : 17)
        for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
            check_near(analysis_student_within(at[i], n), within(at[i], (double)n), 1e-9);
}
END_TEST

START_TEST(test_student_quantile)
{
    /* Closed forms for 1 and 2 degrees of freedom. */
    for (double p = 0.05; p < 0.999; p += 0.05) {
        check_near(analysis_student_quantile(p, 1), tan(M_PI_2 * p), 1e-12);
        check_near(analysis_student_quantile(p, 2), p * sqrt(2 / (1 - p * p)), 1e-12);
    }
    /* Where the integral made above comes to 0.95. */
    for (uint64_t n = 3; n < 40; n += 4)
        check_near(within(analysis_student_quantile(0.95, n), (double)n), 0.95, 1e-9);
    /* Towards the normal distribution, whose quantile is 1.959964. */
    check_near(analysis_student_quantile(0.95, UINT64_MAX), 1.959963984540054, 2e-6);
    ck_assert(analysis_student_within(0, 7) == 0);
}
END_TEST

/* --- summaries -------------------------------------------------------------------------- */

static struct analysis_summary sum_up(enum analysis_of of, enum analysis_spread spread)
{
    double numbers[] = {9, 2, 5, 4, 4, 7, 4, 5}; /* squares of the deviations: 32 */
    return analysis_summarise(numbers, 8, of, spread);
}

START_TEST(test_of)
{
    const double expected[] = {5, 4.5, 2, 9, 40, pow(201600, 0.125)};
    for (enum analysis_of of = 0; of < ANALYSIS_OF_COUNT; of++) {
        struct analysis_summary s = sum_up(of, ANALYSIS_NONE);
        ck_assert_uint_eq(s.count, 8);
        check_near(s.value, expected[of], of == ANALYSIS_GEOMEAN ? 1e-12 : 0);
        ck_assert(isnan(s.low) && isnan(s.high));
    }
}
END_TEST

START_TEST(test_spread)
{
    struct analysis_summary s = sum_up(ANALYSIS_MEAN, ANALYSIS_SD);
    check_near(s.high - 5, sqrt(32.0 / 7), 1e-12);
    check_near(5 - s.low, sqrt(32.0 / 7), 1e-12);
    s = sum_up(ANALYSIS_MEAN, ANALYSIS_CI95); /* t for 7 degrees: 2.36462425159... */
    check_near(s.high - 5, 2.364624251592785 * sqrt(32.0 / 7 / 8), 1e-12);
    s = sum_up(ANALYSIS_MEDIAN, ANALYSIS_RANGE);
    ck_assert(s.low == 2 && s.high == 9);
}
END_TEST

START_TEST(test_few)
{
    double one = 3, same[] = {7, 7, 7};
    struct analysis_summary s = analysis_summarise(&one, 1, ANALYSIS_MEAN, ANALYSIS_CI95);
    ck_assert(s.value == 3 && isnan(s.low) && isnan(s.high));
    s = analysis_summarise(&one, 1, ANALYSIS_MEAN, ANALYSIS_RANGE);
    ck_assert(s.value == 3 && isnan(s.low) && isnan(s.high));
    s = analysis_summarise(same, 3, ANALYSIS_MEAN, ANALYSIS_CI95);
    ck_assert(s.value == 7 && s.low == 7 && s.high == 7);
    s = analysis_summarise(NULL, 0, ANALYSIS_MEAN, ANALYSIS_CI95);
    ck_assert(s.count == 0 && isnan(s.value));
}
END_TEST

START_TEST(test_geomean)
{
    double two[] = {8, 2}, large[] = {1e300, 1e300, 1e300}, with_zero[] = {1, 0};
    check_near(analysis_summarise(two, 2, ANALYSIS_GEOMEAN, ANALYSIS_NONE).value, 4,
               1e-12);
    ck_assert(analysis_summarise(large, 3, ANALYSIS_GEOMEAN, ANALYSIS_NONE).value ==
              1e300);
    ck_assert(
        isnan(analysis_summarise(with_zero, 2, ANALYSIS_GEOMEAN, ANALYSIS_NONE).value));
}
END_TEST

START_TEST(test_quantile)
{
    const double sorted[] = {1, 2, 4, 8, 16};
    ck_assert(analysis_quantile(sorted, 5, 0) == 1);
    ck_assert(analysis_quantile(sorted, 5, 1) == 16);
    ck_assert(analysis_quantile(sorted, 5, 0.5) == 4);
    ck_assert(analysis_quantile(sorted, 5, 0.25) == 2);
    ck_assert(analysis_quantile(sorted, 5, 0.875) == 12);
    ck_assert(analysis_quantile(sorted, 4, 0.5) == 3);
    ck_assert(analysis_quantile(sorted, 1, 0.3) == 1);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("summary");
    tcase_add_test(tcase, test_student_integral);
    tcase_add_test(tcase, test_student_quantile);
    tcase_add_test(tcase, test_of);
    tcase_add_test(tcase, test_geomean);
    tcase_add_test(tcase, test_spread);
    tcase_add_test(tcase, test_few);
    tcase_add_test(tcase, test_quantile);
    return test_main("summary", tcase);
}
