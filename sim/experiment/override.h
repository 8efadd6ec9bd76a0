/* Values of settings and inputs on the command line that replace those of an experiment file. The
 * runs equal those of a file with these values. */
#ifndef SIM_EXPERIMENT_OVERRIDE_H
#define SIM_EXPERIMENT_OVERRIDE_H

#include "sim/experiment/experiment.h"

/* Overrides; borrowed as long as the experiment. Values are written as for `hiaton compare`
 * (sim/values/lists.h). */
struct sim_overrides {
    const char *const *sets; /* KEY=VALUES; of equal keys the last counts */
    size_t set_count;
    const char *const *inputs; /* NAME=VALUES */
    size_t input_count;
};

/* Changes an experiment whose programs are loaded and that has no errors so far. A setting affects
 * all programs, an input those that have it. A parameter that varied before keeps its place in the
 * order of runs; a new one varies fastest, or becomes a program's own parameter if only some
 * programs have it. */
void sim_overrides_apply(const struct sim_overrides *overrides,
                         struct sim_experiment *experiment, struct lib_diags *diags);

#endif
