/* Finite memories for tensors and arrays, and slower stores behind them (doc/model.md, "Memory"):
 * closed forms; swapping for gradients; no value depends on it; and a run can be resumed between
 * any two cycles. */
#include "machine/checkpoint.h"
#include "tests/random/draw.h"
#include "tests/unit/support.h"

#include <inttypes.h>

enum {
    MACHINES = 150,
    QUICK_MACHINES = 25,
    MATRIX = 8 * 8 * sizeof(double),
};

/* A network that reads a sequence, and the gradient by its weights, which takes what was computed
 * from a stack. */
static const char *const network =
    "loss(w) = let h = loop t = 0, h = x while t < 12 do t + 1, tanh(matmul(h, w) + x) "
    "return h in reduce_sum(h * h)\n"
    "w = 0.125 * ones([8, 8])\n"
    "x = ones([8, 8])\n"
    "result = reduce_sum(grad(loss, w))\n";

/* The same by calls, of which two wait for each other's adjoints. */
static const char *const tree =
    "f(h, n) = if n == 0 then h else f(tanh(matmul(h, w)), n - 1) * f(h + x, n - 1)\n"
    "loss(x) = reduce_sum(f(x, 4))\n"
    "w = 0.125 * ones([8, 8])\n"
    "x = ones([8, 8])\n"
    "result = reduce_sum(grad(loss, x))\n";

static struct isa_graph *compile(const char *text, bool pairs)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    return test_compile_source(
        &source,
        &(struct programs_options){
            .settings = &(struct programs_settings){.grad_mode = pairs}},
        ISA_STAGE_IMAGE);
}

static struct test_outcome run(const struct isa_graph *graph, const char *settings)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, "pe.count=1 swap.smallest=100");
    test_set_all(&s, settings);
    return test_run(graph, NULL, &s, 3);
}

/* --- room ---------------------------------------------------------------------------------- */

/* A chain of kernels needs room for the first matrix, which has a name, and two at once; it runs
 * in it as in any more. */
START_TEST(room_for_what_is_there)
{
    struct isa_graph *graph = compile(
        "x = ones([8, 8])\nresult = reduce_sum(relu(relu(relu(x))))", false);
    struct test_outcome all = run(graph, "memory.capacity=0");
    struct test_outcome some = run(graph, "memory.capacity=1560");
    struct test_outcome few = run(graph, "memory.capacity=1535");
    ck_assert_int_eq(some.end, ISA_END_COMPLETED);
    ck_assert_str_eq(all.result, some.result);
    ck_assert_uint_eq(all.stats.timing_digest, some.stats.timing_digest);
    ck_assert_uint_eq(all.stats.peak_resident, 1536);
    ck_assert_uint_eq(some.stats.peak_resident, 1536);
    ck_assert_uint_le(some.stats.peak_tensor_bytes, 1536);
    ck_assert_uint_eq(some.stats.memory_stalls, 0);
    ck_assert_int_eq(few.end, ISA_END_STORE_FULL);
    ck_assert_uint_le(few.stats.peak_resident, 1535);
    traces_stats_free(&all.stats);
    traces_stats_free(&some.stats);
    traces_stats_free(&few.stats);
    isa_graph_free(graph);
}
END_TEST

static void check_arrays(const struct isa_graph *graph, const char *settings,
                         bool completes, uint64_t peak, bool waits)
{
    struct test_outcome o = run(graph, settings);
    ck_assert_msg((o.end == ISA_END_COMPLETED) == completes, "%s", settings);
    ck_assert(completes || o.end == ISA_END_STORE_FULL);
    ck_assert_msg(o.stats.peak_resident == peak, "%s: %" PRIu64, settings,
                  o.stats.peak_resident);
    ck_assert_msg((o.stats.memory_stalls > 0) == waits, "%s", settings);
    traces_stats_free(&o.stats);
}

/* An array needs room for its elements where they lie: ten on one PE, three on each of four at
 * most. An ALLOC waits until another array is freed. What it refers to needs its own. */
