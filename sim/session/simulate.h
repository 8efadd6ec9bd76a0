/* Runs a program in one call. */
#ifndef SIM_SESSION_SIMULATE_H
#define SIM_SESSION_SIMULATE_H

#include "sim/session/simulation.h"

/* Opens a simulation, advances it until it ends or is stopped, and closes it. If it cannot be
 * opened, returns false, adds diagnostics and zeroes `ending`. */
bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags);

#endif
