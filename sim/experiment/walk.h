/* Makes the configurations of many runs of a large experiment one after another. Each call
 * recomputes only what differs from the configuration before. */
#ifndef SIM_EXPERIMENT_WALK_H
#define SIM_EXPERIMENT_WALK_H

#include "sim/experiment/expand.h"

struct sim_walk;

/* Borrows the experiment. Free with sim_walk_free. */
struct sim_walk *sim_walk_new(const struct sim_experiment *experiment);
void sim_walk_free(struct sim_walk *walk);

/* Returns the configuration for a combination of parameter values, with the experiment's seed and
 * without an identity. Valid until the next call. */
const struct sim_config *sim_walk_to(struct sim_walk *walk, uint64_t combination);

/* Returns the configuration of a run, with its seed and identity. Valid until the next call. */
const struct sim_config *sim_walk_to_run(struct sim_walk *walk,
                                         const struct sim_run *run);

#endif
