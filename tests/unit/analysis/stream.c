/* Analyses of events: of every example, on every preset, by both strategies, what they find is what
 * the run has measured; and of programs that theory knows it is what theory says. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

#include "sim/session/analysed.h"
#include "sim/session/setup.h"
#include "tests/unit/examples.h"

#include <string.h>

enum { MOST_CALLS = 3000 };

static const char *const presets[] = {"default", "ideal", "tf-executor"};

/* A run, and what was found in it. */
struct found {
    struct sim_ending ending;
    struct analysis_findings findings[ANALYSIS_STREAM_COUNT];
};

static void analyse(struct found *found, const struct test_program *p,
                    const struct machine_settings *settings, uint64_t from, uint64_t to)
{
    const struct analysis_stream_run run = sim_analysed_run(p->graph, settings, NULL,
                                                            from, to);
    struct traces_event_sink sinks[ANALYSIS_STREAM_COUNT];
    bool wanted[ANALYSIS_STREAM_COUNT];
    memset(wanted, true, sizeof wanted);
    struct analysis_streams *streams = analysis_streams_new(&run, wanted);
    const struct sim_simulation_config config = {
        .graph = p->graph,
        .inputs = p->inputs,
        .settings = settings,
        .engine = SIM_ENGINE_MACHINE,
        .profile = true,
        .sinks = sinks,
        .sink_count = analysis_streams_sinks(streams, sinks),
    };
    struct lib_diags diags = {0};
    ck_assert(sim_simulate(&config, &found->ending, &diags));
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        analysis_findings_start(&found->findings[i], analysis_stream_table[i].name,
                                false);
        analysis_streams_tell(streams, i, &found->findings[i]);
    }
    analysis_streams_free(streams);
}

static void release(struct found *found)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        analysis_findings_free(&found->findings[i]);
    sim_ending_free(&found->ending);
}

/* --- what was found --------------------------------------------------------------------- */

static const struct analysis_cell *number_of(const struct found *found, unsigned which,
                                             const char *key)
{
    const struct analysis_findings *f = &found->findings[which];
    for (size_t i = 0; i < f->numbers.count; i++)
        if (strcmp(f->numbers.items[i].key, key) == 0)
            return &f->numbers.items[i].cell;
    ck_abort_msg("%s has no %s", f->name, key);
}

static const struct analysis_findings_table *table(const struct found *found,
                                                   unsigned which, const char *key)
{
    const struct analysis_findings *f = &found->findings[which];
    for (size_t i = 0; i < f->tables.count; i++)
        if (strcmp(f->tables.items[i].key, key) == 0)
            return &f->tables.items[i];
    ck_abort_msg("%s has no table %s", f->name, key);
}

static uint64_t cell(const struct analysis_findings_table *t, size_t row,
                     const char *column)
{
    for (size_t c = 0; c < t->columns.count; c++)
        if (strcmp(t->columns.items[c], column) == 0)
            return t->cells.items[row * t->columns.count + c].count;
    ck_abort_msg("%s has no column %s", t->key, column);
}

static uint64_t sum_of(const struct analysis_findings_table *t, const char *column)
{
    uint64_t all = 0;
    for (size_t r = 0; r < analysis_table_rows(t); r++)
        all += cell(t, r, column);
    return all;
}

#define SAME(a, b)                                                                       \
    ck_assert_msg((a) == (b), "%s: %s is %ju, not %ju", what, #a, (uintmax_t)(a),        \
                  (uintmax_t)(b))

