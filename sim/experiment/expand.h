/* Expands an experiment to its runs: the combinations of its axes for which its conditions hold,
 * each repeated, in the order of the experiment. */
#ifndef SIM_EXPERIMENT_EXPAND_H
#define SIM_EXPERIMENT_EXPAND_H

#include "sim/experiment/experiment.h"

/* The version of the model, part of every identity. Raise it with any change that changes the
 * measurements of an existing run.
 *
 * 2: copy.placement is `placed` where nothing is said; queue_stalls counts a cycle once; a
 *    part of the result that comes twice is a trap; occupancy and working_pes are measured;
 *    the instructions of the start wait for no room; limits.tokens is exact; the peaks of an
 *    executor count its last moment, its result_cycle is that of the last part of the result,
 *    and a loop there goes on beyond its bound; a copy that is late is late by its own delay
 *    alone. The seed is no part of the identity where nothing draws.
 * 3: result_cycle of an array is when its last element was there, not when the array was.
 *
 * Seeds are always drawn from the text of model 1, so that they never change. */
enum { SIM_SEED_MODEL = 1 };

/* A run. It is small, since there can be millions. */
struct sim_run {
    uint64_t combination; /* number of the combination of all axes, from 0 */
    uint64_t seed;
    struct isa_digest identity;
    uint32_t repetition; /* from 1 */
};

enum { SIM_MAX_RUNS = 10000000 };

struct sim_runs {
    LIB_VEC(struct sim_run) list; /* number i + 1 is list.items[i]; owned */

    /* Combinations with runs; those among them without anything random; those that are also said to
     * be so. */
    size_t combinations, fixed, plain;
    bool warned; /* a setting got a warning */
};

/* Finds all runs of an experiment without mistakes. Returns false after an error: there are none,
 * or too many. If nothing is random, all repetitions and seeds of a combination have one identity;
 * this is a warning, unless the only reason is that there is one PE. */
bool sim_expand(const struct sim_experiment *experiment, struct sim_runs *runs,
                struct lib_diags *diags);
void sim_runs_free(struct sim_runs *runs);

/* The complete configuration of a run. Texts and values live in the arena given to sim_settle. */
struct sim_config {
    const struct sim_experiment_program *program;
    const struct sim_entry *entry; /* item whose own parameters it has, or NULL */
    const struct sim_image *image; /* image of the program for the settings */
    const struct sim_experiment_machine *machine;
    const char *strategy;
    struct sim_setup setup;
    const char *energy_table;                 /* name of the table, or NULL */
    const struct sim_window *window;          /* NULL for the whole run */
    struct sim_training_options training;     /* if runs are trainings */
    const struct sim_experiment_trees *trees; /* trees; NULL for those of the program */
    /* Data of the program for these trees. */
    const struct sim_experiment_training *trained;
    struct sim_inputs inputs;
    uint64_t seed;       /* seed of the run, if it comes from sim_settle */
    uint32_t repetition; /* from 1 */
    const struct isa_digest *identity;
};

/* Whether the seed of a run that is no training changes anything: its machine draws, or params
 * do. */
bool sim_config_draws(const struct sim_config *config);

void sim_settle(const struct sim_experiment *experiment, const struct sim_run *run,
                struct lib_arena *arena, struct sim_config *config);

/* Sets the configuration of a combination, with the seed of the experiment, and no identity. */
void sim_settle_combination(const struct sim_experiment *experiment, uint64_t combination,
                            struct lib_arena *arena, struct sim_config *config);

/* Calls `take` with each parameter of a combination and its value there: first those of all
 * programs, then those that its program has of its own, which take the place of the others. */
typedef void sim_value_taker(void *context, const struct sim_param *param,
                             const struct sim_value *value);
void sim_combination_each(const struct sim_experiment *experiment, uint64_t combination,
                          sim_value_taker *take, void *context);

/* Sets an input of a configuration to the value of a parameter. */
void sim_config_put_input(struct sim_config *config, const struct sim_param *param,
                          const struct sim_value *value);

/* Returns the cell of a label (except the number), setting or input of a configuration. */
struct traces_cell sim_config_cell(const struct sim_config *config,
                                   const struct traces_column *column,
                                   struct lib_arena *arena);

#endif
