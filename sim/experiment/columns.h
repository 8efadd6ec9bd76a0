/* The columns of the runs of an experiment, derived from the tables of settings, of
 * statistics and of other facts, and from the programs' inputs. */
#ifndef SIM_EXPERIMENT_COLUMNS_H
#define SIM_EXPERIMENT_COLUMNS_H

#include "isa/graph.h"
#include "sim/experiment/measures.h"
#include "traces/results/column.h"

/* The rows of sim/experiment/columns.def: `fact` of a column. */
enum sim_fact {
    SIM_FACT_NONE, /* a setting, an input or a statistic */
#define OF_PLACE(NAME, ...) SIM_FACT_##NAME,
#define OF_CONFIG(NAME, ...) SIM_FACT_##NAME,
#define OF_OUTCOME(NAME, ...) SIM_FACT_##NAME,
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
    SIM_FACT_COUNT,
};

/* The columns for runs of these graphs that are measured so; names of inputs and measures live in
 * the arena. `measures`: NULL for none. */
void sim_columns_make(struct traces_columns *columns, struct lib_arena *arena,
                      const struct isa_graph *const *graphs, size_t graph_count,
                      const struct sim_measures *measures, bool trains);

/* Whether it tells what came out of a run, and not what the run is. */
bool sim_column_is_of_outcome(const struct traces_column *column);

#endif
