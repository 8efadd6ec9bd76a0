/* What a command line says in the place of an experiment's file, for one call: values of
 * settings and of inputs. The runs are then those of a file that says so. */
#ifndef SIM_EXPERIMENT_OVERRIDE_H
#define SIM_EXPERIMENT_OVERRIDE_H

#include "sim/experiment/experiment.h"

/* Borrowed, as long as the experiment. Values are written as for `hiaton compare`
 * (sim/values/lists.h). */
struct sim_overrides {
    const char *const *sets; /* KEY=VALUES; the last of a key holds */
    size_t set_count;
    const char *const *inputs; /* NAME=VALUES */
    size_t input_count;
};

/* Changes an experiment whose programs are loaded, and that has no mistakes so far. A setting
 * holds for all programs, an input for those that have it. What varies keeps its place in the
 * order of runs; what is new varies fastest, or, of some programs alone, as their own. */
void sim_overrides_apply(const struct sim_overrides *overrides,
                         struct sim_experiment *experiment, struct lib_diags *diags);

#endif
