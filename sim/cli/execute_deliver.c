#include "sim/cli/execute_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/ending/idle_pes.h"
#include "sim/session/series_csv.h"
#include "machine/describe.h"

void sim_execute_tell_at(const struct sim_execute_command *c, struct lib_pos pos,
                         const char *text, enum sim_tone tone)
{
    const struct lib_source *source = sim_program_source(&c->session->program);
    const char *name = sim_program_name(&c->session->program);
    const struct lib_source nameless = {name, "", 0};
    struct lib_diags diags = {0};
    if (!source && pos.line) {
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": %s: %s\n", name, pos.line,
                pos.column, tone == SIM_AS_ERROR ? "error" : "warning", text);
        return;
    }
    (tone == SIM_AS_ERROR ? lib_diag_error : lib_diag_warning)(
        &diags, LIB_DIAG_MEANING, source ? source : &nameless, pos, "%s", text);
    sim_tell(&c->options->printer, &diags);
}

/* Reports why a completed run does not have the requested window. */
static enum sim_status explain_window(const struct sim_execute_command *c,
                                      const struct sim_ending *ending)
{
    LIB_TEXT_OWN why = {0};
    sim_window_explain(&c->session->window, ending, &why);
    sim_say(&c->options->printer, "--window=%s: %s", c->session->window.text, why.bytes);
    return SIM_USAGE;
}

static bool has_no_part(const struct sim_ending *ending)
{
    return ending->end == ISA_END_COMPLETED &&
           ending->stats.covers == TRACES_COVERS_NOTHING;
}

/* Reports why a run has no result. Returns SIM_DONE if it has one. */
static enum sim_status explain(const struct sim_execute_command *c,
                               const struct sim_ending *ending)
{
    enum sim_status status = sim_end_status(ending->end);
    if (has_no_part(ending))
        return explain_window(c, ending);
    if (ending->end == ISA_END_INTERRUPTED)
        sim_say(&c->options->printer, "%s", lib_text_get(&ending->reason));
    else if (status != SIM_DONE)
        sim_execute_tell_at(c, ending->place, lib_text_get(&ending->reason),
                            SIM_AS_ERROR);
    fputs(lib_text_get(&ending->waiting), stderr);
    return status;
}

/* Warns that OpenBLAS was requested, but is missing or needs another processor. */
static void warn_of_reference(const struct sim_printer *printer,
                              const struct sim_ending *ending)
{
    if (ending->falls_back && !printer->quiet)
        sim_say(printer, "warning: matrices are multiplied by the %s",
                lib_text_get(&ending->math));
}

/* Warns of requested faults that did not happen. */
static void warn_of_faults(const struct sim_printer *printer,
                           const struct sim_ending *ending)
{
    const char *line = lib_text_get(&ending->unused);
    for (size_t length; *line && !printer->quiet; line += length + 1) {
        length = strcspn(line, "\n");
        sim_say(printer, "warning: fault.list: this fault never happened: %.*s",
                (int)length, line);
    }
}

/* Warns if one PE of many did all the work. */
static void warn(const struct sim_execute_command *c, const struct sim_ending *ending)
{
    LIB_TEXT_OWN text = {0};
    if (ending->engine != SIM_ENGINE_MACHINE || ending->end != ISA_END_COMPLETED ||
        ending->stats.covers != TRACES_COVERS_RUN || c->options->printer.quiet)
        return;
    const struct traces_machine machine = machine_describe(
        &c->session->setup.settings.machine, NULL, NULL);
    if (!sim_idle_pes_were(&machine, &ending->stats))
        return;
    sim_idle_pes_write(&machine, c->session->program.graph->stage, &ending->stats, &text);
    sim_say(&c->options->printer, "warning: %s", text.bytes);
}

static void warn_thinned(const struct sim_printer *printer,
                         const struct traces_series *series)
{
    if (!printer->quiet)
        sim_say(printer,
                "warning: a row of the series stands for %" PRIu64 " cycles in place of "
                "%" PRIu64 ", as there would be more than %d rows",
                series->interval, series->given, TRACES_SERIES_BOUND);
}

