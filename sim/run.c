#include "sim/commands.h"

#include <inttypes.h>

#include "analysis/derive.h"
#include "machine/machine.h"
#include "sim/alone.h"
#include "sim/host.h"
#include "sim/progress.h"
#include "sim/session.h"
#include "sim/stop.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_STATS | SIM_TAKES_OBSERVE,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help =
        "Run a program on a simulated machine; print its result and statistics."
        "\vPROGRAM is a source, an assembly text or an image (`-': standard input); "
        "NAME=VALUE gives an input of the program another value.\n\n"
        "`hiaton machines', `hiaton settings' and `hiaton settings --statistics' list "
        "what there is to choose and what is measured.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
};

/* Runs the machine until it ends or is interrupted. */
static enum isa_end simulate(const struct sim_session *session, struct machine *machine)
{
    struct sim_progress progress;
    sim_progress_start(&progress, &session->options->voice, &session->setup.settings);
    bool going = true;
    while (!sim_stop && (going = machine_advance(machine, SIM_SLICE))) {
        uint64_t cycle = machine_cycle(machine);
        sim_progress_show(&progress, machine_exec(machine), &cycle);
    }
    sim_progress_end(&progress);
    return going ? ISA_END_INTERRUPTED : machine_end(machine);
}

/* What was measured is then one PE. */
static void warn(const struct sim_session *session, const struct sim_record *record)
{
    const struct sim_voice *voice = &session->options->voice;
    struct lib_text text = {0};
    if (record->end != ISA_END_COMPLETED || voice->quiet ||
        !sim_alone_was(&session->setup.settings, &record->stats))
        return;
    sim_alone_write(&session->setup.settings, session->code->expands, &record->stats,
                    &text);
    sim_say(voice, "warning: %s", text.bytes);
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

static enum sim_status run(const struct sim_session *session)
{
    const struct sim_options *o = session->options;
    struct machine *machine = machine_new(session->code, &session->setup.settings,
                                          o->seed);
    struct traces_series series = {0};
    struct traces_profile profile = {0};
    if (o->series)
        traces_series_start(&series, session->setup.settings.stats_interval);
    if (o->profile)
        traces_profile_start(&profile);
    machine_observe_start(machine, o->series ? &series : NULL,
                          o->profile ? &profile : NULL);
    double start = sim_host_clock();
    enum isa_end end = simulate(session, machine);
    machine_observe_end(machine);
    struct sim_record record = {
        .program = sim_program_title(&session->program),
        .graph = session->program.graph,
        .inputs = &session->inputs,
        .setup = &session->setup,
        .on_machine = true,
        .seed = o->seed,
        .image_digest = session->image_digest,
        .end = end,
        .limit = end != ISA_END_INTERRUPTED ? machine_limit(machine) : NULL,
        .exec = machine_exec(machine),
        .series = o->series ? &series : NULL,
        .profile = o->profile ? &profile : NULL,
        .wall_seconds = sim_host_clock() - start,
    };
    machine_measure(machine, &record.stats);
    analysis_derive(&record.stats);
    warn(session, &record);
    if (traces_series_is_thinned(&series))
        warn_thinned(&o->voice, &series);
    enum sim_status status = sim_session_finish(session, &record);
    sim_record_free(&record);
    traces_series_free(&series);
    traces_profile_free(&profile);
    machine_free(machine);
    return status;
}

int sim_run(int argc, char **argv)
{
    return sim_session_main(argc, argv, &usage, run);
}
