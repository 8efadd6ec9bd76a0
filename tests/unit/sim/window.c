/* Parts of runs: those that tile a run add up to it, each is what the series tells of its cycles,
 * and a window changes nothing in the run. */
#include "sim/session/window.h"
#include "tests/unit/support.h"

#include <math.h>

/* A program on a machine, of each kind of engine. */
static const struct kind {
    const char *program, *inputs;
    enum isa_stage stage;
    const char *settings;
} kinds[] = {
    {"fib", "n=7", ISA_STAGE_IMAGE, "pe.count=4"},
    {"fib", "n=7", ISA_STAGE_IMAGE, "pe.count=4 network.latency=9 network.bandwidth=20"},
    {"fib", "n=7", ISA_STAGE_EXPANDING,
     "pe.count=4 copy.placement=placed copy.workers=2"},
    {"sieve", "n=20", ISA_STAGE_IMAGE, "pe.count=2 loop.bound=2 unit.alu.latency=7"},
    {"matmul", "n=3", ISA_STAGE_IMAGE,
     "pe.count=3 deadness=propagate queue.capacity=64 network.bandwidth=30"},
    {"tak", "x=6 y=4 z=2", ISA_STAGE_IMAGE,
     "pe.count=4 match.store=hash match.capacity=16 tag.scheme=interned tag.bits=20"},
    {"fib", "n=5", ISA_STAGE_EXPANDING, "executor.workers=3 deadness=propagate"},
    {"fib", "n=7", ISA_STAGE_IMAGE,
     "executor.workers=2 executor.live.latency=1 executor.frame.latency=0 "
     "executor.lock.latency=1"},
    {"fib", "n=7", ISA_STAGE_IMAGE, "executor.workers=2 executor.live.latency=0"},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* Numbers whose sums and products are exact. */
static struct analysis_energy exact_energy(void)
{
    struct analysis_energy table = {.name = "exact", .title = ""};
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++)
        table.entries[e] = (struct analysis_energy_entry){0.25 * (e + 1), "nowhere"};
    return table;
}

struct rig {
    struct test_program program;
    struct machine_settings settings;
    struct analysis_energy energy;
    struct sim_simulation_config config;
};

static void rig_up(struct rig *rig, const struct kind *kind)
{
    rig->program = test_example_at(kind->program, kind->stage);
    test_set_inputs(&rig->program, kind->inputs);
    machine_settings_default(&rig->settings);
    test_set_all(&rig->settings, kind->settings);
    rig->settings.stats_interval = 1;
    rig->energy = exact_energy();
    rig->config = (struct sim_simulation_config){
        .graph = rig->program.graph,
        .inputs = rig->program.inputs,
        .settings = &rig->settings,
        .seed = 3,
        .engine = SIM_ENGINE_MACHINE,
        .energy = &rig->energy,
        .series = true,
    };
}

static struct sim_ending simulate(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_ending ending;
    ck_assert(sim_simulate(config, &ending, &diags) && diags.count == 0);
    ck_assert_int_eq(ending.end, ISA_END_COMPLETED);
    return ending;
}

/* What a run with that window leaves behind. */
static struct sim_ending with_window(const struct rig *rig, const char *text)
{
    struct sim_simulation_config config = rig->config;
    struct lib_text why = {0};
    struct sim_window window;
    ck_assert_msg(sim_window_read(&window, text, &why), "%s", lib_text_get(&why));
    ck_assert_msg(sim_window_check(&window, rig->program.graph, &why), "%s",
                  lib_text_get(&why));
    config.window = &window;
    return simulate(&config);
}

/* --- what a part is ----------------------------------------------------------------- */

/* The rows of the series that are of the cycles of a part. */
struct rows {
    struct traces_sample sum, most;
    uint64_t waiting;
};