START_TEST(room_for_arrays)
{
    struct isa_graph *one = compile("result = sum([i * i | i <- 0 .. 9])", false);
    check_arrays(one, "memory.capacity=80", true, 80, false);
    check_arrays(one, "memory.capacity=79", false, 0, true);
    check_arrays(one, "pe.count=4 memory.capacity=24", true, 24, false);
    check_arrays(one, "pe.count=4 memory.capacity=23", false, 0, true);
    check_arrays(one, "pe.count=4 memory.capacity=80 structure.placement=local", true, 80,
                 false);
    check_arrays(one, "pe.count=4 memory.capacity=79 structure.placement=local", false, 0,
                 true);
    isa_graph_free(one);
    struct isa_graph *two = compile(
        "result = f(1) + f(2)\nf(k) = sum([i * k | i <- 0 .. 9])", false);
    check_arrays(two, "memory.capacity=160", true, 160, false);
    check_arrays(two, "memory.capacity=159", true, 80, true);
    isa_graph_free(two);
    struct isa_graph *rows = compile("result = sum([sum(t[i]) | i <- 0 .. 2])\n"
                                     "t = [[i * j | j <- 0 .. 4] | i <- 0 .. 2]",
                                     false);
    check_arrays(rows, "memory.capacity=1000", true, 8 * (3 + 3 * 5 + 3), false);
    isa_graph_free(rows);
}
END_TEST

/* Without swapping the gradient needs room for what all steps computed; with it, for what is used
 * now. */
static void check_gradient(const char *text, bool pairs, uint64_t capacity)
{
    char room[80], swaps[160], slowly[240];
    snprintf(room, sizeof room, "memory.capacity=%" PRIu64, capacity);
    snprintf(swaps, sizeof swaps, "%s swap.threshold=%" PRIu64, room, capacity / 2);
    snprintf(slowly, sizeof slowly, "%s swap.prefetch=0 swap.latency=1000", swaps);
    struct isa_graph *graph = compile(text, pairs);
    struct test_outcome all = run(graph, "memory.capacity=0");
    struct test_outcome none = run(graph, room);
    struct test_outcome swap = run(graph, swaps);
    struct test_outcome slow = run(graph, slowly);
    ck_assert_uint_gt(all.stats.peak_tensor_bytes, capacity + capacity / 2);
    ck_assert_int_eq(none.end, ISA_END_STORE_FULL);
    ck_assert_uint_gt(none.stats.memory_stalls, 0);
    ck_assert_int_eq(swap.end, ISA_END_COMPLETED);
    ck_assert_str_eq(swap.result, all.result);
    ck_assert_uint_eq(swap.stats.value_digest, all.stats.value_digest);
    ck_assert_uint_le(swap.stats.peak_resident, capacity);
    ck_assert_uint_ge(swap.stats.swap_out_bytes, all.stats.peak_tensor_bytes - capacity);
    ck_assert_uint_ge(swap.stats.swap_out_bytes, swap.stats.swap_in_bytes);
    ck_assert_uint_eq(swap.stats.swap_out_bytes % MATRIX, 0);
    ck_assert_int_eq(slow.end, ISA_END_COMPLETED);
    ck_assert_str_eq(slow.result, all.result);
    ck_assert_uint_gt(slow.stats.cycles, swap.stats.cycles);
    ck_assert_uint_gt(slow.stats.memory_stall_cycles, swap.stats.memory_stall_cycles);
    traces_stats_free(&all.stats);
    traces_stats_free(&none.stats);
    traces_stats_free(&swap.stats);
    traces_stats_free(&slow.stats);
    isa_graph_free(graph);
}

START_TEST(gradients_in_less_room)
{
    check_gradient(network, false, 6000);
    check_gradient(network, true, 6000);
    check_gradient(tree, true, 13000);
}
END_TEST

/* A tensor that is used while it moves back was there in time, if there is time: what is fetched
 * ahead is. */
