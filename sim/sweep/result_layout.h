/* The layout of a database of results (doc/results.md): made, extended where an
 * experiment has got new columns, and filled with what the experiment asks for. */
#ifndef SIM_SWEEP_RESULT_LAYOUT_H
#define SIM_SWEEP_RESULT_LAYOUT_H

#include "sim/experiment/expand.h"
#include "traces/results/layout.h"

/* The part of an experiment to be run: each run n for which (n - 1) mod `count` is `index` - 1; 0
 * of 0 is all of it. */
struct sim_shard {
    unsigned index, count; /* index from 1 */
};

/* Begins a transaction that excludes other writers, and makes the database that of the experiment:
 * its columns, points and units. Existing results are kept. */
bool sim_result_layout_begin(struct traces_database *store,
                             const struct sim_experiment *experiment,
                             const struct sim_runs *runs, struct sim_shard shard);

#endif
