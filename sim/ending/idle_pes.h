/* Machines of several PEs of which one did all the work: said, because such a run measures one
 * PE, whatever pe.count is (doc/graphs.md, "When one PE does all the work"). */
#ifndef SIM_ENDING_IDLE_PES_H
#define SIM_ENDING_IDLE_PES_H

#include "isa/graph.h"
#include "machine/settings.h"
#include "traces/results/database.h"
#include "traces/stats.h"

/* Whether that was so; the rule is analysis_is_one_of_many. Workers of an executor share one
 * queue, and are not PEs. */
bool sim_idle_pes_were(const struct machine_settings *settings,
                       const struct traces_stats *stats);

/* Adds what is said of such a run, and which setting made it so, where one did: "1 of 16 PEs did
 * all the work, 177 calls and iterations (copy.placement=caller: ...)". */
void sim_idle_pes_write(const struct machine_settings *settings, enum isa_stage strategy,
                        const struct traces_stats *stats, struct lib_text *out);

/* Adds how many runs of a database are so, and of one why; nothing if there are none. false
 * after an error of the store. */
bool sim_idle_pes_find(struct traces_database *store, struct lib_text *out);

#endif
