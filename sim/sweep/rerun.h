/* Repeats stored runs and compares results (`hiaton results rerun`).
 *
 * A row of a database has all that its run depends on: settings, inputs, seed and the digest of the
 * image. The database has the images. If it lacks one (older databases, traces/results/layout.h), a
 * program given by the user replaces it if it compiles to the same image. */
#ifndef SIM_SWEEP_RERUN_H
#define SIM_SWEEP_RERUN_H

#include "sim/replay/replay.h"
#include "sim/sweep/worker.h"
#include "traces/results/reader.h"

enum sim_rerun_verdict {
    SIM_RERUN_PENDING,   /* not repeated yet */
    SIM_RERUN_HOLDS,     /* result, statistics and digests are the same */
    SIM_RERUN_DIFFERS,   /* `changes` has the differences, `reasons` possible causes */
    SIM_RERUN_UNCHECKED, /* cannot be repeated; `why` has the reason */
    SIM_RERUN_NOTHING,   /* was interrupted, so no results are stored */
    SIM_RERUN_CRASHED,   /* had crashed, so no results are stored */
    SIM_RERUN_VERDICT_COUNT,
};

/* A row and its verdict. Strings live in the arena of the rerun. */
struct sim_rerun_row {
    size_t run; /* index of the row in the reader */
    uint64_t number;
    const char *program;
    const struct isa_graph *graph;
    enum sim_rerun_verdict verdict;
    const char *why;
    const struct sim_replay_change *changes, *reasons;
    size_t change_count, reason_count;
};

/* Runs whose numbers in the experiment are `from` to `to`. */
struct sim_rerun_range {
    uint64_t from, to;
};

/* Arguments of sim_rerun_open; all pointers are borrowed. */
struct sim_rerun_request {
    const char *database;
    const struct sim_rerun_range *ranges;
    size_t range_count;          /* 0: all rows */
    const char *const *programs; /* paths of programs, for rows without an image */
    size_t program_count;
    bool shows_each;
};

struct sim_rerun;

/* Reads the rows and finds their images. Returns false and adds diagnostics on errors. Free the
 * rerun with sim_rerun_close in either case, after the diagnostics are reported. */
bool sim_rerun_open(struct sim_rerun **rerun, const struct sim_rerun_request *request,
                    struct lib_diags *diags);
void sim_rerun_close(struct sim_rerun *rerun);

/* Repeats the runs, `jobs` at a time, until `watch` stops them. Returns false and adds a diagnostic
 * if the host has no more processes, or if the database cannot be read. */
bool sim_rerun_run(struct sim_rerun *rerun, unsigned jobs,
                   const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Returns the number of requested rows that have a verdict. */
size_t sim_rerun_count(const struct sim_rerun *rerun, enum sim_rerun_verdict verdict);

/* Returns the number of rows that the experiment asks for but that have not been run. It is 0 if
 * only some rows were requested, and for a shard. */
size_t sim_rerun_missing(const struct sim_rerun *rerun);

/* Adds the verdicts; `rerun` is a struct sim_rerun. For people, `shows_each` decides whether all
 * rows are listed, or only those that differ or were not checked. */
void sim_rerun_findings(const void *rerun, struct lib_findings *findings);

#endif
