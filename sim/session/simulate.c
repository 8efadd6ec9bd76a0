#include "sim/session/simulate.h"

#include "sim/session/window.h"

bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags)
{
    *ending = (struct sim_ending){0};
    struct sim_simulation *simulation = sim_simulation_open(config, diags);
    if (!simulation)
        return false;
    sim_window_advance(simulation, NULL, NULL);
    sim_simulation_close(simulation, ending);
    return true;
}
