/* Tensor units that run one batch of kernels at a time (doc/model.md, "Tensor units and batches"):
 * closed forms for kernels that are ready at once or some cycles apart; and random programs, which
 * compute the same as without batches. For events and checkpoints see
 * tests/unit/machine/transport.c. */
#include "machine/machine.h"
#include "tests/unit/tensor_programs.h"

#include <inttypes.h>

enum {
    START = 100, /* cycles to start a kernel */
    SIDE = 2,
    FLOPS = SIDE * SIDE, /* of a `relu` of SIDE x SIDE, and cycles that it takes */
    BYTES = 8 * FLOPS,   /* of a tensor */
    MOST = 7,            /* kernels that are ready at once */
    PROGRAMS = 200,
    QUICK_PROGRAMS = 30,
};

/* What is done in one cycle, and where nothing but kernels takes long. */
static const char *const base = "pe.count=1 pe.units=0 unit.tensor.latency=100 "
                                "unit.tensor.flops=1 unit.tensor.bytes=0 ";

static struct traces_stats run(const struct isa_graph *graph, const char *more,
                               const char *settings)
{
    struct machine_settings s;
    struct lib_text all = {0};
    machine_settings_default(&s);
    lib_text_printf(&all, "%s %s %s", base, more, settings);
    test_set_all(&s, lib_text_get(&all));
    struct test_outcome outcome = test_run(graph, NULL, &s, 3);
    ck_assert_msg(outcome.end == ISA_END_COMPLETED, "%s", lib_text_get(&all));
    lib_text_free(&all);
    return outcome.stats;
}

/* The same, of which only the numbers matter. */
static struct traces_stats numbers(const struct isa_graph *graph, const char *more,
                                   const char *settings)
{
    struct traces_stats stats = run(graph, more, settings);
    traces_stats_free(&stats);
    return stats;
}

/* So many calls whose `relu` is ready in the same cycle: under different tags. */
static struct isa_graph *at_once(unsigned count)
{
    struct lib_text text = {0};
    lib_text_puts(&text, "f(t) = relu(t)\nx = ones([2, 2])\nresult = (f(x)");
    for (unsigned i = 1; i < count; i++)
        lib_text_puts(&text, ", f(x)");
    lib_text_puts(&text, ")\n");
    struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
    lib_text_free(&text);
    return graph;
}

/* --- closed forms --------------------------------------------------------------------- */

/* One unit, one kernel at a time: the last waits for all others. */
START_TEST(kernels_wait_for_a_unit)
{
    const uint64_t each = START + FLOPS;
    for (unsigned n = 1; n <= MOST; n++) {
        struct isa_graph *graph = at_once(n);
        const struct traces_stats free = numbers(graph, "", "");
        ck_assert_uint_eq(free.tensor_batches + free.batched_kernels, 0);
        for (unsigned units = 1; units <= 3; units++) {
            char settings[40];
            snprintf(settings, sizeof settings, "tensor.unit.count=%u", units);
            const struct traces_stats s = numbers(graph, "", settings);
            const uint64_t rounds = (n + units - 1) / units;
            uint64_t waits = 0;
            for (unsigned i = 0; i < n; i++)
                waits += i / units * each;
            ck_assert_uint_eq(s.cycles, free.cycles + (rounds - 1) * each);
            ck_assert_uint_eq(s.batch_waits, waits);
            ck_assert_uint_eq(s.tensor_batches, s.batched_kernels);
            ck_assert_uint_eq(s.value_digest, free.value_digest);
        }
        isa_graph_free(graph);
    }
}
END_TEST

/* A batch starts once, and computes all; a smaller one may be all that is allowed. */
START_TEST(a_batch_starts_once)
{
    struct isa_graph *one = at_once(1);
    const struct traces_stats alone = numbers(one, "", "tensor.unit.count=1");
    for (unsigned n = 1; n <= MOST; n++) {
        struct isa_graph *graph = at_once(n);
        const struct traces_stats free = numbers(graph, "", "");
        for (unsigned most = 0; most <= MOST; most++) {
            char settings[100];
            snprintf(settings, sizeof settings,
                     "tensor.unit.count=1 tensor.batch.until=window tensor.batch.most=%u",
                     most);
            const struct traces_stats s = numbers(graph, "", settings);
            const uint64_t batches = most ? (n + most - 1) / most : 1;
            const uint64_t work = (uint64_t)n * FLOPS;
            ck_assert_uint_eq(s.cycles,
                              free.cycles + (batches - 1) * START + work - FLOPS);
            ck_assert_uint_eq(s.tensor_batches, alone.tensor_batches - 1 + batches);
            ck_assert_uint_eq(s.batched_kernels, alone.batched_kernels - 1 + n);
            ck_assert_uint_eq(s.tensor_unit_busy, alone.tensor_unit_busy +
                                                      (batches - 1) * START + work -
                                                      FLOPS);
        }
        isa_graph_free(graph);
    }
    isa_graph_free(one);
}
END_TEST

