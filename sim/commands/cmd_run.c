#include "sim/commands/cmd_analyse.h"
#include "sim/commands/commands.h"

#include <string.h>

#include "sim/cli/analyses.h"
#include "sim/cli/execute.h"
#include "sim/cli/output_options.h"
#include "sim/messages/progress.h"

enum { KEY_ANALYSE = 0x200 };

static const struct argp_option own_options[] = {
    SIM_RUN_FIGURE_OPTIONS,
    SIM_TENSOR_FILES_OPTIONS,
    {"analyse", KEY_ANALYSE, "ANALYSES", 0,
     "Print what these analyses find, as `hiaton analyse' does, with commas between "
     "them; "
     "for `causes' the run is made again",
     0},
    {0},
};

struct own {
    struct sim_run_figure figure;
    struct sim_tensor_files tensors;
    struct sim_analyses analyses;
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    struct sim_analyse_causes causes;
    const struct sim_session *session; /* that runs, if there are causes to find */
    bool is_json;
};

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    struct own *own = context;
    if (key == SIM_KEY_OUT)
        return sim_tensor_files_parse(key, text, state, &own->tensors);
    if (key != KEY_ANALYSE)
        return sim_run_figure_parse(key, text, state, &own->figure);
    own->analyses.command = state->name;
    sim_analyses_choose(&own->analyses, text);
    return 0;
}

static bool complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "ANALYSES") != 0)
        return false;
    sim_analyses_complete(value);
    return true;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY | SIM_TAKES_JSON |
             SIM_TAKES_STATS | SIM_TAKES_OBSERVE | SIM_TAKES_RECORD | SIM_TAKES_FROM |
             SIM_TAKES_TRACE | SIM_TAKES_EVENTS | SIM_TAKES_PORT | SIM_TAKES_PARAMS,
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
    .options = own_options,
    .parse = parse,
    .complete = complete,
};

static enum sim_status check(const struct sim_options *options, void *context)
{
    struct own *own = context;
    own->is_json = options->json || options->stats;
    const enum sim_status status = sim_tensor_files_check(&own->tensors, &options->voice);
    return status == SIM_DONE ? sim_run_figure_check(&own->figure, &options->voice)
                              : status;
}

static void observe_causes(struct own *own, const struct sim_session *session,
                           const struct lib_source *source)
{
    own->session = session;
    own->causes.source = source;
    own->causes.is_brief = !own->is_json;
}

static void observe(struct sim_simulation_config *config,
                    const struct sim_session *session, const struct lib_source *source,
                    void *context)
{
    struct own *own = context;
    sim_run_figure_observe(&own->figure, config);
    sim_tensor_files_observe(&own->tensors, config);
    if (own->causes.is_asked)
        observe_causes(own, session, source);
    if (!own->analyses.choices.count)
        return;
    const struct analysis_stream_run run = sim_analysed_run(
        session->program.graph, config->settings, source, 0, UINT64_MAX);
    sim_analyses_open(&own->analyses, &run);
    config->sinks = own->sinks;
    config->sink_count = sim_analyses_sinks(&own->analyses, own->sinks);
}

/* The run is over: for its causes it is made again, forwards and backwards. */
static enum sim_status find_causes(struct own *own, const struct sim_voice *voice)
{
    struct sim_progress progress;
    struct lib_diags diags = {0};
    const struct sim_watch watch = sim_progress_watch(&progress);
    sim_progress_start(&progress, voice);
    const bool done = sim_analyse_causes_run(&own->causes, own->session, NULL, &watch,
                                             &diags);
    sim_progress_end(&progress);
    own->causes.is_told = done;
    const enum sim_status status = sim_tell(voice, &diags);
    return done || status != SIM_DONE ? status : SIM_INTERRUPTED;
}

static enum sim_status deliver(const struct sim_voice *voice, const char *program,
                               const struct sim_ending *ending, void *context)
{
    struct own *own = context;
    enum sim_status status = sim_tensor_files_put(&own->tensors, voice, ending);
    if (status == SIM_DONE)
        status = sim_run_figure_put(&own->figure, voice, program, ending);
    if (status == SIM_DONE && own->session && ending->end != ISA_END_INTERRUPTED)
        status = find_causes(own, voice);
    return status;
}

static void write_analyses(struct lib_text *out, void *context)
{
    struct own *own = context;
    sim_analyses_write_text(&own->analyses, out);
    if (own->causes.is_told)
        sim_analyse_causes_write(&own->causes, false, out);
}

static void add_analyses(struct lib_json *json, void *context)
{
    struct own *own = context;
    if (own->causes.is_told)
        sim_analyse_causes_write_json(&own->causes, json);
    if (own->analyses.choices.count)
        sim_analyses_write_json(&own->analyses, json);
}

int sim_run(int argc, char **argv)
{
    struct own own = {.analyses = {.option = "--analyse"}};
    const struct sim_execute_more more = {&own,    check,          observe,
                                          deliver, write_analyses, add_analyses};
    sim_analyse_causes_start(&own.causes);
    own.analyses.causes = &own.causes.is_asked;
    int status = sim_execute(argc, argv, &usage, SIM_ENGINE_MACHINE, &more);
    sim_tensor_files_free(&own.tensors);
    sim_run_figure_free(&own.figure);
    sim_analyse_causes_free(&own.causes);
    sim_analyses_free(&own.analyses);
    return status;
}
