#include "sim/commands/cmd_sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/order.h"
#include "sim/cli/output_options.h"
#include "sim/ending/idle_pes.h"
#include "sim/experiment/fit.h"
#include "sim/experiment/fit_views.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/outputs/database_file.h"
#include "sim/outputs/make_outputs.h"
#include "sim/sweep/result_writer.h"
#include "sim/sweep/worker.h"

struct own {
    unsigned jobs; /* 0: one per processor */
    struct sim_sweep_choice choice;
    struct sim_publish publish;
    bool record, trace;
    const struct sim_options *options;
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    SIM_JOBS(OF(jobs), "Simulate N runs at once; default: one for each processor"),
    SIM_FLAG("record", OF(record),
             "Record each run, in a folder RESULTS.rec beside the database"),
    SIM_FLAG(
        "trace", OF(trace),
        "Write the events of each run, in a folder RESULTS.events beside the database"),
    SIM_SWEEP_CHOICE_OPTIONS(OF(choice)),
    SIM_PUBLISH_OPTIONS(OF(publish)),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_INTERVAL | SIM_TAKES_EVENTS,
    .arguments = "EXPERIMENT.yaml",
    .help =
        "Run an experiment and keep its results; runs that are there are not run again."
        "\vThe results go to a database, EXPERIMENT.db in the current folder if not said "
        "otherwise. A sweep that was interrupted goes on where it was.\n\n"
        "With --record each run is recorded as IDENTITY.rec in a folder beside the "
        "database. A run whose recording is missing there is made again. `hiaton replay' "
        "checks one. With --trace the events of each run are written as IDENTITY.hev in "
        "another folder.",
    .least = 1,
    .most = 1,
    .missing = "EXPERIMENT.yaml",
    .options = own_options,
};

struct running {
    const struct sim_printer *printer;
    const struct own *own;
    struct sim_sweep sweep;
    struct traces_database store;
    struct lib_diags diags;
    struct sim_result_writer keep;
    LIB_VEC(size_t) todo; /* indexes of runs to make, in order */
    size_t all;           /* number of runs that are asked for */
    size_t done, failed;
    const char *recordings, *events; /* folders for files of runs; NULL: none */
    size_t lost;                     /* runs done whose files could not be written */
    bool lost_by_host;               /* the host is to blame for one of these */
    size_t thinned; /* runs done with fewer rows of series than requested */
    bool broken;    /* the results cannot be written */
    struct sim_progress_line line;
};

/* --- what is to be run -------------------------------------------------------------- */

struct candidate {
    struct isa_digest identity;
    size_t place;
};

static int by_identity(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return LIB_ORDER(x->identity.high, y->identity.high)
           ?: LIB_ORDER(x->identity.low, y->identity.low)
           ?: LIB_ORDER(x->place, y->place);
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return LIB_ORDER(x, y);
}

/* Makes the first of several runs with one identity. */
static void take_candidates(struct running *r, struct candidate *candidates, size_t count)
{
    qsort(candidates, count, sizeof *candidates, by_identity);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 &&
                    candidates[i].identity.high == candidates[i - 1].identity.high &&
                    candidates[i].identity.low == candidates[i - 1].identity.low;
        if (!same)
            *LIB_VEC_PUSH(&r->todo) = candidates[i].place;
    }
    qsort(r->todo.items, r->todo.count, sizeof *r->todo.items, by_place);
}

/* Returns the file of a run in a folder, empty if that is NULL. Owned by the caller. */
static struct lib_text file_of(const struct running *r, const char *folder,
                               const char *ending, size_t run)
{
    struct lib_text path = {0};
    if (!folder)
        return path;
    lib_text_printf(&path, "%s/", folder);
    isa_digest_write(r->sweep.runs.list.items[run].identity, &path);
    lib_text_puts(&path, ending);
    return path;
}

static struct lib_text recording_of(const struct running *r, size_t run)
{
    return file_of(r, r->recordings, ".rec", run);
}

static struct lib_text events_of(const struct running *r, size_t run)
{
    return file_of(r, r->events, ".hev", run);
}

/* Whether a file exists or is not wanted. Frees the path. */
static bool is_there(struct lib_text path)
{
    const bool is = !path.bytes || access(path.bytes, F_OK) == 0;
    lib_text_free(&path);
    return is;
}

static bool plan(struct running *r)
{
    const struct sim_runs *runs = &r->sweep.runs;
    struct candidate *candidates = lib_mem_new(runs->list.count * sizeof *candidates);
    size_t count = 0;
    enum sim_result_state kept = SIM_RESULT_FOUND_NOTHING;
    for (size_t i = 0; kept != SIM_RESULT_FOUND_ERROR && i < runs->list.count; i++) {
        if (!sim_selection_has(&r->sweep.selection, i + 1))
            continue;
        r->all++;
        kept = sim_result_writer_find(&r->keep, &runs->list.items[i]);
        if (kept == SIM_RESULT_FOUND_NOTHING || !is_there(recording_of(r, i)) ||
            !is_there(events_of(r, i)))
            candidates[count++] = (struct candidate){runs->list.items[i].identity, i};
    }
    if (count)
        take_candidates(r, candidates, count);
    lib_mem_free(candidates);
    return kept != SIM_RESULT_FOUND_ERROR;
}

