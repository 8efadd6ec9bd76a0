/* One combination of an experiment after the other, spelled out: what differs from the one
 * before is settled, and no more. For those who look at all runs of a large experiment. */
#ifndef SIM_EXPERIMENT_WALK_H
#define SIM_EXPERIMENT_WALK_H

#include "sim/experiment/expand.h"

struct sim_walk;

/* The experiment is borrowed. Give back with sim_walk_free. */
struct sim_walk *sim_walk_new(const struct sim_experiment *experiment);
void sim_walk_free(struct sim_walk *walk);

/* Returns a combination with the seed that the experiment gives, and without an identity. Valid
 * until the next call. */
const struct sim_config *sim_walk_to(struct sim_walk *walk, uint64_t combination);

/* Returns a run with its seed and identity, as sim_settle makes it. Valid until the next call. */
const struct sim_config *sim_walk_to_run(struct sim_walk *walk,
                                         const struct sim_run *run);

#endif
