/* What analyses of events find of programs that theory knows is what theory says. */
#include "isa/tag_path.h"
#include "lib/file.h"
#include "tests/unit/analysis/found.h"
#include "traces/outcome.h"

/* A chain of 3 additions: one firing at each depth, and no parallelism whatever the units. */
static const char additions[] = "input n = 1\n"
                                "result = n + 1 + 2 + 3\n";

START_TEST(a_chain_has_one_firing_at_each_depth)
{
    const char *what = "a chain";
    struct test_program p;
    struct found of_line = ideal(additions, 1, &p), *found = &of_line;
    const struct lib_table *t = TABLE(profile, "ideal");
    SAME(WHOLE(summary, "span"), WHOLE(summary, "firings"));
    for (size_t i = 0; i < lib_table_rows(t); i++) {
        SAME(cell(t, i, "firings"), 1);
        SAME(cell(TABLE(profile, "actual"), i, "firings"), 1);
    }
    SAME(WHOLE(speedup, "greatest_width"), 1);
    SAME(lib_table_rows(TABLE(speedup, "units")), 1);
    SAME(WHOLE(tags, "made"), 0);
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
    const struct lib_table *t = TABLE(tags, "depth");
    SAME(WHOLE(tags, "made"), 50);
    SAME(lib_table_rows(t), 50);
    for (size_t i = 0; i < 50; i++)
        SAME(cell(t, i, "activations"), 1);
    SAME(WHOLE(state, "peak_tags"), 51);
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
    const struct lib_table *t = TABLE(tags, "lifetime");
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
    const struct lib_table *t = TABLE(tags, "depth");
    const struct lib_table *profile = TABLE(profile, "ideal");
    SAME(WHOLE(tags, "made"), (1u << 10) - 1);
    SAME(lib_table_rows(t), 10);
    for (size_t d = 0; d < 10; d++)
        SAME(cell(t, d, "activations"), 1u << d);
    for (size_t i = 0; i < lib_table_rows(profile); i++)
        SAME(cell(profile, i, "firings"), cell(TABLE(profile, "actual"), i, "firings"));
    SAME(lifetime_of_leaves(9), lifetime_of_leaves(5));
    release(&of_tree);
    test_program_free(&p);
}
END_TEST

/* One more level of the tree, or one more step of a chain, always takes as many cycles, and makes
 * the root of all live so much longer. */
