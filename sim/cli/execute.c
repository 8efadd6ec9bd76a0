#include "sim/cli/execute.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/cli/progress.h"
#include "sim/cli/stop.h"
#include "sim/session/idle_pes.h"
#include "sim/session/series_csv.h"
#include "sim/session/session.h"

/* A command that runs. */
struct command {
    const struct sim_options *options;
    const struct sim_execute_more *more; /* or NULL */
    struct sim_session session;
};

/* --- opening ------------------------------------------------------------------------ */

static enum sim_status check_outputs(const struct sim_options *o)
{
    const char *const outputs[] = {o->stats, o->series};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        enum sim_status status = SIM_DONE;
        if (outputs[i])
            status = sim_check_writable(&o->voice, outputs[i]);
        if (status != SIM_DONE)
            return status;
    }
    return SIM_DONE;
}

static enum sim_status open_session(struct command *c)
{
    const struct sim_options *o = c->options;
    const struct sim_session_request request = {
        .program = o->arguments[0],
        .inputs = o->arguments + 1,
        .input_count = o->argument_count - 1,
        .machine = o->machine,
        .sets = o->sets,
        .set_count = o->set_count,
        .strategy = o->strategy,
        .seed = o->seed,
    };
    struct sim_session *s = &c->session;
    struct lib_diags diags = {0};
    bool good = sim_session_open(s, &request, &diags);
    enum sim_status status = sim_tell(&o->voice, &diags);
    if (good && o->voice.verbose)
        sim_say(&o->voice, "%s: %u instructions, ready in %.2f ms",
                sim_program_name(&s->program), s->program.graph->node_count,
                s->prepare_seconds * 1e3);
    return good ? SIM_DONE : status;
}

/* --- running ------------------------------------------------------------------------ */

static bool look(const struct sim_simulation *simulation, void *context)
{
    sim_progress_show(context, simulation);
    return !sim_stop;
}

static enum sim_status simulate(const struct command *c, enum sim_engine engine,
                                struct sim_ending *ending)
{
    const struct sim_options *o = c->options;
    struct sim_simulation_config config = sim_session_config(&c->session);
    struct sim_progress progress;
    struct lib_diags diags = {0};
    config.engine = engine;
    config.unmeasured = !o->json && !o->stats;
    config.series = o->series;
    config.profile = o->profile;
    if (c->more)
        c->more->observe(&config, c->more->own);
    config.watch = (struct sim_watch){.look = look, .context = &progress};
    sim_progress_start(&progress, &o->voice);
    sim_simulate(&config, ending, &diags);
    sim_progress_end(&progress);
    return sim_tell(&o->voice, &diags);
}

/* --- how it ended ------------------------------------------------------------------- */

/* Tells an error at a place in the program: with a caret where the source is at hand. */
static void tell_failure(const struct command *c, struct lib_pos pos, const char *text)
{
    const struct lib_source *source = sim_program_source(&c->session.program);
    const char *name = sim_program_name(&c->session.program);
    const struct lib_source nameless = {name, "", 0};
    struct lib_diags diags = {0};
    if (!source && pos.line) {
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": error: %s\n", name, pos.line,
                pos.column, text);
        return;
    }
    lib_diag_error(&diags, LIB_DIAG_MEANING, source ? source : &nameless, pos, "%s",
                   text);
    sim_tell(&c->options->voice, &diags);
}

/* Tells why there is no result. SIM_DONE where there is one. */
static enum sim_status explain(const struct command *c, const struct sim_ending *ending)
{
    enum sim_status status = sim_end_status(ending->end);
    if (ending->end == ISA_END_INTERRUPTED)
        sim_say(&c->options->voice, "%s", lib_text_get(&ending->reason));
    else if (status != SIM_DONE)
        tell_failure(c, ending->place, lib_text_get(&ending->reason));
    fputs(lib_text_get(&ending->waiting), stderr);
    return status;
}

/* What was measured is then one PE. */
static void warn(const struct command *c, const struct sim_ending *ending)
{
    const struct machine_settings *settings = &c->session.setup.settings;
    struct lib_text text = {0};
    if (ending->engine != SIM_ENGINE_MACHINE || ending->end != ISA_END_COMPLETED ||
        c->options->voice.quiet || !sim_idle_pes_were(settings, &ending->stats))
        return;
    sim_idle_pes_write(settings, c->session.program.graph->stage, &ending->stats, &text);
    sim_say(&c->options->voice, "warning: %s", text.bytes);
    lib_text_free(&text);
}

