#include "sim/outcome.h"

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/derive.h"
#include "machine/machine.h"
#include "sim/ending.h"
#include "sim/host.h"

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
    lib_text_free(&outcome->result);
    lib_text_free(&outcome->reason);
    LIB_VEC_FREE(&outcome->series);
}

/* --- simulating --------------------------------------------------------------------- */

enum { SLICE = 200000 }; /* tokens between two looks at the clock: some 10 ms */

static bool advance(struct machine *machine, double wall_limit)
{
    double end = sim_host_clock() + wall_limit;
    while (machine_advance(machine, SLICE))
        if (wall_limit > 0 && sim_host_clock() >= end)
            return true;
    return false;
}

/* "fib.df:3:1: division by zero in ...": one line, the same wherever the files lie. */
static void write_reason(const struct sim_record *record, struct lib_text *out)
{
    struct lib_text why = {0};
    struct lib_pos pos;
    sim_ending_write(record, &why, &pos);
    if (record->end == ISA_END_DEADLOCKED)
        sim_ending_write_waiting(record, &why);
    lib_text_printf(out, "%s:", record->program);
    if (pos.line)
        lib_text_printf(out, "%" PRIu32 ":%" PRIu32 ":", pos.line, pos.column);
    lib_text_puts(out, " ");
    const char *p = lib_text_get(&why);
    for (size_t length; *p; p += length + strspn(p + length, "\n ")) {
        length = strcspn(p, "\n");
        const char *rest = p + length + strspn(p + length, "\n ");
        lib_text_add(out, p, length);
        lib_text_puts(out, !*rest ? "" : length && p[length - 1] == ':' ? " " : "; ");
    }
    lib_text_free(&why);
}

static void take_series(struct sim_outcome *outcome, const struct traces_series *series)
{
    for (size_t i = 0; i < series->rows.count; i++)
        *LIB_VEC_PUSH(&outcome->series) = traces_series_row(series, i);
    outcome->thinned = traces_series_is_thinned(series);
}

static void take_all(struct sim_outcome *outcome, const struct sim_config *config,
                     struct machine *machine, bool going)
{
    outcome->end = going ? ISA_END_INTERRUPTED : machine_end(machine);
    const struct sim_record record = {
        .program = sim_program_title(&config->program->program),
        .graph = config->image->graph,
        .setup = &config->setup,
        .on_machine = true,
        .end = outcome->end,
        .limit = going ? NULL : machine_limit(machine),
        .exec = machine_exec(machine),
    };
    machine_measure(machine, &outcome->stats);
    analysis_derive(&outcome->stats);
    traces_stats_free(&outcome->stats);
    if (outcome->end == ISA_END_COMPLETED)
        isa_exec_write_result(record.exec, &outcome->result);
    else
        write_reason(&record, &outcome->reason);
}

/* Interrupted runs end wherever the host was: nothing of them may be compared. */
static void say_interrupted(struct sim_outcome *outcome, double wall_limit)
{
    lib_text_clear(&outcome->reason);
    lib_text_puts(&outcome->reason, "limit reached: limits.wall = ");
    lib_text_real(&outcome->reason, wall_limit);
    LIB_VEC_FREE(&outcome->series);
}

void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run)
{
    double start = sim_host_clock();
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    *outcome = (struct sim_outcome){0};
    sim_settle(experiment, run, arena, &config);
    const struct machine_settings *settings = &config.setup.settings;
    struct isa_code *code = isa_code_make(config.image->graph, config.inputs.values,
                                          settings->deadness == MACHINE_PROPAGATE);
    struct machine *machine = machine_new(code, settings, config.seed);
    struct traces_series series = {0};
    if (experiment->series)
        traces_series_start(&series, settings->stats_interval);
    machine_observe_start(machine, experiment->series ? &series : NULL, NULL);
    bool going = advance(machine, experiment->wall_limit);
    machine_observe_end(machine);
    take_all(outcome, &config, machine, going);
    if (experiment->series)
        take_series(outcome, &series);
    if (going)
        say_interrupted(outcome, experiment->wall_limit);
    traces_series_free(&series);
    machine_free(machine);
    isa_code_free(code);
    lib_arena_free(arena);
    outcome->wall_seconds = sim_host_clock() - start;
    outcome->peak_rss_bytes = sim_host_peak_memory();
}

/* --- as bytes ----------------------------------------------------------------------- */

/* What comes first; the texts and rows follow. */
struct head {
    struct sim_outcome outcome; /* its pointers mean nothing */
    size_t result, reason, series;
};

static void add(struct lib_text *out, const void *bytes, size_t length)
{
    if (length)
        lib_text_add(out, bytes, length);
}

void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out)
{
    struct head head;
    memset(&head, 0, sizeof head);
    head.outcome = *outcome;
    head.result = outcome->result.length;
    head.reason = outcome->reason.length;
    head.series = outcome->series.count;
    add(out, &head, sizeof head);
    add(out, outcome->result.bytes, head.result);
    add(out, outcome->reason.bytes, head.reason);
    add(out, outcome->series.items, head.series * sizeof *outcome->series.items);
}

size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length)
{
    struct head head;
    if (length < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    size_t whole = sizeof head + head.result + head.reason +
                   head.series * sizeof(struct traces_sample);
    if (length < whole)
        return 0;
    *outcome = head.outcome;
    outcome->result = outcome->reason = (struct lib_text){0};
    memset(&outcome->series, 0, sizeof outcome->series);
    const char *p = bytes + sizeof head;
    add(&outcome->result, p, head.result);
    add(&outcome->reason, p + head.result, head.reason);
    p += head.result + head.reason;
    for (size_t i = 0; i < head.series; i++, p += sizeof(struct traces_sample))
        memcpy(LIB_VEC_PUSH(&outcome->series), p, sizeof(struct traces_sample));
    return whole;
}

/* --- what stands in its columns ----------------------------------------------------- */

static struct sim_cell stat_cell(const struct sim_outcome *outcome,
                                 const struct traces_stat *stat, struct lib_arena *arena)
{
    if (!sim_outcome_is_final(outcome))
        return (struct sim_cell){.type = SIM_CELL_NULL};
    if (stat->kind == TRACES_STAT_RATIO)
        return sim_cell_real(traces_stat_real(&outcome->stats, stat));
    uint64_t value = traces_stat_integer(&outcome->stats, stat);
    if (stat->kind == TRACES_STAT_COUNT)
        return sim_cell_int((int64_t)value); /* counted one by one: far below 2^63 */
    return sim_cell_text(lib_arena_printf(arena, "%016" PRIx64, value));
}

static const char *text_or_null(const struct lib_text *text)
{
    return text->length ? text->bytes : NULL;
}

struct sim_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                 const struct sim_column *column, struct lib_arena *arena)
{
    if (column->stat)
        return stat_cell(outcome, column->stat, arena);
    switch (column->fact) {
    case SIM_FACT_STATUS:
        return sim_cell_text(sim_outcome_status(outcome));
    case SIM_FACT_REASON:
        return sim_cell_text(text_or_null(&outcome->reason));
    case SIM_FACT_RESULT:
        return sim_cell_text(text_or_null(&outcome->result));
    case SIM_FACT_VERSION:
        return sim_cell_text(PACKAGE_VERSION);
    default:
        return (struct sim_cell){.type = SIM_CELL_NULL};
    }
}