#define ALIKE(a, b)                                                                      \
    ck_assert_msg((isnan(a) && isnan(b)) || fabs((a) - (b)) <= 1e-9 * fabs(b),           \
                  "%s: %s is %g, not %g", what, #a, a, b)

#define NUMBER(which, key) (number_of(found, ANALYSIS_STREAM_##which, key)->count)
#define REAL(which, key) (number_of(found, ANALYSIS_STREAM_##which, key)->real)
#define TABLE(which, key) table(found, ANALYSIS_STREAM_##which, key)

/* --- additions are statistics ------------------------------------------------------------------ */

static void check_summary(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(NUMBER(summary, "firings"), s->firings);
    SAME(NUMBER(summary, "dead_firings"), s->dead_firings);
    SAME(NUMBER(summary, "span"), s->span);
    SAME(NUMBER(summary, "calls"), s->calls);
    SAME(NUMBER(summary, "loop_iterations"), s->loop_iterations);
    SAME(NUMBER(summary, "cycles"), s->cycles);
    ALIKE(REAL(summary, "parallelism"), s->parallelism);
    ALIKE(REAL(summary, "bypass_ratio"), s->bypass_ratio);
}

static void check_histogram(const struct analysis_findings_table *t,
                            const struct traces_histogram *h, const char *what)
{
    SAME(analysis_table_rows(t), traces_histogram_ranges(h, TRACES_PROFILE_BINS));
    for (size_t i = 0; i < analysis_table_rows(t); i++)
        SAME(cell(t, i, "firings"),
             traces_histogram_range(h, TRACES_PROFILE_BINS, i).firings);
}

static void check_profile(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct analysis_findings_table *units = TABLE(speedup, "units");
    const size_t last = analysis_table_rows(units) - 1;
    check_histogram(TABLE(profile, "actual"), &found->ending.profile->actual, what);
    check_histogram(TABLE(profile, "ideal"), &found->ending.profile->ideal, what);
    SAME(cell(units, 0, "units"), 1);
    SAME(cell(units, 0, "steps"), s->firings);
    SAME(cell(units, last, "steps"), s->span);
    for (size_t i = 1; i <= last; i++)
        ck_assert(cell(units, i, "steps") <= cell(units, i - 1, "steps"));
}

static void check_state(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(NUMBER(state, "peak_waiting"), s->peak_waiting);
    SAME(NUMBER(state, "peak_live_tokens"), s->peak_live_tokens);
    SAME(NUMBER(state, "peak_tags"), s->peak_tags);
    ALIKE(REAL(state, "mean_waiting"), s->mean_waiting);
    SAME(sum_of(TABLE(state, "over_time"), "width"), s->cycles);
}

static void check_traffic(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct analysis_findings_table *t = TABLE(traffic, "matrix");
    uint64_t *local = lib_mem_new(s->pe_count * sizeof *local);
    uint64_t *network = lib_mem_new(s->pe_count * sizeof *network);
    for (size_t r = 0; r < analysis_table_rows(t); r++) {
        const uint64_t from = cell(t, r, "from");
        (from == cell(t, r, "to") ? local : network)[from] += cell(t, r, "tokens");
    }
    for (size_t i = 0; i < s->pe_count; i++) {
        SAME(local[i], s->pe[i].local_tokens);
        SAME(network[i], s->pe[i].network_tokens);
    }
    SAME(NUMBER(traffic, "local_tokens"), s->local_tokens);
    SAME(NUMBER(traffic, "network_tokens"), s->network_tokens);
    SAME(NUMBER(traffic, "element_requests"), s->element_requests);
    SAME(NUMBER(traffic, "hiatons"), s->dead_tokens);
    lib_mem_free(local);
    lib_mem_free(network);
}

static void check_tags(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(NUMBER(tags, "calls"), s->calls);
    SAME(NUMBER(tags, "loop_iterations"), s->loop_iterations);
    SAME(NUMBER(tags, "deepest"), s->peak_tag_depth);
    SAME(NUMBER(tags, "alive_at_end"), 0);
    SAME(sum_of(TABLE(tags, "depth"), "activations"), NUMBER(tags, "made"));
    SAME(sum_of(TABLE(tags, "lifetime"), "activations"), NUMBER(tags, "made"));
    SAME(sum_of(TABLE(tags, "functions"), "made"), NUMBER(tags, "made"));
    SAME(sum_of(TABLE(tags, "functions"), "calls"), s->calls);
}

static void check_utilisation(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    const struct analysis_findings_table *t = TABLE(utilisation, "pes");
    for (size_t i = 0; i < s->pe_count; i++) {
        SAME(cell(t, i, "firings"), s->pe[i].firings);
        SAME(cell(t, i, "dead_firings"), s->pe[i].dead_firings);
        SAME(cell(t, i, "busy"), s->pe[i].busy);
        SAME(cell(t, i, "turns"), s->pe[i].turns);
    }
    SAME(NUMBER(utilisation, "working_pes"), s->working_pes);
    ALIKE(REAL(utilisation, "occupancy"), s->occupancy);
    ALIKE(REAL(utilisation, "utilisation"), s->utilisation);
    SAME(sum_of(TABLE(utilisation, "over_time"), "busy"), s->busy_cycles);
    SAME(sum_of(TABLE(utilisation, "over_time"), "turns"), s->turns);
}

static void check_costs(const struct found *found, const char *what)
{
    const struct traces_stats *s = &found->ending.stats;
    SAME(sum_of(TABLE(functions, "costs"), "firings"), s->firings);
    SAME(sum_of(TABLE(functions, "costs"), "tokens"), s->tokens);
    SAME(sum_of(TABLE(lines, "costs"), "firings"), s->firings);
    SAME(sum_of(TABLE(lines, "costs"), "tokens"), s->tokens);
}

static void check_example(const struct test_row *row, struct test_program *p)
{
    static const char *const deadness[] = {"suppress", "propagate"};
    if (row->calls > MOST_CALLS)
        return;
    for (size_t i = 0; i < 2 * sizeof presets / sizeof *presets; i++) {
        struct machine_settings settings;
        struct found found;
        char what[128];
        test_set_preset(&settings, presets[i / 2], deadness[i % 2]);
        snprintf(what, sizeof what, "%s %s, %s, %s", row->program, row->inputs,
                 presets[i / 2], deadness[i % 2]);
        analyse(&found, p, &settings, 0, UINT64_MAX);
        ck_assert_msg(found.ending.end == ISA_END_COMPLETED, "%s", what);
        check_summary(&found, what);
        check_profile(&found, what);
        check_state(&found, what);
        check_traffic(&found, what);
        check_tags(&found, what);
        check_utilisation(&found, what);
        check_costs(&found, what);
        release(&found);
    }
}

START_TEST(what_is_found_is_what_was_measured)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_example);
    test_each_example_at(ISA_STAGE_EXPANDING, check_example);
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
        tokens += NUMBER(traffic, "local_tokens") + NUMBER(traffic, "network_tokens");
        turns += NUMBER(utilisation, "turns");
        width += sum_of(TABLE(state, "over_time"), "width");
        const uint64_t of_part = NUMBER(state, "peak_live_tokens");
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
        busy += NUMBER(utilisation, "busy");
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

