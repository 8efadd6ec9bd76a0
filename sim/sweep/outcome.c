#include "sim/sweep/outcome.h"

#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "lib/pack.h"
#include "sim/experiment/columns.h"
#include "sim/session/host.h"
#include "sim/session/simulation.h"
#include "sim/sweep/measuring.h"
#include "sim/sweep/trained.h"

const char *sim_outcome_status(const struct sim_outcome *outcome)
{
    return outcome->crashed ? "crashed" : sim_end_name(outcome->end);
}

bool sim_outcome_is_final(const struct sim_outcome *outcome)
{
    return !outcome->crashed && outcome->end != ISA_END_INTERRUPTED;
}

void sim_outcome_free(struct sim_outcome *outcome)
{
    LIB_TEXT_FREE(&outcome->result, &outcome->reason, &outcome->lost);
    LIB_VEC_FREE(&outcome->series, &outcome->profile, &outcome->measured);
    LIB_VEC_FREE(&outcome->epochs);
    traces_stats_free(&outcome->stats);
}

/* --- simulating --------------------------------------------------------------------- */

/* Limit of the host's time, from the first call of is_in_time. */
struct deadline {
    double seconds, end; /* 0: no limit; 0: not begun */
};

static bool is_in_time(const struct sim_simulation *simulation, void *context)
{
    struct deadline *d = context;
    (void)simulation;
    if (d->end != 0)
        return sim_host_clock() < d->end;
    d->end = sim_host_clock() + d->seconds;
    return true;
}

/* Writes "fib.df:3:1: division by zero in ...": one line without folders. */
static void write_reason(const struct sim_ending *ending, const char *program,
                         struct lib_text *out)
{
    LIB_TEXT_OWN why = {0};
    lib_text_puts(&why, lib_text_get(&ending->reason));
    lib_text_puts(&why, lib_text_get(&ending->waiting));
    lib_text_printf(out, "%s:", program);
    if (ending->place.line)
        lib_text_printf(out, "%" PRIu32 ":%" PRIu32 ":", ending->place.line,
                        ending->place.column);
    lib_text_puts(out, " ");
    const char *p = lib_text_get(&why);
    for (size_t length; *p; p += length + strspn(p + length, "\n ")) {
        length = strcspn(p, "\n");
        const char *rest = p + length + strspn(p + length, "\n ");
        lib_text_add(out, p, length);
        lib_text_puts(out, !*rest ? "" : length && p[length - 1] == ':' ? " " : "; ");
    }
}

static void take_series(struct sim_outcome *outcome, const struct traces_series *series)
{
    for (size_t i = 0; i < series->rows.count; i++)
        *LIB_VEC_PUSH(&outcome->series) = traces_series_row(series, i);
    outcome->thinned = traces_series_is_thinned(series);
}

static void take_histogram(struct sim_outcome *outcome, uint64_t which,
                           const struct traces_histogram *histogram)
{
    for (size_t i = 0; i < traces_histogram_ranges(histogram, TRACES_PROFILE_BINS); i++)
        *LIB_VEC_PUSH(&outcome->profile) = (struct sim_outcome_range){
            which, traces_histogram_range(histogram, TRACES_PROFILE_BINS, i)};
}

static void take_profile(struct sim_outcome *outcome,
                         const struct traces_profile *profile)
{
    uint64_t which = 0;
#define HISTOGRAM(key, help) take_histogram(outcome, which++, &profile->key);
    TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
}

/* An interrupted run ends wherever the host was, so nothing of it is comparable. */
void sim_outcome_take(struct sim_outcome *outcome, struct sim_ending *ending,
                      const char *title, const struct sim_window *window,
                      const bool *keeps)
{
    const bool is_known = ending->end != ISA_END_INTERRUPTED &&
                          ending->stats.covers != TRACES_COVERS_NOTHING;
    if (!is_known || !keeps[TRACES_DETAIL_PE])
        traces_stats_free_pes(&ending->stats);
    if (!is_known || !keeps[TRACES_DETAIL_LINKS])
        traces_stats_free_links(&ending->stats);
    outcome->end = ending->end;
    outcome->stats = ending->stats;
    ending->stats.pe = NULL;
    ending->stats.pe_units = NULL;
    ending->stats.links = NULL;
    if (ending->end == ISA_END_INTERRUPTED)
        return;
    if (ending->part.state == SIM_PART_ENDED) {
        outcome->window_from = ending->part.from;
        outcome->window_to = ending->part.to;
    }
    if (ending->end == ISA_END_COMPLETED)
        lib_text_puts(&outcome->result, lib_text_get(&ending->result));
    else
        write_reason(ending, title, &outcome->reason);
    if (ending->end == ISA_END_COMPLETED &&
        ending->stats.covers == TRACES_COVERS_NOTHING) {
        lib_text_printf(&outcome->reason, "window %s: ", window->text);
        sim_window_explain(window, ending, &outcome->reason);
    }
    if (ending->series)
        take_series(outcome, ending->series);
    if (ending->profile)
        take_profile(outcome, ending->profile);
}

