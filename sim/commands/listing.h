/* Lists the runs of an experiment as a table. A row has the number of a run and the parameters in
 * which runs differ. The table is written in pieces, as an experiment may have millions of runs. */
#ifndef SIM_COMMANDS_LISTING_H
#define SIM_COMMANDS_LISTING_H

#include "sim/commands/cmd_sweep.h"

enum sim_listing_detail {
    SIM_LISTING_SHORT,
    SIM_LISTING_LONG, /* as SHORT, with columns for the seed and identity of each run */
};

/* Calls `put` for each piece of the table, in order. */
void sim_listing_write(const struct sim_experiment *experiment,
                       const struct sim_runs *runs, const struct sim_selection *selection,
                       enum sim_listing_detail detail,
                       void (*put)(const struct lib_text *piece, void *context),
                       void *context);

#endif
