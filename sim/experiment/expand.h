/* Expands an experiment into its runs: each combination of parameter values that satisfies the
 * conditions, as often as requested. */
#ifndef SIM_EXPERIMENT_EXPAND_H
#define SIM_EXPERIMENT_EXPAND_H

#include "sim/experiment/experiment.h"
#include "sim/loading/inputs.h"

/* Version of the run descriptions from which the seeds of repetitions are hashed. Stays 1, so that
 * these seeds never change. */
enum { SIM_SEED_MODEL = 1 };

/* One run of an experiment; small, as there can be millions. */
struct sim_run {
    uint64_t combination; /* index of the combination of parameter values */
    uint64_t seed;
    struct isa_digest identity;
    uint32_t repetition; /* number among the runs of this combination, from 1 */
};

enum { SIM_MAX_RUNS = 10000000 };

struct sim_runs {
    LIB_VEC(struct sim_run) list; /* owned; run number n is list.items[n - 1] */

    /* How many combinations of parameter values have runs; how many of these use no random numbers;
     * and how many would use none on several PEs either. */
    size_t combinations, fixed, plain;
    bool warned; /* a warning about a machine setting was added; no second one follows */
};

/* Lists the runs of an experiment that was read without errors. Returns false and adds a diagnostic
 * if there are no runs or more than SIM_MAX_RUNS. Adds a warning if repetitions or seeds make no
 * difference, as nothing is random; and for settings without effect (sim/experiment/effects.h). */
bool sim_expand(const struct sim_experiment *experiment, struct sim_runs *runs,
                struct lib_diags *diags);
void sim_runs_free(struct sim_runs *runs);

/* Complete configuration of a run. Strings and values live in the arena given to sim_settle. */
struct sim_config {
    const struct sim_experiment_program *program;
    const struct sim_entry *entry; /* parameters that only this program has, or NULL */
    const struct sim_image *image; /* the program, compiled for `setup.settings` */
    const struct sim_experiment_machine *machine;
    const char *strategy;
    struct sim_setup setup;
    const char *energy_table;        /* NULL: none */
    const struct sim_window *window; /* part of the run to measure; NULL: all of it */
    struct sim_training_options training; /* used if the run trains a program */
    /* File of examples to train on; NULL: the examples that the program names. */
    const struct sim_experiment_trees *trees;
    /* Files that a training reads; NULL if the run is no training. */
    const struct sim_experiment_training *trained;
    struct sim_inputs inputs;
    /* The run's seed; after sim_settle_combination, the combination's value of `seed`. */
    uint64_t seed;
    uint32_t repetition; /* number among the runs of this combination, from 1 */
    const struct isa_digest *identity;
};

/* Whether machine or program use random numbers, so that the seed affects a simulation. Trainings
 * are not considered: they always use their seed. */
bool sim_config_draws(const struct sim_config *config);

void sim_settle(const struct sim_experiment *experiment, const struct sim_run *run,
                struct lib_arena *arena, struct sim_config *config);

/* Fills in `config` for a combination of parameter values. If `seed` is such a parameter, sets
 * config->seed to its value. Sets `repetition` to 1 and `identity` to NULL. */
void sim_settle_combination(const struct sim_experiment *experiment, uint64_t combination,
                            struct lib_arena *arena, struct sim_config *config);

/* Receives one parameter and the value that it has in a combination of values. */
typedef void sim_value_taker(void *context, const struct sim_param *param,
                             const struct sim_value *value);

/* Calls `take` with each parameter and its value in a combination of values: first the parameters
 * of all programs, then those of the combination's program only, which override the former. */
void sim_combination_each(const struct sim_experiment *experiment, uint64_t combination,
                          sim_value_taker *take, void *context);

/* Prepares the cache of inputs of an experiment, which has an arena. */
void sim_givens_begin(struct sim_experiment *experiment);

/* Sets the program input that `param` names to `value`. */
void sim_config_put_input(const struct sim_experiment *experiment,
                          struct sim_config *config, const struct sim_param *param,
                          const struct sim_value *value);

/* Returns the cell of results for a column that the configuration decides: a setting, input, label,
 * training option, image digest or identity. Empty for other columns, and for the run's number. */
struct traces_cell sim_config_cell(const struct sim_config *config,
                                   const struct traces_column *column,
                                   struct lib_arena *arena);

#endif