static struct rows rows_of(const struct traces_series *series,
                           const struct sim_part *part)
{
    struct rows r = {0};
    for (size_t i = 0; i < series->rows.count; i++) {
        const struct traces_sample row = traces_series_row(series, i);
        if (row.cycle <= part->from || row.cycle > part->to)
            continue;
#define SUM(key, unit, help) r.sum.key += row.key;
#define STATE(key, unit, help) r.most.key = row.key > r.most.key ? row.key : r.most.key;
        TRACES_SERIES_COLUMNS(SUM, STATE)
#undef STATE
#undef SUM
        r.waiting += row.waiting;
    }
    return r;
}

/* A part by itself: the series saw the same. */
static void check_series(const struct sim_ending *ending)
{
    const struct traces_stats *s = &ending->stats;
    const struct rows r = rows_of(ending->series, &ending->part);
    ck_assert_int_eq(s->covers, TRACES_COVERS_PART);
    ck_assert_uint_eq(s->cycles, ending->part.to - ending->part.from);
    ck_assert_uint_eq(s->firings, r.sum.firings);
    ck_assert_uint_eq(s->dead_firings, r.sum.dead_firings);
    ck_assert_uint_eq(s->busy_cycles, r.sum.busy);
    ck_assert_uint_eq(s->waiting_cycles, r.waiting);
    if (ending->part.to == ending->part.of && s->has_workers)
        return; /* the last row tells of the moment in which the run ended */
    ck_assert_uint_eq(s->peak_live_tokens, r.most.live_tokens);
    ck_assert_uint_eq(s->peak_waiting, r.most.waiting);
    ck_assert_uint_eq(s->peak_tags, r.most.tags);
    ck_assert_uint_eq(s->peak_graph_nodes, r.most.graph_nodes);
}

/* Ratios follow from what was counted in the part. */
static void check_ratios(const struct traces_stats *s)
{
    uint64_t busy = 0, working = 0;
    for (size_t i = 0; i < s->pe_count; i++) {
        busy += s->pe[i].busy;
        working += s->pe[i].firings + s->pe[i].dead_firings > 0;
    }
    ck_assert_uint_eq(s->busy_cycles, busy);
    ck_assert_uint_eq(s->working_pes, working);
    ck_assert(s->utilisation == (double)busy / (double)s->unit_cycles);
    ck_assert(s->energy_delay == s->energy * (double)s->cycles);
    ck_assert(isnan(s->parallelism));
    ck_assert(s->firings == 0 ||
              s->bypass_ratio == (double)s->one_operand / (double)s->firings);
}

/* --- parts that tile a run ---------------------------------------------------------- */

enum { PARTS = 3 };

static uint64_t of_row(const struct sim_ending *parts, const struct traces_stat *row,
                       bool peak)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        const uint64_t value = traces_stat_integer(&parts[i].stats, row);
        all = !peak ? all + value : value > all ? value : all;
    }
    return all;
}

static void check_rows(const struct sim_ending *whole, const struct sim_ending *parts)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *row = &traces_stat_table[i];
        const uint64_t value = traces_stat_integer(&whole->stats, row);
        const bool peak = row->part == TRACES_PART_PEAK;
        if (peak || row->part == TRACES_PART_SUM)
            ck_assert_msg(of_row(parts, row, peak) == value, "%s: %llu of %llu", row->key,
                          (unsigned long long)of_row(parts, row, peak),
                          (unsigned long long)value);
        else if (row->part == TRACES_PART_WHOLE)
            ck_assert(!traces_stat_is_known(&parts[1].stats, row));
        else if (row->part == TRACES_PART_SAME)
            ck_assert_uint_eq(traces_stat_integer(&parts[1].stats, row), value);
    }
#define SUM(name)                                                                        \
    ck_assert_uint_eq(parts[0].stats.name + parts[1].stats.name + parts[2].stats.name,   \
                      whole->stats.name);
    TRACES_STATS_SUMS(SUM)