/* Each kernel of a chain waits for the whole window; until the machine is idle, for nothing
 * else. */
START_TEST(a_window_is_waited_for)
{
    static const uint64_t windows[] = {0, 1, 2, 9, 1000, 5000};
    struct isa_graph *graph = at_once(3);
    const struct traces_stats none = numbers(
        graph, "", "tensor.unit.count=1 tensor.batch.until=window");
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char settings[100];
        snprintf(settings, sizeof settings,
                 "tensor.unit.count=1 tensor.batch.until=window "
                 "tensor.batch.window=%" PRIu64,
                 windows[i]);
        const struct traces_stats s = numbers(graph, "", settings);
        ck_assert_uint_eq(s.tensor_batches, none.tensor_batches);
        ck_assert_uint_eq(s.cycles, none.cycles + s.tensor_batches * windows[i]);
        ck_assert_uint_eq(s.batch_waits, s.batched_kernels * windows[i]);
    }
    const struct traces_stats idle = numbers(
        graph, "", "tensor.unit.count=1 tensor.batch.until=idle");
    ck_assert_uint_eq(idle.tensor_batches, none.tensor_batches);
    ck_assert_uint_eq(idle.batched_kernels, none.batched_kernels);
    isa_graph_free(graph);
}
END_TEST

/* Two kernels that are ready some cycles apart are one batch if the window is as long as that. */
START_TEST(a_window_joins_what_comes_in_it)
{
    struct isa_graph *early = test_compile("f(t) = relu(t)\nid(t) = t\n"
                                           "x = ones([2, 2])\nresult = (f(x), id(x))\n",
                                           ISA_STAGE_IMAGE);
    struct isa_graph *late = test_compile("f(t) = relu(t)\nid(t) = t\n"
                                          "x = ones([2, 2])\nresult = (f(id(x)), x)\n",
                                          ISA_STAGE_IMAGE);
    struct isa_graph *both = test_compile("f(t) = relu(t)\nid(t) = t\n"
                                          "x = ones([2, 2])\nresult = (f(id(x)), f(x))\n",
                                          ISA_STAGE_IMAGE);
    const uint64_t apart = numbers(late, "", "").cycles - numbers(early, "", "").cycles;
    ck_assert_uint_gt(apart, 2);
    for (uint64_t window = 0; window < 2 * apart; window++) {
        char settings[100];
        snprintf(settings, sizeof settings,
                 "tensor.batch.until=window tensor.batch.window=%" PRIu64, window);
        const uint64_t batches = numbers(early, "", settings).tensor_batches;
        ck_assert_uint_eq(numbers(both, "", settings).tensor_batches,
                          batches + (window < apart));
    }
    ck_assert_uint_eq(numbers(both, "", "tensor.batch.until=idle").tensor_batches,
                      numbers(early, "", "tensor.batch.until=idle").tensor_batches);
    isa_graph_free(early);
    isa_graph_free(late);
    isa_graph_free(both);
}
END_TEST

/* Kernels of other instructions, or on tensors of other shapes, are other batches. */
START_TEST(a_batch_is_of_one_instruction_and_shape)
{
    static const struct {
        const char *result;
        uint64_t batches; /* more than of the first */
    } programs[] = {
        {"(f(x), f(x))", 0}, {"(f(x), g(x))", 1}, {"(f(x), f(y), f(x), f(y))", 2}};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct lib_text text = {0};
        lib_text_printf(&text, "f(t) = relu(t)\n%s%sx = ones([2, 2])\nresult = %s\n",
                        strchr(programs[i].result, 'g') ? "g(t) = relu(t)\n" : "",
                        strchr(programs[i].result, 'y') ? "y = ones([4, 1])\n" : "",
                        programs[i].result);
        struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
        const struct traces_stats s = numbers(graph, "", "tensor.batch.until=window");
        const uint64_t own = s.tensor_batches;
        if (i == 0)
            first = own;
        else if (programs[i].batches == 2) /* `y` is made by one more kernel */
            ck_assert_uint_eq(own, first + 1 + 1);
        else
            ck_assert_uint_eq(own, first + programs[i].batches);
        isa_graph_free(graph);
        lib_text_free(&text);
    }
}
END_TEST

