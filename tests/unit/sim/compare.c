/* What `hiaton compare` makes of two outcomes: when strategies differ cannot be seen from
 * outside, as they do not. And ranges of numbers. */
#include "analysis/derive.h"
#include "sim/compare/comparison.h"
#include "sim/values/range.h"
#include "lib/file.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- rows ------------------------------------------------------------------------- */

enum { CRASHED = -1 };

/* A run that ended so; counts are of calls and iterations. */
struct made {
    int end;
    const char *result;
    uint64_t calls, iterations;
};

static struct sim_outcome outcome_of(const struct made *made)
{
    struct sim_outcome outcome = {.crashed = made->end == CRASHED};
    outcome.end = outcome.crashed ? ISA_END_COMPLETED : (enum isa_end)made->end;
    outcome.stats.calls = made->calls;
    outcome.stats.loop_iterations = made->iterations;
    lib_text_puts(&outcome.result, made->result);
    lib_text_puts(&outcome.reason, made->end == ISA_END_COMPLETED ? "" : "why");
    return outcome;
}

/* Path of a program, which is never run. */
static const char *program(void)
{
    static char path[64];
    static const char text[] = "input n = 1\nresult = f(n)\nf(n) = n\n";
    struct lib_diags diags = {0};
    snprintf(path, sizeof path, "compare.%d.df", (int)getpid());
    ck_assert(lib_file_write(path, text, strlen(text), &diags));
    return path;
}

/* How many rows have a result of all sides, as comma-separated values show it. */
static size_t count_agreed(struct sim_comparison *c)
{
    static const struct sim_shown nothing = {0};
    struct lib_text text = {0};
    bool is_cut;
    size_t count = 0;
    ck_assert(sim_comparison_write(c, &nothing, LIB_FORM_CSV, &text, &is_cut));
    for (const char *line = text.bytes; (line = strchr(line, '\n')) && line[1];) {
        line = strchr(line, ','); /* behind the input */
        count += line[1] != ',';
    }
    lib_text_free(&text);
    return count;
}

/* The status of rows, each of which is two runs, or three. */
static enum sim_status check_sides(const struct made *runs, size_t side_count,
                                   size_t row_count)
{
    const char *input = row_count == 1 ? "n=1" : "n=1,2";
    const struct sim_comparison_request request = {
        .program = program(),
        .inputs = &input,
        .input_count = 1,
        .placement = side_count == 3 ? SIM_PLACEMENT_BOTH : SIM_PLACEMENT_GIVEN,
    };
    struct sim_comparison comparison;
    struct lib_diags diags = {0};
    struct lib_text lines = {0};
    enum sim_status status;
    ck_assert(sim_comparison_open(&comparison, &request, &diags));
    ck_assert_uint_eq(comparison.row_count, row_count);
    for (size_t i = 0; i < side_count * row_count; i++) {
        struct sim_outcome outcome = outcome_of(&runs[i]);
        ck_assert(sim_comparison_take(&comparison, i, &outcome));
        sim_outcome_free(&outcome);
    }
    ck_assert(sim_comparison_check(&comparison, &status, &lines));
    ck_assert((lines.length > 0) == (status != SIM_DONE));
    ck_assert((count_agreed(&comparison) == row_count) == (status == SIM_DONE));
    lib_text_free(&lines);
    sim_comparison_close(&comparison);
    ck_assert_uint_eq(diags.count, 0);
    unlink(request.program);
    return status;
}

static enum sim_status check_rows(const struct made *runs, size_t row_count)
{
    return check_sides(runs, 2, row_count);
}

static const struct made good = {ISA_END_COMPLETED, "5", 3, 7};
static const struct made limit = {ISA_END_LIMIT, "", 0, 0};
static const struct made trapped = {ISA_END_TRAPPED, "", 0, 0};

START_TEST(test_rows)
{
    static const struct {
        struct made runs[2];
        enum sim_status status;
    } cases[] = {
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_COMPLETED, "5", 3, 7}}, SIM_DONE},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_COMPLETED, "6", 3, 7}}, SIM_DIFFERS},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_COMPLETED, "5", 4, 7}}, SIM_DIFFERS},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_COMPLETED, "5", 3, 8}}, SIM_DIFFERS},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_TRAPPED, "", 3, 7}}, SIM_DIFFERS},
        {{{ISA_END_DEADLOCKED, "", 3, 7}, {ISA_END_COMPLETED, "5", 3, 7}}, SIM_DIFFERS},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {ISA_END_LIMIT, "", 3, 7}}, SIM_LIMIT},
        {{{ISA_END_STORE_FULL, "", 3, 7}, {ISA_END_LIMIT, "", 3, 7}}, SIM_LIMIT},
        {{{ISA_END_TRAPPED, "", 3, 7}, {ISA_END_DEADLOCKED, "", 3, 7}}, SIM_FAILED},
        {{{ISA_END_TRAPPED, "", 3, 7}, {ISA_END_LIMIT, "", 3, 7}}, SIM_FAILED},
        {{{ISA_END_COMPLETED, "5", 3, 7}, {CRASHED, "", 0, 0}}, SIM_INTERNAL},
        {{{CRASHED, "", 0, 0}, {ISA_END_LIMIT, "", 0, 0}}, SIM_INTERNAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(check_rows(cases[i].runs, 1) == cases[i].status, "case %zu", i);
}
END_TEST