/* The series has fewer rows than were asked for. */
static void warn_thinned(const struct sim_voice *voice,
                         const struct traces_series *series)
{
    if (!voice->quiet)
        sim_say(voice,
                "warning: a row of the series stands for %" PRIu64 " cycles in place of "
                "%" PRIu64 ", as there would be more than %d rows",
                series->interval, series->given, TRACES_SERIES_BOUND);
}

/* --- what it left behind ------------------------------------------------------------ */

/* What is printed without --json. */
static void write_plain(const struct sim_record *record, bool quiet, struct lib_text *out)
{
    const struct sim_ending *ending = record->ending;
    if (ending->end != ISA_END_COMPLETED)
        return;
    lib_text_printf(out, "%s\n", lib_text_get(&ending->result));
    if (ending->engine == SIM_ENGINE_MACHINE && !quiet)
        sim_record_write_table(record, out);
}

static enum sim_status deliver(const struct sim_options *o,
                               const struct sim_record *record)
{
    const struct sim_ending *ending = record->ending;
    struct lib_text json = {0}, plain = {0}, series = {0};
    enum sim_status status = SIM_DONE;
    if (o->json || o->stats)
        sim_record_write_json(record, &json);
    if (!o->json)
        write_plain(record, o->voice.quiet, &plain);
    if (o->series)
        sim_series_write_csv(ending->series, &series);
    if (o->stats)
        status = sim_put(&o->voice, o->stats, &json);
    if (o->series && status == SIM_DONE)
        status = sim_put(&o->voice, o->series, &series);
    if (status == SIM_DONE)
        status = sim_put(&o->voice, NULL, o->json ? &json : &plain);
    lib_text_free(&json);
    lib_text_free(&plain);
    lib_text_free(&series);
    return status;
}

/* What `more` delivers: a profile that was made for it alone is told nowhere else. */
static enum sim_status deliver_more(const struct command *c, struct sim_ending *ending)
{
    const struct sim_options *o = c->options;
    if (!c->more)
        return SIM_DONE;
    enum sim_status status = c->more->deliver(
        &o->voice, sim_program_title(&c->session.program), ending, c->more->own);
    if (!o->profile && ending->profile) {
        traces_profile_free(ending->profile);
        lib_mem_free(ending->profile);
        ending->profile = NULL;
    }
    return status;
}

static enum sim_status finish(const struct command *c, struct sim_ending *ending)
{
    const struct sim_options *o = c->options;
    const struct sim_record record = sim_session_record(&c->session, ending);
    warn(c, ending);
    if (ending->series && traces_series_is_thinned(ending->series))
        warn_thinned(&o->voice, ending->series);
    if (o->voice.verbose)
        sim_say(&o->voice, "ran for %.2f ms, %.1f million tokens per second",
                ending->seconds * 1e3,
                (double)ending->stats.tokens * 1e-6 / ending->seconds);
    enum sim_status ended = explain(c, ending);
    enum sim_status more = deliver_more(c, ending);
    enum sim_status delivered = deliver(o, &record);
    delivered = delivered == SIM_DONE ? more : delivered;
    return ended == SIM_DONE ? delivered : ended;
}

/* --- the command -------------------------------------------------------------------- */

static enum sim_status execute(struct command *c, enum sim_engine engine)
{
    struct sim_ending ending;
    enum sim_status status = open_session(c);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = simulate(c, engine, &ending);
        if (status == SIM_DONE)
            status = finish(c, &ending);
        sim_ending_free(&ending);
    }
    sim_session_close(&c->session);
    return status;
}

int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine, const struct sim_execute_more *more)
{
    struct sim_options options = {0};
    sim_options_parse(&options, usage, more ? more->own : NULL, argc, argv);
    struct command command = {.options = &options, .more = more};
    enum sim_status status = check_outputs(&options);
    if (status == SIM_DONE && more)
        status = more->check(&options, more->own);
    if (status == SIM_DONE)
        status = execute(&command, engine);
    sim_options_free(&options);
    return status;
}
