#include "sim/commands/commands.h"

#include <string.h>

#include "sim/cli/options.h"
#include "sim/compare/comparison.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"

struct own {
    bool rows;
    enum sim_placement placement;
    unsigned jobs;
    const char *columns; /* NULL: not given */
    bool csv, json, latex;
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    SIM_FLAG("rows", OF(rows),
             "Take values in step, a row of the i-th of each, and not every combination"),
    SIM_OPTION(
        "placement", 0, CHOICE, "caller|placed|both", OF(placement),
        "Where copies run: caller, placed or both; without it as copy.placement says"),
    SIM_OPTION("columns", 0, TEXT, "NAME,...", OF(columns),
               "Which statistics are shown, and `speedup'; --json has all"),
    SIM_FLAG("csv", OF(csv), "Print comma-separated values"),
    SIM_FLAG("json", OF(json), "Print one JSON object, and nothing else"),
    SIM_FLAG("latex", OF(latex), "Print a tabular with the rules of booktabs"),
    SIM_JOBS(OF(jobs), "Simulate N runs at once; default: 1"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_MACHINE | SIM_TAKES_OPTIMISE | SIM_TAKES_SEED |
             SIM_TAKES_RECORD | SIM_TAKES_TRACE | SIM_TAKES_EVENTS,
    .arguments = "PROGRAM [NAME=VALUES]...",
    .help =
        "Run a program under both strategies, static and expanding, on one machine, and "
        "print both side by side."
        "\vVALUES are one value, several (1,2,5), a range (24..33) or a range in steps "
        "(10..100:10), or a list of these. Every combination of the inputs' values is a "
        "row. With --placement=both expanding is shown with copies at their callers and "
        "with copies that are placed. The speedup is 100 * (1 - static / expanding), of "
        "cycles. Below the table, unless -q is given, firings, copies, tokens, opcodes "
        "and "
        "causes of the last row say why one strategy takes fewer cycles. With "
        "--record=x.rec the sides "
        "are recorded as x.static.rec and x.expanding.rec, and those of the second of "
        "several rows as x.2.static.rec; --trace names its files of events so, too. The "
        "exit status is 1 where the strategies differ in result, calls or iterations.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
};

/* Errors of the database are reported later. */
static enum sim_status deliver(struct sim_comparison *c, const struct sim_shown *shown,
                               const struct own *own, const struct sim_options *o)
{
    LIB_TEXT_OWN text = {0};
    bool is_cut;
    const enum lib_form form = own->csv     ? LIB_FORM_CSV
                               : own->json  ? LIB_FORM_JSON
                               : own->latex ? LIB_FORM_LATEX
                                            : LIB_FORM_TEXT;
    const bool good = sim_comparison_write(c, shown, form, &text, &is_cut) &&
                      (form != LIB_FORM_TEXT || o->printer.quiet ||
                       sim_comparison_explain(c, &text));
    enum sim_status status = good ? sim_put(&o->printer, o->output, &text) : SIM_INTERNAL;
    if (is_cut && !o->printer.quiet)
        sim_say(&o->printer, "long results are cut; --csv and --json have them whole");
    return status;
}

static bool look(size_t done, size_t failed, size_t all, void *context)
{
    sim_progress_line_show_runs(context, done, failed, all);
    return !sim_stop;
}

/* Makes the runs. Returns SIM_INTERRUPTED after a signal, which it reports. */
static enum sim_status run(struct sim_comparison *c, const struct own *own,
                           const struct sim_printer *printer, struct lib_diags *diags)
{
    struct sim_progress_line line;
    const struct sim_runs_watch watch = {look, &line};
    size_t all = c->runs.list.count;
    sim_progress_line_start(&line, printer);
    bool good = sim_comparison_run(c, own->jobs, &watch, diags);
    sim_progress_line_end(&line);
    if (!good)
        return SIM_INTERNAL;
    if (c->done == all)
        return SIM_DONE;
    sim_say(printer, "interrupted, with %zu of %zu runs done", c->done, all);
    return SIM_INTERRUPTED;
}

static void say_lines(const struct sim_printer *printer, const char *kind,
                      struct lib_text *lines)
{
    const char *p = lib_text_get(lines);
    for (size_t length; *p; p += length + 1) {
        length = strcspn(p, "\n");
        sim_say(printer, "%s%.*s", kind, (int)length, p);
    }
    lib_text_free(lines);
}

/* Rows without a result are also shown, so that the others are not lost. */
static enum sim_status compare(struct sim_comparison *c, const struct sim_shown *shown,
                               const struct own *own, const struct sim_options *o,
                               struct lib_diags *diags)
{
    struct lib_text lines = {0};
    enum sim_status checked;
    sim_stop_catch();
    enum sim_status status = run(c, own, &o->printer, diags);
    if (status != SIM_DONE)
        return status;
    if (!sim_comparison_check(c, &checked, &lines))
        return SIM_INTERNAL;
    say_lines(&o->printer, "", &lines);
    if (!o->printer.quiet && !sim_comparison_warn(c, &lines))
        return SIM_INTERNAL;
    say_lines(&o->printer, "warning: ", &lines);
    const bool has_lost = c->lost.length > 0;
    say_lines(&o->printer, "", &c->lost);
    if (has_lost)
        return c->lost_by_host ? SIM_INTERNAL : SIM_USAGE;
    status = deliver(c, shown, own, o);
    return status == SIM_DONE ? checked : status;
}

static enum sim_status open_and_compare(const struct sim_options *o,
                                        const struct own *own)
{
    const struct sim_comparison_request request = {
        .program = o->arguments[0],
        .inputs = o->arguments + 1,
        .input_count = o->argument_count - 1,
        .in_rows = own->rows,
        .placement = own->placement,
        .machine = o->machine,
        .sets = o->sets.items,
        .set_count = o->sets.count,
        .seed = o->seed,
        .has_seed = o->has_seed,
        .files = {.record = {.path = o->record,
                             .interval = o->interval,
                             .checkpoint = o->checkpoint},
                  .trace = o->trace,
                  .events = sim_options_events(o)},
    };
    struct sim_comparison comparison;
    struct sim_shown shown;
    struct lib_diags diags = {0};
    bool good = sim_comparison_open(&comparison, &request, &diags) &&
                sim_comparison_may_write(&comparison, &diags) &&
                sim_shown_read(&shown, &comparison, own->columns, &diags);
    enum sim_status status = sim_tell(&o->printer, &diags);
    if (good)
        status = compare(&comparison, &shown, own, o, &diags);
    sim_tell(&o->printer, &diags);
    sim_comparison_close(&comparison);
    return status;
}

int sim_compare(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.placement = SIM_PLACEMENT_GIVEN, .jobs = 1};
    sim_options_parse(&options, &usage, &own, argc, argv);
    if (own.csv + own.json + own.latex > 1)
        sim_options_wrong(argv[0],
                          "only one of --csv, --json and --latex can be printed");
    enum sim_status status = SIM_DONE;
    if (options.output)
        status = sim_check_writable(&options.printer, options.output);
    if (options.record && status == SIM_DONE)
        status = sim_check_writable(&options.printer, options.record);
    if (options.trace && status == SIM_DONE)
        status = sim_check_writable(&options.printer, options.trace);
    if (status == SIM_DONE)
        status = open_and_compare(&options, &own);
    sim_options_free(&options);
    return status;
}