#undef SUM
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        ck_assert_uint_eq(parts[0].stats.unit_firings[unit] +
                              parts[1].stats.unit_firings[unit] +
                              parts[2].stats.unit_firings[unit],
                          whole->stats.unit_firings[unit]);
    ck_assert(parts[0].stats.energy + parts[1].stats.energy + parts[2].stats.energy ==
              whole->stats.energy);
}

static void check_pes(const struct sim_ending *whole, const struct sim_ending *parts)
{
    for (size_t pe = 0; pe < whole->stats.pe_count; pe++) {
        uint64_t peak = 0;
        for (unsigned i = 0; i < PARTS; i++)
            if (parts[i].stats.pe[pe].peak_queue > peak)
                peak = parts[i].stats.pe[pe].peak_queue;
        ck_assert_uint_eq(peak, whole->stats.pe[pe].peak_queue);
#define COUNT(name, help)                                                                \
    ck_assert_uint_eq(parts[0].stats.pe[pe].name + parts[1].stats.pe[pe].name +          \
                          parts[2].stats.pe[pe].name,                                    \
                      whole->stats.pe[pe].name);
        TRACES_PE_SUMS(COUNT)
#undef COUNT
    }
}

/* ..first, first..second, second.. */
static void check_tiles(const struct rig *rig, const struct sim_ending *whole,
                        uint64_t first, uint64_t second)
{
    struct sim_ending parts[PARTS];
    char texts[PARTS][64];
    snprintf(texts[0], sizeof texts[0], "..%llu", (unsigned long long)first);
    snprintf(texts[1], sizeof texts[1], "%llu..%llu", (unsigned long long)first,
             (unsigned long long)second);
    snprintf(texts[2], sizeof texts[2], "%llu..", (unsigned long long)second);
    for (unsigned i = 0; i < PARTS; i++) {
        parts[i] = with_window(rig, texts[i]);
        ck_assert_str_eq(lib_text_get(&parts[i].result), lib_text_get(&whole->result));
        ck_assert_uint_eq(parts[i].part.of, whole->stats.cycles);
        check_series(&parts[i]);
        check_ratios(&parts[i].stats);
    }
    check_rows(whole, parts);
    check_pes(whole, parts);
    for (unsigned i = 0; i < PARTS; i++)
        sim_ending_free(&parts[i]);
}

START_TEST(test_tiles)
{
    struct rig rig;
    rig_up(&rig, &kinds[_i]);
    struct sim_ending whole = simulate(&rig.config);
    const uint64_t cycles = whole.stats.cycles;
    ck_assert_uint_gt(cycles, 20);
    check_tiles(&rig, &whole, 1, 2);
    check_tiles(&rig, &whole, cycles - 2, cycles - 1);
    for (uint64_t i = 1; i < 12; i += 2)
        check_tiles(&rig, &whole, cycles * i / 13 + 1, cycles * (i + 1) / 13 + 2);
    sim_ending_free(&whole);
    test_program_free(&rig.program);
}
END_TEST

/* A tag that is gone when the part begins is none of it. */
START_TEST(test_depth)
{
    struct rig rig;
    char last[64];
    rig_up(&rig, &kinds[0]);
    struct sim_ending whole = simulate(&rig.config);
    snprintf(last, sizeof last, "%llu..", (unsigned long long)whole.stats.cycles - 1);
    struct sim_ending end = with_window(&rig, last), call = with_window(&rig, "fib");
    ck_assert_uint_eq(end.stats.peak_tag_depth, 0);
    ck_assert_uint_eq(call.stats.peak_tag_depth, whole.stats.peak_tag_depth);
    sim_ending_free(&whole);
    sim_ending_free(&end);
    sim_ending_free(&call);
    test_program_free(&rig.program);
}
END_TEST