START_TEST(fetched_ahead)
{
    struct isa_graph *graph = compile(network, true);
    static const char *const ahead[] = {"swap.prefetch=0", "swap.prefetch=1",
                                        "swap.prefetch=4"};
    uint64_t waited[3];
    for (int i = 0; i < 3; i++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "memory.capacity=8000 swap.threshold=4000 swap.latency=200 %s",
                 ahead[i]);
        struct test_outcome o = run(graph, settings);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        waited[i] = o.stats.memory_stall_cycles;
        traces_stats_free(&o.stats);
    }
    ck_assert_uint_gt(waited[0], waited[1]);
    ck_assert_uint_gt(waited[1], waited[2]);
    isa_graph_free(graph);
}
END_TEST

/* A tensor that came back for one of its uses rests for the others, and waiting kernels have
 * operands. Both move out when nothing else can happen. So the gradient completes with room for two
 * kernels or more; with less, the run reports the capacity with which the kernel would have fired.
 * A machine without such stores does not know it: it stops. */
START_TEST(more_room_is_enough)
{
    static const char *const slow[] = {"swap.bandwidth=1", "swap.bandwidth=64",
                                       "swap.bandwidth=0 pe.count=4 pe.units=0"};
    struct isa_graph *graph = compile(tree, true);
    for (size_t i = 0; i < 3 * 24; i++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "memory.capacity=%zu swap.threshold=2000 swap.smallest=0 %s",
                 2600 + i / 3 * 700, slow[i % 3]);
        struct test_outcome o = run(graph, settings);
        ck_assert_msg(o.end == ISA_END_COMPLETED, "%s", settings);
        ck_assert_uint_le(o.stats.peak_resident, 2600 + i / 3 * 700);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* Runs to the end. Returns the tokens that were delivered; *least: the capacity that the machine
 * asks for if it stopped, or else 0. */
static uint64_t run_until_full(const struct isa_code *code, uint64_t capacity,
                               uint64_t *least)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, "pe.count=1 swap.threshold=1000");
    s.memory_capacity = capacity;
    struct machine *m = machine_new(code, &s, 1);
    while (machine_advance(m, UINT64_MAX))
        ;
    ck_assert(machine_end(m) == ISA_END_COMPLETED ||
              machine_end(m) == ISA_END_STORE_FULL);
    *least = machine_end(m) == ISA_END_COMPLETED ? 0 : machine_least_memory(m);
    const uint64_t tokens = machine_exec(m)->counts.tokens;
    machine_free(m);
    return tokens;
}

/* The capacity that a machine which has stopped asks for is the least with which it does not stop
 * there. */
