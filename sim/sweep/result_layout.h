/* Lays out the database of results of an experiment (doc/results.md): creates it, or adds columns
 * that the experiment has gained; and enters the runs that the experiment asks for. */
#ifndef SIM_SWEEP_RESULT_LAYOUT_H
#define SIM_SWEEP_RESULT_LAYOUT_H

#include "sim/experiment/expand.h"
#include "traces/results/layout.h"

/* Part of an experiment to run here: each run n with (n - 1) mod `count` = `index` - 1. 0 of 0: all
 * runs. */
struct sim_shard {
    unsigned index, count;
};

/* Begins a transaction that excludes other writers. Gives the database the columns, requested runs
 * and units of the experiment; keeps results. Returns false if the database fails. */
bool sim_result_layout_begin(struct traces_database *store,
                             const struct sim_experiment *experiment,
                             const struct sim_runs *runs, struct sim_shard shard);

#endif