START_TEST(span_and_lifetime_grow_evenly)
{
    static const char *const texts[] = {chain, tree};
    for (size_t i = 0; i < 2; i++) {
        uint64_t span[3], lifetime[3];
        for (uint64_t n = 0; n < 3; n++) {
            struct test_program p;
            struct found of = ideal(texts[i], 4 + n, &p), *found = &of;
            span[n] = WHOLE(summary, "span");
            lifetime[n] = WHOLE(tags, "greatest_lifetime");
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
        const struct lib_table *t = TABLE(tags, "functions");
        SAME(lib_table_rows(t), 2);
        SAME(cell(t, 0, "made") + cell(t, 1, "made"), 3 * n);
        SAME(WHOLE(tags, "calls"), 2 * n - 1);
        SAME(WHOLE(tags, "loop_iterations"), n);
        SAME(WHOLE(tags, "deepest"), k + 1);
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
        span[i] = WHOLE(summary, "span");
        SAME(WHOLE(tags, "calls"), n + 1);
        SAME(WHOLE(tags, "loop_iterations"), (n + 1) + (n + 1) * (n + 1));
        /* each loop finds once that it has ended */
        SAME(WHOLE(tags, "made"), (n + 1) + (n + 1) * (n + 2) + 1 + (n + 1));
        SAME(WHOLE(tags, "deepest"), 3);
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
    const struct lib_table *units = TABLE(speedup, "units");
    const struct lib_table *widths = TABLE(profile, "ideal");
    ck_assert_uint_gt(lib_table_rows(units), 4);
    /* `ideal` has no latencies, and units without a limit: what it reaches is what can be
     * reached */
    SAME(WHOLE(speedup, "units"), 0);
    ALIKE(REAL(speedup, "ideal"), REAL(summary, "parallelism"));
    ALIKE(REAL(speedup, "reached"), REAL(speedup, "ideal"));
    for (size_t i = 0; i < lib_table_rows(units); i++) {
        const uint64_t u = cell(units, i, "units");
        uint64_t steps = 0;
        for (size_t d = 0; d < lib_table_rows(widths); d++)
            steps += (cell(widths, d, "firings") + u - 1) / u;
        SAME(cell(units, i, "steps"), steps);
    }
    release(&of_sum);
    test_program_free(&p);
}
END_TEST

/* --- closed forms ---------------------------------------------------------------------------- */

/* A map: element i is there 5 depths after element i - 1, as the loop goes round once in 5. */
static const char map[] = "input n = 8\n"
                          "result = t[n - 1]\n"
                          "t = [i * i + 1 | i <- 0 .. n - 1]\n";

static uint64_t log_of(uint64_t n)
{
    return 63 - (uint64_t)__builtin_clzll(n);
}

/* Work and span of n, by counting in the graph. A call of the chain that is not the last fires
 * MERGE, ==, 2 SWITCHes, - and CALL on the way down, and RETURN, + and MERGEIF on the way up. */
#define WORK_AND_SPAN(ROW)                                                               \
    ROW(chain, 9 * n - 1, 8 * n - 1)                                                     \
    ROW(tree, (UINT64_C(17) << n) - 9, 8 * n + 7)                                        \
    ROW(map, 9 * n + 17, 5 * n + 6)                                                      \
    ROW(reduction, 45 * n - 1, 5 * n + 3 * log_of(n) + 7)                                \
    ROW(wavefront, 31 * n * n + 57 * n + 55, 10 * n + 26)                                \
    ROW(fft, 94 * n * log_of(n) + 107 * n - 67, 5 * n + 18 * log_of(n) + 29)

#define ROW(name, work, span)                                                            \
    static uint64_t work_of_##name(uint64_t n)                                           \
    {                                                                                    \
        return work;                                                                     \
    }                                                                                    \
    static uint64_t span_of_##name(uint64_t n)                                           \
    {                                                                                    \
        return span;                                                                     \
    }
WORK_AND_SPAN(ROW)
#undef ROW

/* The sizes of reductions and transforms are powers of two, from where the arrays are slower than
 * the trees over them. */
static const struct form {
    const char *name, *text; /* no text: an example */
    uint64_t sizes[4];
    uint64_t (*work)(uint64_t n), (*span)(uint64_t n);
} forms[] = {
    {"chain", chain, {1, 2, 9, 100}, work_of_chain, span_of_chain},
    {"tree", tree, {0, 1, 5, 11}, work_of_tree, span_of_tree},
    {"map", map, {1, 2, 7, 200}, work_of_map, span_of_map},
    {"reduction", reduction, {8, 16, 64, 512}, work_of_reduction, span_of_reduction},
    {"wavefront", wavefront, {1, 2, 9, 24}, work_of_wavefront, span_of_wavefront},
    {"fft", NULL, {8, 16, 32, 64}, work_of_fft, span_of_fft},
};

static void check_form(const struct form *form, const char *text, uint64_t n)
{
    char what[64];
    struct test_program p;
    struct found of = ideal(text, n, &p), *found = &of;
    const struct lib_table *t = TABLE(profile, "ideal");
    snprintf(what, sizeof what, "%s of %ju", form->name, (uintmax_t)n);
    SAME(WHOLE(summary, "firings"), form->work(n));
    SAME(WHOLE(summary, "span"), form->span(n));
    SAME(WHOLE(summary, "cycles"), form->span(n));
    SAME(sum_of(t, "firings"), form->work(n));
    SAME(sum_of(t, "width"), form->span(n));
    SAME(cell(TABLE(calls, "functions"), 0, "greatest_work"), form->work(n));
    SAME(cell(TABLE(calls, "functions"), 0, "greatest_span"), form->span(n));
    if (form->span == span_of_tree || form->span == span_of_chain) {
        /* all but the first CALL and the OUTPUT is in the first call of f; and the last RETURN
         * does not stand in f */
        SAME(cell(TABLE(functions, "costs"), 0, "span"), form->span(n) - 3);
        SAME(cell(TABLE(calls, "functions"), 1, "greatest_work"), form->work(n) - 2);
        SAME(cell(TABLE(calls, "functions"), 1, "greatest_span"), form->span(n) - 2);
    }
    release(&of);
    test_program_free(&p);
}

START_TEST(work_and_span_are_closed_forms)
{
    char path[512];
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    snprintf(path, sizeof path, "%s/programs/examples/fft.df", test_source_directory());
    const struct lib_source *fft = lib_file_read(arena, path, &diags);
    ck_assert_ptr_nonnull(fft);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t k = 0; k < 4; k++)
            check_form(&forms[i], forms[i].text ? forms[i].text : fft->bytes,
                       forms[i].sizes[k]);
    lib_arena_free(arena);
}
END_TEST

/* So many times these firings, depth by depth. */
static void add_width(struct widths *w, uint64_t times, const char *digits)
{
    for (; *digits; digits++)
        w->at[w->count++] = times * (uint64_t)(*digits - '0');
}

START_TEST(profiles_are_closed_forms)
{
    for (uint64_t n = 1; n < 12; n++) {
        struct widths of_chain = {0}, of_tree = {0}, of_map = {0};
        add_width(&of_chain, 1, "1");
        add_width(&of_tree, 1, "1");
        for (uint64_t d = 0; d < n; d++) {
            if (d + 1 < n)
                add_width(&of_chain, 1, "11211");
            add_width(&of_tree, UINT64_C(1) << d, "11222");
        }
        add_width(&of_chain, 1, "1121");
        add_width(&of_tree, UINT64_C(1) << n, "1121");
        for (uint64_t d = n; d > 0; d--) {
            if (d > 1)
                add_width(&of_chain, 1, "111");
            add_width(&of_tree, UINT64_C(1) << (d - 1), "211");
        }
        add_width(&of_chain, 1, "11");
        add_width(&of_tree, 1, "11");
        add_width(&of_map, 1, "431232422");
        for (uint64_t i = 1; i < n; i++)
            add_width(&of_map, 1, "11322");
        add_width(&of_map, 1, "21");
        check_widths(chain, n, &of_chain);
        check_widths(tree, n, &of_tree);
        check_widths(map, n, &of_map);
    }
}
END_TEST

enum { PES = 8 };

/* The PE of an activation, by the hash of its tag. */
static uint32_t pe_of(uint64_t path)
{
    return (uint32_t)((path >> 32) * PES >> 32);
}

/* A call takes an argument and a control token there, and its result back; all else stays where it
 * is. Calls by these sites, so deep. */
static void expect_calls(uint64_t matrix[PES][PES], uint64_t path, uint32_t first,
                         uint32_t sites, uint64_t depth)
{
    for (uint32_t s = first; depth && s < first + sites; s++) {
        const uint64_t callee = isa_tag_path(path, s);
        matrix[pe_of(path)][pe_of(callee)] += 2;
        matrix[pe_of(callee)][pe_of(path)] += 1;
        expect_calls(matrix, callee, first, sites, depth - 1);
    }
}

/* `depth`: of calls in the first. */
static void check_traffic_of(const char *text, uint64_t n, uint32_t sites, uint64_t depth)
{
    const char *what = text;
    struct test_program p;
    struct machine_settings settings;
    uint64_t expected[PES][PES] = {0}, network = 0;
    test_set_preset(&settings, "default", "suppress");
    settings.pe_count = PES;
    struct found of = run_on(text, n, &settings, &p), *found = &of;
    const struct lib_table *t = TABLE(traffic, "matrix");
    const uint64_t first = isa_tag_path(ISA_ROOT_PATH, 0);
    expected[pe_of(ISA_ROOT_PATH)][pe_of(first)] += 2;
    expected[pe_of(first)][pe_of(ISA_ROOT_PATH)] += 1;
    expect_calls(expected, first, 1, sites, depth);
    for (size_t r = 0; r < lib_table_rows(t); r++) {
        const uint64_t from = cell(t, r, "from"), to = cell(t, r, "to");
        if (from == to)
            continue;
        SAME(cell(t, r, "tokens"), expected[from][to]);
        network += cell(t, r, "tokens");
        expected[from][to] = 0;
    }
    for (size_t from = 0; from < PES; from++)
        for (size_t to = 0; to < PES; to++)
            ck_assert(from == to || expected[from][to] == 0);
    SAME(WHOLE(traffic, "network_tokens"), network);
    SAME(WHOLE(links, "passed"), 2 * network);
    ck_assert_uint_gt(network, 0);
    release(&of);
    test_program_free(&p);
}

/* On a crossbar, where the hash of its tag places an activation. */
START_TEST(traffic_is_that_of_the_calls)
{
    check_traffic_of(chain, 40, 1, 39);
    check_traffic_of(tree, 8, 2, 8);
}
END_TEST

/* --- idleness -------------------------------------------------------------------------------- */

/* On one PE each addition waits for the one before, which is being formed. With a call elsewhere,
 * both PEs wait for the network, or the caller waits for an operand. */
START_TEST(idleness_of_a_chain_is_known)
{
    const char *what = "idleness of a chain";
    struct test_program p;
    struct machine_settings settings;
    test_set_preset(&settings, "default", "suppress");
    settings.pe_count = 1;
    struct found of_line = run_on(additions, 1, &settings, &p), *found = &of_line;
    SAME(WHOLE(idleness, "working"), found->ending.stats.turns);
    /* 5 turns, 4 cycles apart; behind the last one only the result is formed */
    SAME(WHOLE(idleness, "forming"), 4 * 3);
    SAME(WHOLE(idleness, "nothing"), 3);
    release(&of_line);
    test_program_free(&p);

    settings.pe_count = PES;
    struct found of_calls = run_on(chain, 2, &settings, &p);
    found = &of_calls;
    const struct lib_table *t = TABLE(idleness, "pes");
    for (uint32_t i = 0; i < PES; i++) {
        const uint64_t first = isa_tag_path(ISA_ROOT_PATH, 0);
        const bool has_any = i == pe_of(ISA_ROOT_PATH) || i == pe_of(first) ||
                             i == pe_of(isa_tag_path(first, 1));
        if (!has_any)
            SAME(cell(t, i, "nothing"), found->ending.stats.cycles);
        else
            ck_assert_uint_lt(cell(t, i, "nothing"), found->ending.stats.cycles);
    }
    SAME(WHOLE(idleness, "held") + WHOLE(idleness, "queue") + WHOLE(idleness, "lock"), 0);
    ck_assert_uint_gt(WHOLE(idleness, "network"), 0);
    ck_assert_uint_gt(WHOLE(idleness, "matching"), 0);
    release(&of_calls);
    test_program_free(&p);
}
END_TEST

/* --- idleness again, cycle by cycle --------------------------------------------------- */

typedef LIB_VEC(struct traces_event) event_list;

static void collect(void *context, const struct traces_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH((event_list *)context) = events[i];
}

/* What there is at a PE at the end of a cycle, counted from all events up to then. */
struct there {
    bool has_turn;
    int64_t queued, forming, port, coming, held, matching;
};

static bool is_of_input(const struct traces_event *e, uint32_t pe, uint32_t pes)
{
    return e->how == TRACES_PLACE_LINK && e->to == pes + pe;
}

static void count_event(struct there *at, const struct traces_event *e, uint32_t pe,
                        uint32_t pes, uint64_t cycle)
{
    const bool sent = e->kind == TRACES_EVENT_SENT || e->kind == TRACES_EVENT_SENT_DEAD ||
                      e->kind == TRACES_EVENT_REQUEST || traces_event_is_message(e);
    const bool woken = e->kind == TRACES_EVENT_WOKEN && e->pe == pe;
    const bool steps = traces_event_is_step(e) && e->pe == pe;
    const int way = e->kind == TRACES_EVENT_ENTERED ? 1
                    : e->kind == TRACES_EVENT_LEFT  ? -1
                                                    : 0;
    at->coming += (sent && e->to == pe) || woken;
    at->forming += ((sent && e->to == pe && e->pe == pe) || woken) && e->a > cycle;
    at->matching -= woken;
    at->matching += e->kind == TRACES_EVENT_DEFERRED && e->pe == pe;
    at->matching -= e->kind == TRACES_EVENT_ANSWERED && e->pe == pe;
    if (way && e->how == TRACES_PLACE_INPUT && e->to == pe)
        at->queued += way;
    if (way && is_of_input(e, pe, pes))
        at->port += way;
    if (!steps)
        return;
    at->has_turn |= e->kind == TRACES_EVENT_TAKEN && e->cycle == cycle;
    at->coming -= e->kind == TRACES_EVENT_TAKEN && e->from == TRACES_HOLDER_QUEUE;
    at->held -= e->kind == TRACES_EVENT_RELEASED;
    at->held += traces_outcome_holds(e->how);
    at->matching += (e->how == TRACES_OUTCOME_WAITS || e->how == TRACES_OUTCOME_PARKED ||
                     e->how == TRACES_OUTCOME_FETCHES) -
                    (int64_t)e->b;
}

static const char *cause_at(const event_list *events, uint32_t pe, uint32_t pes,
                            uint64_t cycle)
{
    struct there at = {0};
    for (size_t i = 0; i < events->count && events->items[i].cycle <= cycle; i++)
        count_event(&at, &events->items[i], pe, pes, cycle);
    return at.has_turn             ? "working"
           : at.queued             ? "queue"
           : at.forming            ? "forming"
           : at.port               ? "port"
           : at.coming > at.queued ? "network"
           : at.held               ? "held"
           : at.matching           ? "matching"
                                   : "nothing";
}

static void check_causes(const char *text, uint64_t n, const char *const *sets,
                         const char *what)
{
    struct machine_settings settings;
    struct test_program p;
    event_list events = {0};
    struct lib_text why = {0};
    test_set_preset(&settings, "default", "suppress");
    settings.pe_count = 3;
    for (; *sets; sets += 2)
        ck_assert(
            lib_setting_set(&settings, machine_setting_find(sets[0]), sets[1], &why));
    struct found of = run_on(text, n, &settings, &p), *found = &of;
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, collect, &events};
    const struct sim_simulation_config config = {.graph = p.graph,
                                                 .inputs = p.inputs,
                                                 .settings = &settings,
                                                 .engine = SIM_ENGINE_MACHINE,
                                                 .sinks = &sink,
                                                 .sink_count = 1};
    struct sim_ending ending;
    struct lib_diags diags = {0};
    ck_assert(sim_simulate(&config, &ending, &diags));
    const struct lib_table *t = TABLE(idleness, "pes");
    for (uint32_t pe = 0; pe < settings.pe_count; pe++) {
        uint64_t counts[16] = {0};
        for (uint64_t cycle = 0; cycle < ending.stats.cycles; cycle++) {
            const char *cause = cause_at(&events, pe, settings.pe_count, cycle);
            for (size_t c = 1; c < t->columns.count; c++)
                counts[c] += strcmp(t->columns.items[c].key, cause) == 0;
        }
        for (size_t c = 1; c < t->columns.count; c++)
            ck_assert_msg(
                cell(t, pe, t->columns.items[c].key) == counts[c],
                "%s, PE %u: %s is %ju, not %ju", what, pe, t->columns.items[c].key,
                (uintmax_t)cell(t, pe, t->columns.items[c].key), (uintmax_t)counts[c]);
    }
    sim_ending_free(&ending);
    LIB_VEC_FREE(&events);
    release(&of);
    test_program_free(&p);
}

