/* The columns of the runs of an experiment, derived from the tables of settings and
 * statistics and from the programs' inputs. */
#ifndef SIM_EXPERIMENT_COLUMNS_H
#define SIM_EXPERIMENT_COLUMNS_H

#include "isa/graph.h"
#include "traces/results/column.h"

/* The columns for runs of these graphs; names of inputs live in the arena. */
void sim_columns_make(struct traces_columns *columns, struct lib_arena *arena,
                      const struct isa_graph *const *graphs, size_t graph_count);

#endif
