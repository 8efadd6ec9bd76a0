/* From an experiment to its runs: the combinations of its axes for which its conditions
 * hold, each repeated, in the order of the experiment. */
#ifndef SIM_EXPERIMENT_EXPAND_H
#define SIM_EXPERIMENT_EXPAND_H

#include "sim/experiment/experiment.h"

/* What a run measures depends on this version of the model, which is part of every
 * identity: to be raised by any change that changes what an existing run measures.
 *
 * 2: copy.placement is `placed` where nothing is said; queue_stalls counts a cycle once; a
 *    part of the result that comes twice is a trap; occupancy and working_pes are measured;
 *    the instructions of the start wait for no room; limits.tokens is exact; the peaks of an
 *    executor count its last moment, its result_cycle is that of the last part of the result,
 *    and a loop there goes on beyond its bound; a copy that is late is late by its own delay
 *    alone. The seed is no part of the identity where nothing draws.
 * 3: result_cycle of an array is when its last element was there, not when the array was.
 *
 * Seeds are drawn from the text of model 1 for ever, so that they stay what they are. */
enum { SIM_SEED_MODEL = 1 };

/* A run, as small as can be: there may be millions. */
struct sim_run {
    uint64_t combination; /* of all axes, from 0 */
    uint64_t seed;
    struct isa_digest identity;
    uint32_t repetition; /* from 1 */
};

enum { SIM_MAX_RUNS = 10000000 };

struct sim_runs {
    LIB_VEC(struct sim_run)
    list; /* owned; number i+1 of the experiment is list.items[i] */
    /* Combinations with runs; of these those where nothing is random; and is said to be. */
    size_t combinations, fixed, plain;
    bool warned; /* of a setting */
};

/* All runs of an experiment without mistakes. false after an error: none, or too many. Where
 * nothing is random, all repetitions and seeds of a combination have one identity; and unless
 * that is so only as there is one PE, it is a warning. */
bool sim_expand(const struct sim_experiment *experiment, struct sim_runs *runs,
                struct lib_diags *diags);
void sim_runs_free(struct sim_runs *runs);

/* What a run is, spelled out. Text and values live in the arena given to sim_settle. */
struct sim_config {
    const struct sim_experiment_program *program;
    const struct sim_entry *entry; /* whose parameters it has besides; or NULL */
    const struct sim_image *image; /* of the program, as the settings compile it */
    const struct sim_experiment_machine *machine;
    const char *strategy;
    struct sim_setup setup;
    const char *energy_table;                 /* as it was named; NULL: none */
    const struct sim_window *window;          /* NULL: all of the run */
    struct sim_training_options training;     /* where runs are trainings */
    const struct sim_experiment_trees *trees; /* and their trees; NULL: of the program */
    const struct sim_experiment_training *trained; /* what the program has for them */
    struct sim_inputs inputs;
    uint64_t seed;       /* the run's own, if it comes from sim_settle */
    uint32_t repetition; /* from 1 */
    const struct isa_digest *identity;
};

/* Whether the seed of a run that is no training changes anything: its machine draws, or params
 * do. */
bool sim_config_draws(const struct sim_config *config);

void sim_settle(const struct sim_experiment *experiment, const struct sim_run *run,
                struct lib_arena *arena, struct sim_config *config);

/* A combination, with the seed that the experiment gives, and no identity. */
void sim_settle_combination(const struct sim_experiment *experiment, uint64_t combination,
                            struct lib_arena *arena, struct sim_config *config);

/* Calls `take` with each parameter of a combination and its value there: first those of all
 * programs, then those that its program has of its own, which take the place of the others. */
typedef void sim_value_taker(void *context, const struct sim_param *param,
                             const struct sim_value *value);
void sim_combination_each(const struct sim_experiment *experiment, uint64_t combination,
                          sim_value_taker *take, void *context);

/* Gives an input of the configuration the value that a parameter has there. */
void sim_config_put_input(struct sim_config *config, const struct sim_param *param,
                          const struct sim_value *value);

/* What stands in a label (but for the number), setting or input of a configuration. */
struct traces_cell sim_config_cell(const struct sim_config *config,
                                   const struct traces_column *column,
                                   struct lib_arena *arena);

#endif
