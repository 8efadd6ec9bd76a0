/* Expands an experiment to its runs: all combinations of parameter values that satisfy its
 * conditions, each repeated as often as requested. */
#ifndef SIM_EXPERIMENT_EXPAND_H
#define SIM_EXPERIMENT_EXPAND_H

#include "sim/experiment/experiment.h"

/* Model version in which a run is described to hash the seeds of its repetitions. It stays 1, so
 * that seeds never change. */
enum { SIM_SEED_MODEL = 1 };

/* A run of an experiment; small, as there can be millions. */
struct sim_run {
    uint64_t combination; /* number of the combination of parameter values, from 0 */
    uint64_t seed;
    struct isa_digest identity;
    uint32_t repetition; /* from 1 */
};

enum { SIM_MAX_RUNS = 10000000 };

struct sim_runs {
    LIB_VEC(struct sim_run) list; /* owned; run number i + 1 is list.items[i] */

    /* Number of combinations with runs; of those, without randomness; of those, without randomness
     * even on several PEs. */
    size_t combinations, fixed, plain;
    bool warned; /* a warning about a setting was added */
};

/* Makes the list of runs of an experiment without errors. Returns false and adds a diagnostic if
 * there are none, or too many. If nothing in a combination is random, its repetitions and seeds are
 * one run; a warning says so, unless the only reason is that there is one PE. */
bool sim_expand(const struct sim_experiment *experiment, struct sim_runs *runs,
                struct lib_diags *diags);
void sim_runs_free(struct sim_runs *runs);

/* Complete configuration of a run. Strings and values live in the arena given to sim_settle. */
struct sim_config {
    const struct sim_experiment_program *program;
    const struct sim_entry *entry; /* the program's own parameters, or NULL */
    const struct sim_image *image; /* program as compiled for the settings */
    const struct sim_experiment_machine *machine;
    const char *strategy;
    struct sim_setup setup;
    const char *energy_table;             /* name of the energy table, or NULL */
    const struct sim_window *window;      /* part to measure; NULL: the whole run */
    struct sim_training_options training; /* options, if the run trains a program */
    /* trees to train on; NULL: the program's own */
    const struct sim_experiment_trees *trees;
    /* Files that the training reads. */
    const struct sim_experiment_training *trained;
    struct sim_inputs inputs;
    /* seed of the run; after sim_settle_combination that of the experiment */
    uint64_t seed;
    uint32_t repetition; /* from 1 */
    const struct isa_digest *identity;
};

/* Whether the seed changes a run that does not train: its machine or program uses random
 * numbers. */
bool sim_config_draws(const struct sim_config *config);

void sim_settle(const struct sim_experiment *experiment, const struct sim_run *run,
                struct lib_arena *arena, struct sim_config *config);

/* Sets the configuration of a combination, with the experiment's seed and no identity. */
void sim_settle_combination(const struct sim_experiment *experiment, uint64_t combination,
                            struct lib_arena *arena, struct sim_config *config);

/* Calls `take` with each parameter and its value in a combination: first parameters of all
 * programs, then the program's own, which replace equal ones. */
typedef void sim_value_taker(void *context, const struct sim_param *param,
                             const struct sim_value *value);
void sim_combination_each(const struct sim_experiment *experiment, uint64_t combination,
                          sim_value_taker *take, void *context);

/* Sets the input of a configuration that a parameter names. */
void sim_config_put_input(struct sim_config *config, const struct sim_param *param,
                          const struct sim_value *value);

/* Returns the value of a configuration in a column of a setting, an input or a label (except the
 * run's number). */
struct traces_cell sim_config_cell(const struct sim_config *config,
                                   const struct traces_column *column,
                                   struct lib_arena *arena);

#endif