/* --- what theory knows ----------------------------------------------------------------------- */

/* On the machine `ideal`, of a program with an input n. */
static struct found ideal(const char *text, uint64_t n, struct test_program *p)
{
    struct found found;
    struct machine_settings settings;
    char input[32];
    *p = (struct test_program){.arena = lib_arena_new(),
                               .graph = test_compile(text, ISA_STAGE_IMAGE)};
    p->inputs = LIB_ARENA_ARRAY(p->arena, isa_value, 1);
    snprintf(input, sizeof input, "n=%ju", (uintmax_t)n);
    test_set_inputs(p, input);
    test_set_preset(&settings, "ideal", "suppress");
    analyse(&found, p, &settings, 0, UINT64_MAX);
    ck_assert_int_eq(found.ending.end, ISA_END_COMPLETED);
    return found;
}

/* A chain of 3 additions: one firing at each depth, and no parallelism whatever the units. */
static const char additions[] = "input n = 1\n"
                                "result = n + 1 + 2 + 3\n";

START_TEST(a_chain_has_one_firing_at_each_depth)
{
    const char *what = "a chain";
    struct test_program p;
    struct found of_line = ideal(additions, 1, &p), *found = &of_line;
    const struct analysis_findings_table *t = TABLE(profile, "ideal");
    SAME(NUMBER(summary, "span"), NUMBER(summary, "firings"));
    for (size_t i = 0; i < analysis_table_rows(t); i++) {
        SAME(cell(t, i, "firings"), 1);
        SAME(cell(TABLE(profile, "actual"), i, "firings"), 1);
    }
    SAME(NUMBER(speedup, "greatest_width"), 1);
    SAME(analysis_table_rows(TABLE(speedup, "units")), 1);
    SAME(NUMBER(tags, "made"), 0);
    release(&of_line);
    test_program_free(&p);
}
END_TEST

