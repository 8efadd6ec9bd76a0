#include "sim/commands/cmd_results.h"

#include <string.h>

#include "sim/cli/options.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/outputs/database_file.h"
#include "sim/sweep/rerun.h"

struct own {
    unsigned jobs; /* 0: not given */
    bool all, json;
    const char *experiment; /* NULL: the newest */
    struct lib_texts programs;
    LIB_VEC(struct sim_rerun_range) ranges;
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    SIM_FLAG("all", OF(all), "Run all rows again"),
    SIM_JOBS(OF(jobs), "Simulate N runs at once; default: one for each processor"),
    SIM_FLAG("json", OF(json), "Print one JSON object, and nothing else"),
    SIM_OPTION("experiment", 0, TEXT, "NAME", OF(experiment),
               "Take the rows of this older experiment of the database"),
    SIM_OPTION("program", 0, TEXTS, "PROGRAM", OF(programs),
               "Take the image of rows that keep none from this program; repeatable"),
    {0},
};

static const struct sim_usage usage = {
    .arguments = "FILE.db ROW...\nFILE.db --all",
    .help =
        "Run rows of results again, and check that the same comes out."
        "\vA ROW is the number of a run in the experiment (the column `number'), or "
        "several: 3..7. What is checked are result, statistics, digests and what is kept "
        "beside them (series, profile, PEs, links, epochs), and that a row is the run "
        "that the experiment asks for at its number. Of a row that does not hold it "
        "is said what was measured, and whether model, version, processor or library "
        "are others than those it was made with.\n\n"
        "The database keeps the images that were run. One of an older hiaton does "
        "not: then the programs of the experiment are taken, as if it stood beside "
        "the database, or those of --program, where they make the same image.\n\n"
        "The exit status is 0 if all rows hold, else 1: also if a row was "
        "interrupted or had crashed, or, with --all, if the experiment asks for rows "
        "that have not been run.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "FILE.db",
    .options = own_options,
};

/* Reads "7" or "3..7". */
static struct sim_rerun_range range_of(const char *text, const char *command)
{
    struct sim_rerun_range range;
    struct lib_text from = {0};
    const char *dots = strstr(text, "..");
    lib_text_add(&from, text, dots ? (size_t)(dots - text) : strlen(text));
    const bool good = lib_text_to_whole(lib_text_get(&from), &range.from) &&
                      lib_text_to_whole(dots ? dots + 2 : text, &range.to);
    lib_text_free(&from);
    if (!good || range.from < 1 || range.from > range.to)
        sim_options_wrong(command,
                          "expected the number of a row, or several as 3..7, found `%s`",
                          text);
    return range;
}

static void read_rows(struct own *own, const struct sim_options *o)
{
    const char *command = o->printer.command;
    for (size_t i = 1; i < o->argument_count; i++)
        *LIB_VEC_PUSH(&own->ranges) = range_of(o->arguments[i], command);
    if (own->all && own->ranges.count)
        sim_options_wrong(command, "--all stands in the place of rows; unexpected `%s`",
                          o->arguments[1]);
    if (!own->all && !own->ranges.count)
        sim_options_wrong(command, "ROW is missing; --all runs all of them");
}

static bool look(size_t done, size_t failed, size_t all, void *context)
{
    sim_progress_line_show_runs(context, done, failed, all);
    return !sim_stop;
}

static enum sim_status deliver(const struct sim_options *o, const struct own *own,
                               const struct sim_rerun *rerun)
{
    LIB_TEXT_OWN text = {0};
    bool good = sim_rerun_missing(rerun) == 0 && !sim_rerun_is_altered(rerun);
    for (enum sim_rerun_verdict v = 0; v < SIM_RERUN_VERDICT_COUNT; v++)
        good &= v == SIM_RERUN_HOLDS || sim_rerun_count(rerun, v) == 0;
    enum sim_status status = SIM_DONE;
    if (own->json || !o->printer.quiet || !good)
        lib_findings_write_from(own->json ? LIB_FORM_JSON : LIB_FORM_TEXT, NULL,
                                sim_rerun_findings, rerun, &text);
    status = sim_put(&o->printer, NULL, &text);
    if (status == SIM_DONE && !good) {
        sim_say(&o->printer, "not all rows of %s hold", o->arguments[0]);
        status = SIM_DIFFERS;
    }
    return status;
}

static enum sim_status rerun(const struct sim_options *o, const struct own *own,
                             struct sim_rerun *rerun)
{
    struct sim_progress_line line;
    const struct sim_runs_watch watch = {look, &line};
    struct lib_diags diags = {0};
    sim_stop_catch();
    sim_progress_line_start(&line, &o->printer);
    const bool good = sim_rerun_run(rerun, sim_options_all_jobs(own->jobs), &watch,
                                    &diags);
    sim_progress_line_end(&line);
    enum sim_status told = sim_tell(&o->printer, &diags);
    if (!good)
        return told == SIM_DONE ? SIM_USAGE : told;
    if (sim_rerun_count(rerun, SIM_RERUN_PENDING))
        return sim_interrupted(&o->printer);
    return deliver(o, own, rerun);
}

static enum sim_status open_and_rerun(const struct sim_options *o, const struct own *own)
{
    const struct sim_rerun_request request = {
        .database = o->arguments[0],
        .experiment = own->experiment,
        .ranges = own->ranges.items,
        .range_count = own->ranges.count,
        .programs = own->programs.items,
        .program_count = own->programs.count,
        .shows_each = !own->all,
    };
    struct lib_diags diags = {0};
    struct sim_rerun *opened = NULL;
    bool good = sim_database_file_check(o->arguments[0], &diags) &&
                sim_rerun_open(&opened, &request, &diags);
    enum sim_status status = sim_tell(&o->printer, &diags);
    if (good)
        status = rerun(o, own, opened);
    if (opened)
        sim_rerun_close(opened);
    return status;
}

int sim_results_rerun(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {0};
    sim_options_parse(&options, &usage, &own, argc, argv);
    read_rows(&own, &options);
    enum sim_status status = open_and_rerun(&options, &own);
    LIB_VEC_FREE(&own.programs, &own.ranges);
    sim_options_free(&options);
    return status;
}
