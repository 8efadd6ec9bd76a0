/* The parameters of an experiment, as its file gives them: settings, inputs, grid, zip and
 * the keys that are parameters themselves. What their values mean is checked as far as
 * no program is needed for it. */
#ifndef SIM_EXPERIMENT_PARAMS_H
#define SIM_EXPERIMENT_PARAMS_H

#include "sim/experiment/experiment.h"

/* Where a parameter stands decides which it may be. */
enum sim_params_place {
    SIM_PARAMS_TOP,      /* program, strategy, machine, seed, window, energy */
    SIM_PARAMS_SETTINGS, /* settings.KEY */
    SIM_PARAMS_INPUTS,   /* inputs.NAME */
    SIM_PARAMS_LIMITS,   /* limits.KEY, which are settings */
    SIM_PARAMS_GRID,     /* all */
};

/* Reads the parameters that entry `i` of the file gives. */
void sim_params_read(struct lib_fields *r, size_t i, enum sim_params_place place,
                     struct sim_experiment *experiment);

/* Reads `zip`: a mapping, or a list of mappings. */
void sim_params_read_zip(struct lib_fields *r, size_t i,
                         struct sim_experiment *experiment);

/* Adds what every run has and the file does not give. */
void sim_params_complete(struct sim_experiment *experiment);

#endif
