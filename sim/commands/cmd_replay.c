#include "sim/commands/commands.h"

#include "sim/cli/options.h"
#include "sim/cli/reporter.h"
#include "sim/hiaton.h"
#include "sim/messages/stop.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_SET | SIM_TAKES_JSON,
    .arguments = "FILE [PROGRAM]",
    .help = "Run again what was recorded, and check that it is the same."
            "\vFILE is a recording (`hiaton run --record FILE') or a file of events "
            "(`--trace FILE'). What is not the same is said. Of a recording: from which "
            "cycle on, at which PEs and in which functions, what was measured, and "
            "whether program, settings, model, processor or library are others. Of a "
            "file of events: the first event that differs.\n\n"
            "PROGRAM runs in place of the recorded image, and -s changes a setting: to "
            "see whether, and where, that makes a difference.\n\n"
            "The exit status is 0 if the runs are the same, and 1 if they differ.",
    .least = 1,
    .most = 2,
    .missing = "FILE",
};

static enum sim_status print(const struct sim_options *o,
                             const struct hiaton_replay *found)
{
    LIB_TEXT_OWN text = {0};
    if (o->json)
        lib_text_puts(&text, found->json);
    else if (!o->printer.quiet || !found->is_same)
        lib_text_puts(&text, found->text);
    enum sim_status status = sim_put(&o->printer, NULL, &text);
    if (!found->is_same)
        sim_say(&o->printer, "the run differs from %s", o->arguments[0]);
    return status != SIM_DONE ? status : found->is_same ? SIM_DONE : SIM_DIFFERS;
}

static int look(void *progress, const struct hiaton_progress *now)
{
    if (now)
        sim_progress_show_numbers(progress, now);
    return sim_stop != 0;
}

/* Replays what was recorded, as the command line changes it. */
static enum sim_status replay(const struct sim_options *o,
                              struct hiaton_recording *recording)
{
    struct sim_progress progress;
    struct sim_reporter reporter = {.printer = &o->printer, .progress = &progress};
    const struct hiaton_reporter reports = sim_reporter_of(&reporter);
    const struct hiaton_replay_options options = {
        .size = sizeof options,
        .program = o->argument_count > 1 ? o->arguments[1] : NULL,
        .sets = o->sets.items,
        .set_count = o->sets.count,
        .look = look,
        .context = &progress,
    };
    struct hiaton_replay found = {.size = sizeof found};
    sim_stop_catch();
    sim_progress_start(&progress, &o->printer);
    const enum hiaton_status ended = hiaton_recording_replay(recording, &options, &found,
                                                             &reports);
    sim_progress_end(&progress);
    const enum sim_status status = sim_reporter_end(&reporter);
    if (ended == HIATON_OK || ended == HIATON_DIFFERS)
        return print(o, &found);
    return status == SIM_DONE ? sim_interrupted(&o->printer) : status;
}

int sim_replay(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_reporter reporter = {.printer = &options.printer};
    const struct hiaton_reporter reports = sim_reporter_of(&reporter);
    sim_options_parse(&options, &usage, NULL, argc, argv);
    struct hiaton_recording *recording = hiaton_recording_open(options.arguments[0],
                                                               &reports);
    enum sim_status status = sim_reporter_end(&reporter);
    if (recording)
        status = replay(&options, recording);
    hiaton_recording_free(recording);
    sim_options_free(&options);
    return status;
}
