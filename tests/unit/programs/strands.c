/* Arrays that trees of strands make (programs/graph/strands.h), against the same arrays made by
 * chains. */
#include "isa/format/asm.h"
#include "tests/unit/cases.h"

static struct test_outcome interpret(const char *text, enum isa_stage stage,
                                     uint64_t strand)
{
    struct isa_graph *graph = test_compile_strands(text, stage, false, strand);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", text);
    isa_graph_free(graph);
    return o;
}

/* --- what it costs where it is not needed -------------------------------------------- */

/* Arrays of one strand, and how many firings more than by a chain. */
static const struct {
    const char *text;
    uint64_t more;
} costs[] = {
    {"result = [i * i | i <- 1 .. 20]", 0},
    {"result = [[i * j | j <- 1 .. 3] | i <- 1 .. 3]", 0},
    {"result = [x + 1 | x <- [1, 2, 3]]", 0},
    {"input n = 20\nresult = [i * i | i <- 1 .. n]", 3},
    {"result = f(20)\nf(n) = [i * i | i <- 1 .. n]", 3},
    {"result = f(0)\nf(n) = [i * i | i <- 1 .. n]", 3},
    {"result = f(20, 3)\nf(n, k) = [i * k | i <- 1 .. n]", 4},
    {"result = f(20)\nf(n) = [i * n | i <- 1 .. n]", 4},
    {"result = f(20, 3, 4)\nf(n, k, l) = [i * k + l | i <- 1 .. n]", 5},
    {"result = f(20, 3)\nf(n, k) = [(i * k, i) | i <- 1 .. n]", 5},
    {"input n = 4\nresult = scatter(n, [n - 1 - i -> i | i <- 0 .. n - 1])", 4},
    {"result = accumulate(+, 3, 0, [i % 3 -> i | i <- 0 .. 9])", 4},
    {"result = f([3, 1, 2])\nf(a) = [x * i | x <- a at i]", 4},
};

START_TEST(one_strand_costs_little)
{
    const struct test_outcome chain = interpret(costs[_i].text, ISA_STAGE_IMAGE, 0);
    const struct test_outcome tree = interpret(costs[_i].text, ISA_STAGE_IMAGE, 32);
    ck_assert_str_eq(tree.result, chain.result);
    ck_assert_uint_eq(tree.stats.firings, chain.stats.firings + costs[_i].more);
    ck_assert_uint_eq(tree.stats.calls, chain.stats.calls);
}
END_TEST

/* --- any length ---------------------------------------------------------------------- */

static const char *const programs[] = {
    "input n = %d\nresult = [i * i | i <- 0 .. n - 1]",
    "result = [i * i | i <- 1 .. %d]",
    "input n = %d\nresult = f(n, 0.5, [i | i <- 1 .. n])\n"
    "f(n, r, a) = [(x + n, real(i) * r) | x <- a at i]",
    "input n = %d\nresult = [sum([i * j | j <- 1 .. i]) | i <- 0 .. n - 1]",
    "input n = %d\nresult = let a = [[i + j | j <- 0 .. 2] | i <- 1 .. n]; "
    "b = [let row = [x * n | x <- r] in row | r <- a] in b",
    "input n = %d\nresult = accumulate(+, 3, 0.5, [i % 3 -> real(i) * 0.1 | i <- 0 .. n "
    "- 1])",
    "input n = %d\nresult = accumulate(max, [i | i <- 1 .. n], [i -> accumulate(+, i, 1, "
    "[j "
    "-> j * n | j <- 0 .. i - 1])[0] | i <- 1 .. n - 1])",
    /* what the loop ends with is used in the elements alone */
    "input n = %d\n"
    "result = loop s = 7, i = 0 while i < n do s + i, i + 1 return [[s * k, j] | k <- [x "
    "| x <- [1, 2, 3]] at j]",
    "input n = %d\n"
    "result = [loop s = k, i = 0 while i < 3 do s + i * n, i + 1 return "
    "[s + j | j <- 0 .. k]| k <- 1 .. n]",
    "input n = %d\nresult = scatter(2 * n, [(2 * n - 1 - i) -> f(i, n) | i <- 0 .. 2 * n "
    "- 1])\n"
    "f(i, n) = i * n",
    "input n = %d\nresult = [if i %% 2 == 0 then sum([i | _ <- 0 .. i]) else -n | i <- 1 "
    ".. n]",
};

START_TEST(all_lengths_are_right)
{
    for (int length = 0; length <= 24; length++) {
        char text[512];
        snprintf(text, sizeof text, programs[_i], length);
        const struct test_outcome chain = interpret(text, ISA_STAGE_IMAGE, 0);
        for (uint64_t strand = 1; strand <= 5; strand++)
            for (int expands = 0; expands < 2; expands++) {
                const struct test_outcome tree = interpret(
                    text, expands ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE, strand);
                ck_assert_msg(strcmp(tree.result, chain.result) == 0,
                              "%s, strands of %u: %s, not %s", text, (unsigned)strand,
                              tree.result, chain.result);
                ck_assert_uint_eq(tree.stats.loop_iterations,
                                  chain.stats.loop_iterations);
            }
    }
}
END_TEST

