/* Causes (analysis/causes/): every cycle has one, on every machine. tests/oracle finds the same
 * chains. */
#include "sim/explain/causes.h"

#include "programs/partition/partition.h"
#include "lib/hash.h"
#include "machine/pe/counted_units.h"
#include "tests/unit/drawn.h"

#include <inttypes.h>

enum { SEED = 20261123, MAX_CALLS = 3000 };

static struct lib_text what; /* for messages */

/* What a chain adds up to: its pieces stand one before the other. */
struct sums {
    uint64_t causes[ANALYSIS_CAUSE_COUNT];
    uint64_t at, digest;
    bool is_first, is_broken;
};

static void add_piece(void *context, const struct analysis_piece *piece)
{
    struct sums *s = context;
    s->is_broken |= !s->is_first && piece->to != s->at;
    s->is_broken |= piece->from >= piece->to || piece->cause >= ANALYSIS_CAUSE_COUNT;
    s->is_first = false;
    s->at = piece->from;
    s->causes[piece->cause] += piece->to - piece->from;
    s->digest = lib_hash_mix(s->digest + piece->cause) + piece->from;
}

static void add_link(void *context, const struct analysis_link *link)
{
    struct sums *s = context;
    s->digest = lib_hash_mix(s->digest + link->kind) + link->cycle;
    s->digest = lib_hash_mix(s->digest + link->instr) + link->pe;
}

static uint64_t sum_of(const struct sums *s)
{
    uint64_t sum = 0;
    for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
        sum += s->causes[cause];
    return sum;
}

static struct analysis_causes_run follow(const struct sim_simulation_config *config,
                                         const struct analysis_causes_wish *wish,
                                         struct sums *sums)
{
    *sums = (struct sums){.is_first = true};
    const struct analysis_causes_walker walker = {add_link, add_piece, sums};
    struct analysis_causes_run run = {0};
    struct lib_diags diags = {0};
    if (!sim_causes_run(config, NULL, wish, &walker, &run, &diags))
        ck_abort_msg("%s: %s", lib_text_get(&what),
                     diags.count ? diags.items[0].text : "stopped");
    ck_assert_msg(!sums->is_broken && sums->at == 0,
                  "%s: the chain is broken at %" PRIu64, lib_text_get(&what), sums->at);
    ck_assert_uint_eq(sum_of(sums), run.cycles);
    lib_diags_free(&diags);
    return run;
}

static uint64_t all_causes[ANALYSIS_CAUSE_COUNT];

static void check_run(const struct isa_code *code, const struct machine_settings *s,
                      uint64_t seed, const char *program)
{
    const struct sim_simulation_config config = {
        .code = code, .settings = s, .seed = seed, .engine = SIM_ENGINE_MACHINE};
    struct lib_text settings = {0};
    struct lib_diags diags = {0};
    struct sim_ending ending;
    struct sums whole, parts;
    draw_write(s, &settings);
    lib_text_clear(&what);
    lib_text_printf(&what, "%s, seed %" PRIu64 ", %s", program, seed,
                    lib_text_get(&settings));
    ck_assert(sim_simulate(&config, &ending, &diags));
    const struct analysis_causes_wish one = {.interval = UINT64_MAX};
    const struct analysis_causes_wish many = {
        .interval = 1 + seed % 50, .most_places = 9, .node_blocks = 1};
    const struct analysis_causes_run run = follow(&config, &one, &whole);
    ck_assert_msg(run.cycles == ending.stats.cycles,
                  "%s: %" PRIu64 " cycles, not %" PRIu64, lib_text_get(&what), run.cycles,
                  ending.stats.cycles);
    ck_assert_msg(whole.causes[ANALYSIS_CAUSE_CUT] == 0 ||
                      ending.end != ISA_END_COMPLETED,
                  "%s: %" PRIu64 " cycles have no cause", lib_text_get(&what),
                  whole.causes[ANALYSIS_CAUSE_CUT]);
    follow(&config, &many, &parts);
    ck_assert_msg(parts.digest == whole.digest, "%s: intervals change the chain",
                  lib_text_get(&what));
    for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
        all_causes[cause] += whole.causes[cause];
    sim_ending_free(&ending);
    lib_text_free(&settings);
    lib_diags_free(&diags);
}

static struct isa_graph *divide(const struct isa_graph *image,
                                enum programs_partition_by by, bool schedules)
{
    const struct programs_partition_choice choice = {
        .by = by, .machines = 2, .seed = 5, .schedules = schedules};
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_partition(image, &choice, &diags);
    ck_assert(graph);
    return graph;
}

static uint64_t seed;

/* Checks a machine that was drawn. A program of tensors runs once more, with tensor units that
 * are drawn: without them no kernel waits for a batch or for a unit. */
