/* Programs with results found by hand, run by all engines that can run them. */
#ifndef TESTS_UNIT_CASES_H
#define TESTS_UNIT_CASES_H

#include "tests/unit/support.h"

#include <string.h>

struct test_case {
    const char *name, *text, *result;
    uint64_t calls, iterations;
};

static inline void test_check_case(const struct test_case *c,
                                   const struct test_outcome *o,
                                   const struct test_outcome *oracle)
{
    ck_assert_msg(o->end == ISA_END_COMPLETED, "%s: it did not end well", c->name);
    ck_assert_msg(strcmp(o->result, c->result) == 0, "%s: %s, not %s", c->name, o->result,
                  c->result);
    ck_assert_msg(o->stats.calls == c->calls, "%s: %ju calls", c->name,
                  (uintmax_t)o->stats.calls);
    ck_assert_msg(o->stats.loop_iterations == c->iterations, "%s: %ju iterations",
                  c->name, (uintmax_t)o->stats.loop_iterations);
    ck_assert_uint_eq(o->stats.firings, oracle->stats.firings);
    ck_assert_uint_eq(o->stats.span, oracle->stats.span);
    ck_assert_uint_eq(o->stats.value_digest, oracle->stats.value_digest);
}

static inline void test_run_case(const struct test_case *c, uint64_t constants)
{
    struct isa_graph *graph = test_compile_loops(c->text, constants);
    struct test_outcome oracle = test_interp(graph, NULL, false);
    test_check_case(c, &oracle, &oracle);
    ck_assert_uint_eq(oracle.stats.dead_tokens, 0);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(graph, NULL, propagate);
        test_check_case(c, &o, &oracle);
        struct machine_settings settings;
        machine_settings_default(&settings);
        settings.deadness = propagate;
        struct test_outcome run = test_run(graph, NULL, &settings, 1);
        test_check_case(c, &run, &oracle);
        traces_stats_free(&run.stats);
        test_settings_ideal(&settings);
        settings.deadness = propagate;
        struct test_outcome ideal = test_run(graph, NULL, &settings, 1);
        test_check_case(c, &ideal, &oracle);
        ck_assert(propagate || ideal.stats.cycles == ideal.stats.span);
        traces_stats_free(&ideal.stats);
    }
    isa_graph_free(graph);
}

#endif
