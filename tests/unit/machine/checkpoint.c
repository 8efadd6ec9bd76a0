/* A run continued from a checkpoint does the same as the uninterrupted run, to the last bit, and
 * emits the same events. Examples, settings, strategies and cycles are random; executors too. */
#include "lib/hash.h"
#include "programs/partition/partition.h"
#include "tests/random/draw.h"
#include "tests/unit/examples.h"

#include <inttypes.h>

enum { SEED = 20261122, MAX_CALLS = 3000, QUICK_CALLS = 900 };

static struct lib_text what; /* is tried now, for messages */

#define CHECK(condition)                                                                 \
    ck_assert_msg(condition, "%s: %s", lib_text_get(&what), #condition)

/* --- runs -------------------------------------------------------------------------------- */

static void write_histogram(const struct traces_histogram *h, struct lib_text *out)
{
    lib_text_printf(out, "%u %" PRIu64 "\n", h->shift, h->length);
    lib_text_add(out, (const char *)h->bins, TRACES_PROFILE_BINS * sizeof *h->bins);
}

/* What a run leaves behind, as bytes. */
static void write_ending(const struct sim_ending *ending, struct lib_text *out)
{
    const struct traces_stats *s = &ending->stats;
    lib_text_printf(out, "end %d %s %s\n", (int)ending->end,
                    lib_text_get(&ending->result), lib_text_get(&ending->reason));
    lib_text_puts(out, lib_text_get(&ending->waiting));
    for (size_t i = 0; i < traces_stat_count; i++)
        lib_text_printf(out, "%s %" PRIu64 "\n", traces_stat_table[i].key,
                        traces_stat_integer(s, &traces_stat_table[i]));
    lib_text_printf(out, "%" PRIu64 " %" PRIu64 "\n", s->waiting_cycles, s->busy_cycles);
    lib_text_add(out, (const char *)s->pe, s->pe_count * sizeof *s->pe);
    for (size_t i = 0; i < ending->series->rows.count; i++)
        lib_text_add(out, (const char *)&ending->series->rows.items[i],
                     sizeof *ending->series->rows.items);
    if (ending->profile) {
        write_histogram(&ending->profile->actual, out);
        write_histogram(&ending->profile->ideal, out);
    }
}

/* All events but those that begin and end a stream; at the level `queues` they are of kinds that
 * come later, too. */
static struct heard {
    uint64_t hash, count;
} heard;

static void hear(void *context, const struct traces_event *events, size_t count)
{
    struct heard *h = context;
    for (size_t i = 0; i < count; i++) {
        uint64_t words[sizeof *events / sizeof(uint64_t)];
        if (events[i].kind == TRACES_EVENT_PRESENT ||
            events[i].kind == TRACES_EVENT_END ||
            events[i].kind == TRACES_EVENT_ARRAY_PRESENT)
            continue;
        memcpy(words, &events[i], sizeof words);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            h->hash = lib_hash_mix(h->hash ^ words[k]);
        h->count++;
    }
}

static struct sim_simulation *open_run(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(config, &diags);
    CHECK(s != NULL);
    return s;
}

/* Closes one that has ended; what it leaves behind. */
static struct lib_text close_run(struct sim_simulation *s)
{
    struct lib_text text = {0};
    struct sim_ending ending;
    sim_simulation_close(s, &ending);
    write_ending(&ending, &text);
    sim_ending_free(&ending);
    return text;
}

static bool is_same(const struct lib_text *a, const struct lib_text *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* Advances to a cycle; false: the run has ended. */
static bool go_to(struct sim_simulation *s, uint64_t cycle)
{
    return sim_simulation_advance(s, &(struct sim_until){.cycle = cycle}) ==
           SIM_ADVANCED_SO_FAR;
}

/* Of a run to the end, how many cycles it took; adds what it leaves behind. */
static uint64_t run_whole(const struct sim_simulation_config *config,
                          struct lib_text *ending)
{
    struct sim_simulation *s = open_run(config);
    struct traces_stats stats;
    sim_simulation_advance(s, NULL);
    sim_simulation_measure(s, &stats);
    const uint64_t cycles = stats.cycles;
    traces_stats_free(&stats);
    *ending = close_run(s);
    return cycles;
}

/* From one simulation to the next, at two cycles; the last one goes on to the end. */
static bool run_in_pieces(const struct sim_simulation_config *config, uint64_t first,
                          uint64_t second, struct lib_text *ending)
{
    struct sim_simulation *s = open_run(config);
    bool saved = false;
    for (int i = 0; i < 2 && go_to(s, i ? second : first); i++) {
        struct lib_text bytes = {0}, again = {0};
        sim_simulation_save(s, &bytes);
        sim_simulation_close(s, NULL);
        s = open_run(config);
        CHECK(sim_simulation_restore(s, bytes.bytes, bytes.length));
        sim_simulation_save(s, &again);
        CHECK(is_same(&bytes, &again));
        lib_text_free(&bytes);
        lib_text_free(&again);
        saved = true;
    }
    sim_simulation_advance(s, NULL);
    *ending = close_run(s);
    return saved;
}

/* --- examples ------------------------------------------------------------------------------ */

static struct draw dice = {.seed = SEED};
static unsigned saved_runs;

static void draw_machine(struct machine_settings *settings, bool is_executor)
{
    if (is_executor)
        draw_executor(&dice, settings);
    else
        draw_settings(&dice, settings);
    draw_limits(&dice, settings);
    if (draw_below(&dice, 4) == 0) { /* what the fast engine runs */
        draw_unlimited(settings);
        settings->deadness = MACHINE_SUPPRESS;
    }
    draw_classes(dice, settings);
    draw_counted_units(dice, settings);
    /* Cycles of an executor are ns: series of a million rows take most of the time. */
    settings->stats_interval = draw_below(&dice, 3) *
                               (is_executor && test_is_quick() ? 1000 : 1);
}

static void try_once(const struct test_row *row, const struct test_program *p,
                     const struct machine_settings *settings)
{
    struct sim_simulation_config config = {
        .graph = p->graph,
        .inputs = p->inputs,
        .settings = settings,
        .seed = draw_below(&dice, 1000),
        .engine = SIM_ENGINE_MACHINE,
        .series = true,
        .profile = draw_below(&dice, 2),
    };
    const struct traces_event_sink sink = {draw_below(&dice, TRACES_LEVEL_QUEUES), hear,
                                           &heard};
    config.sinks = &sink;
    config.sink_count = draw_below(&dice, 2);
    struct lib_text whole, pieces;
    lib_text_clear(&what);
    lib_text_printf(&what, "%s %s, ", row->program, row->inputs);
    draw_write(settings, &what);
    heard = (struct heard){0};
    const uint64_t cycles = run_whole(&config, &whole);
    const struct heard all = heard;
    heard = (struct heard){0};
    const uint64_t a = draw_below(&dice, cycles + 1), b = draw_below(&dice, cycles + 1);
    lib_text_printf(&what, ", cycles %" PRIu64 " and %" PRIu64, a, b);
    saved_runs += run_in_pieces(&config, a < b ? a : b, a < b ? b : a, &pieces);
    CHECK(is_same(&whole, &pieces));
    CHECK(heard.count == all.count && heard.hash == all.hash);
    CHECK(all.count == 0 || config.sink_count > 0);
    lib_text_free(&whole);
    lib_text_free(&pieces);
}

static void try_example(const struct test_row *row, struct test_program *p)
{
    const int times = (int)test_part(6, 3);
    for (int i = 0; i < times && row->calls <= test_part(MAX_CALLS, QUICK_CALLS); i++) {
        struct machine_settings settings;
        draw_machine(&settings, i % 3 == 2);
        draw_capable(&settings, p->graph);
        try_once(row, p, &settings);
    }
}

/* Divided among two machines, also what SENDs and RECVs passed on is saved. */
static void try_divided(const struct test_row *row, struct test_program *p)
{
    struct lib_diags diags = {0};
    const struct programs_partition_choice choice = {
        .by = PROGRAMS_PARTITION_RANDOM, .machines = 2, .seed = row->calls};
    struct machine_settings settings;
    if (row->calls > test_part(MAX_CALLS, QUICK_CALLS))
        return;
    struct isa_graph *whole = p->graph;
    p->graph = programs_partition(whole, &choice, &diags);
    ck_assert(p->graph != NULL);
    machine_settings_default(&settings);
    test_set_all(&settings, "network.topology=ring");
    try_once(row, p, &settings);
    isa_graph_free(p->graph);
    p->graph = whole;
}

START_TEST(a_run_goes_on_from_a_checkpoint)
{
    test_each_example(try_divided);
    test_each_example(try_example);
    test_each_example_at(ISA_STAGE_EXPANDING, try_example);
    printf("%u runs were saved\n", saved_runs);
    ck_assert_uint_ge(saved_runs, test_part(150, 150));
    lib_text_free(&what);
}
END_TEST

/* --- damage -------------------------------------------------------------------------------- */

/* A state that was cut off, or has more than belongs to it, is none. */
START_TEST(a_state_is_whole_or_none)
{
    struct test_program p = test_example("sieve");
    struct machine_settings settings;
    machine_settings_default(&settings);
    const struct sim_simulation_config config = {
        .graph = p.graph, .settings = &settings, .engine = SIM_ENGINE_MACHINE};
    struct sim_simulation *s = open_run(&config);
    struct lib_text bytes = {0};
    ck_assert(go_to(s, 200));
    sim_simulation_save(s, &bytes);
    sim_simulation_close(s, NULL);
    for (size_t length = 0; length < bytes.length; length += 1 + length / 50) {
        s = open_run(&config);
        ck_assert(!sim_simulation_restore(s, bytes.bytes, length));
        sim_simulation_close(s, NULL);
    }
    lib_text_puts(&bytes, "x");
    s = open_run(&config);
    ck_assert(!sim_simulation_restore(s, bytes.bytes, bytes.length));
    sim_simulation_close(s, NULL);
    lib_text_free(&bytes);
    test_program_free(&p);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("checkpoint");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, a_run_goes_on_from_a_checkpoint);
    tcase_add_test(tcase, a_state_is_whole_or_none);
    return test_main("checkpoint", tcase);
}
