/* Rows of results run again, and compared with what is stored of them (hiaton results rerun).
 *
 * A row of a database has all that its run depends on: the settings, the inputs, the seed and, by
 * its digest, the image. Images stand in the database too; where they do not (databases of before,
 * traces/results/layout.h), programs that are at hand take their place, if they make the same
 * image. */
#ifndef SIM_SWEEP_RERUN_H
#define SIM_SWEEP_RERUN_H

#include "sim/replay/replay.h"
#include "sim/sweep/worker.h"
#include "traces/results/reader.h"

enum sim_rerun_verdict {
    SIM_RERUN_PENDING,   /* not run yet */
    SIM_RERUN_HOLDS,     /* the same result, statistics and digests */
    SIM_RERUN_DIFFERS,   /* `changes` and `reasons` say in what, and why */
    SIM_RERUN_UNCHECKED, /* it cannot be run again: `why` */
    SIM_RERUN_NOTHING,   /* it was interrupted: nothing is stored of it */
    SIM_RERUN_VERDICT_COUNT,
};

/* Texts live in the arena of the rerun. */
struct sim_rerun_row {
    size_t run; /* in the reader */
    uint64_t number;
    const char *program; /* its name */
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
    size_t range_count;          /* 0: all rows */
    const char *const *programs; /* paths of programs, for rows whose image is not kept */
    size_t program_count;
};

struct sim_rerun;

/* Reads the rows, and finds their images. false after errors. Give back with sim_rerun_close in
 * either case, not before the diagnostics were told. */
bool sim_rerun_open(struct sim_rerun **rerun, const struct sim_rerun_request *request,
                    struct lib_diags *diags);
void sim_rerun_close(struct sim_rerun *rerun);

/* Runs them, `jobs` at a time, until `look` does not want more. false where the host gives no
 * processes, or the database cannot be read. */
bool sim_rerun_run(struct sim_rerun *rerun, unsigned jobs,
                   const struct sim_runs_watch *watch, struct lib_diags *diags);

/* How many of the rows asked for there are of a verdict. */
size_t sim_rerun_count(const struct sim_rerun *rerun, enum sim_rerun_verdict verdict);

/* Adds what came of it: a line for each row if `each`, else only for those that do not hold; as
 * text, and as a JSON object. */
void sim_rerun_write(const struct sim_rerun *rerun, bool each, struct lib_text *out);
void sim_rerun_write_json(const struct sim_rerun *rerun, struct lib_text *out);

#endif
