#include "sim/commands/commands.h"

#include "sim/cli/options.h"
#include "sim/explain/trace_diff.h"
#include "sim/messages/progress.h"
#include "sim/messages/stop.h"
#include "sim/report/report.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_STRATEGY |
             SIM_TAKES_OPTIMISE | SIM_TAKES_OUTPUT,
    .arguments = "FILE [FILE] | PROGRAM [NAME=VALUE]...",
    .help =
        "Show a run as one HTML page that needs nothing else; or two runs side by side."
        "\vFILE is a recording (`hiaton run --record FILE'), which is made again, or a "
        "file of all events (`hiaton run --trace FILE --level queues'); PROGRAM runs for "
        "it, with the inputs that NAME=VALUE gives. Of one run all give the same "
        "page.\n\n"
        "Of two FILEs, the page has the outcome of both first, then what is not the "
        "same, their causes, statistics, timelines and figures side by side, and the "
        "first difference (`hiaton trace diff').\n\n"
        "The page is written to the file of -o. It has no date and no path, and asks "
        "nothing of a network. Of a file with events below the level queues, parts are "
        "left out, and the page says which. Figures are drawn by gnuplot, and the graph "
        "by dot.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "FILE or PROGRAM",
};

struct command {
    const struct sim_options *options;
    struct sim_progress progress;
    struct sim_watch watch;
    struct lib_diags diags;
    struct lib_text page;
};

static bool stop(void)
{
    return sim_stop != 0;
}

static void check_files(const struct sim_options *o)
{
    if (o->argument_count > 2)
        sim_options_wrong(o->printer.command,
                          "a report is of one FILE, or of two; unexpected argument `%s`",
                          o->arguments[2]);
    if (o->machine || o->sets.count || o->seed || o->strategy != ISA_STAGE_COUNT)
        sim_options_wrong(o->printer.command,
                          "a recording says on which machine; -m, -s, --seed and "
                          "--strategy cannot change it");
}

static enum sim_status report_one(struct command *c)
{
    const struct sim_options *o = c->options;
    const struct sim_session_request request = sim_options_request(o);
    struct sim_reported reported = {0};
    const bool opened = sim_source_is(o->arguments[0])
                            ? sim_reported_open_file(&reported, o->arguments[0],
                                                     &c->diags)
                            : sim_reported_open_program(&reported, &request, &c->diags);
    const bool done = opened && sim_reported_measure(&reported, &c->watch, &c->diags) &&
                      sim_reported_read(&reported, &c->watch, &c->diags);
    if (done)
        sim_report_write(&reported, &c->page, &c->diags);
    sim_progress_end(&c->progress);
    const enum sim_status status = sim_tell(&o->printer, &c->diags);
    sim_reported_free(&reported);
    return done || status != SIM_DONE ? status : sim_interrupted(&o->printer);
}

static bool find_two(struct command *c, struct sim_reported *runs,
                     struct sim_trace_diff *diff)
{
    const char *const paths[2] = {c->options->arguments[0], c->options->arguments[1]};
    const struct analysis_diff_config config = {0};
    for (size_t i = 0; i < 2; i++)
        if (!sim_reported_open_file(&runs[i], paths[i], &c->diags) ||
            !sim_reported_measure(&runs[i], &c->watch, &c->diags) ||
            !sim_reported_read(&runs[i], &c->watch, &c->diags))
            return false;
    return sim_trace_diff_find(diff, paths, &config, stop, &c->diags);
}

static enum sim_status report_two(struct command *c)
{
    struct sim_reported runs[2] = {{0}, {0}};
    struct sim_trace_diff diff = {0};
    const bool done = find_two(c, runs, &diff);
    if (done) {
        const struct sim_reported *const both[2] = {&runs[0], &runs[1]};
        sim_report_write_two(both, diff.found, &diff.reasons, &c->page, &c->diags);
    }
    sim_progress_end(&c->progress);
    const enum sim_status status = sim_tell(&c->options->printer, &c->diags);
    if (diff.arena)
        sim_trace_diff_free(&diff);
    for (size_t i = 0; i < 2; i++)
        sim_reported_free(&runs[i]);
    return done || status != SIM_DONE ? status : sim_interrupted(&c->options->printer);
}

static enum sim_status report(struct command *c)
{
    const struct sim_options *o = c->options;
    const bool is_file = sim_source_is(o->arguments[0]);
    if (is_file)
        check_files(o);
    enum sim_status status = sim_check_writable(&o->printer, o->output);
    if (status != SIM_DONE)
        return status;
    sim_stop_catch();
    sim_progress_start(&c->progress, &o->printer);
    c->watch = sim_progress_watch(&c->progress);
    status = is_file && o->argument_count == 2 ? report_two(c) : report_one(c);
    return status == SIM_DONE ? sim_put(&o->printer, o->output, &c->page) : status;
}

int sim_report(int argc, char **argv)
{
    struct sim_options options = {0};
    struct command c = {.options = &options};
    sim_options_parse(&options, &usage, NULL, argc, argv);
    if (!options.output)
        sim_options_wrong(argv[0], "say with -o where to write: -o PAGE.html");
    const enum sim_status status = report(&c);
    lib_text_free(&c.page);
    lib_diags_free(&c.diags);
    sim_options_free(&options);
    return status;
}