static void check_drawn(const struct isa_code *code, const struct machine_settings *s,
                        uint64_t of, const char *program)
{
    struct draw draw = {.seed = lib_hash_mix(of)};
    struct machine_settings with = *s, counted = *s;
    check_run(code, s, of, program);
    draw_counted_units(draw, &counted);
    if (machine_has_issue_queues(&counted))
        check_run(code, &counted, of, program);
    if (!code->has_tensors || s->executor_workers)
        return;
    draw_tensor_units(&draw, &with);
    check_run(code, &with, of, program);
}

static void draw_and_check(const struct test_row *row, struct test_program *p)
{
    if (row->calls <= test_part(MAX_CALLS, 900))
        test_each_drawn(row, p, &seed, check_drawn);
}

/* Runs a program that is divided among two machines, which report by messages that they have
 * nothing left of an activation. */
static void check_released(const struct test_row *row, struct test_program *p)
{
    if (row->calls > test_part(MAX_CALLS, 100))
        return;
    struct isa_graph *graph = divide(p->graph, PROGRAMS_PARTITION_RANDOM, false);
    struct isa_code *code = isa_code_make(graph, p->inputs, false);
    struct machine_settings s;
    test_set_preset(&s, "default", "suppress");
    s.partition_releases = MACHINE_RELEASES_MESSAGES;
    check_run(code, &s, 0, row->program);
    isa_code_free(code);
    isa_graph_free(graph);
}

START_TEST(every_cycle_has_one_cause)
{
    seed = SEED;
    test_each_example_at(ISA_STAGE_IMAGE, draw_and_check);
    test_each_example_at(ISA_STAGE_EXPANDING, draw_and_check);
    test_each_example_at(ISA_STAGE_IMAGE, check_released);
    /* No example has ports: tests/shell/ports_analysed.sh looks for the cause `host`. */
    for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
        ck_assert_msg(test_is_quick() || cause == ANALYSIS_CAUSE_HOST ||
                          all_causes[cause] > 0,
                      "no cycle has the cause %s", analysis_cause_table[cause].key);
}
END_TEST

/* --- presets ------------------------------------------------------------------------------- */

static void check_presets(const struct test_row *row, struct test_program *p)
{
    static const char *const presets[] = {"ideal", "default", "tf-executor"};
    if (row->calls > test_part(30000, 300))
        return;
    for (int propagate = 0; propagate < 2; propagate++) {
        struct isa_code *code = isa_code_make(p->graph, p->inputs, propagate);
        for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
            struct machine_settings s;
            test_set_preset(&s, presets[i], propagate ? "propagate" : "suppress");
            check_run(code, &s, 0, row->program);
        }
        isa_code_free(code);
    }
}

START_TEST(on_every_preset_by_both_strategies)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_presets);
    test_each_example_at(ISA_STAGE_EXPANDING, check_presets);
}
END_TEST

/* --- what theory knows ------------------------------------------------------------------------ */

static struct analysis_causes_run run_on(const struct isa_graph *graph,
                                         const isa_value *inputs,
                                         const struct machine_settings *s,
                                         struct sums *sums, struct traces_stats *stats)
{
    struct isa_code *code = isa_code_make(graph, inputs,
                                          s->deadness == MACHINE_PROPAGATE);
    const struct sim_simulation_config config = {
        .code = code, .settings = s, .engine = SIM_ENGINE_MACHINE};
    const struct analysis_causes_wish wish = {0};
    struct lib_diags diags = {0};
    struct sim_ending ending;
    ck_assert(sim_simulate(&config, &ending, &diags));
    *stats = ending.stats;
    stats->pe = NULL;
    sim_ending_free(&ending);
    const struct analysis_causes_run run = follow(&config, &wish, sums);
    isa_code_free(code);
    return run;
}

/* The chain has as many firings as the span, and nothing waits for anything. */
static void check_ideal(const struct test_row *row, struct test_program *p)
{
    struct machine_settings s;
    struct traces_stats stats;
    struct sums sums;
    uint64_t computing = 0;
    test_set_preset(&s, "ideal", "suppress");
    lib_text_clear(&what);
    lib_text_puts(&what, row->program);
    const struct analysis_causes_run run = run_on(p->graph, p->inputs, &s, &sums, &stats);
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        computing += sums.causes[ANALYSIS_CAUSE_COMPUTING_ALU + unit];
    computing += sums.causes[ANALYSIS_CAUSE_STRUCTURE];
    computing += sums.causes[ANALYSIS_CAUSE_CONSTANT];
    ck_assert_uint_eq(run.firings, stats.span);
    ck_assert_uint_eq(computing, stats.span);
}

START_TEST(on_ideal_the_chain_is_the_span)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_ideal);
    test_each_example_at(ISA_STAGE_EXPANDING, check_ideal);
}
END_TEST

