/* A run in one call. */
#ifndef SIM_SESSION_SIMULATE_H
#define SIM_SESSION_SIMULATE_H

#include "sim/session/simulation.h"

/* Opens, advances to the end or until it is stopped, and closes. false: it could not be
 * opened; then `ending` is all zero. */
bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags);

#endif