/* --- running ------------------------------------------------------------------------ */

static void make(struct sim_outcome *outcome, size_t place, const void *context)
{
    const struct running *r = context;
    const size_t run = r->todo.items[place];
    const struct sim_options *o = r->own->options;
    struct lib_text recording = recording_of(r, run), events = events_of(r, run);
    const struct sim_outcome_files files = {
        .record = {.path = recording.bytes,
                   .interval = o->interval,
                   .checkpoint = o->checkpoint},
        .trace = events.bytes,
        .events = sim_options_events(o),
    };
    sim_outcome_make(outcome, &r->sweep.experiment, &r->sweep.runs.list.items[run],
                     &files);
    LIB_TEXT_FREE(&recording, &events);
}

static void take(size_t place, const struct sim_outcome *outcome, void *context)
{
    struct running *r = context;
    r->done++;
    r->thinned += outcome->thinned;
    if (outcome->lost.length && r->lost++ == 0)
        sim_say(r->printer, "%s", outcome->lost.bytes);
    r->lost_by_host |= outcome->lost_by_host;
    r->failed += outcome->crashed || outcome->end != ISA_END_COMPLETED;
    if (!r->broken)
        r->broken = !sim_result_writer_add(
            &r->keep, &r->sweep.runs.list.items[r->todo.items[place]], outcome);
}

static bool goes_on(void *context)
{
    struct running *r = context;
    if (!r->broken)
        r->broken = !sim_result_writer_commit_if_due(&r->keep);
    sim_progress_line_show_runs(&r->line, r->done, r->failed, r->todo.count);
    return !sim_stop && !r->broken;
}

static bool run_todo(struct running *r)
{
    if (r->todo.count == 0)
        return true;
    const struct sim_work work = {make, r};
    const struct sim_work_taker taker = {take, goes_on, r};
    sim_progress_line_start(&r->line, r->printer);
    const bool good = sim_workers_make_all(
        &work, r->todo.count, sim_options_all_jobs(r->own->jobs), &taker, &r->diags);
    sim_progress_line_end(&r->line);
    return good && !r->broken && sim_result_writer_commit(&r->keep);
}

/* --- the end ------------------------------------------------------------------------ */

enum { SHOWN_FAILURES = 10 };

/* Reports and counts failed runs. */
static bool tell_failures(struct running *r, size_t *failures)
{
    struct traces_query query;
    if (traces_query_new(&query, &r->store,
                         "SELECT number, status, reason FROM results WHERE status <> "
                         "'completed' ORDER BY number"))
        while (traces_query_next(&query)) {
            int64_t number = traces_query_cell(&query, 0).integer;
            struct traces_cell reason = traces_query_cell(&query, 2);
            if (sim_selection_has(&r->sweep.selection, (size_t)number) &&
                ++*failures <= SHOWN_FAILURES)
                sim_say(r->printer, "run %" PRId64 " (%s): %s", number,
                        traces_query_cell(&query, 1).text,
                        reason.text ? reason.text : "");
        }
    if (*failures > SHOWN_FAILURES)
        sim_say(r->printer, "and %zu more have failed", *failures - SHOWN_FAILURES);
    return traces_query_end(&query);
}

/* Warns where one PE of many did all the work. */
static bool warn(struct running *r)
{
    struct sim_idle_pes found;
    bool good = sim_idle_pes_find(&r->store, &found);
    if (found.count && !r->printer->quiet)
        sim_say(r->printer,
                "warning: %" PRIu64 " run%s used one PE of many; run %" PRIu64 ": %s",
                found.count, found.count == 1 ? "" : "s", found.first, found.why.bytes);
    lib_text_free(&found.why);
    return good;
}

/* Warns of files of settings and inputs that have changed. */
static void warn_of_files(const struct running *r)
{
    struct lib_diags diags = {0};
    sim_setting_files_check(&r->sweep.experiment.files, &diags);
    sim_setting_files_check(&r->sweep.experiment.givens->files, &diags);
    for (size_t i = 0; i < diags.count && !r->printer->quiet; i++)
        sim_say(r->printer, "warning: %s", diags.items[i].text);
    lib_diags_free(&diags);
}

/* Reports for how many runs a folder has files. */
static void tell_files(const struct running *r, const char *folder, const char *what,
                       struct lib_text (*path_of)(const struct running *r, size_t run))
{
    size_t count = 0;
    if (!folder || r->printer->quiet)
        return;
    for (size_t i = 0; i < r->sweep.runs.list.count; i++)
        count += sim_selection_has(&r->sweep.selection, i + 1) && is_there(path_of(r, i));
    sim_say(r->printer, "%s: %zu of %zu runs %s", folder, count, r->all, what);
}

