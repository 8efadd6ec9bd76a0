/* Writes results: finds runs that the database already has, and adds rows for finished runs. Rows
 * are collected in one transaction, which is committed a short time after its first row. If the
 * process is killed, only these rows are lost, and their runs repeated. */
#ifndef SIM_SWEEP_RESULT_WRITER_H
#define SIM_SWEEP_RESULT_WRITER_H

#include "sim/session/description.h"
#include "sim/sweep/outcome.h"
#include "sim/sweep/result_layout.h"

/* A file of a training, in the database. */
struct sim_result_file {
    const struct lib_source *source;
    const char *digest;
};

struct sim_result_writer {
    /* Borrowed; sim_result_layout_begin began a transaction. */
    struct traces_database *store;
    const struct sim_experiment *experiment; /* borrowed */
    struct traces_query find, run, host, exact, part, details[TRACES_DETAIL_COUNT];
    struct lib_arena *arena;
    LIB_VEC(struct sim_result_file) files;
    struct sim_description here; /* this host; only `by` is set */
    double since; /* time of the first row of the transaction; 0 without one */
};

/* Begins writing. Returns false after an error. Free the writer with sim_result_writer_end in
 * either case. */
bool sim_result_writer_begin(struct sim_result_writer *keep,
                             struct traces_database *store,
                             const struct sim_experiment *experiment);

/* Frees the writer, without a commit. */
void sim_result_writer_end(struct sim_result_writer *keep);

/* The state of a run in the database. */
enum sim_result_state {
    SIM_RESULT_FOUND_NOTHING,
    SIM_RESULT_FOUND_COMPLETED,
    SIM_RESULT_FOUND_FAILED,
    SIM_RESULT_FOUND_ERROR
};
enum sim_result_state sim_result_writer_find(struct sim_result_writer *keep,
                                             const struct sim_run *run);

/* Adds the outcome of a run, in place of an existing one. */
bool sim_result_writer_add(struct sim_result_writer *keep, const struct sim_run *run,
                           const struct sim_outcome *outcome);

/* Commit now, or if it is due, and begin the next transaction. */
bool sim_result_writer_commit(struct sim_result_writer *keep);
bool sim_result_writer_commit_if_due(struct sim_result_writer *keep);

/* Returns the seconds until a commit is due; HUGE_VAL without rows. */
double sim_result_writer_due(const struct sim_result_writer *keep);

#endif
