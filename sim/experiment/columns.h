/* Columns of the results of an experiment: machine settings, statistics, program inputs, and other
 * facts about a run. */
#ifndef SIM_EXPERIMENT_COLUMNS_H
#define SIM_EXPERIMENT_COLUMNS_H

#include "isa/graph.h"
#include "lib/setting.h"
#include "sim/experiment/measures.h"
#include "traces/results/column.h"

/* Further columns of results, which are not settings, inputs or statistics. Order:
 * sim/experiment/columns.def. */
enum sim_fact {
    SIM_FACT_NONE, /* for columns of settings, inputs, statistics, analyses and training */
#define OF_PLACE(NAME, ...) SIM_FACT_##NAME,
#define OF_CONFIG(NAME, ...) SIM_FACT_##NAME,
#define OF_OUTCOME(NAME, ...) SIM_FACT_##NAME,
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
    SIM_FACT_COUNT,
};

/* Makes the columns of the results of runs of `graphs`. Adds columns for the analyses in
 * `measures`, unless NULL; and, if `trains`, columns for training options and results. Names of
 * inputs and analyses live in `arena`. */
void sim_columns_make(struct traces_columns *columns, struct lib_arena *arena,
                      const struct isa_graph *const *graphs, size_t graph_count,
                      const struct sim_measures *measures, bool trains);

/* Adds the column of a setting of a class of PEs, unless it is there. The row lives as long as the
 * columns. */
void sim_columns_add_class(struct traces_columns *columns, const struct lib_setting *row);

/* Whether a column holds a result of a run, not one of its parameters. */
bool sim_column_is_of_outcome(const struct traces_column *column);

#endif
