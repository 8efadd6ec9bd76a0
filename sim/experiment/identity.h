/* Identities of runs: a digest of all that a run depends on, and of what is stored and measured of
 * it. Runs with the same identity are the same run (doc/experiments.md). */
#ifndef SIM_EXPERIMENT_IDENTITY_H
#define SIM_EXPERIMENT_IDENTITY_H

#include "sim/experiment/expand.h"

/* Appends all that a run depends on, except its seed, as version `model` spells it. Stored details
 * other than series appear only if there are any, and not if `model` is SIM_SEED_MODEL, so that
 * older seeds and identities still hold. */
void sim_identity_describe(const struct sim_experiment *experiment,
                           const struct sim_config *config, unsigned model,
                           struct lib_text *out);

/* Returns the seed of a repetition: a hash of `text`, the configured seed and the repetition; or
 * the configured seed if the experiment does not repeat. */
uint64_t sim_identity_draw_seed(const struct sim_experiment *experiment,
                                const struct sim_config *config, uint32_t repetition,
                                struct lib_text *text);

/* Returns the digest of a description and a seed. `seed` is NULL if the run uses no random
 * numbers. */
struct isa_digest sim_identity_of(struct lib_text *description, const uint64_t *seed);

/* Whether a run that is no training can have this identity in this version of the simulator. Uses
 * image, strategy, setup, window, inputs and seed of `config`. Tries all choices of stored details,
 * each with `measures` and without any. */
bool sim_identity_fits(const struct sim_config *config,
                       const struct sim_measures *measures, const char *identity);

#endif
