/* Analyses of events: of every example, on every preset, by both strategies, what they find is what
 * the run has measured. tests/unit/analysis/theory.c has what theory knows. */
#include "analysis/stream/timeline.h"

#include "machine/settings.h"
#include "tests/unit/analysis/found.h"
#include "tests/random/generate_tensors.h"
#include "tests/unit/examples.h"

enum { MAX_CALLS = 3000 };

static const char *const presets[] = {"default", "ideal", "tf-executor"};

/* --- additions are statistics --------------------------------------------------------- */

static void check_summary(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(WHOLE(summary, "firings"), s->firings);
    SAME(WHOLE(summary, "dead_firings"), s->dead_firings);
    SAME(WHOLE(summary, "span"), s->span);
    SAME(WHOLE(summary, "calls"), s->calls);
    SAME(WHOLE(summary, "loop_iterations"), s->loop_iterations);
    SAME(WHOLE(summary, "cycles"), s->cycles);
    ALIKE(REAL(summary, "parallelism"), s->parallelism);
    ALIKE(REAL(summary, "bypass_ratio"), s->bypass_ratio);
}

static void check_histogram(const struct lib_table *t, const struct traces_histogram *h,
                            const char *what)
{
    SAME(lib_table_rows(t), traces_histogram_ranges(h, TRACES_PROFILE_BINS));
    for (size_t i = 0; i < lib_table_rows(t); i++)
        SAME(cell(t, i, "firings"),
             traces_histogram_range(h, TRACES_PROFILE_BINS, i).firings);
}

/* A step is of `step` cycles. */
static void check_profile(const struct found *found, uint64_t step, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *units = TABLE(speedup, "units");
    const size_t last = lib_table_rows(units) - 1;
    check_histogram(TABLE(profile, "actual"), &found->ending.profile->actual, what);
    check_histogram(TABLE(profile, "ideal"), &found->ending.profile->ideal, what);
    /* the speedup that the run reached is in steps, as that beside it */
    const uint64_t of_machine = WHOLE(speedup, "units");
    ALIKE(REAL(speedup, "reached"),
          (double)s->firings * (double)step / (double)s->cycles);
    for (size_t i = 0; i <= last; i++)
        if (cell(units, i, "units") == of_machine)
            ALIKE(REAL(speedup, "ideal"),
                  (double)s->firings / (double)cell(units, i, "steps"));
    SAME(cell(units, 0, "units"), 1);
    SAME(cell(units, 0, "steps"), s->firings);
    SAME(cell(units, last, "steps"), s->span);
    for (size_t i = 1; i <= last; i++)
        ck_assert(cell(units, i, "steps") <= cell(units, i - 1, "steps"));
}

static void check_state(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(WHOLE(state, "peak_waiting"), s->peak_waiting);
    SAME(WHOLE(state, "peak_live_tokens"), s->peak_live_tokens);
    SAME(WHOLE(state, "peak_tags"), s->peak_tags);
    ALIKE(REAL(state, "mean_waiting"), s->mean_waiting);
    SAME(sum_of(TABLE(state, "over_time"), "width"), s->cycles);
}

static void check_traffic(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *t = TABLE(traffic, "matrix");
    uint64_t *local = lib_mem_new(s->pe_count * sizeof *local);
    uint64_t *network = lib_mem_new(s->pe_count * sizeof *network);
    for (size_t r = 0; r < lib_table_rows(t); r++) {
        const uint64_t from = cell(t, r, "from");
        (from == cell(t, r, "to") ? local : network)[from] += cell(t, r, "tokens");
    }
    for (size_t i = 0; i < s->pe_count; i++) {
        SAME(local[i], s->pe[i].local_tokens);
        SAME(network[i], s->pe[i].network_tokens);
    }
    SAME(sum_of(TABLE(traffic, "edges"), "tokens"), s->tokens);
    SAME(sum_of(TABLE(traffic, "functions"), "tokens"), s->tokens);
    SAME(sum_of(TABLE(traffic, "edges"), "hiatons"), s->dead_tokens);
    SAME(sum_of(TABLE(traffic, "edges"), "network"),
         sum_of(TABLE(traffic, "functions"), "network"));
    if (s->element_requests + s->tensor_fetches == 0)
        SAME(sum_of(TABLE(traffic, "edges"), "network"), s->network_tokens);
    SAME(WHOLE(traffic, "local_tokens"), s->local_tokens);
    SAME(WHOLE(traffic, "network_tokens"), s->network_tokens);
    SAME(WHOLE(traffic, "tensor_messages"), 2 * s->tensor_fetches);
    SAME(WHOLE(traffic, "element_requests"), s->element_requests);
    SAME(WHOLE(traffic, "hiatons"), s->dead_tokens);
    lib_mem_free(local);
    lib_mem_free(network);
}

