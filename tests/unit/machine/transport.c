/* Where tensors are, and what of them goes through networks (doc/model.md, "Where tensors are"):
 * closed forms for chains of kernels; what is fetched, once; and random programs on random
 * machines, also with tensor units and batches (tests/unit/machine/batches.c), whose events and
 * checkpoints agree. */
#include "machine/checkpoint.h"
#include "machine/machine.h"
#include "tests/unit/recount.h"
#include "tests/unit/tensor_programs.h"

#include <inttypes.h>

enum {
    BYTES = 8 * 8 * sizeof(double), /* of each tensor */
    WIDTH = 128,                    /* bits per cycle: a token of a scalar takes one */
    LONG = 8 * BYTES / WIDTH,       /* and one of a tensor this many more */
    PROGRAMS = 300,
    QUICK_PROGRAMS = 40,
};

/* Each call waits for the one before, so that a tensor on its way delays the end by as long as it
 * takes. */
static const char *const chain = "step(t) = relu(t)\n"
                                 "x = ones([8, 8])\n"
                                 "result = reduce_sum(step(step(step(step(step(step("
                                 "step(step(x)))))))))\n";

static struct traces_stats run(const struct isa_graph *graph, const char *settings,
                               const char *more)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, settings);
    test_set_all(&s, more);
    struct test_outcome outcome = test_run(graph, NULL, &s, 3);
    ck_assert_int_eq(outcome.end, ISA_END_COMPLETED);
    return outcome.stats;
}

/* --- closed forms -------------------------------------------------------------------------- */

/* How much later the end is if a cycle takes `WIDTH` bits, and not all. */
static uint64_t later(const struct isa_graph *graph, const char *settings,
                      struct traces_stats *stats)
{
    struct traces_stats free = run(graph, settings, "network.bandwidth=0");
    *stats = run(graph, settings, "network.bandwidth=128");
    const uint64_t cycles = stats->cycles - free.cycles;
    ck_assert_uint_eq(free.tensor_network_bytes, stats->tensor_network_bytes);
    ck_assert_uint_eq(free.value_digest, stats->value_digest);
    traces_stats_free(&free);
    traces_stats_free(stats);
    return cycles;
}

/* What each tensor on its way adds: its last bits; where routers store it, at each of them. */
static const struct {
    const char *settings;
    uint64_t links; /* that store a token on its way */
} networks[] = {
    {"pe.count=4 network.topology=crossbar", 0},
    {"pe.count=4 network.topology=crossbar network.capacity=40 queue.capacity=100", 0},
    {"pe.count=2 network.topology=ring", 0},
    {"pe.count=2 network.topology=ring network.capacity=8 network.channels=2", 0},
    {"pe.count=2 network.topology=ring network.switching=store_and_forward", 2},
    {"pe.count=4 network.topology=bus network.switching=store_and_forward", 2},
};

START_TEST(a_tensor_takes_as_long_as_its_bytes)
{
    struct isa_graph *graph = test_compile(chain, ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct traces_stats stats;
        const uint64_t cycles = later(graph, networks[i].settings, &stats);
        const uint64_t sent = stats.tensor_network_bytes / BYTES;
        ck_assert_uint_gt(sent, 0);
        ck_assert_uint_eq(stats.tensor_network_bytes, sent * BYTES);
        ck_assert_uint_eq(stats.tensor_fetches, 0);
        ck_assert_msg(cycles == sent * LONG * (1 + networks[i].links),
                      "%s: %" PRIu64 " tensors, %" PRIu64 " cycles", networks[i].settings,
                      sent, cycles);
    }
    isa_graph_free(graph);
}
END_TEST

START_TEST(a_copy_takes_as_long_as_its_bytes)
{
    struct isa_graph *graph = test_compile(chain, ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct traces_stats stats;
        struct lib_text settings = {0};
        lib_text_printf(&settings, "%s tensor.transport=reference", networks[i].settings);
        const uint64_t cycles = later(graph, lib_text_get(&settings), &stats);
        const uint64_t copies = stats.tensor_fetches;
        ck_assert_uint_gt(copies, 0);
        ck_assert_uint_eq(stats.tensor_network_bytes, copies * BYTES);
        ck_assert_msg(cycles == copies * LONG * (1 + networks[i].links),
                      "%s: %" PRIu64 " copies, %" PRIu64 " cycles", networks[i].settings,
                      copies, cycles);
        lib_text_free(&settings);
    }
    isa_graph_free(graph);
}
END_TEST