static void describe_limit(struct sim_outcome *outcome, const struct sim_ending *ending,
                           double seconds)
{
    lib_text_puts(&outcome->reason, "limit reached: limits.wall = ");
    lib_text_real(&outcome->reason, seconds);
    if (ending->end != ISA_END_INTERRUPTED)
        lib_text_puts(&outcome->reason, ", while its causes were followed");
    else if (ending->about.length)
        lib_text_printf(&outcome->reason, ", in %s", lib_text_get(&ending->about));
}

/* --- files -------------------------------------------------------------------------- */

/* Borrows from `config`. */
static struct sim_session session_of(const struct sim_config *config)
{
    struct sim_session session = {
        .program = config->program->program,
        .setup = config->setup,
        .inputs = config->inputs,
        .seed = config->seed,
        .image_digest = config->image->digest,
    };
    session.program.graph = config->image->graph;
    session.name = sim_program_stem(&session.program);
    if (config->window)
        session.window = *config->window;
    return session;
}

/* Keeps the last diagnostic: why a file is missing. */
static void keep_reason(struct sim_outcome *outcome, struct lib_diags *diags)
{
    lib_text_clear(&outcome->lost);
    outcome->lost_by_host |= diags->of_host;
    if (diags->count)
        lib_text_puts(&outcome->lost, diags->items[diags->count - 1].text);
    lib_diags_free(diags);
}

struct writing {
    const struct sim_outcome_files *files;
    const struct sim_session *session;
    struct sim_outcome *outcome;
    struct sim_tracer *tracer;     /* NULL: no file of events */
    struct sim_recorder *recorder; /* NULL: no recording */
    /* For measures, and for `tracer`. */
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT + 1];
};

/* If the file of events cannot be started, the run is made without it. */
static void begin_trace(struct writing *w, struct sim_simulation_config *how)
{
    struct lib_diags diags = {0};
    if (!w->files || !w->files->trace)
        return;
    w->tracer = sim_tracer_new(w->files->trace, &w->files->events, w->session, &diags);
    if (!w->tracer) {
        keep_reason(w->outcome, &diags);
        return;
    }
    if (how->sink_count)
        memcpy(w->sinks, how->sinks, how->sink_count * sizeof *how->sinks);
    w->sinks[how->sink_count++] = sim_tracer_sink(w->tracer);
    how->sinks = w->sinks;
}

static void begin_recording(struct writing *w, struct sim_simulation *simulation)
{
    struct lib_diags diags = {0};
    if (!w->files || !w->files->record.path)
        return;
    w->recorder = sim_recorder_new(&w->files->record, w->session, simulation, &diags);
    if (!w->recorder)
        keep_reason(w->outcome, &diags);
}

static void end_writing(struct writing *w, const struct sim_ending *ending)
{
    const struct sim_record record = sim_session_record(w->session, ending);
    const bool is_whole = ending->end != ISA_END_INTERRUPTED;
    struct lib_diags diags = {0};
    if (w->recorder && !is_whole)
        sim_recorder_abandon(w->recorder);
    else if (w->recorder && !sim_recorder_finish(w->recorder, &record, &diags))
        keep_reason(w->outcome, &diags);
    if (w->tracer && !is_whole)
        sim_tracer_abandon(w->tracer);
    else if (w->tracer && !sim_tracer_finish(w->tracer, &diags))
        keep_reason(w->outcome, &diags);
}

/* Like sim_simulate. A run that cannot be opened returns false and counts as a crash: as it fits
 * (sim_runs_fit), the host is the reason. */