/* A chain of n additions: each takes its stages and its unit, and nothing else. */
START_TEST(a_chain_of_additions)
{
    enum { N = 40 };
    struct lib_text text = {0};
    struct machine_settings s;
    struct traces_stats stats;
    struct sums sums;
    lib_text_puts(&text, "input a = 1\nresult = a");
    for (int i = 0; i < N; i++)
        lib_text_puts(&text, " + 1");
    lib_text_puts(&text, "\n");
    struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
    test_set_preset(&s, "default", "suppress");
    const struct analysis_causes_run run = run_on(graph, NULL, &s, &sums, &stats);
    ck_assert_uint_eq(run.firings, N + 2); /* CONST and OUTPUT */
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_COMPUTING_ALU], N);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_COMPUTING_CONTROL], 2);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_MATCHING], N + 2);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_FETCHING], N + 2);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_FORMING], N + 2);
    ck_assert_uint_eq(run.cycles, 4 * (N + 2));
    isa_graph_free(graph);
    lib_text_free(&text);
}
END_TEST

/* The sum of 2^k products: on ideal k additions behind one product; on one PE of one unit each of
 * the products has the slot in turn, and the last one's way is behind all others. */
START_TEST(a_balanced_tree)
{
    enum { K = 5, N = 1 << K };
    struct lib_text text = {0};
    struct machine_settings s;
    struct traces_stats stats;
    struct sums sums;
    lib_text_puts(&text, "input a = 1\nresult = t0_0\n");
    for (int level = 0; level < K; level++)
        for (int i = 0; i < 1 << level; i++)
            lib_text_printf(&text, "t%d_%d = t%d_%d + t%d_%d\n", level, i, level + 1,
                            2 * i, level + 1, 2 * i + 1);
    for (int i = 0; i < N; i++)
        lib_text_printf(&text, "t%d_%d = a * %d\n", K, i, i + 2);
    struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
    test_set_preset(&s, "ideal", "suppress");
    run_on(graph, NULL, &s, &sums, &stats);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_COMPUTING_ALU], K);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_COMPUTING_MUL], 1);
    ck_assert_uint_eq(sums.causes[ANALYSIS_CAUSE_COMPUTING_CONTROL], 2);
    s.pe_units = 1;
    run_on(graph, NULL, &s, &sums, &stats);
    ck_assert_uint_ge(sums.causes[ANALYSIS_CAUSE_SLOT], N - 1);
    isa_graph_free(graph);
    lib_text_free(&text);
}
END_TEST

/* --- machines ------------------------------------------------------------------------- */

/* A call on another machine goes there and comes back: what is not the network is as near. */
START_TEST(a_call_of_another_machine)
{
    enum { LATENCY = 50 };
    struct isa_graph *image = test_compile("result = more(3)\nmore(n) = n + 1\n",
                                           ISA_STAGE_IMAGE);
    struct isa_graph *graph = divide(image, PROGRAMS_PARTITION_FUNCTION, false);
    struct machine_settings s;
    struct traces_stats stats;
    struct sums near, far;
    test_set_preset(&s, "default", "suppress");
    s.network_topology = MACHINE_NETWORK_IDEAL;
    s.pe_count = 2;
    s.network_latency = 0;
    const struct analysis_causes_run here = run_on(graph, NULL, &s, &near, &stats);
    s.network_latency = LATENCY;
    const struct analysis_causes_run there = run_on(graph, NULL, &s, &far, &stats);
    ck_assert_uint_eq(near.causes[ANALYSIS_CAUSE_LINK], 0);
    ck_assert_uint_eq(far.causes[ANALYSIS_CAUSE_LINK], 2 * LATENCY);
    ck_assert_uint_eq(there.cycles, here.cycles + 2 * LATENCY);
    /* CALL, SEND, RECV, MERGE, ADD, SEND, RECV, RETURN, OUTPUT */
    ck_assert_uint_eq(there.firings, 9);
    ck_assert_uint_eq(far.causes[ANALYSIS_CAUSE_COMPUTING_CONTROL], 6);
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

static void check_received(const struct test_row *row, struct test_program *p,
                           bool schedules)
{
    if (row->calls > (test_is_quick() ? 100 : MAX_CALLS))
        return;
    struct isa_graph *graph = divide(p->graph, PROGRAMS_PARTITION_RANDOM, schedules);
    struct isa_code *code = isa_code_make(graph, p->inputs, true);
    struct machine_settings s;
    test_set_preset(&s, "default", "propagate");
    s.network_topology = MACHINE_NETWORK_RING;
    check_run(code, &s, 0, row->program);
    isa_code_free(code);
    isa_graph_free(graph);
}

static void check_divided(const struct test_row *row, struct test_program *p)
{
    check_received(row, p, false);
    check_received(row, p, true);
}

START_TEST(every_cycle_of_several_machines_has_one_cause)
{
    test_each_example(check_divided);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("causes");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, every_cycle_has_one_cause);
    tcase_add_test(tcase, on_every_preset_by_both_strategies);
    tcase_add_test(tcase, on_ideal_the_chain_is_the_span);
    tcase_add_test(tcase, a_chain_of_additions);
    tcase_add_test(tcase, a_balanced_tree);
    tcase_add_test(tcase, a_call_of_another_machine);
    tcase_add_test(tcase, every_cycle_of_several_machines_has_one_cause);
    const int status = test_main("causes", tcase);
    lib_text_free(&what);
    return status;
}