/* Weights are read once. */
START_TEST(an_operand_of_all_is_read_once)
{
    enum { N = 5 };
    struct isa_graph *graph = test_compile(
        "f(t, w) = matmul(t, w)\nx = ones([2, 2])\ny = zeros([2, 2])\n"
        "result = (f(x, y), f(y, y), f(x, y), f(y, y), f(x, y))\n",
        ISA_STAGE_IMAGE);
    const char *const bytes = "unit.tensor.flops=0 unit.tensor.bytes=1";
    const struct traces_stats alone = numbers(graph, bytes,
                                              "tensor.unit.count=0 tensor."
                                              "batch.until=window "
                                              "tensor.batch.most=1");
    const struct traces_stats s = numbers(graph, bytes, "tensor.batch.until=window");
    ck_assert_uint_eq(alone.tensor_batches - s.tensor_batches, N - 1);
    ck_assert_uint_eq(alone.tensor_unit_busy - s.tensor_unit_busy,
                      (N - 1) * START + (N - 1) * BYTES);
    ck_assert_uint_eq(alone.tensor_bytes, s.tensor_bytes);
    ck_assert_uint_eq(alone.tensor_batch_bytes, alone.tensor_bytes);
    ck_assert_uint_eq(s.tensor_batch_bytes, s.tensor_bytes - (N - 1) * BYTES);
    isa_graph_free(graph);
}
END_TEST

/* Tensors are copied together, unless all kernels have the very same, and results are copied
 * apart. */
START_TEST(a_batch_may_copy_what_lies_apart)
{
    enum { N = 5 };
    static const char *const results[] = {
        "f(x, y), f(x, y), f(x, y), f(x, y), f(x, y)",
        "f(x, y), f(y, y), f(y, y), f(y, y), f(y, y)", /* one operand is not shared */
        "f(x, y), f(x, x), f(x, y), f(y, y), f(x, y)", /* neither is */
    };
    for (unsigned scattered = 0; scattered < 3; scattered++) {
        struct lib_text text = {0};
        lib_text_printf(&text,
                        "f(t, w) = matmul(t, w)\nx = ones([2, 2])\n"
                        "y = zeros([2, 2])\nresult = (%s)\n",
                        results[scattered]);
        struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
        for (unsigned rate = 0; rate < 8; rate += 7) {
            char more[60];
            snprintf(more, sizeof more, "unit.tensor.bytes=%u tensor.batch.until=window",
                     rate);
            const struct traces_stats off = numbers(graph, more, "");
            const struct traces_stats on = numbers(graph, more, "tensor.batch.gather=on");
            const uint64_t copied = (uint64_t)2 * N * BYTES * (scattered + 1);
            const uint64_t cycles = rate ? (copied + rate - 1) / rate : 0;
            ck_assert_uint_eq(on.tensor_unit_busy - off.tensor_unit_busy, cycles);
            ck_assert_uint_eq(on.cycles - off.cycles, cycles);
            ck_assert_uint_eq(on.tensor_batch_bytes, off.tensor_batch_bytes);
            ck_assert_uint_eq(on.value_digest, off.value_digest);
        }
        isa_graph_free(graph);
        lib_text_free(&text);
    }
}
END_TEST

/* Rows, an axis and other whole numbers are not copied. */
START_TEST(a_batch_copies_no_numbers)
{
    struct isa_graph *graph = test_compile("f(t, n) = slice(t, n, 1)\nx = ones([2, 2])\n"
                                           "result = (f(x, 0), f(x, 1), f(x, 1))\n",
                                           ISA_STAGE_IMAGE);
    const char *const more = "unit.tensor.bytes=1 tensor.batch.until=idle";
    const struct traces_stats off = numbers(graph, more, "");
    const struct traces_stats on = numbers(graph, more, "tensor.batch.gather=on");
    ck_assert_uint_eq(off.batched_kernels - off.tensor_batches, 2);
    const uint64_t row = sizeof(double) * SIDE;
    ck_assert_uint_eq(on.tensor_unit_busy - off.tensor_unit_busy, 2 * 3 * row);
    isa_graph_free(graph);
}
END_TEST