/* One call for each strand but the first, and some for no element. */
START_TEST(calls_are_few)
{
    for (uint64_t strand = 1; strand <= 9; strand++)
        for (int length = 1; length <= 300; length += 23) {
            char text[64];
            snprintf(text, sizeof text, "result = [i | i <- 1 .. %d]", length);
            const struct test_outcome o = interpret(text, ISA_STAGE_IMAGE, strand);
            const uint64_t strands = ((uint64_t)length + strand - 1) / strand;
            ck_assert_uint_ge(o.stats.calls, strands - 1);
            ck_assert_uint_le(o.stats.calls, strands + strands / 2);
        }
}
END_TEST

/* --- what is no tree ----------------------------------------------------------------- */

static const char *const chains[] = {
    "result = a\na = [if i == 0 then 1 else a[i - 1] + 1 | i <- 0 .. 9]",
    "result = a\na = [if i == 0 then 1 else f(i) | i <- 0 .. 9]\nf(i) = a[i - 1]",
    "result = a\na = [if i == 0 then 1 else b[i - 1] | i <- 0 .. 9]\nb = [a[i] | i <- 0 "
    ".. 9]",
    "result = let a = [if i == 0 then 1 else a[i - 1] + 1 | i <- 0 .. 9] in a",
    "result = f(9)\n"
    "f(n) = let a = [if i == 0 then 1 else let b = a[i - 1] in b + 1 | i <- 0 .. n] in a",
    "result = let a = [if i == 0 then 1 else g(a, i) | i <- 0 .. 9] in a\n"
    "g(a, i) = a[i - 1] + 1",
};

static void write_graph(const char *text, uint64_t strand, struct lib_text *out)
{
    struct isa_graph *graph = test_compile_strands(text, ISA_STAGE_IMAGE, false, strand);
    isa_asm_write(graph, out);
    isa_graph_free(graph);
}

START_TEST(what_reads_itself_is_a_chain)
{
    LIB_TEXT_OWN chain = {0};
    LIB_TEXT_OWN tree = {0};
    write_graph(chains[_i], 0, &chain);
    write_graph(chains[_i], 1, &tree);
    ck_assert_str_eq(lib_text_get(&tree), lib_text_get(&chain));
}
END_TEST

/* --- the graph ----------------------------------------------------------------------- */

/* Returns the nodes of a program of `depth` comprehensions in each other. */
static uint32_t count_nodes(int depth, uint64_t strand)
{
    LIB_TEXT_OWN text = {0};
    lib_text_puts(&text, "input n = 2\nresult = ");
    for (int i = 0; i < depth; i++)
        lib_text_puts(&text, "sum([n + ");
    lib_text_puts(&text, "1");
    for (int i = 0; i < depth; i++)
        lib_text_printf(&text, " | _ <- 1 .. n])");
    struct isa_graph *graph = test_compile_strands(lib_text_get(&text), ISA_STAGE_IMAGE,
                                                   false, strand);
    const struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert(o.end == ISA_END_COMPLETED);
    const uint32_t count = graph->node_count;
    isa_graph_free(graph);
    return count;
}

/* The elements of nested arrays are made once more for each array around them, not twice. */
START_TEST(nested_arrays_do_not_explode)
{
    ck_assert_uint_le(count_nodes(8, 1), 8 * count_nodes(8, 0));
    ck_assert_uint_le(count_nodes(16, 1), 5 * count_nodes(8, 1));
}
END_TEST

/* --- how fast it is ------------------------------------------------------------------ */

START_TEST(arrays_are_made_at_once)
{
    static const struct {
        const char *pes;
        uint64_t times; /* faster than a chain */
    } machines[] = {{"1", 1}, {"16", 18}, {"256", 45}};
    const char *text = "f(i) = i * i % 7\na = [f(i) | i <- 1 .. 4096]\nresult = a[4095]";
    struct isa_graph *graphs[] = {test_compile_strands(text, ISA_STAGE_IMAGE, false, 0),
                                  test_compile_strands(text, ISA_STAGE_IMAGE, false, 32)};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct test_outcome o[2];
        for (int tree = 0; tree < 2; tree++) {
            struct machine_settings settings;
            machine_settings_default(&settings);
            test_set(&settings, "pe.count", machines[i].pes);
            o[tree] = test_run(graphs[tree], NULL, &settings, 0);
            ck_assert_str_eq(o[tree].result, "1");
        }
        ck_assert_uint_le(o[1].stats.cycles * machines[i].times, o[0].stats.cycles);
        ck_assert_uint_le(o[1].stats.firings * 10, o[0].stats.firings * 12);
        traces_stats_free(&o[0].stats);
        traces_stats_free(&o[1].stats);
    }
    isa_graph_free(graphs[0]);
    isa_graph_free(graphs[1]);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tests = tcase_create("strands");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, one_strand_costs_little, 0, ROWS(costs));
    tcase_add_loop_test(tests, all_lengths_are_right, 0, ROWS(programs));
    tcase_add_test(tests, calls_are_few);
    tcase_add_loop_test(tests, what_reads_itself_is_a_chain, 0, ROWS(chains));
    tcase_add_test(tests, nested_arrays_do_not_explode);
    tcase_add_test(tests, arrays_are_made_at_once);
    return test_main("strands", tests);
}
