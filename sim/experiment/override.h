/* Values of settings and inputs on the command line, which replace those of an experiment file as
 * if they were in the file. */
#ifndef SIM_EXPERIMENT_OVERRIDE_H
#define SIM_EXPERIMENT_OVERRIDE_H

#include "sim/experiment/experiment.h"

/* Values on the command line, in the syntax of `hiaton compare` (sim/values/lists.h). Borrowed as
 * long as the experiment exists. */
struct sim_overrides {
    const char *const *sets; /* each KEY=VALUES; of equal keys the last counts */
    size_t set_count;
    const char *const *inputs; /* each NAME=VALUES */
    size_t input_count;
};

/* Applies overrides to an experiment whose programs are loaded and that has no errors so far. A
 * setting replaces the setting of all programs; an input replaces the input of each program that
 * has it. A parameter that the file gives keeps its place in the order of runs. A new one varies
 * fastest; an input that only some programs have becomes a parameter of these programs only. */
void sim_overrides_apply(const struct sim_overrides *overrides,
                         struct sim_experiment *experiment, struct lib_diags *diags);

#endif
