/* The generator of random programs, with all features: programs have types and end, read back when
 * printed, and cover what they should; reduced programs keep their property. */
#include "tests/random/evaluate.h"
#include "tests/random/generate.h"
#include "tests/random/shrink.h"
#include "tests/unit/front_end.h"

enum {
    ALL = GENERATE_LOOPS | GENERATE_ARRAYS | GENERATE_DATA,
    SIZE = 40,
    STEPS_MAX = 4000000
};

static uint64_t programs(void)
{
    return test_part(1500, 200);
}

static enum evaluate_end end_of(const struct programs_ast *ast, uint64_t *calls)
{
    struct evaluate_outcome o;
    evaluate(ast, STEPS_MAX, EVALUATE_MISTAKE_NONE, 0, &o);
    lib_text_free(&o.result);
    if (calls)
        *calls += o.calls;
    return o.end;
}

/* --- what they have ------------------------------------------------------------------- */

static void count_kinds(const struct programs_expr *e, uint64_t *kinds)
{
    kinds[e->kind]++;
    for (size_t i = 0; i < e->operand_count; i++)
        count_kinds(e->operands[i], kinds);
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_CASE && i < e->match->arm_count; i++)
        count_kinds(e->match->arms[i].body, kinds);
    if (e->kind != PROGRAMS_EXPR_LET)
        return;
    for (size_t i = 0; i < e->let->count; i++)
        count_kinds(e->let->equations[i]->value, kinds);
    count_kinds(e->let->body, kinds);
}

START_TEST(programs_have_types_and_end)
{
    uint64_t ends[EVALUATE_LIMIT + 1] = {0}, kinds[PROGRAMS_EXPR_NUMBER + 1] = {0};
    uint64_t calls = 0, count = programs();
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct lib_text text = {0};
        generate(seed, SIZE, ALL, &text);
        struct program p = load_good(lib_text_get(&text), TYPED);
        enum evaluate_end end = end_of(p.ast, &calls);
        ck_assert_msg(end != EVALUATE_LIMIT, "seed %u", (unsigned)seed);
        ends[end]++;
        for (size_t i = 0; i < p.ast->constant_count; i++)
            count_kinds(p.ast->constants[i]->value, kinds);
        for (size_t i = 0; i < p.ast->function_count; i++)
            count_kinds(p.ast->functions[i]->body, kinds);
        unload(&p);
        lib_text_free(&text);
    }
    for (int k = PROGRAMS_EXPR_LOOP; k <= PROGRAMS_EXPR_INDEX; k++)
        ck_assert_msg(
            kinds[k] >
                count / (k == PROGRAMS_EXPR_SCATTER || k == PROGRAMS_EXPR_ACCUMULATE ? 100
                         : k == PROGRAMS_EXPR_JOINED                                 ? 10
                                                                                     : 4),
            "%u of kind %d", (unsigned)kinds[k], k);
    for (int k = PROGRAMS_EXPR_CONSTRUCT; k <= PROGRAMS_EXPR_NUMBER; k++)
        ck_assert_msg(kinds[k] > count / 100, "%u of kind %d", (unsigned)kinds[k], k);
    ck_assert_uint_gt(ends[EVALUATE_FAILED] * 20, count);
    ck_assert_uint_lt(ends[EVALUATE_FAILED] * 3, count);
    ck_assert_uint_gt(ends[EVALUATE_DEADLOCKED], 0);
    ck_assert_uint_gt(calls, 2 * count);
}
END_TEST

START_TEST(a_seed_is_one_program)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (unsigned features = 0; features <= ALL; features++) {
            struct lib_text first = {0}, second = {0};
            generate(seed, SIZE, features, &first);
            generate(seed, SIZE, features, &second);
            ck_assert_str_eq(lib_text_get(&first), lib_text_get(&second));
            bool loops = strstr(lib_text_get(&first), "loop ") != NULL;
            bool arrays = strchr(lib_text_get(&first), '[') != NULL;
            ck_assert(!loops || (features & GENERATE_LOOPS));
            ck_assert(!arrays || (features & GENERATE_ARRAYS));
            ck_assert(!strstr(lib_text_get(&first), "case ") ||
                      (features & GENERATE_DATA));
            lib_text_free(&first);
            lib_text_free(&second);
        }
}
END_TEST

START_TEST(printed_programs_read_back)
{
    for (uint64_t seed = 1; seed <= programs() / 5; seed++) {
        struct lib_text text = {0};
        generate(seed, SIZE / 2, ALL, &text);
        struct program p = load_good(lib_text_get(&text), PARSED);
        check_print(p.ast);
        unload(&p);
        lib_text_free(&text);
    }
}
END_TEST

/* --- making them small ---------------------------------------------------------------- */

/* Whether the program ends so. */
static bool ends_so(const char *text, void *context)
{
    struct program p = load(text, TYPED);
    bool good = p.ast && end_of(p.ast, NULL) == *(enum evaluate_end *)context;
    unload(&p);
    return good;
}

static void check_shrink(const char *program, enum evaluate_end end, const char *expected)
{
    struct lib_text text = {0};
    lib_text_puts(&text, program);
    ck_assert(ends_so(program, &end));
    shrink(&text, 2000, ends_so, &end);
    ck_assert_str_eq(lib_text_get(&text), expected);
    lib_text_free(&text);
}

START_TEST(programs_are_made_small)
{
    check_shrink("result = loop i = 0, s = 3, t = (1, 2) --# bound 4\n"
                 " while i < 5 do i + 1, s / (3 - i), t return s + 1\n",
                 EVALUATE_FAILED, "result = 0 / 0\n");
    check_shrink("f(x) = [1, x, x][x]\nresult = [f(i) + i | i <- 0 .. 7]\n",
                 EVALUATE_FAILED, "f(x) = [0][1]\nresult = f(0)\n");
    check_shrink("a = [if i == 0 then (1, 2) else b[i] | i <- 0 .. 4]\n"
                 "b = [a[i] | i <- 0 .. 4]\nresult = (length(a), b)\n",
                 EVALUATE_DEADLOCKED,
                 "a = [if false then 0 else b[0] | i <- 0 .. 0]\nb = [a[0] | i <- 0 .. "
                 "0]\nresult = a\n");
}
END_TEST

START_TEST(random_programs_are_made_small)
{
    for (uint64_t seed = 1, found = 0; found < 3; seed++) {
        struct lib_text text = {0};
        enum evaluate_end end = EVALUATE_DEADLOCKED;
        generate(seed, SIZE, ALL, &text);
        if (ends_so(lib_text_get(&text), &end)) {
            found++;
            shrink(&text, 3000, ends_so, &end);
            ck_assert(ends_so(lib_text_get(&text), &end));
            ck_assert_msg(text.length < 150, "%s", lib_text_get(&text));
        }
        lib_text_free(&text);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("generate");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, programs_have_types_and_end);
    tcase_add_test(tests, a_seed_is_one_program);
    tcase_add_test(tests, printed_programs_read_back);
    tcase_add_test(tests, programs_are_made_small);
    tcase_add_test(tests, random_programs_are_made_small);
    return test_main("generate", tests);
}
