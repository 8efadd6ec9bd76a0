/* Settings that an experiment gives and that change nothing in any of its runs, such as tag.bits
 * where tag.scheme is path in all of them: their rows would be equal. */
#ifndef SIM_EXPERIMENT_EFFECTS_H
#define SIM_EXPERIMENT_EFFECTS_H

#include "sim/experiment/expand.h"

/* Start with {0}; free with sim_effects_free. */
struct sim_effects {
    bool has_begun;
    LIB_VEC(struct sim_effect) open; /* settings that had no effect in any run so far */
};

/* Looks at one combination that has runs. */
void sim_effects_look(struct sim_effects *effects,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config);

/* Warns of each setting that had no effect in any combination, where the experiment gives it. */
void sim_effects_warn(const struct sim_effects *effects,
                      const struct sim_experiment *experiment, struct lib_diags *diags);
void sim_effects_free(struct sim_effects *effects);

#endif
