/* Identities of runs: a digest of all that a run depends on, and of what is kept and measured of
 * it. Two runs with one identity are one run (doc/experiments.md). */
#ifndef SIM_EXPERIMENT_IDENTITY_H
#define SIM_EXPERIMENT_IDENTITY_H

#include "sim/experiment/expand.h"

/* Adds all that a run depends on, except its seed, in the words of a version of the model. Details
 * other than series are younger: they change no seed, nor the identity of runs without them. */
void sim_identity_describe(const struct sim_experiment *experiment,
                           const struct sim_config *config, unsigned model,
                           struct lib_text *out);

/* Returns the seed of a repetition. `text`: what the seeds of a combination are drawn from, besides
 * the repetition. */
uint64_t sim_identity_draw_seed(const struct sim_experiment *experiment,
                                const struct sim_config *config, uint32_t repetition,
                                struct lib_text *text);

/* Returns the identity of a description. `seed`: NULL if the run draws nothing. */
struct isa_digest sim_identity_of(struct lib_text *description, const uint64_t *seed);

/* Whether a stored run, which does not train, can have an identity of this version of the model.
 * It reads the image, strategy, setup, window, inputs and seed of the configuration. All choices
 * of kept details are tried, each with `measures` and without any. */
bool sim_identity_fits(const struct sim_config *config,
                       const struct sim_measures *measures, const char *identity);

#endif
