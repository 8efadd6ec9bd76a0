/* The evaluator by itself: values worked out by hand from the definition of the language,
 * and the results of tests/examples.tbl. */
#include "tests/evaluate.h"
#include "lib/file.h"
#include "tests/lang.h"
#include "tests/main.h"

#include <stdio.h>

static struct evaluate_outcome value_of(const char *program)
{
    struct evaluate_outcome outcome;
    struct program p = load_good(program, TYPED);
    evaluate(p.ast, 100000000, EVALUATE_MISTAKE_NONE, &outcome);
    unload(&p);
    return outcome;
}

/* --- expressions ---------------------------------------------------------------------- */

static const char *const values[][2] = {
    {"-7 / 2", "-3"},
    {"7 / -2", "-3"},
    {"-7 % 2", "-1"},
    {"7 % -2", "1"},
    {"-9223372036854775808 % -1", "0"},
    {"-9223372036854775807 - 1", "-9223372036854775808"},
    {"max(-9223372036854775808, 3)", "3"},
    {"min(-9223372036854775808, 3)", "-9223372036854775808"},
    {"abs(-9223372036854775807)", "9223372036854775807"},
    {"1 - 2 - 3", "-4"},
    {"- 2 * 3 + 10 % 4", "-4"},
    {"5.5 % 2", "1.5"},
    {"-5.5 % 2.0", "-1.5"},
    {"1.0 / 0.0", "inf"},
    {"-1.0 / 0", "-inf"},
    {"0.0 / 0.0", "nan"},
    {"min(-0.0, 0.0)", "-0.0"},
    {"min(0.0, -0.0)", "-0.0"},
    {"max(-0.0, 0.0)", "0.0"},
    {"max(0.0, -0.0)", "0.0"},
    {"max(-0.0, -0.0)", "-0.0"},
    {"min(1.0, 0.0 / 0.0)", "nan"},
    {"max(0.0 / 0.0, 1.0)", "nan"},
    {"min(2.5, 1)", "1.0"},
    {"abs(-0.0)", "0.0"},
    {"-(0.0)", "-0.0"},
    {"0.0 / 0.0 == 0.0 / 0.0", "false"},
    {"0.0 / 0.0 /= 0.0 / 0.0", "true"},
    {"0.0 == -0.0", "true"},
    {"(1 < 2, 2 < 1, 1 <= 1, 1 > 1, 1 >= 1, 1 == 2, 1 /= 2)",
     "(true, false, true, false, true, false, true)"},
    {"(true == false, true /= false, not true)", "(false, true, false)"},
    {"(floor(-0.5), sqrt(2.25), exp(0.0), log(1), sin(0), cos(0), tanh(0))",
     "(-1.0, 1.5, 1.0, 0.0, 0.0, 1.0, 0.0)"},
    {"(int(-2.9), int(2.9), int(-9223372036854775808.0))",
     "(-2, 2, -9223372036854775808)"},
    {"real(9007199254740993)", "9007199254740992.0"},
    {"(1e16, 1e-5, 0.1, 100.0)", "(1e+16, 1e-05, 0.1, 100.0)"},
    {"true or 1 / 0 == 1", "true"},
    {"false and 1 / 0 == 1", "false"},
    {"false or true", "true"},
    {"true and false", "false"},
    {"if 1 > 2 then 1 / 0 else 7", "7"},
    {"let a = 1; b = a + 1; (c, d) = (b, (a, b)) in (d, c)", "((1, 2), 2)"},
    {"let a = 1 in (let a = 2.5 in a, a)", "(2.5, 1)"},
    {"let a = 1 / 0 in 5", "5"},
    {"let (_, b) = (1, true) in b", "true"},
};

START_TEST(values_are_those_of_the_definition)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char program[256];
        snprintf(program, sizeof program, "result = %s\n", values[i][0]);
        struct evaluate_outcome o = value_of(program);
        ck_assert_msg(o.end == EVALUATE_COMPLETED, "%s: failed", values[i][0]);
        ck_assert_msg(strcmp(lib_text_get(&o.result), values[i][1]) == 0,
                      "%s: %s, expected %s", values[i][0], lib_text_get(&o.result),
                      values[i][1]);
        lib_text_free(&o.result);
    }
}
END_TEST

/* --- failures ------------------------------------------------------------------------- */