static bool simulate_run(struct sim_outcome *outcome, const struct sim_config *config,
                         struct sim_simulation_config *how,
                         const struct sim_outcome_files *files, struct sim_ending *ending)
{
    const struct sim_session session = session_of(config);
    struct writing w = {.files = files, .session = &session, .outcome = outcome};
    struct lib_diags diags = {0};
    begin_trace(&w, how);
    struct sim_simulation *simulation = sim_simulation_open(how, &diags);
    if (!simulation) {
        if (w.tracer)
            sim_tracer_abandon(w.tracer);
        outcome->crashed = true;
        lib_text_puts(&outcome->reason, diags.items[0].text);
        lib_diags_free(&diags);
        return false;
    }
    begin_recording(&w, simulation);
    if (w.recorder)
        sim_recorder_advance(w.recorder);
    else
        sim_window_advance(simulation, NULL, NULL);
    sim_simulation_close(simulation, ending);
    end_writing(&w, ending);
    return true;
}

static void end_outcome(struct sim_outcome *outcome, struct lib_arena *arena,
                        double start)
{
    lib_arena_free(arena);
    outcome->wall_seconds = sim_host_clock() - start;
}

void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run,
                      const struct sim_outcome_files *files)
{
    double start = sim_host_clock();
    struct deadline deadline = {.seconds = experiment->wall_limit};
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    struct sim_ending ending;
    *outcome = (struct sim_outcome){0};
    sim_settle(experiment, run, arena, &config);
    if (experiment->trains) {
        sim_trained_make_run(outcome, experiment, &config);
        end_outcome(outcome, arena, start);
        return;
    }
    struct sim_measuring measuring;
    struct sim_simulation_config simulation = {
        .graph = config.image->graph,
        .inputs = config.inputs.values,
        .settings = &config.setup.settings.machine,
        .seed = config.seed,
        .engine = SIM_ENGINE_MACHINE,
        .series = experiment->keeps[TRACES_DETAIL_SERIES],
        .profile = experiment->keeps[TRACES_DETAIL_PROFILE],
        .energy = config.setup.energy,
        .window = config.window,
        .watch = {.look = experiment->wall_limit > 0 ? is_in_time : NULL,
                  .context = &deadline,
                  .every = 200000}, /* about 10 ms */
    };
    sim_measuring_start(&measuring, &experiment->measures, config.image->graph,
                        &simulation);
    const bool done = simulate_run(outcome, &config, &simulation, files, &ending);
    if (done)
        sim_outcome_take(outcome, &ending, sim_program_title(&config.program->program),
                         config.window, experiment->keeps);
    sim_measuring_end(&measuring, outcome);
    if (done && !outcome->crashed && outcome->end == ISA_END_INTERRUPTED)
        describe_limit(outcome, &ending, experiment->wall_limit);
    if (done)
        sim_ending_free(&ending);
    end_outcome(outcome, arena, start);
}

/* --- as bytes ----------------------------------------------------------------------- */

static void pack_text(struct lib_pack *pack, struct lib_text *text)
{
    const uint64_t length = lib_pack_count(pack, text->length, 1);
    if (!lib_pack_reads(pack)) {
        lib_pack_bytes(pack, text->bytes, length);
        return;
    }
    char *bytes = lib_mem_new(length);
    lib_pack_bytes(pack, bytes, length);
    if (length)
        lib_text_add(text, bytes, length);
    lib_mem_free(bytes);
}

static void *pack_array(struct lib_pack *pack, void *items, size_t *count, size_t size)
{
    size_t capacity = *count;
    items = lib_pack_items(pack, items, count, &capacity, size);
    return *count || !lib_pack_reads(pack) ? items : (lib_mem_free(items), NULL);
}

/* Packs statistics and rows, as pointers mean nothing in another process. */
static void pack_stats(struct lib_pack *pack, struct traces_stats *stats)
{
    struct traces_pe_stats *pe = stats->pe;
    struct traces_link *links = stats->links;
    uint64_t *units = stats->pe_units;
    LIB_PACK(pack, *stats);
    size_t unit_count = stats->pe_units ? stats->pe_count : 0;
    if (lib_pack_reads(pack)) {
        pe = NULL;
        units = NULL;
        links = NULL;
    }
    stats->pe = pack_array(pack, pe, &stats->pe_count, sizeof *pe);
    stats->pe_units = pack_array(pack, units, &unit_count, sizeof *units);
    stats->links = pack_array(pack, links, &stats->link_count, sizeof *links);
}