static void check_tags(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(WHOLE(tags, "calls"), s->calls);
    SAME(WHOLE(tags, "loop_iterations"), s->loop_iterations);
    SAME(WHOLE(tags, "deepest"), s->peak_tag_depth);
    SAME(WHOLE(tags, "alive_at_end"), 0);
    SAME(sum_of(TABLE(tags, "depth"), "activations"), WHOLE(tags, "made"));
    SAME(sum_of(TABLE(tags, "lifetime"), "activations"), WHOLE(tags, "made"));
    SAME(sum_of(TABLE(tags, "functions"), "made"), WHOLE(tags, "made"));
    SAME(sum_of(TABLE(tags, "functions"), "calls"), s->calls);
}

static void check_utilisation(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *t = TABLE(utilisation, "pes");
    for (size_t i = 0; i < s->pe_count; i++) {
        SAME(cell(t, i, "firings"), s->pe[i].firings);
        SAME(cell(t, i, "dead_firings"), s->pe[i].dead_firings);
        SAME(cell(t, i, "busy"), s->pe[i].busy);
        SAME(cell(t, i, "turns"), s->pe[i].turns);
    }
    SAME(WHOLE(utilisation, "working_pes"), s->working_pes);
    ALIKE(REAL(utilisation, "occupancy"), s->occupancy);
    ALIKE(REAL(utilisation, "utilisation"), s->utilisation);
    SAME(sum_of(TABLE(utilisation, "over_time"), "busy"), s->busy_cycles);
    SAME(sum_of(TABLE(utilisation, "over_time"), "turns"), s->turns);
}

/* A token goes through two ports of a crossbar. */
static void check_links(const struct found *found, bool has_links, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *ports = TABLE(links, "ports");
    SAME(WHOLE(links, "passed"), has_links ? 2 * s->network_tokens : 0);
    SAME(WHOLE(links, "hops"), has_links ? s->hops : 0);
    SAME(sum_of(ports, "tokens"), WHOLE(links, "passed"));
    SAME(sum_of(TABLE(links, "over_time"), "busy"), sum_of(ports, "busy"));
    for (size_t i = 0; i < lib_table_rows(ports); i++)
        ck_assert_uint_le(cell(ports, i, "busy"), s->cycles);
}

/* Each cycle of each PE has one cause; those of work are those in which it had a turn. A hiaton may
 * have one when all is over. */
static void check_idleness(const struct found *found, bool has_workers, uint32_t units,
                           const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *t = TABLE(idleness, "pes");
    SAME(lib_table_rows(t), s->pe_count);
    for (size_t i = 0; i < s->pe_count; i++) {
        uint64_t all = 0;
        for (size_t c = 1; c < t->columns.count; c++) {
            all += cell(t, i, t->columns.items[c].key);
            ck_assert_uint_le(cell(t, i, t->columns.items[c].key), s->cycles);
        }
        SAME(all, s->cycles);
        if (has_workers)
            SAME(cell(t, i, "working") + cell(t, i, "lock"), s->pe[i].busy);
        else
            ck_assert_uint_le(cell(t, i, "working"), s->pe[i].turns);
        if (!has_workers && units == 1)
            ck_assert_uint_ge(cell(t, i, "working") + 1, s->pe[i].turns);
    }
    SAME(WHOLE(idleness, "working"), sum_of(t, "working"));
}

/* The top level is all of the run. */
static void check_calls(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct lib_table *t = TABLE(calls, "functions");
    SAME(WHOLE(calls, "ended"), s->calls);
    SAME(sum_of(t, "calls"), s->calls + 1);
    SAME(cell(t, 0, "greatest_work"), s->firings);
    SAME(cell(t, 0, "greatest_span"), s->span);
    SAME(cell(t, 0, "greatest_cycles"), s->cycles);
    for (size_t i = 1; i < lib_table_rows(t); i++) {
        ck_assert_uint_lt(cell(t, i, "greatest_work"), s->firings);
        ck_assert_uint_lt(cell(t, i, "greatest_span"), s->span);
    }
}

static void check_costs(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(sum_of(TABLE(functions, "costs"), "firings"), s->firings);
    SAME(sum_of(TABLE(functions, "costs"), "tokens"), s->tokens);
    SAME(sum_of(TABLE(lines, "costs"), "firings"), s->firings);
    for (size_t i = 0; i < lib_table_rows(TABLE(functions, "costs")); i++) {
        const uint64_t span = cell(TABLE(functions, "costs"), i, "span");
        ck_assert_uint_le(span, s->span);
        ck_assert((span > 0) == (cell(TABLE(functions, "costs"), i, "firings") > 0));
    }
    SAME(sum_of(TABLE(lines, "costs"), "tokens"), s->tokens);
}