/* n calls in each other: one at each depth of tags, alive one within the other. */
static const char chain[] = "input n = 3\n"
                            "result = f(n)\n"
                            "f(x) = if x == 1 then 1 else f(x - 1) + 1\n";

START_TEST(calls_in_each_other_have_a_depth_each)
{
    const char *what = "a chain of calls";
    struct test_program p;
    struct found of_chain = ideal(chain, 50, &p), *found = &of_chain;
    const struct analysis_findings_table *t = TABLE(tags, "depth");
    SAME(NUMBER(tags, "made"), 50);
    SAME(analysis_table_rows(t), 50);
    for (size_t i = 0; i < 50; i++)
        SAME(cell(t, i, "activations"), 1);
    SAME(NUMBER(state, "peak_tags"), 51);
    release(&of_chain);
    test_program_free(&p);
}
END_TEST

/* A balanced tree: 2^(d - 1) calls at depth d, all of which are made in the same cycle. */
static const char tree[] = "input n = 3\n"
                           "result = f(n)\n"
                           "f(x) = if x == 0 then 1 else f(x - 1) + f(x - 1)\n";

static uint64_t lifetime_of_leaves(uint64_t n)
{
    struct test_program p;
    struct found of_tree = ideal(tree, n, &p), *found = &of_tree;
    const struct analysis_findings_table *t = TABLE(tags, "lifetime");
    const uint64_t shortest = cell(t, 0, "from");
    release(&of_tree);
    test_program_free(&p);
    return shortest;
}

START_TEST(a_tree_doubles_at_each_depth)
{
    const char *what = "a balanced tree";
    struct test_program p;
    struct found of_tree = ideal(tree, 9, &p), *found = &of_tree;
    const struct analysis_findings_table *t = TABLE(tags, "depth");
    const struct analysis_findings_table *profile = TABLE(profile, "ideal");
    SAME(NUMBER(tags, "made"), (1u << 10) - 1);
    SAME(analysis_table_rows(t), 10);
    for (size_t d = 0; d < 10; d++)
        SAME(cell(t, d, "activations"), 1u << d);
    for (size_t i = 0; i < analysis_table_rows(profile); i++)
        SAME(cell(profile, i, "firings"), cell(TABLE(profile, "actual"), i, "firings"));
    SAME(lifetime_of_leaves(9), lifetime_of_leaves(5));
    release(&of_tree);
    test_program_free(&p);
}
END_TEST

/* One more level of the tree, or one more step of a chain, always takes as many cycles, and makes the
 * root of all live so much longer. */
START_TEST(span_and_lifetime_grow_evenly)
{
    static const char *const texts[] = {chain, tree};
    for (size_t i = 0; i < 2; i++) {
        uint64_t span[3], lifetime[3];
        for (uint64_t n = 0; n < 3; n++) {
            struct test_program p;
            struct found of = ideal(texts[i], 4 + n, &p), *found = &of;
            span[n] = NUMBER(summary, "span");
            lifetime[n] = NUMBER(tags, "greatest_lifetime");
            release(&of);
            test_program_free(&p);
        }
        ck_assert_uint_eq(span[2] - span[1], span[1] - span[0]);
        ck_assert_uint_eq(lifetime[2] - lifetime[1], lifetime[1] - lifetime[0]);
        ck_assert_uint_eq(lifetime[1] - lifetime[0], span[1] - span[0]);
    }
}
END_TEST