START_TEST(each_cycle_has_the_cause_of_what_is_there)
{
    static const char *const plain[] = {NULL};
    static const char *const bound[] = {"loop.bound", "1", "network.bandwidth", "32",
                                        NULL};
    static const char *const managed[] = {"tag.scheme", "interned", "tag.intern.latency",
                                          "9", NULL};
    check_causes(tree, 3, plain, "a tree");
    check_causes(wavefront, 3, plain, "a wavefront");
    check_causes(reduction, 4, bound, "a reduction whose loop is bounded");
    check_causes(tree, 3, managed, "a tree with tag managers");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("theory");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, a_chain_has_one_firing_at_each_depth);
    tcase_add_test(tcase, calls_in_each_other_have_a_depth_each);
    tcase_add_test(tcase, a_tree_doubles_at_each_depth);
    tcase_add_test(tcase, span_and_lifetime_grow_evenly);
    tcase_add_test(tcase, a_reduction_is_a_tree_over_its_elements);
    tcase_add_test(tcase, a_wavefront_takes_as_long_as_its_diagonals);
    tcase_add_test(tcase, speedup_is_that_of_the_profile);
    tcase_add_test(tcase, work_and_span_are_closed_forms);
    tcase_add_test(tcase, profiles_are_closed_forms);
    tcase_add_test(tcase, traffic_is_that_of_the_calls);
    tcase_add_test(tcase, idleness_of_a_chain_is_known);
    tcase_add_test(tcase, each_cycle_has_the_cause_of_what_is_there);
    return test_main("theory", tcase);
}