static enum sim_status sum_up(struct running *r)
{
    size_t failures = 0;
    if (!tell_failures(r, &failures) || !warn(r))
        return sim_status_of(r->store.fault);
    warn_of_files(r);
    if (r->thinned && !r->printer->quiet)
        sim_say(r->printer,
                "warning: the rows of %zu series stand for more cycles than was asked "
                "for, as there would be more than %d rows",
                r->thinned, TRACES_SERIES_BOUND);
    if (!r->printer->quiet || failures)
        sim_say(r->printer, "%s: %zu runs, %zu of them new; %zu failed", r->store.path,
                r->all, r->todo.count, failures);
    tell_files(r, r->recordings, "are recorded", recording_of);
    tell_files(r, r->events, "have their events there", events_of);
    if (r->lost)
        sim_say(r->printer, "%zu runs could not be %s; the same command tries again",
                r->lost, r->events ? "written" : "recorded");
    return r->lost_by_host ? SIM_INTERNAL
           : r->lost       ? SIM_USAGE
           : failures      ? SIM_DIFFERS
                           : SIM_DONE;
}

static enum sim_status finish(struct running *r)
{
    if (sim_stop) {
        sim_say(r->printer,
                "interrupted, with %zu of %zu new runs done; the same command goes on",
                r->done, r->todo.count);
        return SIM_INTERRUPTED;
    }
    enum sim_status status = sim_publish_write(&r->own->publish, &r->store, r->printer);
    return status == SIM_DONE ? sum_up(r) : status;
}

static enum sim_status run_in_store(struct running *r)
{
    bool good = sim_result_layout_begin(&r->store, &r->sweep.experiment, &r->sweep.runs,
                                        r->own->choice.shard) &&
                sim_result_writer_begin(&r->keep, &r->store, &r->sweep.experiment) &&
                plan(r) && sim_result_writer_commit(&r->keep) && run_todo(r);
    enum sim_status status = good ? finish(r) : sim_status_of(r->store.fault);
    sim_result_writer_end(&r->keep);
    return status;
}

static bool is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size == 0;
}

/* Returns "speedup.db" or "speedup.1-of-4.db". */
static const char *default_path(const struct sim_sweep *sweep, struct sim_shard shard)
{
    if (!shard.count)
        return lib_arena_printf(sweep->arena, "%s.db", sweep->experiment.name);
    return lib_arena_printf(sweep->arena, "%s.%u-of-%u.db", sweep->experiment.name,
                            shard.index, shard.count);
}

static enum sim_status run(struct running *r, const char *output)
{
    enum sim_status status = SIM_USAGE;
    const char *path = output ? output : default_path(&r->sweep, r->own->choice.shard);
    if (r->own->record)
        r->recordings = sim_database_file_recordings(path, r->sweep.arena);
    if (r->own->trace)
        r->events = sim_database_file_events(path, r->sweep.arena);
    enum sim_status made = SIM_DONE;
    if (r->recordings)
        made = sim_make_folder(r->printer, r->recordings);
    if (r->events && made == SIM_DONE)
        made = sim_make_folder(r->printer, r->events);
    if (made != SIM_DONE)
        return made;
    const bool is_new = access(path, F_OK) != 0;
    if (traces_database_open(&r->store, path, TRACES_DATABASE_WRITE, &r->diags))
        status = run_in_store(r);
    else
        status = sim_status_of(r->store.fault);
    traces_database_close(&r->store);
    if (is_new && is_empty(path))
        unlink(path); /* nothing could be written */
    enum sim_status told = sim_tell(r->printer, &r->diags);
    /* An error that is not the database's, such as too few processes. */
    return status == SIM_DONE && told != SIM_DONE ? SIM_INTERNAL : status;
}

/* Checks before the first run that all can be made, and tables and figures shown. */
static enum sim_status check_fit(const struct running *r)
{
    const struct sim_sweep *sweep = &r->sweep;
    struct lib_diags diags = {0};
    const char *folder = r->own->publish.outputs;
    if (sim_runs_fit(&sweep->experiment, &sweep->runs, sweep->wanted, &diags) &&
        (!folder || sim_make_may_write(&sweep->experiment.outputs, folder, &diags)))
        sim_views_fit(&sweep->experiment, &sweep->runs, sweep->wanted, &diags);
    return sim_tell(r->printer, &diags);
}

int sim_sweep_run(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.options = &options};
    sim_options_parse(&options, &usage, &own, argc, argv);
    if (!own.record && (options.interval || options.checkpoint))
        sim_options_wrong(argv[0],
                          "--interval and --checkpoint are nothing without --record");
    if (!own.trace && sim_options_says_events(&options))
        sim_options_wrong(argv[0],
                          "--level, --cycles, --pe, --function, --line and --below say "
                          "which events --trace writes; --trace is missing");
    struct running r = {.printer = &options.printer, .own = &own};
    enum sim_status status = sim_publish_check(&own.publish, &options.printer);
    if (status == SIM_DONE)
        status = sim_sweep_open(&r.sweep, options.arguments[0], &own.choice,
                                &options.printer);
    if (status == SIM_DONE)
        status = check_fit(&r);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = run(&r, options.output);
    }
    LIB_VEC_FREE(&r.todo);
    sim_sweep_close(&r.sweep);
    sim_sweep_choice_free(&own.choice);
    sim_options_free(&options);
    return status;
}