/* Each kernel that is not alone costs so many cycles. A kernel alone costs what it does without. */
START_TEST(grouping_takes_time_for_each_kernel)
{
    enum { EACH = 11 };
    for (unsigned n = 1; n <= MOST; n++) {
        struct isa_graph *graph = at_once(n);
        for (unsigned most = 1; most <= MOST; most++) {
            char more[100];
            snprintf(more, sizeof more,
                     "tensor.unit.count=1 tensor.batch.until=window "
                     "unit.tensor.bytes=1 tensor.batch.most=%u",
                     most);
            const struct traces_stats off = numbers(graph, more, "");
            const struct traces_stats on = numbers(graph, more,
                                                   "tensor.batch.grouping=11");
            const struct traces_stats copies = numbers(graph, more,
                                                       "tensor.batch.gather=on");
            const unsigned rest = n % most;
            const uint64_t grouped = most == 1 ? 0 : rest == 1 ? n - 1 : n;
            ck_assert_uint_eq(on.cycles - off.cycles, grouped * EACH);
            ck_assert_uint_eq(on.tensor_unit_busy - off.tensor_unit_busy, grouped * EACH);
            ck_assert_uint_eq(copies.cycles - off.cycles, grouped * 2 * BYTES);
            if (grouped == 0) {
                ck_assert_uint_eq(on.timing_digest, off.timing_digest);
                ck_assert_uint_eq(copies.timing_digest, off.timing_digest);
            }
        }
        isa_graph_free(graph);
    }
}
END_TEST

/* PEs may share units: calls on several PEs are one batch then. */
START_TEST(pes_of_a_node_share_units)
{
    struct isa_graph *graph = at_once(MOST);
    const char *const machine = "pe.count=16 network.topology=ideal network.latency=0";
    const struct traces_stats own = numbers(graph, machine, "tensor.batch.until=idle");
    const struct traces_stats shared = numbers(
        graph, machine, "tensor.batch.until=idle tensor.unit.of=node");
    const struct traces_stats one = numbers(graph, "", "tensor.batch.until=idle");
    ck_assert_uint_gt(own.working_pes, 3);
    ck_assert_uint_eq(shared.tensor_batches, one.tensor_batches);
    ck_assert_uint_gt(own.tensor_batches, shared.tensor_batches);
    const struct traces_stats nodes = numbers(
        graph, "cluster.nodes=4 cluster.pes_per_node=4 network.topology=ring pe.count=16",
        "tensor.batch.until=idle tensor.unit.of=node");
    ck_assert_uint_gt(nodes.tensor_batches, shared.tensor_batches);
    ck_assert_uint_le(nodes.tensor_batches, own.tensor_batches);
    isa_graph_free(graph);
}
END_TEST

/* --- random programs ------------------------------------------------------------------ */

/* On a machine with units and batches, and the same without. */
static void check_values(const struct isa_graph *graph, struct draw *draw)
{
    struct machine_settings with, without;
    struct lib_text what = {0};
    draw_settings(draw, &with);
    draw_unlimited(&with);
    with.tensor_math = MACHINE_TENSOR_REFERENCE;
    with.executor_workers = 0;
    without = with;
    draw_tensor_units(draw, &with);
    draw_write(&with, &what);
    struct test_outcome a = test_run(graph, NULL, &with, 3);
    struct test_outcome b = test_run(graph, NULL, &without, 3);
    ck_assert_msg(a.end == b.end, "%s", lib_text_get(&what));
    if (a.end == ISA_END_COMPLETED) {
        ck_assert_msg(a.stats.value_digest == b.stats.value_digest, "%s",
                      lib_text_get(&what));
        ck_assert_uint_eq(a.stats.firings, b.stats.firings);
        ck_assert_uint_eq(a.stats.span, b.stats.span);
        ck_assert_uint_eq(a.stats.tensor_flops, b.stats.tensor_flops);
        ck_assert_uint_eq(a.stats.tensor_bytes, b.stats.tensor_bytes);
        ck_assert_uint_eq(a.stats.tokens, b.stats.tokens);
    }
    traces_stats_free(&a.stats);
    traces_stats_free(&b.stats);
    lib_text_free(&what);
}

START_TEST(values_do_not_depend_on_batches)
{
    test_each_tensor_program(test_part(PROGRAMS, QUICK_PROGRAMS), check_values);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("batches");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, kernels_wait_for_a_unit);
    tcase_add_test(tcase, a_batch_starts_once);
    tcase_add_test(tcase, a_window_is_waited_for);
    tcase_add_test(tcase, a_window_joins_what_comes_in_it);
    tcase_add_test(tcase, a_batch_is_of_one_instruction_and_shape);
    tcase_add_test(tcase, an_operand_of_all_is_read_once);
    tcase_add_test(tcase, a_batch_may_copy_what_lies_apart);
    tcase_add_test(tcase, a_batch_copies_no_numbers);
    tcase_add_test(tcase, grouping_takes_time_for_each_kernel);
    tcase_add_test(tcase, pes_of_a_node_share_units);
    tcase_add_test(tcase, values_do_not_depend_on_batches);
    return test_main("batches", tcase);
}
