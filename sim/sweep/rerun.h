/* Repeats the runs of rows of results, and compares them with the stored results (hiaton results
 * rerun).
 *
 * A row of a database has everything on which its run depends: the settings, the inputs, the seed
 * and the digest of the image. The database also has the images. If it lacks one (older databases,
 * traces/results/layout.h), a given program takes its place if it makes the same image. */
#ifndef SIM_SWEEP_RERUN_H
#define SIM_SWEEP_RERUN_H

#include "sim/replay/replay.h"
#include "sim/sweep/worker.h"
#include "traces/results/reader.h"

enum sim_rerun_verdict {
    SIM_RERUN_PENDING,   /* not run yet */
    SIM_RERUN_HOLDS,     /* same result, statistics and digests */
    SIM_RERUN_DIFFERS,   /* `changes` has the differences, `reasons` their causes */
    SIM_RERUN_UNCHECKED, /* cannot be repeated, for the reason in `why` */
    SIM_RERUN_NOTHING,   /* was interrupted, so that nothing is stored */
    SIM_RERUN_VERDICT_COUNT,
};

/* Texts live in the arena of the rerun. */
struct sim_rerun_row {
    size_t run; /* index in the reader */
    uint64_t number;
    const char *program; /* name of the program */
    const struct isa_graph *graph;
    enum sim_rerun_verdict verdict;
    const char *why;
    const struct sim_replay_change *changes, *reasons;
    size_t change_count, reason_count;
};

/* Rows `from` to `to` of the experiment. */
struct sim_rerun_range {
    uint64_t from, to;
};

/* All borrowed. */
struct sim_rerun_request {
    const char *database;
    const struct sim_rerun_range *ranges;
    size_t range_count;          /* 0 for all rows */
    const char *const *programs; /* paths of programs, for rows without an image */
    size_t program_count;
    bool shows_each;
};

struct sim_rerun;

/* Reads the rows, and finds their images. Returns false after errors. Free the rerun with
 * sim_rerun_close in either case, after the diagnostics were reported. */
bool sim_rerun_open(struct sim_rerun **rerun, const struct sim_rerun_request *request,
                    struct lib_diags *diags);
void sim_rerun_close(struct sim_rerun *rerun);

/* Repeats the runs, `jobs` at a time, until `watch` stops them. Returns false if the host gives no
 * processes, or the database cannot be read. */
bool sim_rerun_run(struct sim_rerun *rerun, unsigned jobs,
                   const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Returns the number of requested rows with a verdict. */
size_t sim_rerun_count(const struct sim_rerun *rerun, enum sim_rerun_verdict verdict);

/* Adds the verdicts; `rerun` is a struct sim_rerun. A text has all rows if the request tells each,
 * else those that do not hold. */
void sim_rerun_findings(const void *rerun, struct lib_findings *findings);

#endif
