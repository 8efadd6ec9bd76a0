/* Identities of runs: a digest of all that a run depends on, and of what is stored and measured of
 * it. Runs with the same identity are the same run (doc/experiments.md). */
#ifndef SIM_EXPERIMENT_IDENTITY_H
#define SIM_EXPERIMENT_IDENTITY_H

#include "sim/experiment/expand.h"

/* Appends a text of all that a run depends on, except its seed. `model` is the version of the text:
 * SIM_MODEL_VERSION for identities, or SIM_SEED_MODEL for seeds. Details that an experiment stores,
 * other than series, appear only if there are any, and never for SIM_SEED_MODEL: so older
 * identities and seeds remain as they were. */
void sim_identity_describe(const struct sim_experiment *experiment,
                           const struct sim_config *config, unsigned model,
                           struct lib_text *out);

/* Returns the seed of a repetition: a hash of `text`, the configured seed and the repetition; or
 * the configured seed if the experiment does not repeat. `text` is the run's description by
 * SIM_SEED_MODEL; empty to give all runs of a repetition the same seed. */
uint64_t sim_identity_draw_seed(const struct sim_experiment *experiment,
                                const struct sim_config *config, uint32_t repetition,
                                struct lib_text *text);

/* Returns the digest of a description and a seed. `seed` is NULL if the run uses no random
 * numbers. */
struct isa_digest sim_identity_of(struct lib_text *description, const uint64_t *seed);

/* Whether `identity`, a digest as text, can be the identity of the run that `config` describes by
 * image, strategy, setup, window, inputs and seed. False for trainings. Which details and analyses
 * were stored is unknown: tries all choices of details, with analyses `measures` and with none. */
bool sim_identity_fits(const struct sim_config *config,
                       const struct sim_measures *measures, const char *identity);

#endif