static void write_plain(const struct sim_record *record, const char *taken, bool quiet,
                        struct lib_text *out)
{
    const struct sim_ending *ending = record->ending;
    if (ending->end != ISA_END_COMPLETED)
        return;
    lib_text_printf(out, "%s\n%s", lib_text_get(&ending->result), taken);
    if (ending->engine == SIM_ENGINE_MACHINE && !quiet)
        sim_record_write_table(record, out);
}

static enum sim_status deliver(const struct sim_execute_command *c,
                               const struct sim_record *record)
{
    const struct sim_options *o = c->options;
    const struct sim_ending *ending = record->ending;
    LIB_TEXT_OWN json = {0}, plain = {0}, series = {0};
    enum sim_status status = SIM_DONE;
    if (o->json || o->stats)
        sim_record_write_json(record, &json);
    if (!o->json)
        write_plain(record, lib_text_get(&c->ports.taken), o->printer.quiet, &plain);
    if (o->series)
        sim_series_write_csv(ending->series, &series);
    if (o->stats)
        status = sim_put(&o->printer, o->stats, &json);
    if (o->series && status == SIM_DONE)
        status = sim_put(&o->printer, o->series, &series);
    if (status == SIM_DONE)
        status = sim_put(&o->printer, NULL, o->json ? &json : &plain);
    return status;
}

static enum sim_status keep_recording(const struct sim_execute_command *c,
                                      const struct sim_record *record)
{
    struct lib_diags diags = {0};
    if (!c->recorder)
        return SIM_DONE;
    if (record->ending->end == ISA_END_INTERRUPTED) {
        sim_recorder_leave(c->recorder);
        sim_say(&c->options->printer, "what was recorded is in %s.part",
                c->options->record);
        return SIM_DONE;
    }
    sim_recorder_finish(c->recorder, record, &diags);
    return sim_tell(&c->options->printer, &diags);
}

static enum sim_status keep_trace(const struct sim_execute_command *c,
                                  const struct sim_ending *ending)
{
    struct lib_diags diags = {0};
    if (!c->tracer)
        return SIM_DONE;
    if (ending->end == ISA_END_INTERRUPTED) {
        sim_tracer_leave(c->tracer);
        sim_say(&c->options->printer, "the events so far are in %s.part",
                c->options->trace);
        return SIM_DONE;
    }
    sim_tracer_finish(c->tracer, &diags);
    return sim_tell(&c->options->printer, &diags);
}

enum sim_status sim_execute_finish(const struct sim_execute_command *c,
                                   struct sim_ending *ending)
{
    const struct sim_options *o = c->options;
    const struct sim_record record = sim_session_record(c->session, ending);
    warn_of_reference(&o->printer, ending);
    warn_of_faults(&o->printer, ending);
    warn(c, ending);
    if (ending->series && traces_series_is_thinned(ending->series))
        warn_thinned(&o->printer, ending->series);
    if (o->printer.verbose && ending->stats.covers == TRACES_COVERS_RUN)
        sim_say(&o->printer, "ran for %.2f ms, %.1f million tokens per second",
                ending->seconds * 1e3,
                (double)ending->stats.tokens * 1e-6 / ending->seconds);
    enum sim_status ended = explain(c, ending);
    enum sim_status kept = keep_recording(c, &record);
    enum sim_status traced = keep_trace(c, ending);
    kept = kept == SIM_DONE ? traced : kept;
    if (has_no_part(ending))
        return ended;
    enum sim_status more = SIM_DONE;
    if (c->more)
        more = c->more->deliver(&o->printer, ending, c->more->own);
    kept = kept == SIM_DONE ? more : kept;
    const enum sim_status delivered = kept == SIM_DONE ? deliver(c, &record) : kept;
    return ended == SIM_DONE || delivered == SIM_INTERNAL ? delivered : ended;
}
