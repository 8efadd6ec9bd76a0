/* Finds settings in an experiment file that affect none of its runs, such as tag.bits if tag.scheme
 * is always path. Their rows of results would be equal. */
#ifndef SIM_EXPERIMENT_EFFECTS_H
#define SIM_EXPERIMENT_EFFECTS_H

#include "sim/experiment/expand.h"

/* Settings that may need a warning. Start with {0}; free with sim_effects_free. */
struct sim_effects {
    bool has_begun;
    LIB_VEC(struct sim_effect) open; /* settings without effect in all runs so far */
};

/* Removes settings that affect the runs of `config` from the candidates. */
void sim_effects_look(struct sim_effects *effects,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config);

/* Warns of each setting that affects no run, at its place in the file. */
void sim_effects_warn(const struct sim_effects *effects,
                      const struct sim_experiment *experiment, struct lib_diags *diags);
void sim_effects_free(struct sim_effects *effects);

#endif