/* The run ends within the part. */
START_TEST(test_beyond_the_end)
{
    struct rig rig;
    rig_up(&rig, &kinds[_i]);
    struct sim_ending whole = simulate(&rig.config);
    struct sim_ending part = with_window(&rig, "0..1000000000");
    struct traces_stat const *span = traces_stat_at(offsetof(struct traces_stats, span));
    ck_assert_uint_eq(part.part.to, whole.stats.cycles);
    for (size_t i = 0; i < traces_stat_count; i++)
        if (traces_stat_table[i].part != TRACES_PART_WHOLE &&
            traces_stat_table[i].kind != TRACES_STAT_RATIO)
            ck_assert_msg(traces_stat_integer(&part.stats, &traces_stat_table[i]) ==
                              traces_stat_integer(&whole.stats, &traces_stat_table[i]),
                          "%s", traces_stat_table[i].key);
    ck_assert(!traces_stat_is_known(&part.stats, span));
    ck_assert(traces_stat_is_known(&whole.stats, span));
    sim_ending_free(&part);
    sim_ending_free(&whole);
    test_program_free(&rig.program);
}
END_TEST

/* The run ends before the part. */
START_TEST(test_not_reached)
{
    struct rig rig;
    struct lib_text why = {0};
    rig_up(&rig, &kinds[_i]);
    struct sim_ending part = with_window(&rig, "1000000000..");
    const struct sim_window window = {.text = "1000000000..", .from = 1000000000};
    ck_assert_int_eq(part.part.state, SIM_PART_NONE);
    ck_assert_int_eq(part.stats.covers, TRACES_COVERS_NOTHING);
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert(!traces_stat_is_known(&part.stats, &traces_stat_table[i]));
    ck_assert_uint_gt(part.result.length, 0);
    sim_window_explain(&window, &part, &why);
    ck_assert(strstr(why.bytes, "the run ended at cycle ") != NULL);
    lib_text_free(&why);
    sim_ending_free(&part);
    test_program_free(&rig.program);
}
END_TEST

/* --- the first call of a function ---------------------------------------------------- */

/* From when the activation is there to when it is gone: as the series tells it, where there is one
 * call alone. */
START_TEST(test_one_call)
{
    static const char *const machines[] = {"pe.count=3", "executor.workers=2"};
    struct rig rig;
    rig_up(&rig, &kinds[0]);
    test_program_free(&rig.program);
    rig.config.graph = test_compile("result = twice(3)\ntwice(x) = x + x\n",
                                    ISA_STAGE_IMAGE);
    rig.config.inputs = NULL;
    rig.program.graph = NULL;
    test_set_all(&rig.settings, machines[_i]);
    struct sim_window window = {.text = "twice", .function = "twice", .to = UINT64_MAX};
    rig.config.window = &window;
    struct sim_ending ending = simulate(&rig.config);
    uint64_t made = 0, gone = 0;
    for (size_t i = 0; i < ending.series->rows.count; i++) {
        const struct traces_sample row = traces_series_row(ending.series, i);
        made = made || row.tags == 1 ? made : row.cycle;
        gone = !made || gone || row.tags == 2 ? gone : row.cycle;
    }
    ck_assert_uint_gt(gone, made);
    ck_assert_uint_eq(ending.part.from, made);
    ck_assert_uint_eq(ending.part.to, gone);
    ck_assert_uint_eq(ending.stats.calls, 0);   /* it is made before its part begins */
    ck_assert_uint_eq(ending.stats.firings, 3); /* MERGE, ADD, RETURN */
    isa_graph_free((struct isa_graph *)rig.config.graph);
    sim_ending_free(&ending);
}
END_TEST