/* The way there, what a FETCH takes, the way back, and another turn of the kernel. */
START_TEST(a_fetch_takes_the_way_there_and_back)
{
    static const char *const base = "pe.count=4 stage.fetch.latency=2 "
                                    "unit.memory.latency=7 network.latency=11";
    const uint64_t stages = 4, expected = 3 * stages + 7 + 2 * 11;
    struct isa_graph *graph = test_compile(chain, ISA_STAGE_IMAGE);
    for (int ideal = 0; ideal < 2; ideal++) {
        const char *const topology = ideal ? "network.topology=ideal" : "";
        struct lib_text settings = {0};
        lib_text_printf(&settings, "%s %s", base, topology);
        struct traces_stats value = run(graph, lib_text_get(&settings), "");
        struct traces_stats reference = run(graph, lib_text_get(&settings),
                                            "tensor.transport=reference");
        ck_assert_uint_gt(reference.tensor_fetches, 0);
        ck_assert_uint_eq(reference.cycles - value.cycles,
                          reference.tensor_fetches * expected);
        ck_assert_uint_eq(reference.value_digest, value.value_digest);
        ck_assert_uint_gt(value.tensor_network_bytes, 0);
        traces_stats_free(&value);
        traces_stats_free(&reference);
        lib_text_free(&settings);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- copies ---------------------------------------------------------------------------------- */

/* Where all read the same tensor, each memory fetches it once, however many ask at the same
 * time. */
START_TEST(a_copy_is_fetched_once)
{
    static const char *const program =
        "w = ones([8, 8])\n"
        "norm(i) = reduce_sum(w * real(i)) + reduce_max(w + real(i)) + "
        "reduce_sum(matmul(w, w))\n"
        "all(lo, hi) = if lo == hi then norm(lo) else all(lo, (lo + hi) / 2) + all((lo + "
        "hi) / 2 + 1, hi)\n"
        "result = all(1, 40)\n";
    static const char *const machines[] = {
        "pe.count=5 pe.units=0", "pe.count=5 network.bandwidth=64",
        "pe.count=5 network.topology=ideal", "pe.count=5 network.topology=ring"};
    struct isa_graph *graph = test_compile(program, ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct traces_stats s = run(graph, machines[i], "tensor.transport=reference");
        ck_assert_uint_eq(s.working_pes, 5);
        ck_assert_uint_eq(s.peak_tensor_copies, (5 - 1) * BYTES);
        ck_assert_uint_eq(s.tensor_network_bytes, (5 - 1) * BYTES);
        ck_assert_uint_eq(s.tensor_fetches, 5 - 1);
        traces_stats_free(&s);
    }
    /* The PEs of a node share a memory. */
    struct traces_stats s = run(graph,
                                "cluster.nodes=3 cluster.pes_per_node=4 "
                                "network.topology=ring",
                                "tensor.transport=reference");
    ck_assert_uint_eq(s.tensor_fetches, 3 - 1);
    traces_stats_free(&s);
    s = run(graph, "pe.count=1", "tensor.transport=reference");
    ck_assert_uint_eq(s.tensor_fetches, 0);
    traces_stats_free(&s);
    isa_graph_free(graph);
}
END_TEST

/* Programs without tensors do the same by either. */
START_TEST(scalars_cost_nothing)
{
    struct test_program p = test_example("matmul");
    for (int propagate = 0; propagate < 2; propagate++) {
        const char *const base = propagate ? "deadness=propagate network.bandwidth=40"
                                           : "network.bandwidth=40";
        struct traces_stats value = run(p.graph, base, "");
        struct traces_stats reference = run(p.graph, base, "tensor.transport=reference");
        ck_assert_uint_eq(value.timing_digest, reference.timing_digest);
        ck_assert_uint_eq(value.network_bits, reference.network_bits);
        ck_assert_uint_eq(value.tensor_network_bytes, 0);
        traces_stats_free(&value);
        traces_stats_free(&reference);
    }
    test_program_free(&p);
}
END_TEST

/* --- executors -------------------------------------------------------------------------------- */

/* One worker is occupied with each kernel for its operations, or its bytes. */
START_TEST(a_worker_takes_the_time_of_a_kernel)
{
    static const char *const program =
        "input k = 6\n"
        "w = ones([8, 8])\n"
        "power(x, i) = if i == 0 then x else power(matmul(x, w), i - 1)\n"
        "result = power(w, k)\n";
    static const struct {
        const char *settings;
        uint64_t of_product; /* more */
    } costs[] = {
        {"unit.tensor.flops=1", 2 * 8 * 8 * 8},
        {"unit.tensor.flops=7", (2 * 8 * 8 * 8 + 6) / 7},
        {"unit.tensor.flops=2000", 1},
    };
    struct isa_graph *graph = test_compile(program, ISA_STAGE_IMAGE);
    const char *const base =
        "executor.workers=1 unit.tensor.latency=1 unit.tensor.bytes=0";
    struct traces_stats free = run(graph, base, "unit.tensor.flops=0");
    ck_assert_uint_eq(free.tensor_flops, 6 * 2 * 8 * 8 * 8);
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        struct traces_stats s = run(graph, base, costs[i].settings);
        ck_assert_uint_eq(s.cycles - free.cycles, 6 * costs[i].of_product);
        traces_stats_free(&s);
    }
    const char *const bytes =
        "executor.workers=1 unit.tensor.latency=1 unit.tensor.flops=0";
    struct traces_stats slow = run(graph, bytes, "unit.tensor.bytes=8");
    struct traces_stats slower = run(graph, bytes, "unit.tensor.bytes=4");
    ck_assert_uint_eq(slow.cycles - free.cycles, slower.cycles - slow.cycles);
    ck_assert_uint_ge(slow.cycles - free.cycles, slow.tensor_bytes / 8);
    ck_assert_uint_eq(slow.tensor_network_bytes + slow.tensor_fetches, 0);
    traces_stats_free(&free);
    traces_stats_free(&slow);
    traces_stats_free(&slower);
    isa_graph_free(graph);
}
END_TEST

/* --- random programs ----------------------------------------------------------------------- */

static struct lib_text what; /* for messages */

static void draw_machine(struct draw *draw, struct machine_settings *s)
{
    draw_settings(draw, s);
    if (draw_below(draw, 2))
        draw_unlimited(s);
    else if (draw_below(draw, 2))
        draw_buffers(draw, s);
    s->tensor_transport = draw_below(draw, 2);
    draw_tensor_units(draw, s);
    draw_counted_units(*draw, s);
    s->tensor_math = MACHINE_TENSOR_REFERENCE;
    s->limit_tokens = 200000;
}

static struct machine *make_machine(const struct isa_code *code,
                                    const struct machine_settings *s, struct recount *r)
{
    struct machine *m = machine_new(code, s, 1);
    if (r) {
        const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, recount_take, r};
        recount_start(r, code->graph, s);
        recount_queues(r);
        machine_listen(m, &sink, 1);
    }
    return m;
}

