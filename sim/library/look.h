/* Progress of a simulation, for callers of the library (sim/hiaton.h). */
#ifndef SIM_LIBRARY_LOOK_H
#define SIM_LIBRARY_LOOK_H

#include "sim/hiaton.h"
#include "sim/session/simulation.h"

/* Sets `progress` to the work done so far and the limits. */
void sim_library_progress(const struct sim_simulation *simulation,
                          struct hiaton_progress *progress);

#endif
