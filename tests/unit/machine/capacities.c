/* Peaks as capacities: with a capacity of the peak that a run without it has, the run is the same
 * and waits for nothing; with one less it waits, or ends. The help of a peak that is no such
 * capacity says so. */
#include "tests/unit/support.h"

static const char *const programs[] = {
    "f(x) = (x + 1.0) * 2.0\nresult = reduce_sum(f(ones([100])))\n",
    "result = f(1) + f(2)\nf(k) = sum([i * k | i <- 0 .. 9])\n",
    "result = sum([sum(t[i]) | i <- 0 .. 4])\nt = [[i * j | j <- 0 .. i + 1] | i <- 0 .. "
    "4]\n",
    "result = total(6)\n"
    "total(n) = if n == 0 then 0.0 else reduce_sum(w(n)) + total(n - 1) * total(n - 1)\n"
    "w(n) = tanh(matmul(ones([n, 3]), ones([3, n])))\n",
    "result = reduce_sum(loop i = 0, m = ones([6, 4]) while i < 6 do i + 1, "
    "update(m, [i], ones([1, 4]) * 2.0) return m)\n",
    "loss(w) = let h = loop t = 0, h = x while t < 8 do t + 1, tanh(matmul(h, w) + x) "
    "return h in reduce_sum(h * h)\n"
    "w = 0.125 * ones([4, 4])\nx = ones([4, 4])\n"
    "result = reduce_sum(grad(loss, w))\n",
    "result = merge(7)\n"
    "merge(n) = if n < 2 then n else sum(both(half(n), n))\n"
    "both(a, n) = [a[i] + merge(n - 2) | i <- 0 .. 1]\n"
    "half(n) = [merge(n - 1 - i) | i <- 0 .. 1]\n",
};

static const char *const machines[] = {
    "pe.count=1",
    "pe.count=1 queue.discipline=lifo pe.units=2",
    "pe.count=3",
    "pe.count=8 network.topology=mesh network.latency=3",
    "pe.count=4 structure.placement=local",
    "pe.count=5 deadness=propagate match.capacity=100000",
    "pe.count=6 cluster.nodes=2 cluster.pes_per_node=3",
    "pe.count=4 tag.scheme=interned queue.capacity=1000",
};

static struct test_outcome run(const struct isa_graph *graph, const char *machine,
                               const char *key, uint64_t capacity)
{
    struct machine_settings s;
    char setting[64];
    machine_settings_default(&s);
    test_set_all(&s, machine);
    snprintf(setting, sizeof setting, "%s=%llu", key, (unsigned long long)capacity);
    test_set_all(&s, setting);
    struct test_outcome outcome = test_run(graph, NULL, &s, 3);
    traces_stats_free(&outcome.stats);
    return outcome;
}

static void check_memory(const struct isa_graph *graph, const char *machine)
{
    const struct test_outcome any = run(graph, machine, "memory.capacity", 0);
    const uint64_t peak = any.stats.peak_resident;
    const struct test_outcome same = run(graph, machine, "memory.capacity", peak);
    const struct test_outcome less = run(graph, machine, "memory.capacity", peak - 1);
    ck_assert_int_eq(any.end, ISA_END_COMPLETED);
    ck_assert_uint_gt(peak, 1);
    ck_assert_msg(same.end == ISA_END_COMPLETED && same.stats.memory_stalls == 0,
                  "%s: memory.capacity=%llu does not suffice", machine,
                  (unsigned long long)peak);
    ck_assert_uint_eq(same.stats.peak_resident, peak);
    ck_assert_uint_eq(same.stats.timing_digest, any.stats.timing_digest);
    ck_assert_msg(less.stats.memory_stalls > 0, "%s: memory.capacity=%llu suffices",
                  machine, (unsigned long long)peak - 1);
}

static void check_depth(const struct isa_graph *graph, const char *machine)
{
    const struct test_outcome any = run(graph, machine, "limits.depth", 0);
    const uint64_t peak = any.stats.peak_tag_depth;
    const struct test_outcome same = run(graph, machine, "limits.depth", peak);
    ck_assert_int_eq(same.end, ISA_END_COMPLETED);
    if (peak > 1)
        ck_assert_int_eq(run(graph, machine, "limits.depth", peak - 1).end,
                         ISA_END_LIMIT);
}

START_TEST(peaks_that_suffice)
{
    static const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
            struct isa_graph *graph = test_compile(programs[i], stages[k]);
            for (size_t j = 0; j < sizeof machines / sizeof *machines; j++) {
                check_memory(graph, machines[j]);
                check_depth(graph, machines[j]);
            }
            isa_graph_free(graph);
        }
}
END_TEST

START_TEST(other_peaks_say_so)
{
    unsigned exact = 0, others = 0;
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *stat = &traces_stat_table[i];
        if (strncmp(stat->key, "peak_", strlen("peak_")) != 0)
            continue;
        const bool suffices = strcmp(stat->key, "peak_resident") == 0 ||
                              strcmp(stat->key, "peak_tag_depth") == 0;
        ck_assert_msg((strstr(stat->help, "no capacity") == NULL) == suffices, "%s: %s",
                      stat->key, stat->help);
        exact += suffices;
        others += !suffices;
    }
    ck_assert_uint_eq(exact, 2);
    ck_assert_uint_gt(others, 5);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("capacities");
    tcase_add_test(tcase, peaks_that_suffice);
    tcase_add_test(tcase, other_peaks_say_so);
    return test_main("capacities", tcase);
}