START_TEST(least_memory)
{
    struct isa_graph *graph = compile(tree, true);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    uint64_t least, ignored, tokens = run_until_full(code, 2100, &least);
    unsigned stops = 0;
    while (least) {
        const uint64_t capacity = least, before = tokens;
        ck_assert_uint_gt(capacity, 2100);
        ck_assert_uint_eq(run_until_full(code, capacity - 1, &ignored), before);
        ck_assert_uint_ne(ignored, 0);
        tokens = run_until_full(code, capacity, &least);
        ck_assert_uint_ne(tokens, before);
        ck_assert_uint_lt(++stops, 20);
    }
    ck_assert_uint_gt(stops, 0);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* --- machines that cannot -------------------------------------------------------------------- */

START_TEST(refused)
{
    static const char *const settings[] = {
        "executor.workers=2", "tensor.transport=reference",
        "network.topology=ring cluster.nodes=16 fault.delay=10"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct machine_settings s;
        struct lib_diags diags = {0};
        machine_settings_default(&s);
        test_set_all(&s, settings[i]);
        ck_assert(machine_memory_fits(&s, &diags));
        test_set(&s, "memory.capacity", "1000");
        ck_assert(!machine_memory_fits(&s, &diags));
        ck_assert_uint_eq(diags.count, 1);
        lib_diags_free(&diags);
    }
}
END_TEST

/* --- random machines ------------------------------------------------------------------ */

static void draw_machine(uint64_t seed, struct machine_settings *s)
{
    struct draw draw = {.seed = seed};
    draw_settings(&draw, s);
    if (draw_below(&draw, 2))
        draw_unlimited(s);
    s->deadness = seed % 2 ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
    s->tensor_transport = MACHINE_TRANSPORT_VALUE;
    s->cluster_termination = MACHINE_TERMINATION_OMNISCIENT;
    s->fault_delay = s->fault_reorder = s->fault_stop_cycles = 0;
    s->tensor_math = MACHINE_TENSOR_REFERENCE;
    s->limit_tokens = 1000000;
    s->memory_capacity = 2000 + draw_below(&draw, 20000);
    s->swap_threshold = draw_below(&draw, s->memory_capacity);
    s->swap_smallest = draw_below(&draw, 600);
    s->swap_latency = draw_below(&draw, 300);
    s->swap_bandwidth = draw_below(&draw, 64);
    s->swap_prefetch = draw_below(&draw, 6);
}

/* Another machine, which goes on from where that one is. */
static struct machine *saved(struct machine *m, const struct isa_code *code,
                             const struct machine_settings *s)
{
    struct lib_text state = {0};
    struct lib_pack out = {.out = &state}, in = {0};
    machine_checkpoint_pack(&out, m);
    machine_free(m);
    m = machine_new(code, s, 1);
    in.in = (const unsigned char *)state.bytes;
    in.length = state.length;
    machine_checkpoint_pack(&in, m);
    ck_assert(!in.failed);
    lib_text_free(&state);
    return m;
}

static struct traces_stats run_in_steps(const struct isa_code *code,
                                        const struct machine_settings *s, uint64_t step,
                                        enum isa_end *end)
{
    struct machine *m = machine_new(code, s, 1);
    struct traces_stats stats;
    while (machine_advance_to(m, step ? machine_next(m) + step : UINT64_MAX, UINT64_MAX))
        if (step)
            m = saved(m, code, s);
    machine_measure(m, &stats);
    *end = machine_end(m);
    machine_free(m);
    return stats;
}

/* The digest of a run that completes is that of a machine without memories, and so is a run that
 * is saved and goes on, again and again. */
START_TEST(random_machines)
{
    const uint64_t machines = test_is_quick() ? QUICK_MACHINES : MACHINES;
    uint64_t completed = 0, moved = 0;
    for (uint64_t seed = 0; seed < machines; seed++) {
        struct isa_graph *graph = compile(seed % 3 ? network : tree, seed % 4 > 0);
        struct machine_settings s;
        enum isa_end end, again, whole;
        draw_machine(seed, &s);
        struct isa_code *code = isa_code_make(graph, NULL,
                                              s.deadness == MACHINE_PROPAGATE);
        struct traces_stats one = run_in_steps(code, &s, 0, &end);
        struct traces_stats cut = run_in_steps(code, &s, 1 + one.cycles / 20, &again);
        ck_assert_int_eq(end, again);
        for (size_t i = 0; i < traces_stat_count; i++)
            ck_assert_msg(traces_stat_integer(&one, &traces_stat_table[i]) ==
                              traces_stat_integer(&cut, &traces_stat_table[i]),
                          "%" PRIu64 ": %s", seed, traces_stat_table[i].key);
        s.memory_capacity = 0;
        struct traces_stats free = run_in_steps(code, &s, 0, &whole);
        if (end == ISA_END_COMPLETED) {
            ck_assert_int_eq(whole, ISA_END_COMPLETED);
            ck_assert_uint_eq(one.value_digest, free.value_digest);
            ck_assert_uint_eq(one.firings, free.firings);
            ck_assert_uint_eq(one.span, free.span);
            completed++;
            moved += one.swap_out_bytes > 0;
        }
        traces_stats_free(&one);
        traces_stats_free(&cut);
        traces_stats_free(&free);
        isa_code_free(code);
        isa_graph_free(graph);
    }
    ck_assert_uint_gt(completed, machines / 5);
    ck_assert_uint_gt(moved, machines / 10);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("swap");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, room_for_what_is_there);
    tcase_add_test(tcase, room_for_arrays);
    tcase_add_test(tcase, gradients_in_less_room);
    tcase_add_test(tcase, fetched_ahead);
    tcase_add_test(tcase, more_room_is_enough);
    tcase_add_test(tcase, least_memory);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, random_machines);
    return test_main("swap", tcase);
}
