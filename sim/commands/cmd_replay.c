/* hiaton replay: a recorded run is made again, and checked. */
#include "sim/commands/commands.h"

#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/cli/stop.h"
#include "sim/replay/event_replay.h"
#include "sim/replay/replay.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_SET | SIM_TAKES_JSON,
    .arguments = "FILE [PROGRAM]",
    .help =
        "Run again what was recorded, and check that it is the same."
        "\vFILE is a recording (`hiaton run --record FILE') or a file of events "
        "(`--trace "
        "FILE'). What is not the same is said. Of a recording: from which cycle on, at "
        "which PEs and in which functions, what was measured, and whether program, "
        "settings, model, processor or library are others. Of a file of events: the "
        "first "
        "event that differs.\n\n"
        "PROGRAM runs in place of the recorded image, and -s changes a setting: to see "
        "whether, and where, that makes a difference.\n\n"
        "The exit status is 0 if the runs are the same, and 1 if they differ.",
    .least = 1,
    .most = 2,
    .missing = "FILE",
};

static enum sim_status report(const struct sim_options *o,
                              const struct sim_recording *recording,
                              const struct sim_replay_report *report)
{
    struct lib_text text = {0};
    if (o->json)
        sim_replay_write_json(report, recording, &text);
    else if (!o->voice.quiet || !report->is_same)
        sim_replay_write(report, recording, &text);
    enum sim_status status = sim_put(&o->voice, NULL, &text);
    lib_text_free(&text);
    if (!report->is_same)
        sim_say(&o->voice, "the run differs from %s", o->arguments[0]);
    return status != SIM_DONE ? status : report->is_same ? SIM_DONE : SIM_DIFFERS;
}

static enum sim_status replay(const struct sim_options *o,
                              const struct sim_recording *recording,
                              const struct sim_session *session)
{
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_replay_report found = {0};
    sim_stop_catch();
    sim_progress_start(&progress, &o->voice);
    const bool ended = sim_replay_run(recording, session, &watch, arena, &found, &diags);
    sim_progress_end(&progress);
    enum sim_status status = sim_tell(&o->voice, &diags);
    if (ended)
        status = report(o, recording, &found);
    else if (status == SIM_DONE)
        status = SIM_INTERRUPTED;
    lib_arena_free(arena);
    return status;
}

/* --- a file of events ------------------------------------------------------------------ */

static enum sim_status report_events(const struct sim_options *o,
                                     const struct sim_event_replay_report *found,
                                     const struct sim_source *source)
{
    struct lib_text text = {0};
    if (o->json)
        sim_event_replay_write_json(found, source, &text);
    else if (!o->voice.quiet || !found->is_same)
        sim_event_replay_write(found, source, &text);
    enum sim_status status = sim_put(&o->voice, NULL, &text);
    lib_text_free(&text);
    if (!found->is_same)
        sim_say(&o->voice, "the run differs from %s", o->arguments[0]);
    return status != SIM_DONE ? status : found->is_same ? SIM_DONE : SIM_DIFFERS;
}

static enum sim_status replay_events(const struct sim_options *o,
                                     struct sim_source *source,
                                     const struct sim_session *session)
{
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct lib_diags diags = {0};
    struct sim_event_replay_report found;
    sim_stop_catch();
    sim_progress_start(&progress, &o->voice);
    const bool ended = sim_event_replay_run(source, session, &watch, &found, &diags);
    sim_progress_end(&progress);
    enum sim_status status = sim_tell(&o->voice, &diags);
    if (ended)
        status = report_events(o, &found, source);
    else if (status == SIM_DONE)
        status = SIM_INTERRUPTED;
    sim_event_replay_free(&found);
    return status;
}

/* --- the command ----------------------------------------------------------------------- */

/* What was recorded, or what the command line makes of it. */
static enum sim_status open_and_replay(const struct sim_options *o,
                                       struct sim_source *source)
{
    struct lib_diags diags = {0};
    struct sim_session session;
    const struct sim_recording *recording = &source->recording;
    const char *program = o->argument_count > 1 ? o->arguments[1] : NULL;
    const bool opened = sim_recording_run_again(recording, program, o->sets, o->set_count,
                                                &session, &diags);
    enum sim_status status = sim_tell(&o->voice, &diags);
    if (opened)
        status = recording->has_events ? replay_events(o, source, &session)
                                       : replay(o, recording, &session);
    sim_session_close(&session);
    return status;
}

int sim_replay(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_source source;
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, NULL, argc, argv);
    bool opened = sim_source_open(&source, options.arguments[0], &diags);
    if (opened && !source.recording.has_events && !source.recording.is_complete) {
        lib_diag_error(
            &diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
            "%s: the recorded run was interrupted: there is nothing to compare with",
            options.arguments[0]);
        opened = false;
    }
    enum sim_status status = sim_tell(&options.voice, &diags);
    if (opened)
        status = open_and_replay(&options, &source);
    sim_source_close(&source);
    sim_options_free(&options);
    return status;
}
