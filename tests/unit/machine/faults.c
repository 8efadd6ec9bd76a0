/* Late, overtaken, lost and duplicate messages, and stopped nodes: the result stays the same, or
 * the run reports what is wrong. Also how long nodes need to find out that a run has ended. */
#include "machine/nodes/nodes_internal.h"
#include "machine/state.h"
#include "tests/unit/support.h"

#include <inttypes.h>

/* A cluster on which it all happens. */
static void settle(struct machine_settings *s, const char *words)
{
    machine_settings_default(s);
    test_set_all(s, "cluster.nodes=4 cluster.pes_per_node=2 network.topology=mesh");
    if (strncmp(words, "fault.list=", 11) == 0)
        s->fault_list = words + 11; /* a text is borrowed */
    else
        test_set_all(s, words);
}

static struct machine *run(const struct isa_code *code, const struct machine_settings *s)
{
    struct lib_diags diags = {0};
    const bool fits = machine_settings_fit(s, &diags);
    ck_assert_msg(fits, "%s", fits ? "" : diags.items[0].text);
    struct machine *m = machine_new(code, s, 0);
    while (machine_advance(m, 1000000))
        ;
    return m;
}

static const char *const programs[] = {
    "result = fib(7)\nfib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n",
    "result = sum([f(i) | i <- 0 .. 9])\nf(n) = if n == 0 then 1 else n * f(n - 1)\n",
    "result = loop i = 0, s = 0 while i < 12 do i + 1, s + g(i)\ng(x) = x * x\n",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* --- what changes nothing ------------------------------------------------------------- */

static const char *const harmless[] = {
    "fault.delay=1000000",
    "fault.delay=400000 fault.delay_cycles=300",
    "fault.reorder=1000000",
    "fault.reorder=500000 fault.delay=500000 fault.seed=9",
    "fault.stop.cycles=500 fault.stop.node=2 fault.stop.start=10",
    "fault.list=delay:0-1:0,reorder:1-0:1,delay:2-3:0:7000",
    "cluster.termination=counted",
    "cluster.termination=counted fault.delay=300000 fault.reorder=300000",
    "cluster.termination=counted fault.delay=200000 fault.delay_cycles=5000",
    "cluster.termination=counted fault.stop.cycles=900 fault.stop.node=1",
    "queue.capacity=40 network.capacity=4 fault.delay=300000 fault.reorder=300000",
    "network.bandwidth=8 cluster.bandwidth=16 cluster.termination=counted",
    "deadness=propagate cluster.termination=counted fault.reorder=500000",
};
enum { HARMLESS = sizeof harmless / sizeof *harmless };

START_TEST(order_and_delay_change_no_value)
{
    struct isa_graph *graph = test_compile(programs[_i % PROGRAMS], ISA_STAGE_IMAGE);
    struct machine_settings s;
    struct lib_text result = {0};
    struct traces_stats stats;
    settle(&s, harmless[_i / PROGRAMS]);
    const bool propagates = s.deadness == MACHINE_PROPAGATE;
    struct test_outcome reference = test_interp(graph, NULL, propagates);
    struct isa_code *code = isa_code_make(graph, NULL, propagates);
    struct machine *m = run(code, &s);
    ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
    isa_exec_write_result(machine_exec(m), &result);
    machine_measure(m, &stats);
    ck_assert_str_eq(lib_text_get(&result), reference.result);
    ck_assert_uint_eq(stats.value_digest, reference.stats.value_digest);
    ck_assert_uint_eq(stats.firings, reference.stats.firings);
    ck_assert_uint_eq(stats.calls, reference.stats.calls);
    ck_assert_uint_eq(stats.span, reference.stats.span);
    ck_assert(stats.faults > 0 || !strstr(harmless[_i / PROGRAMS], "000000"));
    traces_stats_free(&stats);
    lib_text_free(&result);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* --- what is found -------------------------------------------------------------------- */

static uint64_t injected;

static void inject(const struct isa_code *code, const char *words, const char *kind,
                   unsigned from, unsigned to, uint32_t number)
{
    struct machine_settings s;
    struct lib_text said = {0};
    struct lib_pos pos = {0};
    char list[64], start[96];
    snprintf(list, sizeof list, "%s:%u-%u:%" PRIu32, kind, from, to, number);
    snprintf(start, sizeof start, "message %" PRIu32 " from node %u to node %u %s: a ",
             number, from, to, *kind == 'l' ? "was lost" : "came twice");
    settle(&s, words);
    s.fault_list = list;
    struct machine *m = run(code, &s);
    ck_assert_msg(machine_end(m) == ISA_END_FAULTED, "%s: %s", words, list);
    machine_write_fault(m, &said, &pos);
    ck_assert_msg(strncmp(lib_text_get(&said), start, strlen(start)) == 0, "%s, not %s",
                  lib_text_get(&said), start);
    ck_assert_msg(strstr(lib_text_get(&said), " from %") &&
                      strstr(lib_text_get(&said), " under tag ["),
                  "%s", lib_text_get(&said));
    ck_assert_msg(!strstr(lib_text_get(&said), "missing"), "%s", lib_text_get(&said));
    ck_assert_uint_gt(pos.line, 0);
    injected++;
    lib_text_free(&said);
    machine_free(m);
}

static const char *const place_names[] = {
    "",
    "network.topology=ring fault.reorder=100000",
    ("network.topology=crossbar network.bandwidth=16 fault.delay=100000 "
     "fault.delay_cycles=200"),
    "network.routing=adaptive network.capacity=4 deadness=propagate",
};
enum { PLACES = sizeof place_names / sizeof *place_names };

/* Each message that there is, once lost and once twice. */
START_TEST(each_loss_and_each_duplicate_is_found_and_named)
{
    const uint64_t most = test_is_quick() ? 60 : 10000 / PLACES + 1;
    struct machine_settings s;
    settle(&s, place_names[_i]);
    injected = 0;
    for (unsigned n = 0; injected < most; n++) {
        struct isa_graph *graph = test_compile(programs[n % PROGRAMS], ISA_STAGE_IMAGE);
        struct isa_code *code = isa_code_make(graph, NULL,
                                              s.deadness == MACHINE_PROPAGATE);
        char words[256];
        snprintf(words, sizeof words,
                 "%s cluster.termination=counted placement.policy=random fault.seed=%u",
                 place_names[_i], 1 + n);
        settle(&s, words);
        struct machine *m = run(code, &s);
        for (unsigned from = 0; from < 4; from++)
            for (unsigned to = 0; to < 4; to++)
                for (uint32_t k = 0; from != to && injected < most &&
                                     k < nodes_pair(m->nodes, from, to)->sent;
                     k++) {
                    inject(code, words, "lose", from, to, k);
                    inject(code, words, "duplicate", from, to, k);
                }
        machine_free(m);
        isa_code_free(code);
        isa_graph_free(graph);
    }
}
END_TEST

/* --- how long it takes ---------------------------------------------------------------- */

/* The top level alone sends no messages. Its node keeps the probe until it is done; then the probe
 * goes to node 0 or, from node 0, once round. On a crossbar each step takes the latencies of the
 * injection, the link up and the link down. */
START_TEST(the_probe_goes_round_once)
{
    static const unsigned latencies[] = {1, 4, 9};
    struct isa_graph *graph = test_compile("result = 1 / 2 / 3.0 / 4.0\ninput n = 1\n",
                                           ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    for (unsigned nodes = 1; nodes <= 64; nodes++) {
        char words[160];
        const unsigned latency = latencies[nodes % 3];
        struct machine_settings s;
        struct traces_stats stats;
        machine_settings_default(&s);
        snprintf(words, sizeof words,
                 "cluster.nodes=%u cluster.termination=counted network.latency=%u "
                 "unit.fdiv.latency=1000",
                 nodes, latency);
        test_set_all(&s, words);
        struct machine *m = run(code, &s);
        machine_measure(m, &stats);
        const uint64_t step = 1 + latency + 1;
        const uint64_t home = (UINT64_C(0x68696174) * nodes) >> 32; /* of the root */
        ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
        ck_assert_uint_eq(stats.probes, nodes == 1 ? 0 : nodes);
        const uint64_t steps = home ? home : nodes > 1 ? nodes : 0;
        ck_assert_msg(stats.detection_cycles == 1 + steps * step,
                      "%u nodes: %" PRIu64 " cycles", nodes, stats.detection_cycles);
        traces_stats_free(&stats);
        machine_free(m);
    }
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* Safra's bound: at most the rest of a round that was under way, a black one, and a white one. */
START_TEST(termination_is_found_in_three_rounds)
{
    for (unsigned i = 0; i < PROGRAMS * HARMLESS; i++) {
        struct isa_graph *graph = test_compile(programs[i % PROGRAMS], ISA_STAGE_IMAGE);
        struct machine_settings s;
        struct traces_stats stats;
        settle(&s, harmless[i / PROGRAMS]);
        s.cluster_termination = MACHINE_TERMINATION_COUNTED;
        struct isa_code *code = isa_code_make(graph, NULL,
                                              s.deadness == MACHINE_PROPAGATE);
        struct machine *m = run(code, &s);
        machine_measure(m, &stats);
        ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
        ck_assert_uint_le(stats.detection_cycles,
                          1 + 3 * m->nodes->round + s.fault_stop_cycles);
        traces_stats_free(&stats);
        machine_free(m);
        isa_code_free(code);
        isa_graph_free(graph);
    }
}
END_TEST

/* What counting finds, the simulator would have found: nothing else changes. */
START_TEST(counting_changes_nothing_but_the_end)
{
    struct isa_graph *graph = test_compile(programs[0], ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings s;
    struct traces_stats a, b;
    settle(&s, "");
    struct machine *sees = run(code, &s);
    settle(&s, "cluster.termination=counted");
    struct machine *counts = run(code, &s);
    machine_measure(sees, &a);
    machine_measure(counts, &b);
    ck_assert_uint_eq(a.timing_digest, b.timing_digest);
    ck_assert_uint_eq(a.result_cycle, b.result_cycle);
    ck_assert_uint_gt(b.cycles, a.cycles);
    ck_assert_uint_eq(a.probes, 0);
    traces_stats_free(&a);
    traces_stats_free(&b);
    machine_free(sees);
    machine_free(counts);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* --- numbers -------------------------------------------------------------------------- */

START_TEST(numbers_that_came_are_known)
{
    struct nodes_pair pair = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t number = i * 7 % 1000; /* each once */
        ck_assert(!nodes_receive(&pair, number));
        ck_assert(nodes_receive(&pair, number));
        ck_assert(nodes_receive(&pair, 0));
    }
    ck_assert_uint_eq(pair.base, 960);
    LIB_VEC_FREE(&pair.came);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("faults");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, order_and_delay_change_no_value, 0, PROGRAMS * HARMLESS);
    tcase_add_loop_test(tcase, each_loss_and_each_duplicate_is_found_and_named, 0,
                        PLACES);
    tcase_add_test(tcase, the_probe_goes_round_once);
    tcase_add_test(tcase, termination_is_found_in_three_rounds);
    tcase_add_test(tcase, counting_changes_nothing_but_the_end);
    tcase_add_test(tcase, numbers_that_came_are_known);
    return test_main("faults", tcase);
}
