/* Programs on arrays and data: their results, and that storage is freed. */
#include "tests/unit/structures.h"

static const struct {
    const char *text, *result;
} programs[] = {
    {DATA, "(Cons(7, Nil), 1, [])"},
    {READS, "(7, 8, [8, 8, 7], 3)"},
    {RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                             "  %a alloc.int 0 -> %o.0\n  %b alloc.bool 0 -> %p.0\n"
                             "  %o output.[int] _, part 0\n"
                             "  %p output.[bool] _, part 1\n",
     "[]"},
    {RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                             "  %a alloc.int 1 -> %o.0, %i.0\n"
                             "  %b alloc.bool 1 -> %p.0, %j.0\n"
                             "  %i index.int _, 0 -> %s.0\n  %s store.int _, -3\n"
                             "  %j index.bool _, 0 -> %t.0\n  %t store.bool _, true\n"
                             "  %o output.[int] _, part 0\n"
                             "  %p output.[bool] _, part 1\n",
     "[(-3, true)]"},
    /* What nobody reads may stay unwritten. */
    {RESULT("int") "in result\n  %a alloc.int 3 -> %i.0\n  %i index.int _, 1 -> -\n"
                   "  %o output.int 5, part 0\n",
     "5"},
    {RESULT("int") "in result\n  %e extent.int 9223372036854775807, _ -> %o.0\n"
                   "  %k const.int -5 -> %e.1\n  %o output.int _, part 0\n",
     "0"},
};

START_TEST(programs_have_their_results)
{
    const struct test_outcome o = run_everywhere(programs[_i].text);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, programs[_i].result);
}
END_TEST

START_TEST(arrays_of_arrays_are_freed)
{
    const struct test_outcome o = run_everywhere(NESTED);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, "([[], [2.5]], 2.5, 3)");
}
END_TEST

START_TEST(arrays_go_through_calls_and_branches)
{
    const struct test_outcome o = run_everywhere(CALLED);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, "([true, false], 2)");
}
END_TEST

/* Nothing is alive but what the result holds. */
START_TEST(storage_is_given_back)
{
    struct isa_graph *graph = test_read(NESTED);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1))
        ;
    const struct isa_structures *s = &machine_exec(m)->structures;
    ck_assert_uint_eq(s->count, 3);
    ck_assert_uint_eq(s->elements, 3);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("structure_programs");
    tcase_add_loop_test(tcase, programs_have_their_results, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tcase, arrays_of_arrays_are_freed);
    tcase_add_test(tcase, arrays_go_through_calls_and_branches);
    tcase_add_test(tcase, storage_is_given_back);
    return test_main("structure_programs", tcase);
}