/* A reduction of n = 2^k elements: a tree of calls with n leaves, below a loop of n iterations. */
static const char reduction[] = "input n = 8\n"
                                "result = sum([i * i | i <- 0 .. n - 1])\n";

START_TEST(a_reduction_is_a_tree_over_its_elements)
{
    const char *what = "a reduction";
    for (uint64_t k = 1; k < 7; k++) {
        const uint64_t n = UINT64_C(1) << k;
        struct test_program p;
        struct found of_sum = ideal(reduction, n, &p), *found = &of_sum;
        const struct analysis_findings_table *t = TABLE(tags, "functions");
        SAME(analysis_table_rows(t), 2);
        SAME(cell(t, 0, "made") + cell(t, 1, "made"), 3 * n);
        SAME(NUMBER(tags, "calls"), 2 * n - 1);
        SAME(NUMBER(tags, "loop_iterations"), n);
        SAME(NUMBER(tags, "deepest"), k + 1);
        release(&of_sum);
        test_program_free(&p);
    }
}
END_TEST

/* A wavefront over (n + 1)^2 elements: four times the work takes twice the time. */
static const char wavefront[] =
    "input n = 8\n"
    "result = t[n][n]\n"
    "t = [row(i) | i <- 0 .. n]\n"
    "row(i) = [if i == 0 or j == 0 then 1\n"
    "          else t[i - 1][j] + t[i][j - 1] | j <- 0 .. n]\n";

START_TEST(a_wavefront_takes_as_long_as_its_diagonals)
{
    const char *what = "a wavefront";
    uint64_t span[4];
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t n = 4 + 2 * i;
        struct test_program p;
        struct found of_table = ideal(wavefront, n, &p), *found = &of_table;
        span[i] = NUMBER(summary, "span");
        SAME(NUMBER(tags, "calls"), n + 1);
        SAME(NUMBER(tags, "loop_iterations"), (n + 1) + (n + 1) * (n + 1));
        /* each loop finds once that it has ended */
        SAME(NUMBER(tags, "made"), (n + 1) + (n + 1) * (n + 2) + 1 + (n + 1));
        SAME(NUMBER(tags, "deepest"), 3);
        release(&of_table);
        test_program_free(&p);
    }
    SAME(span[2] - span[1], span[1] - span[0]);
    SAME(span[3] - span[2], span[1] - span[0]);
}
END_TEST

/* Steps are the sum over depths of ceil(width / units); the widths are those of the profile. */
START_TEST(speedup_is_that_of_the_profile)
{
    const char *what = "speedup of a reduction";
    struct test_program p;
    struct found of_sum = ideal(reduction, 64, &p), *found = &of_sum;
    const struct analysis_findings_table *units = TABLE(speedup, "units");
    const struct analysis_findings_table *widths = TABLE(profile, "ideal");
    ck_assert_uint_gt(analysis_table_rows(units), 4);
    for (size_t i = 0; i < analysis_table_rows(units); i++) {
        const uint64_t u = cell(units, i, "units");
        uint64_t steps = 0;
        for (size_t d = 0; d < analysis_table_rows(widths); d++)
            steps += (cell(widths, d, "firings") + u - 1) / u;
        SAME(cell(units, i, "steps"), steps);
    }
    release(&of_sum);
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
    tcase_add_test(tcase, windows_add_up);
    tcase_add_test(tcase, windows_of_an_executor_add_up);
    tcase_add_test(tcase, a_chain_has_one_firing_at_each_depth);
    tcase_add_test(tcase, calls_in_each_other_have_a_depth_each);
    tcase_add_test(tcase, a_tree_doubles_at_each_depth);
    tcase_add_test(tcase, span_and_lifetime_grow_evenly);
    tcase_add_test(tcase, a_reduction_is_a_tree_over_its_elements);
    tcase_add_test(tcase, a_wavefront_takes_as_long_as_its_diagonals);
    tcase_add_test(tcase, speedup_is_that_of_the_profile);
    tcase_add_test(tcase, a_timeline_keeps_sums_and_peaks);
    return test_main("stream", tcase);
}