/* What the events say is what was measured; and a run that is cut in two goes on as it would
 * have. */
static void check_program(const struct isa_graph *graph, struct draw *draw)
{
    struct machine_settings s;
    struct lib_text state = {0};
    struct traces_stats told, continued;
    struct recount r;
    draw_machine(draw, &s);
    lib_text_clear(&what);
    draw_write(&s, &what);
    struct isa_code *code = isa_code_make(graph, NULL, s.deadness == MACHINE_PROPAGATE);
    struct machine *m = make_machine(code, &s, &r);
    while (machine_advance(m, UINT64_MAX))
        ;
    machine_measure(m, &told);
    machine_observe_end(m);
    recount_compare(&r, &told);
    ck_assert_msg(!*r.wrong, "%s: %s", lib_text_get(&what), r.wrong);
    recount_free(&r);
    machine_free(m);
    m = make_machine(code, &s, NULL);
    const bool goes_on = machine_advance_to(m, draw_below(draw, told.cycles + 1),
                                            UINT64_MAX);
    if (goes_on) {
        struct lib_pack out = {.out = &state}, in = {0};
        machine_checkpoint_pack(&out, m);
        machine_free(m);
        m = make_machine(code, &s, NULL);
        in.in = (const unsigned char *)state.bytes;
        in.length = state.length;
        machine_checkpoint_pack(&in, m);
        ck_assert_msg(!in.failed, "%s", lib_text_get(&what));
        while (machine_advance(m, UINT64_MAX))
            ;
    }
    machine_measure(m, &continued);
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert_msg(traces_stat_integer(&told, &traces_stat_table[i]) ==
                          traces_stat_integer(&continued, &traces_stat_table[i]),
                      "%s: %s", lib_text_get(&what), traces_stat_table[i].key);
    machine_free(m);
    traces_stats_free(&told);
    traces_stats_free(&continued);
    lib_text_free(&state);
    isa_code_free(code);
}

START_TEST(random_programs)
{
    test_each_tensor_program(test_part(PROGRAMS, QUICK_PROGRAMS), check_program);
    lib_text_free(&what);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("transport");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, a_tensor_takes_as_long_as_its_bytes);
    tcase_add_test(tcase, a_copy_takes_as_long_as_its_bytes);
    tcase_add_test(tcase, a_fetch_takes_the_way_there_and_back);
    tcase_add_test(tcase, a_copy_is_fetched_once);
    tcase_add_test(tcase, scalars_cost_nothing);
    tcase_add_test(tcase, a_worker_takes_the_time_of_a_kernel);
    tcase_add_test(tcase, random_programs);
    return test_main("transport", tcase);
}
