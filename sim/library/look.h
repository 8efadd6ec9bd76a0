/* Looking at a simulation, as hosts do (sim/hiaton.h). */
#ifndef SIM_LIBRARY_LOOK_H
#define SIM_LIBRARY_LOOK_H

#include "sim/hiaton.h"
#include "sim/session/simulation.h"

/* Says how far a simulation is. */
void sim_library_progress(const struct sim_simulation *simulation,
                          struct hiaton_progress *progress);

#endif
