/* Repeats runs that a database stores, and compares results (`hiaton results rerun`).
 *
 * The row of a run has all that the run depends on: settings, inputs, seed and the digest of the
 * program's image. The database has the images. If one is missing (older databases,
 * traces/results/layout.h) or damaged, a program that compiles to the same image replaces it: one
 * that the user gives, else that of the experiment beside the database. */
#ifndef SIM_SWEEP_RERUN_H
#define SIM_SWEEP_RERUN_H

#include "sim/replay/replay.h"
#include "sim/sweep/worker.h"
#include "traces/results/reader.h"

enum sim_rerun_verdict {
    SIM_RERUN_PENDING, /* not repeated yet */
    SIM_RERUN_HOLDS,   /* repeated; result, statistics and digests are the same */
    /* Repeated: `changes` has differences, `reasons` possible causes. Or the row contradicts its
     * identity, and is not repeated, or its experiment: `why` has the reason. */
    SIM_RERUN_DIFFERS,
    SIM_RERUN_UNCHECKED, /* cannot be repeated; `why` has the reason */
    SIM_RERUN_NOTHING,   /* the stored run was interrupted: it has no results */
    SIM_RERUN_CRASHED,   /* the stored run crashed: it has no results */
    SIM_RERUN_VERDICT_COUNT,
};

/* A stored run and its verdict. Strings live in the arena of the sim_rerun. */
struct sim_rerun_row {
    size_t run; /* index of the run in sim_rerun.reader */
    uint64_t number;
    const char *program;
    const struct isa_graph *graph;
    enum sim_rerun_verdict verdict;
    const char *why;
    const struct sim_replay_change *changes, *reasons;
    size_t change_count, reason_count;
};

/* Range of runs, by their numbers in the experiment: `from` to `to`, inclusive. */
struct sim_rerun_range {
    uint64_t from, to;
};

/* Arguments of sim_rerun_open; all pointers are borrowed. */
struct sim_rerun_request {
    const char *database;
    const char *experiment; /* name of an older experiment; NULL: the newest one */
    const struct sim_rerun_range *ranges;
    size_t range_count;          /* 0: all rows */
    const char *const *programs; /* paths of programs, for runs whose image is missing */
    size_t program_count;
    bool shows_each;
};

struct sim_rerun;

/* Reads the stored runs and finds their compiled programs. Returns false and adds diagnostics on
 * errors. In either case free with sim_rerun_close, after the diagnostics are reported. */
bool sim_rerun_open(struct sim_rerun **rerun, const struct sim_rerun_request *request,
                    struct lib_diags *diags);
void sim_rerun_close(struct sim_rerun *rerun);

/* Repeats the runs, `jobs` at a time, until `watch` stops them. Returns false and adds a diagnostic
 * if the host has no more processes, or if the database cannot be read. */
bool sim_rerun_run(struct sim_rerun *rerun, unsigned jobs,
                   const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Returns how many of the requested runs have this verdict. */
size_t sim_rerun_count(const struct sim_rerun *rerun, enum sim_rerun_verdict verdict);

/* Returns how many runs the experiment asks for that the database lacks. Returns 0 if only some
 * runs were requested, and for a shard (a part of an experiment). */
size_t sim_rerun_missing(const struct sim_rerun *rerun);

/* Whether the experiment, its columns or its points (traces/results/seal.h), or an image or file
 * are not as they were written, so that rows may not be those that the experiment asks for. */
bool sim_rerun_is_altered(const struct sim_rerun *rerun);

/* Adds the verdicts on runs to `findings`; `rerun` is a struct sim_rerun. For people, adds lines of
 * text: for all runs if the request says shows_each, else for those that differ, cannot be repeated
 * or crashed before. */
void sim_rerun_findings(const void *rerun, struct lib_findings *findings);

#endif