static void check_found(struct test_program *p, const struct machine_settings *settings,
                        const char *what)
{
    struct found found;
    analyse(&found, p, settings, 0, UINT64_MAX);
    ck_assert_msg(found.ending.end == ISA_END_COMPLETED, "%s", what);
    check_summary(&found, what);
    check_profile(&found, settings->executor_workers > 0 ? settings->executor_live : 1,
                  what);
    check_state(&found, what);
    check_traffic(&found, what);
    check_tags(&found, what);
    check_utilisation(&found, what);
    check_links(&found, settings->network_topology != MACHINE_NETWORK_IDEAL, what);
    check_idleness(&found, settings->executor_workers > 0, settings->pe_units, what);
    check_calls(&found, what);
    check_costs(&found, what);
    release(&found);
}

static void check_example(const struct test_row *row, struct test_program *p)
{
    static const char *const deadness[] = {"suppress", "propagate"};
    if (row->calls > MAX_CALLS)
        return;
    for (size_t i = 0; i < 2 * sizeof presets / sizeof *presets; i++) {
        struct machine_settings settings;
        char what[128];
        test_set_preset(&settings, presets[i / 2], deadness[i % 2]);
        snprintf(what, sizeof what, "%s %s, %s, %s", row->program, row->inputs,
                 presets[i / 2], deadness[i % 2]);
        check_found(p, &settings, what);
    }
}

START_TEST(what_is_found_is_what_was_measured)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_example);
    test_each_example_at(ISA_STAGE_EXPANDING, check_example);
}
END_TEST

/* Of programs on tensors, which are fetched, or go through the network themselves. */
START_TEST(so_it_is_of_tensors)
{
    static const char *const machines[] = {
        "pe.count=6", "pe.count=6 network.bandwidth=32 pe.units=0",
        "pe.count=4 network.bandwidth=64 queue.capacity=100", "executor.workers=3"};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct lib_text text = {0}, result = {0};
        struct test_program p = {.arena = lib_arena_new()};
        generate_tensors(seed, &text, &result);
        p.graph = test_compile(lib_text_get(&text),
                               seed % 2 ? ISA_STAGE_IMAGE : ISA_STAGE_EXPANDING);
        for (size_t i = 0; i < 2 * sizeof machines / sizeof *machines; i++) {
            struct machine_settings settings;
            machine_settings_default(&settings);
            test_set_all(&settings, machines[i / 2]);
            settings.tensor_transport = i % 2;
            settings.tensor_math = MACHINE_TENSOR_REFERENCE;
            check_found(&p, &settings, machines[i / 2]);
        }
        lib_text_free(&text);
        lib_text_free(&result);
        test_program_free(&p);
    }
}
END_TEST

/* Parts that tile a run add up to it. */
START_TEST(windows_add_up)
{
    struct test_program p = test_example_at("fib", ISA_STAGE_IMAGE);
    struct machine_settings settings;
    const char *what = "windows of fib";
    const uint64_t cuts[] = {0, 7, 100, 101, 350, UINT64_MAX};
    uint64_t firings = 0, tokens = 0, turns = 0, width = 0, peak = 0;
    test_set_inputs(&p, "n=10");
    test_set_preset(&settings, "default", "suppress");
    struct found whole;
    analyse(&whole, &p, &settings, 0, UINT64_MAX);
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++) {
        struct found part, *found = &part;
        analyse(&part, &p, &settings, cuts[i], cuts[i + 1]);
        firings += sum_of(TABLE(profile, "actual"), "firings");
        tokens += WHOLE(traffic, "local_tokens") + WHOLE(traffic, "network_tokens");
        turns += WHOLE(utilisation, "turns");
        width += sum_of(TABLE(state, "over_time"), "width");
        const uint64_t of_part = WHOLE(state, "peak_live_tokens");
        peak = of_part > peak ? of_part : peak;
        release(&part);
    }
    SAME(firings, whole.ending.stats.firings);
    SAME(tokens, whole.ending.stats.tokens);
    SAME(turns, whole.ending.stats.turns);
    SAME(width, whole.ending.stats.cycles);
    SAME(peak, whole.ending.stats.peak_live_tokens);
    release(&whole);
    test_program_free(&p);
}
END_TEST

/* Links add up, and none of them is occupied for longer than the run. */
static void check_sums_of_links(const struct traces_stats *s)
{
    uint64_t tokens = 0, busy = 0, waits = 0, hops = 0;
    for (size_t i = 0; i < s->link_count; i++) {
        const struct traces_link *link = &s->links[i];
        ck_assert_uint_le(link->stats.busy, s->cycles);
        tokens += link->stats.tokens;
        busy += link->stats.busy;
        waits += link->stats.waits;
        hops += link->port == TRACES_PORT_LINK ? link->stats.tokens : 0;
    }
    ck_assert_uint_eq(tokens, s->link_tokens);
    ck_assert_uint_eq(busy, s->link_busy);
    ck_assert_uint_eq(waits, s->link_waits);
    ck_assert_uint_eq(hops, s->hops);
}

