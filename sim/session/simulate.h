/* Runs a program in one call. */
#ifndef SIM_SESSION_SIMULATE_H
#define SIM_SESSION_SIMULATE_H

#include "sim/session/simulation.h"

/* Opens a simulation, advances it until it ends or is stopped, and closes it. Returns false and
 * adds diagnostics if it cannot be opened; then `ending` is all zero. */
bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags);

#endif