/* The window of a function is that of its cycles. */
START_TEST(test_function)
{
    struct rig rig;
    char cycles[64];
    rig_up(&rig, &kinds[_i]);
    if (strcmp(kinds[_i].program, "fib") != 0) {
        test_program_free(&rig.program);
        return;
    }
    struct sim_ending call = with_window(&rig, "fib");
    snprintf(cycles, sizeof cycles, "%llu..%llu", (unsigned long long)call.part.from,
             (unsigned long long)call.part.to);
    struct sim_ending part = with_window(&rig, cycles);
    check_series(&call);
    for (size_t i = 0; i < call.series->rows.count && _i < 2; i++) {
        const struct traces_sample row = traces_series_row(call.series, i);
        ck_assert((row.tags == 1) ==
                  (row.cycle < call.part.from || row.cycle >= call.part.to));
    }
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert_msg(traces_stat_integer(&part.stats, &traces_stat_table[i]) ==
                          traces_stat_integer(&call.stats, &traces_stat_table[i]),
                      "%s", traces_stat_table[i].key);
    ck_assert_uint_gt(call.part.from, 0);
    ck_assert_uint_le(call.part.to, call.part.of);
    sim_ending_free(&call);
    sim_ending_free(&part);
    test_program_free(&rig.program);
}
END_TEST

START_TEST(test_never_called)
{
    struct rig rig;
    struct lib_text why = {0};
    rig_up(&rig, &kinds[0]);
    test_program_free(&rig.program);
    struct isa_graph *graph = test_compile(
        "result = if 1 < 2 then 7 else f(3)\nf(x) = x + x\n", ISA_STAGE_IMAGE);
    struct sim_window window = {.text = "f", .function = "f", .to = UINT64_MAX};
    rig.config.graph = graph;
    rig.config.inputs = NULL;
    rig.config.window = &window;
    struct sim_ending ending = simulate(&rig.config);
    ck_assert_int_eq(ending.stats.covers, TRACES_COVERS_NOTHING);
    sim_window_explain(&window, &ending, &why);
    ck_assert(strstr(why.bytes, "`f` was never called in this run, which has ") != NULL);
    lib_text_free(&why);
    isa_graph_free(graph);
    sim_ending_free(&ending);
}
END_TEST

/* --- texts -------------------------------------------------------------------------- */

START_TEST(test_texts)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t from, to;
    } texts[] = {
        {"0..1", true, 0, 1},
        {"5..", true, 5, UINT64_MAX},
        {"..7", true, 0, 7},
        {"18446744073709551613..18446744073709551614", true, UINT64_MAX - 2,
         UINT64_MAX - 1},
        {"..18446744073709551616", false, 0, 0},
        {"18446744073709551615..", false, 0, 0},
        {"7..7", false, 0, 0},
        {"9..7", false, 0, 0},
        {"..", false, 0, 0},
        {"..0", false, 0, 0},
        {"", false, 0, 0},
        {"12", false, 0, 0},
        {"-3..5", false, 0, 0},
        {"1 ..5", false, 0, 0},
        {"1...5", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sim_window w;
        struct lib_text why = {0};
        ck_assert_msg(sim_window_read(&w, texts[i].text, &why) == texts[i].good, "%s",
                      texts[i].text);
        ck_assert(texts[i].good == !why.length);
        if (texts[i].good) {
            ck_assert_uint_eq(w.from, texts[i].from);
            ck_assert_uint_eq(w.to, texts[i].to);
        }
        lib_text_free(&why);
    }
    struct test_program fib = test_example_at("fib", ISA_STAGE_IMAGE);
    struct lib_text why = {0};
    struct sim_window w;
    ck_assert(sim_window_read(&w, "fob", &why));
    ck_assert(!sim_window_check(&w, fib.graph, &why));
    ck_assert_str_eq(why.bytes, "the program has no function `fob`; did you mean `fib`?");
    lib_text_free(&why);
    test_program_free(&fib);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("window");
    tcase_add_loop_test(tcase, test_tiles, 0, KIND_COUNT);
    tcase_add_test(tcase, test_depth);
    tcase_add_loop_test(tcase, test_beyond_the_end, 0, KIND_COUNT);
    tcase_add_loop_test(tcase, test_not_reached, 0, KIND_COUNT);
    tcase_add_loop_test(tcase, test_one_call, 0, 2);
    tcase_add_loop_test(tcase, test_function, 0, KIND_COUNT);
    tcase_add_test(tcase, test_never_called);
    tcase_add_test(tcase, test_texts);
    return test_main("window", tcase);
}
