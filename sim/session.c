#include "sim/session.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/ending.h"
#include "sim/host.h"
#include "sim/series.h"
#include "sim/stop.h"

/* --- opening ------------------------------------------------------------------------ */

static bool prepare(struct sim_session *s, struct lib_diags *diags)
{
    const struct sim_options *o = s->options;
    /* Both, so that what is wrong with either is told in one go. */
    bool configured = sim_setup_of(&s->setup, s->arena, o, diags);
    bool loaded = sim_program_is_named(o->arguments[0], diags) &&
                  sim_program_open(&s->program, o->arguments[0], diags) &&
                  sim_program_finish(&s->program, &s->setup.settings, o->strategy, diags);
    if (!loaded || !sim_inputs_read(&s->inputs, s->arena, s->program.graph,
                                    o->arguments + 1, o->argument_count - 1, diags))
        return false;
    return configured;
}

enum sim_status sim_session_open(struct sim_session *session,
                                 const struct sim_options *options)
{
    double start = sim_host_clock();
    struct lib_diags diags = {0};
    *session = (struct sim_session){.options = options, .arena = lib_arena_new()};
    const char *const outputs[] = {options->stats, options->series};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        if (!outputs[i])
            continue;
        enum sim_status status = sim_check_writable(&options->voice, outputs[i]);
        if (status != SIM_DONE)
            return status;
    }
    bool prepared = prepare(session, &diags);
    enum sim_status status = sim_tell(&options->voice, &diags);
    if (!prepared)
        return status;
    bool propagate = session->setup.settings.deadness == MACHINE_PROPAGATE;
    session->code = isa_code_make(session->program.graph, session->inputs.values,
                                  propagate);
    session->image_digest = isa_image_digest(session->program.graph);
    session->prepare_seconds = sim_host_clock() - start;
    if (options->voice.verbose)
        sim_say(&options->voice, "%s: %u instructions, ready in %.2f ms",
                sim_program_name(&session->program), session->program.graph->node_count,
                session->prepare_seconds * 1e3);
    return SIM_DONE;
}

void sim_session_close(struct sim_session *session)
{
    isa_code_free(session->code);
    sim_program_free(&session->program);
    lib_arena_free(session->arena);
}

int sim_session_main(int argc, char **argv, const struct sim_usage *usage,
                     enum sim_status (*execute)(const struct sim_session *session))
{
    struct sim_options options = {0};
    struct sim_session session;
    sim_options_parse(&options, usage, NULL, argc, argv);
    enum sim_status status = sim_session_open(&session, &options);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = execute(&session);
    }
    sim_session_close(&session);
    sim_options_free(&options);
    return status;
}

/* --- how it ended ------------------------------------------------------------------- */

/* Tells an error at a place in the program: with a caret where the source is at hand. */
static void tell_failure(const struct sim_session *s, struct lib_pos pos,
                         const char *text)
{
    const struct lib_source *source = sim_program_source(&s->program);
    const char *name = sim_program_name(&s->program);
    const struct lib_source nameless = {name, "", 0};
    struct lib_diags diags = {0};
    if (!source && pos.line) {
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": error: %s\n", name, pos.line,
                pos.column, text);
        return;
    }
    lib_diag_error(&diags, LIB_DIAG_MEANING, source ? source : &nameless, pos, "%s",
                   text);
    sim_tell(&s->options->voice, &diags);
}

/* Tells why there is no result. SIM_DONE where there is one. */
static enum sim_status explain(const struct sim_session *s,
                               const struct sim_record *record)
{
    struct lib_text text = {0};
    struct lib_pos pos;
    enum sim_status status = sim_end_status(record->end);
    sim_ending_write(record, &text, &pos);
    if (record->end == ISA_END_INTERRUPTED)
        sim_say(&s->options->voice, "%s", text.bytes);
    else if (status != SIM_DONE)
        tell_failure(s, pos, text.bytes);
    if (record->end == ISA_END_DEADLOCKED) {
        lib_text_clear(&text);
        sim_ending_write_waiting(record, &text);
        fputs(lib_text_get(&text), stderr);
    }
    lib_text_free(&text);
    return status;
}

/* --- what it left behind ------------------------------------------------------------ */

/* What is printed without --json. */
static void write_plain(const struct sim_record *record, bool quiet, struct lib_text *out)
{
    if (record->end != ISA_END_COMPLETED)
        return;
    isa_exec_write_result(record->exec, out);
    lib_text_puts(out, "\n");
    if (record->on_machine && !quiet)
        sim_record_write_table(record, out);
}

static enum sim_status deliver(const struct sim_options *o,
                               const struct sim_record *record)
{
    struct lib_text json = {0}, plain = {0}, series = {0};
    enum sim_status status = SIM_DONE;
    if (o->json || o->stats)
        sim_record_write_json(record, &json);
    if (!o->json)
        write_plain(record, o->voice.quiet, &plain);
    if (record->series)
        sim_series_write(record->series, &series);
    if (o->stats)
        status = sim_put(&o->voice, o->stats, &json);
    if (record->series && status == SIM_DONE)
        status = sim_put(&o->voice, o->series, &series);
    if (status == SIM_DONE)
        status = sim_put(&o->voice, NULL, o->json ? &json : &plain);
    lib_text_free(&json);
    lib_text_free(&plain);
    lib_text_free(&series);
    return status;
}

enum sim_status sim_session_finish(const struct sim_session *session,
                                   const struct sim_record *record)
{
    const struct sim_options *o = session->options;
    if (o->voice.verbose)
        sim_say(&o->voice, "ran for %.2f ms, %.1f million tokens per second",
                record->wall_seconds * 1e3,
                (double)record->exec->counts.tokens * 1e-6 / record->wall_seconds);
    enum sim_status ended = explain(session, record);
    enum sim_status delivered = deliver(o, record);
    return ended == SIM_DONE ? delivered : ended;
}
