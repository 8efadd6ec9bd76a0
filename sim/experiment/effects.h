/* Finds settings in an experiment file that affect none of the experiment's runs, such as tag.bits
 * if tag.scheme is always path. */
#ifndef SIM_EXPERIMENT_EFFECTS_H
#define SIM_EXPERIMENT_EFFECTS_H

#include "sim/experiment/expand.h"

/* Settings that have affected no run so far. Start with {0}: the first sim_effects_look enters all
 * settings of the experiment. Free with sim_effects_free. */
struct sim_effects {
    bool has_begun;
    LIB_VEC(struct sim_effect) open;
};

/* Removes from `effects` each setting that affects runs with the configuration `config`. */
void sim_effects_look(struct sim_effects *effects,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config);

/* Adds a warning for each setting that affects no run, at its place in the file. */
void sim_effects_warn(const struct sim_effects *effects,
                      const struct sim_experiment *experiment, struct lib_diags *diags);
void sim_effects_free(struct sim_effects *effects);

#endif