static void pack_outcome(struct lib_pack *pack, struct sim_outcome *o)
{
    lib_pack_bool(pack, &o->crashed);
    lib_pack_bool(pack, &o->is_last);
    lib_pack_bool(pack, &o->is_elsewhere);
    LIB_PACK(pack, o->end);
    pack_text(pack, &o->result);
    pack_text(pack, &o->reason);
    pack_text(pack, &o->lost);
    lib_pack_bool(pack, &o->lost_by_host);
    pack_stats(pack, &o->stats);
    LIB_PACK(pack, o->window_from, o->window_to, o->wall_seconds, o->peak_rss_bytes);
    LIB_PACK_VEC(pack, &o->series);
    lib_pack_bool(pack, &o->thinned);
    LIB_PACK_VEC(pack, &o->profile, &o->measured, &o->epochs);
}

/* The length comes first, as a pipe may have transferred a part. */
void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out)
{
    struct sim_outcome copy = *outcome;
    LIB_TEXT_OWN bytes = {0};
    struct lib_pack pack = lib_pack_writer(&bytes);
    pack_outcome(&pack, &copy);
    const uint64_t length = bytes.length;
    lib_text_add(out, (const char *)&length, sizeof length);
    lib_text_add(out, bytes.bytes, bytes.length);
}

size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length)
{
    uint64_t packed;
    if (length < sizeof packed)
        return 0;
    memcpy(&packed, bytes, sizeof packed);
    if (length - sizeof packed < packed)
        return 0;
    struct lib_pack pack = lib_pack_reader(bytes + sizeof packed, packed);
    *outcome = (struct sim_outcome){0};
    pack_outcome(&pack, outcome);
    assert(lib_pack_is_whole(&pack));
    return sizeof packed + packed;
}

/* --- what stands in its columns ----------------------------------------------------- */

static struct traces_cell stat_cell(const struct sim_outcome *outcome,
                                    const struct traces_stat *stat,
                                    struct lib_arena *arena)
{
    if (!sim_outcome_is_final(outcome) || !traces_stat_is_known(&outcome->stats, stat))
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    if (stat->kind == TRACES_STAT_RATIO)
        return traces_cell_real(traces_stat_real(&outcome->stats, stat));
    uint64_t value = traces_stat_integer(&outcome->stats, stat);
    if (stat->kind == TRACES_STAT_COUNT)
        return traces_cell_int((int64_t)value); /* counts are far below 2^63 */
    LIB_TEXT_OWN digits = {0};
    lib_text_hex(&digits, value);
    return traces_cell_text(lib_arena_copy(arena, digits.bytes, digits.length));
}

static struct traces_cell measured_cell(const struct sim_outcome *outcome,
                                        unsigned measure)
{
    for (size_t i = 0; i < outcome->measured.count; i++) {
        const struct sim_outcome_number *number = &outcome->measured.items[i];
        if (number->measure == measure)
            return number->is_real ? traces_cell_real(number->real)
                                   : traces_cell_int((int64_t)number->count);
    }
    return (struct traces_cell){.type = TRACES_CELL_NULL};
}

/* Returns UINT64_MAX if the run has no window. */
static uint64_t of_window(const struct sim_outcome *outcome, uint64_t cycle)
{
    const bool is_part = outcome->stats.covers == TRACES_COVERS_PART;
    return is_part && sim_outcome_is_final(outcome) ? cycle : UINT64_MAX;
}

static const char *text_or_null(const struct lib_text *text)
{
    return text->length ? text->bytes : NULL;
}

struct traces_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                    const struct traces_column *column,
                                    struct lib_arena *arena)
{
    if (column->stat)
        return stat_cell(outcome, column->stat, arena);
    if (column->measure)
        return measured_cell(outcome, column->measure);
    switch ((enum sim_fact)column->fact) {
#define OF_PLACE(...)
#define OF_CONFIG(...)
#define OF_OUTCOME(NAME, name, kind, type, value, meaning)                               \
    case SIM_FACT_##NAME:                                                                \
        return traces_cell_##type(value);
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
    default:
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    }
}
