#include "sim/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/host.h"
#include "sim/series.h"
#include "sim/stop.h"

/* --- opening ------------------------------------------------------------------------ */

/* Whether the first argument may be a program, and not an input before it. */
static bool is_program(const char *argument, struct lib_diags *diags)
{
    if (!strchr(argument, '=') || access(argument, F_OK) == 0)
        return true;
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, (struct lib_pos){0},
                   "expected PROGRAM before the inputs, found `%s`", argument);
    return false;
}

static bool prepare(struct sim_session *s, struct lib_diags *diags)
{
    const struct sim_options *o = s->options;
    /* Both, so that what is wrong with either is told in one go. */
    bool configured = sim_setup_of(&s->setup, s->arena, o, diags);
    bool loaded = is_program(o->arguments[0], diags) &&
                  sim_program_open(&s->program, o->arguments[0], diags) &&
                  sim_program_bring(&s->program, &s->setup.settings, ISA_STAGE_IMAGE,
                                    diags);
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

static void explain_trap(const struct sim_session *s, const struct isa_exec *exec)
{
    struct lib_text text = {0};
    struct lib_pos pos;
    isa_exec_write_trap(exec, &text, &pos);
    tell_failure(s, pos, text.bytes);
    lib_text_free(&text);
}

enum { SHOWN_WAITING = 10 };

static void explain_deadlock(const struct sim_session *s, const struct isa_exec *exec)
{
    uint64_t waiting = exec->counts.waiting + exec->waiting_reads;
    struct lib_text text = {0};
    if (waiting)
        lib_text_printf(&text,
                        "deadlock: nothing moves any more, and %" PRIu64
                        " token%s for what never comes:",
                        waiting, waiting == 1 ? " waits" : "s wait");
    else
        lib_text_puts(&text, "deadlock: nothing moves any more, without a result:");
    tell_failure(s, (struct lib_pos){0}, text.bytes);
    lib_text_clear(&text);
    isa_exec_write_waiting(exec, &text, SHOWN_WAITING);
    fputs(lib_text_get(&text), stderr);
    lib_text_free(&text);
}

/* `what` has ended it: a setting. */
static void explain_limit(const struct sim_session *s, const struct sim_record *record,
                          const char *what)
{
    const struct isa_exec *exec = record->exec;
    const struct machine_setting *setting = machine_setting_find(record->limit);
    struct lib_text text = {0};
    lib_text_printf(&text, "%s: %s", what, record->limit);
    if (setting) {
        lib_text_puts(&text, " = ");
        machine_setting_write(&s->setup.settings, setting, &text);
    }
    lib_text_printf(&text,
                    ", after %" PRIu64 " tokens delivered, with %" PRIu64
                    " tokens and %" PRIu64 " activations alive; allow more with -s %s=N",
                    exec->counts.tokens, exec->counts.live, exec->tags.count,
                    record->limit);
    if (setting && setting->least == 0)
        lib_text_puts(&text, " (0 = unlimited)");
    tell_failure(s, (struct lib_pos){0}, text.bytes);
    lib_text_free(&text);
}

/* Tells why there is no result. SIM_DONE where there is one. */
static enum sim_status explain(const struct sim_session *s,
                               const struct sim_record *record)
{
    switch (record->end) {
    case ISA_END_COMPLETED:
        return SIM_DONE;
    case ISA_END_TRAPPED:
        explain_trap(s, record->exec);
        return SIM_FAILED;
    case ISA_END_DEADLOCKED:
        explain_deadlock(s, record->exec);
        return SIM_FAILED;
    case ISA_END_LIMIT:
        explain_limit(s, record, "limit reached");
        return SIM_LIMIT;
    case ISA_END_STORE_FULL:
        explain_limit(s, record, "store full");
        return SIM_LIMIT;
    case ISA_END_TAGS_EXHAUSTED:
        explain_limit(s, record, "tags exhausted");
        return SIM_LIMIT;
    default:
        sim_say(&s->options->voice, "interrupted after %" PRIu64 " tokens delivered",
                record->exec->counts.tokens);
        return SIM_INTERRUPTED;
    }
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
