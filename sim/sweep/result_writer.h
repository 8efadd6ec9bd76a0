/* Keeping results: which runs are there already, and rows for those that have ended.
 *
 * Rows are collected in one transaction, which is committed a short time after its first
 * row: a process that is killed loses that much, and runs it again. */
#ifndef SIM_SWEEP_RESULT_WRITER_H
#define SIM_SWEEP_RESULT_WRITER_H

#include "sim/session/description.h"
#include "sim/sweep/outcome.h"
#include "sim/sweep/result_layout.h"

/* A file of a training that is in the database. */
struct sim_result_file {
    const struct lib_source *source;
    const char *digest;
};

struct sim_result_writer {
    struct traces_database
        *store; /* borrowed; in a transaction since sim_result_layout_begin */
    const struct sim_experiment *experiment; /* borrowed */
    struct traces_query find, run, host, exact, part, details[TRACES_DETAIL_COUNT];
    struct lib_arena *arena;
    LIB_VEC(struct sim_result_file) files;
    struct sim_description here; /* of this host: only `by` is known */
    double since; /* when the first row of the transaction came; 0: it has none */
};

/* false after an error. Give back with sim_result_writer_end in either case. */
bool sim_result_writer_begin(struct sim_result_writer *keep,
                             struct traces_database *store,
                             const struct sim_experiment *experiment);

/* Frees what it has, without a commit. */
void sim_result_writer_end(struct sim_result_writer *keep);

/* What is there of a run. */
enum sim_result_found {
    SIM_RESULT_FOUND_NOTHING,
    SIM_RESULT_FOUND_COMPLETED,
    SIM_RESULT_FOUND_FAILED,
    SIM_RESULT_FOUND_ERROR
};
enum sim_result_found sim_result_writer_find(struct sim_result_writer *keep,
                                             const struct sim_run *run);

/* Adds what came out of a run; replaces what is there of it. */
bool sim_result_writer_add(struct sim_result_writer *keep, const struct sim_run *run,
                           const struct sim_outcome *outcome);

/* Commits at once, or if it is time for it; and begins the next transaction. */
bool sim_result_writer_commit(struct sim_result_writer *keep);
bool sim_result_writer_commit_if_due(struct sim_result_writer *keep);

/* Seconds until it is time for a commit; HUGE_VAL if there is nothing to be committed. */
double sim_result_writer_due(const struct sim_result_writer *keep);

#endif