static const char *const failures[] = {
    "result = 9223372036854775807 + 1\n",
    "result = -9223372036854775808 - 1\n",
    "result = 4611686018427387904 * 2\n",
    "result = -9223372036854775808 / -1\n",
    "result = -(-9223372036854775808)\n",
    "result = abs(-9223372036854775808)\n",
    "result = 1 / 0\n",
    "result = 1 % 0\n",
    "result = int(0.0 / 0.0)\n",
    "result = int(1.0 / 0.0)\n",
    "result = int(9223372036854775808.0)\n",
    "result = int(-9223372036854777856.0)\n",
    /* an argument that is ignored */
    "result = f(1 / 0)\nf(x) = 1\n",
    /* a constant, and a let, that are used in a branch not taken */
    "result = if true then 1 else k\nk = 1 / 0\n",
    "result = let a = 1 / 0 in if true then 1 else a\n",
    /* a part of a tuple that nobody uses */
    "(a, b) = (1, 1 / 0)\nresult = a\n",
};

START_TEST(failures_are_those_of_the_definition)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct evaluate_outcome o = value_of(failures[i]);
        ck_assert_msg(o.end == EVALUATE_FAILED, "%s", failures[i]);
        lib_text_free(&o.result);
    }
}
END_TEST

START_TEST(what_is_not_used_does_not_fail)
{
    struct evaluate_outcome o = value_of("result = f(2)\nk = 1 / 0\nj = f(k)\n"
                                         "f(x) = if x == 0 then 0 else f(x - 1)\n");
    ck_assert_int_eq(o.end, EVALUATE_COMPLETED);
    ck_assert_str_eq(lib_text_get(&o.result), "0");
    ck_assert_uint_eq(o.calls, 3);
    lib_text_free(&o.result);
}
END_TEST

/* --- recursion ------------------------------------------------------------------------ */

START_TEST(recursion_may_be_deep_but_not_endless)
{
    struct evaluate_outcome o = value_of(
        "result = f(300000)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n");
    ck_assert_str_eq(lib_text_get(&o.result), "300000");
    ck_assert_uint_eq(o.calls, 300001);
    lib_text_free(&o.result);
    o = value_of("result = f(1)\nf(n) = if n == 0 then 0 else f(n + 1) + 1\n");
    ck_assert_int_eq(o.end, EVALUATE_LIMIT);
    lib_text_free(&o.result);
}
END_TEST

/* --- the examples --------------------------------------------------------------------- */

/* Sets inputs from "n=3 m=4"; where it can, as a literal of the input's own kind. */
static void set_inputs(const struct programs_ast *ast, char *assignments)
{
    for (char *save, *word = strtok_r(assignments, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        for (size_t i = 0; i < ast->input_count; i++) {
            struct programs_expr *literal = ast->inputs[i]->literal;
            if (strcmp(ast->inputs[i]->binding->name, word) != 0)
                continue;
            if (literal->kind == PROGRAMS_EXPR_INT)
                ck_assert(lib_text_to_int(value, &literal->integer));
            else
                ck_assert(lib_text_to_real(value, &literal->real));
        }
    }
}

static void check_example(const char *name, char *inputs, const char *result,
                          uint64_t calls)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const char *directory = getenv("SRCDIR");
    const char *path = lib_arena_printf(arena, "%s/programs/examples/%s.df",
                                        directory ? directory : ".", name);
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    struct program p = load_good(source->bytes, TYPED);
    struct evaluate_outcome o;
    set_inputs(p.ast, inputs);
    evaluate(p.ast, 100000000, EVALUATE_MISTAKE_NONE, &o);
    ck_assert_msg(o.end == EVALUATE_COMPLETED, "%s did not complete", name);
    ck_assert_str_eq(lib_text_get(&o.result), result);
    ck_assert_uint_eq(o.calls, calls);
    lib_text_free(&o.result);
    unload(&p);
    lib_arena_free(arena);
}

START_TEST(examples_have_their_results)
{
    char path[512], line[512];
    const char *directory = getenv("SRCDIR");
    unsigned rows = 0;
    snprintf(path, sizeof path, "%s/tests/examples.tbl", directory ? directory : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        char *fields[4], *p = line;
        for (int i = 0; i < 4; i++)
            fields[i] = strsep(&p, "|\n");
        check_example(fields[0], fields[1], fields[2], strtoull(fields[3], NULL, 10));
        rows++;
    }
    fclose(file);
    ck_assert_msg(rows >= 30, "only %u examples", rows);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("evaluate");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, values_are_those_of_the_definition);
    tcase_add_test(tcase, failures_are_those_of_the_definition);
    tcase_add_test(tcase, what_is_not_used_does_not_fail);
    tcase_add_test(tcase, recursion_may_be_deep_but_not_endless);
    tcase_add_test(tcase, examples_have_their_results);
    return test_main("evaluate", tcase);
}
