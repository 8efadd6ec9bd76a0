/* Creates the database of results of an experiment (doc/results.md), adds columns that the
 * experiment has gained, and enters the runs that it wants. */
#ifndef SIM_SWEEP_RESULT_LAYOUT_H
#define SIM_SWEEP_RESULT_LAYOUT_H

#include "sim/experiment/expand.h"
#include "traces/results/layout.h"

/* Shard: the part of an experiment to run here. It has each run n for which (n - 1) mod `count` is
 * `index` - 1. 0 of 0: all runs. */
struct sim_shard {
    unsigned index, count;
};

/* Begins a transaction that excludes other writers, and gives the database the columns, points and
 * units of the experiment. Existing results are kept. */
bool sim_result_layout_begin(struct traces_database *store,
                             const struct sim_experiment *experiment,
                             const struct sim_runs *runs, struct sim_shard shard);

#endif