START_TEST(test_gravest)
{
    struct made other = good;
    other.result = "6";
    const struct made differs[] = {limit, limit, good, other};
    ck_assert_int_eq(check_rows(differs, 2), SIM_DIFFERS);
    const struct made failed[] = {trapped, trapped, limit, limit};
    ck_assert_int_eq(check_rows(failed, 2), SIM_FAILED);
    const struct made limited[] = {good, good, good, limit};
    ck_assert_int_eq(check_rows(limited, 2), SIM_LIMIT);
    const struct made done[] = {good, good, other, other};
    ck_assert_int_eq(check_rows(done, 2), SIM_DONE);
}
END_TEST

/* Static and two placements: the worse of both counts. */
START_TEST(test_three_sides)
{
    struct made other = good, fewer = good;
    other.result = "6";
    fewer.calls = 2;
    const struct {
        struct made runs[3];
        enum sim_status status;
    } cases[] = {
        {{good, good, good}, SIM_DONE},          {{good, good, other}, SIM_DIFFERS},
        {{good, other, good}, SIM_DIFFERS},      {{other, good, good}, SIM_DIFFERS},
        {{good, good, fewer}, SIM_DIFFERS},      {{good, limit, good}, SIM_LIMIT},
        {{good, good, limit}, SIM_LIMIT},        {{good, limit, other}, SIM_DIFFERS},
        {{trapped, trapped, limit}, SIM_FAILED}, {{good, limit, trapped}, SIM_DIFFERS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(check_sides(cases[i].runs, 3, 1) == cases[i].status, "case %zu", i);
}
END_TEST

/* As the paper writes it in table 1, with two digits behind the point. */
START_TEST(test_speedup)
{
    static const struct {
        double static_seconds, dynamic_seconds, percent;
    } rows[] = {
        {37.446, 46.855, 20.08}, /* fib(32) */
        {1.511, 2.095, 27.88},   /* ack(3, 5) */
        {188.506, 159.778, -17.98} /* tak(27, 17, 8) */,
        {16.268, 16.076, -1.19}, /* primes(8500) */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_double_eq_tol(
            analysis_percent(rows[i].static_seconds, rows[i].dynamic_seconds),
            rows[i].percent, 0.006);
}
END_TEST

/* --- ranges ----------------------------------------------------------------------- */

/* The values of a range, with blanks between them; or why there are none. */
static const char *values_of(const char *first, const char *last, const char *step)
{
    static char text[512];
    const struct sim_range range = {first, last, step};
    struct sim_values values = {0};
    struct lib_arena *arena = lib_arena_new();
    struct lib_text out = {0};
    struct lib_text why = {0};
    bool good_range = sim_range_add(&range, arena, (struct lib_pos){0}, &values, &why);
    for (size_t i = 0; i < values.list.count && i < 8; i++)
        lib_text_printf(&out, "%s%s", i ? " " : "", values.list.items[i].text);
    snprintf(text, sizeof text, "%s", good_range ? lib_text_get(&out) : why.bytes);
    lib_text_free(&out);
    lib_text_free(&why);
    LIB_VEC_FREE(&values.list);
    lib_arena_free(arena);
    return text;
}

START_TEST(test_ranges)
{
    ck_assert_str_eq(values_of("1", "4", NULL), "1 2 3 4");
    ck_assert_str_eq(values_of("10", "35", "10"), "10 20 30");
    ck_assert_str_eq(values_of("3", "-3", "-2"), "3 1 -1 -3");
    ck_assert_str_eq(values_of("5", "5", "-1"), "5");
    ck_assert_str_eq(values_of("9223372036854775806", "9223372036854775807", NULL),
                     "9223372036854775806 9223372036854775807");
    ck_assert_str_eq(values_of("0.5", "1", "0.25"), "0.5 0.75 1.0");
    ck_assert_str_eq(values_of("1", "2", "0.5"), "1.0 1.5 2.0");
    ck_assert_str_eq(values_of("4", "1", NULL),
                     "the range from 4 to 1 in steps of 1 is empty");
    ck_assert_str_eq(values_of("9007199254740993", "9007199254740992", NULL),
                     "the range from 9007199254740993 to 9007199254740992 in steps of 1 "
                     "is empty");
    ck_assert_str_eq(
        values_of("-9223372036854775808", "9223372036854775807", "9223372036854775807"),
        "-9223372036854775808 -1 9223372036854775806");
    ck_assert_str_eq(
        values_of("9223372036854775807", "-9223372036854775808", "-9223372036854775808"),
        "9223372036854775807 -1");
    ck_assert_str_eq(values_of("0.8", "1.1", "0.1"), "0.8 0.9 1.0 1.1");
    ck_assert_str_eq(values_of("1", "4", "0"), "the step of the range is 0");
    ck_assert_str_eq(values_of("1", "x", NULL), "expected a number, found `x`");
    ck_assert_str_eq(values_of("", "2", NULL), "a number is missing");
    ck_assert_str_eq(values_of("1", "inf", NULL), "expected a number, found `inf`");
}
END_TEST

/* Both ends are included, as counted in decimal, and no value is beyond the last. */
START_TEST(test_ranges_of_reals)
{
    static const struct {
        const char *first, *last, *step;
        double steps, end;
    } ranges[] = {
        {"0", "0.3", "0.1", 3, 0.3}, /* 3 * 0.1 is more than 0.3 */
        {"0.1", "0.3", "0.1", 2, 0.3},
        {"0", "0.35", "0.1", 3, 0.30000000000000004},
        {"0", "1", "0.001", 1000, 1},
        {"0", "1", "0.000001", 1000000, 1},
        {"1", "0", "-0.1", 10, 0},
        {"0.3", "-0.3", "-0.1", 6, -0.3},
        {"1e-3", "+7e-3", "1.0E-3", 6, 7e-3},
        {"1e300", "3e300", "1e300", 2, 3e300},
        {"1000000.1", "1000000.3", "0.1", 2, 1000000.1 + 2 * 0.1},
        {"0", "0.29999999999999999", "0.1", 2, 0.2},
        {"-0.0", "0", "0.1", 0, 0},
        {"0", "1e-300", "1", 0, 0},
        {"1", "2", "3.5", 0, 1},
        {"0", "123456789012345678901234567890123456789012345",
         "12345678901234567890123456789012345678901234.5", 10, 1.2345678901234567e44},
        {"0.2", "0.1", "0.1", -1, 0},
        {"0.1", "0.2", "-0.1", -1, 0},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct sim_range range = {ranges[i].first, ranges[i].last, ranges[i].step};
        struct sim_reals reals;
        ck_assert(sim_reals_read(&reals, &range));
        ck_assert_msg(reals.steps == ranges[i].steps, "range %zu has %g steps", i,
                      reals.steps);
        if (reals.steps < 0)
            continue;
        const double end = sim_reals_at(&reals, (size_t)reals.steps);
        ck_assert_msg(end == ranges[i].end, "range %zu ends at %.17g", i, end);
        for (size_t k = 0; k < (size_t)reals.steps; k++)
            ck_assert(sim_reals_at(&reals, k) == reals.first + (double)k * reals.step);
    }
    ck_assert_str_eq(values_of("0", "0.3", "0.1"), "0.0 0.1 0.2 0.3");
}
END_TEST

/* Refused before a value is made: this takes no time and no memory. */
START_TEST(test_ranges_that_are_too_long)
{
    ck_assert_str_eq(values_of("1", "1000001", NULL),
                     "the range from 1 to 1000001 in steps of 1 has 1000001 values; a "
                     "parameter has at most 1000000");
    ck_assert_str_eq(
        values_of("-9223372036854775808", "9223372036854775807", NULL),
        "the range from -9223372036854775808 to 9223372036854775807 in steps "
        "of 1 has about 1.8e+19 values; a parameter has at most 1000000");
    ck_assert_str_eq(
        values_of("1", "99999999999999999999999", "4"),
        "the range from 1 to 99999999999999999999999 in steps of 4 has about "
        "2.5e+22 values; a parameter has at most 1000000");
    ck_assert_str_eq(values_of("-1e308", "1e308", "1e-300"),
                     "the range from -1e308 to 1e308 in steps of 1e-300 has endlessly "
                     "many values; a parameter has at most 1000000");
    ck_assert_str_eq(values_of("0", "1", "0.000001"),
                     "the range from 0 to 1 in steps of 0.000001 has 1000001 values; a "
                     "parameter has at most 1000000");
    ck_assert_str_eq(values_of("1e16", "10000000000000010", "0.5"),
                     "the range from 1e16 to 10000000000000010 in steps of 0.5 has 1e+16 "
                     "twice, as reals lie further apart");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("compare");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_rows);
    tcase_add_test(tcase, test_gravest);
    tcase_add_test(tcase, test_three_sides);
    tcase_add_test(tcase, test_speedup);
    tcase_add_test(tcase, test_ranges);
    tcase_add_test(tcase, test_ranges_of_reals);
    tcase_add_test(tcase, test_ranges_that_are_too_long);
    return test_main("compare", tcase);
}
