/* Finds runs in which one of several PEs did all the work. They get a warning, as they measure one
 * PE, whatever pe.count is (doc/graphs.md, "When one PE does all the work"). */
#ifndef SIM_ENDING_IDLE_PES_H
#define SIM_ENDING_IDLE_PES_H

#include "isa/graph.h"
#include "traces/machine.h"
#include "traces/results/database.h"
#include "traces/stats.h"

/* Whether one of several PEs did all the work of a run that is large enough
 * (analysis_is_one_of_many). Returns false for an executor, whose workers share one queue. */
bool sim_idle_pes_were(const struct traces_machine *machine,
                       const struct traces_stats *stats);

/* Adds a sentence about a run in which one PE did all the work, with the setting that caused it if
 * known: "1 of 16 PEs did all the work, ... (copy.placement=caller: ...)". */
void sim_idle_pes_write(const struct traces_machine *machine, enum isa_stage strategy,
                        const struct traces_stats *stats, struct lib_text *out);

/* The runs of a database in which one PE did all the work. */
struct sim_idle_pes {
    /* number of runs in which one PE did all the work; first such run, counted from 1 */
    uint64_t count, first;
    struct lib_text why; /* sentence about the first of these runs; freed by the caller */
};

/* Finds the runs of a database in which one PE did all the work. Returns false if the database
 * fails. */
bool sim_idle_pes_find(struct traces_database *store, struct sim_idle_pes *found);

#endif
