/* Keeping results: which runs are there already, and rows for those that have ended.
 *
 * Rows are collected in one transaction, which is committed a short time after its first
 * row: a process that is killed loses that much, and runs it again. */
#ifndef SIM_KEEP_H
#define SIM_KEEP_H

#include "sim/outcome.h"
#include "sim/schema.h"

struct sim_keep {
    struct traces_database *store; /* borrowed; in a transaction since sim_schema_begin */
    const struct sim_experiment *experiment; /* borrowed */
    struct traces_query find, run, series, host;
    struct lib_text cpu;
    double since; /* when the first row of the transaction came; 0: it has none */
};

/* false after an error. Give back with sim_keep_end in either case. */
bool sim_keep_begin(struct sim_keep *keep, struct traces_database *store,
                    const struct sim_experiment *experiment);

/* Frees what it has, without a commit. */
void sim_keep_end(struct sim_keep *keep);

/* What is there of a run. */
enum sim_kept { SIM_KEPT_NOTHING, SIM_KEPT_COMPLETED, SIM_KEPT_FAILED, SIM_KEPT_ERROR };
enum sim_kept sim_keep_find(struct sim_keep *keep, const struct sim_run *run);

/* Adds what came out of a run; replaces what is there of it. */
bool sim_keep_add(struct sim_keep *keep, const struct sim_run *run,
                  const struct sim_outcome *outcome);

/* Commits if it is time for it, or at once; and begins the next transaction. */
bool sim_keep_commit(struct sim_keep *keep, bool at_once);

/* Seconds until it is time for a commit; HUGE_VAL if there is nothing to be committed. */
double sim_keep_due(const struct sim_keep *keep);

#endif
