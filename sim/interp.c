#include "sim/commands.h"

#include "isa/interp.h"
#include "sim/host.h"
#include "sim/progress.h"
#include "sim/session.h"
#include "sim/stop.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_STATS,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help = "Run a program without a machine, and print its result."
            "\vThe untimed interpreter is the oracle: whatever a machine does, it ends "
            "like this. Of the settings only deadness, loop.constants, limits.tokens and "
            "limits.memory have an effect here, and the seed has none.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
};

/* Which limit an execution that ended by one has reached. */
static const char *limit_of(const struct isa_exec *exec,
                            const struct isa_interp_limits *limits)
{
    bool tokens = limits->tokens && exec->counts.tokens > limits->tokens;
    return tokens && !exec->out_of_memory ? "limits.tokens" : "limits.memory";
}

/* Runs to the end, or until it is interrupted. */
static void run_to_end(const struct sim_session *session, struct isa_interp *interp)
{
    struct sim_progress progress;
    sim_progress_start(&progress, &session->options->voice, &session->setup.settings);
    bool going = true;
    while (!sim_stop && (going = isa_interp_advance(interp, SIM_SLICE)))
        sim_progress_show(&progress, &interp->exec, NULL);
    sim_progress_end(&progress);
    if (going)
        interp->end = ISA_END_INTERRUPTED;
}

static enum sim_status interpret(const struct sim_session *session)
{
    const struct sim_options *o = session->options;
    const struct machine_settings *settings = &session->setup.settings;
    const struct isa_interp_limits limits = {.memory = settings->limit_memory,
                                             .tokens = settings->limit_tokens};
    struct isa_interp interp;
    double start = sim_host_clock();
    isa_interp_start(&interp, session->code, &limits, o->json || o->stats);
    run_to_end(session, &interp);
    struct sim_record record = {
        .program = sim_program_title(&session->program),
        .graph = session->program.graph,
        .inputs = &session->inputs,
        .setup = &session->setup,
        .seed = o->seed,
        .image_digest = session->image_digest,
        .end = interp.end,
        .limit = interp.end == ISA_END_LIMIT ? limit_of(&interp.exec, &limits) : NULL,
        .exec = &interp.exec,
        .wall_seconds = sim_host_clock() - start,
    };
    sim_record_measure(&record);
    enum sim_status status = sim_session_finish(session, &record);
    sim_record_free(&record);
    isa_interp_free(&interp);
    return status;
}

int sim_interp(int argc, char **argv)
{
    return sim_session_main(argc, argv, &usage, interpret);
}