static void check_mesh(const char *capacity)
{
    struct test_program p = test_example_at("fib", ISA_STAGE_IMAGE);
    struct machine_settings settings;
    struct lib_text why = {0};
    const char *what = "a mesh";
    test_set_inputs(&p, "n=9");
    test_set_preset(&settings, "default", "suppress");
    ck_assert(lib_setting_set(&settings, machine_setting_find("network.topology"), "mesh",
                              &why));
    test_set(&settings, "network.capacity", capacity);
    struct found of_mesh, *found = &of_mesh;
    analyse(&of_mesh, &p, &settings, 0, UINT64_MAX);
    const struct traces_stats *s = &found->ending.stats;
    ck_assert_uint_gt(s->hops, s->network_tokens);
    SAME(WHOLE(links, "hops"), s->hops);
    SAME(WHOLE(links, "passed"), s->hops + 2 * s->network_tokens);
    check_sums_of_links(s);
    SAME(s->link_tokens, WHOLE(links, "passed"));
    SAME(s->link_busy, s->link_tokens);
    ALIKE(REAL(links, "mean_load"), s->mean_link_load);
    ALIKE(REAL(links, "greatest_load"), s->greatest_link_load);
    check_idleness(found, false, settings.pe_units, what);
    release(&of_mesh);
    test_program_free(&p);
}

/* A network of routers: what crossed its links are the hops. */
START_TEST(links_of_a_mesh_are_hops)
{
    check_mesh("0");
    check_mesh("2");
}
END_TEST

/* What a worker does may begin in one part, and end in another. */
START_TEST(windows_of_an_executor_add_up)
{
    struct test_program p = test_example_at("fib", ISA_STAGE_IMAGE);
    struct machine_settings settings;
    const char *what = "windows of fib on an executor";
    const uint64_t cuts[] = {0, 1001, 40000, 40007, UINT64_MAX};
    uint64_t busy = 0, over_time = 0;
    test_set_inputs(&p, "n=6");
    test_set_preset(&settings, "tf-executor", "suppress");
    struct found whole;
    analyse(&whole, &p, &settings, 0, UINT64_MAX);
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++) {
        struct found part, *found = &part;
        analyse(&part, &p, &settings, cuts[i], cuts[i + 1]);
        busy += WHOLE(utilisation, "busy");
        over_time += sum_of(TABLE(utilisation, "over_time"), "busy");
        ck_assert(REAL(utilisation, "utilisation") <= 1);
        release(&part);
    }
    ck_assert_uint_gt(whole.ending.stats.cycles, 40007);
    SAME(busy, whole.ending.stats.busy_cycles);
    SAME(over_time, whole.ending.stats.busy_cycles);
    release(&whole);
    test_program_free(&p);
}
END_TEST

/* --- timelines ------------------------------------------------------------------------------- */

START_TEST(a_timeline_keeps_sums_and_peaks)
{
    struct analysis_timeline t;
    analysis_timeline_start(&t, 2, 8, true);
    for (uint64_t i = 0; i < 1000; i++)
        analysis_timeline_add(&t, i, 0, 3);
    analysis_timeline_hold(&t, 10, 900, 1, 5);
    analysis_timeline_hold(&t, 900, 901, 1, 7);
    ck_assert_uint_eq(t.shift, 7);
    uint64_t of_0 = 0, of_1 = 0, width = 0;
    for (size_t i = 0; i < analysis_timeline_spans(&t, 3); i++) {
        const struct analysis_span span = analysis_timeline_span(&t, 3, i);
        ck_assert_uint_eq(span.from, width);
        width += span.width;
        of_0 += analysis_timeline_sum(&t, &span, 0);
        of_1 += analysis_timeline_sum(&t, &span, 1);
        ck_assert_uint_eq(analysis_timeline_peak(&t, &span, 1), i == 2 ? 7 : 5);
    }
    ck_assert_uint_eq(width, 1000);
    ck_assert_uint_eq(of_0, 3000);
    ck_assert_uint_eq(of_1, 890 * 5 + 7);
    analysis_timeline_free(&t);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("stream");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, what_is_found_is_what_was_measured);
    tcase_add_test(tcase, so_it_is_of_tensors);
    tcase_add_test(tcase, windows_add_up);
    tcase_add_test(tcase, windows_of_an_executor_add_up);
    tcase_add_test(tcase, links_of_a_mesh_are_hops);
    tcase_add_test(tcase, a_timeline_keeps_sums_and_peaks);
    return test_main("stream", tcase);
}
