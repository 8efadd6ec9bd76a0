/* Prepares the database of results of an experiment (doc/results.md): creates it, or adds the
 * columns that the experiment has gained; and stores which runs the experiment asks for. */
#ifndef SIM_SWEEP_RESULT_LAYOUT_H
#define SIM_SWEEP_RESULT_LAYOUT_H

#include "sim/experiment/expand.h"
#include "traces/results/layout.h"

/* Shard: a part of an experiment that one sweep runs. Shard `index` of `count`, from 1, has each
 * run n with (n - 1) mod `count` = `index` - 1. 0 of 0: all runs. */
struct sim_shard {
    unsigned index, count;
};

/* Begins a transaction that excludes other writers. Stores the experiment, its columns with units,
 * the `runs` that it asks for, and their images; keeps results. Returns false if the database
 * fails, or if the type of a column differs there. */
bool sim_result_layout_begin(struct traces_database *store,
                             const struct sim_experiment *experiment,
                             const struct sim_runs *runs, struct sim_shard shard);

#endif
