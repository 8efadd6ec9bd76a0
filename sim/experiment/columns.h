/* Columns of the results of an experiment: settings, statistics, inputs of its programs, and other
 * facts about a run (sim/experiment/columns.def). */
#ifndef SIM_EXPERIMENT_COLUMNS_H
#define SIM_EXPERIMENT_COLUMNS_H

#include "isa/graph.h"
#include "sim/experiment/measures.h"
#include "traces/results/column.h"

/* Facts about a run, in the order of sim/experiment/columns.def; `fact` of a column. */
enum sim_fact {
    SIM_FACT_NONE, /* the column is a setting, an input or a statistic */
#define OF_PLACE(NAME, ...) SIM_FACT_##NAME,
#define OF_CONFIG(NAME, ...) SIM_FACT_##NAME,
#define OF_OUTCOME(NAME, ...) SIM_FACT_##NAME,
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
    SIM_FACT_COUNT,
};

/* Makes the columns for runs of these graphs with these measures, which may be NULL. Names of
 * inputs and measures live in the arena. If `trains`, adds those of training. */
void sim_columns_make(struct traces_columns *columns, struct lib_arena *arena,
                      const struct isa_graph *const *graphs, size_t graph_count,
                      const struct sim_measures *measures, bool trains);

/* Whether a column holds a result of a run, not a parameter. */
bool sim_column_is_of_outcome(const struct traces_column *column);

#endif
