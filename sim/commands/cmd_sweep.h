/* What the sub-commands of `hiaton sweep` have in common: an experiment that was read,
 * and its runs. Each command is called with argv[0] "hiaton sweep CMD". */
#ifndef SIM_COMMANDS_CMD_SWEEP_H
#define SIM_COMMANDS_CMD_SWEEP_H

#include "sim/cli/options.h"
#include "sim/experiment/expand.h"
#include "sim/experiment/override.h"
#include "sim/sweep/result_layout.h"

int sim_sweep_run(int argc, char **argv);
int sim_sweep_list(int argc, char **argv);
int sim_sweep_merge(int argc, char **argv);
int sim_sweep_emit(int argc, char **argv);
int sim_sweep_keys(int argc, char **argv);

/* Which runs of an experiment a command is about. */
struct sim_selection {
    struct sim_shard shard;
    const bool *wanted; /* by place, from 0; NULL: all */
};

/* Whether the run of that number (from 1) is one of them. */
bool sim_selection_has(const struct sim_selection *selection, size_t number);

/* What a command line says of an experiment: the options below, and --shard. Text points
 * into argv; give back with sim_sweep_choice_free. */
struct sim_sweep_choice {
    struct lib_texts sets;   /* KEY=VALUES */
    struct lib_texts inputs; /* NAME=VALUES */
    const char *only;        /* a condition, or NULL */
    struct sim_shard shard;
};

/* Their rows; `at': the place of the struct sim_sweep_choice. */
#define SIM_SWEEP_CHOICE_OPTIONS(at)                                                     \
    SIM_OPTION("set", 's', TEXTS, "KEY=VALUES",                                          \
               at + offsetof(struct sim_sweep_choice, sets),                             \
               "Override a setting for this call; repeatable"),                          \
        SIM_OPTION("input", 0, TEXTS, "NAME=VALUES",                                     \
                   at + offsetof(struct sim_sweep_choice, inputs),                       \
                   "Override an input for this call; repeatable"),                       \
        SIM_OPTION("only", 0, TEXT, "CONDITION",                                         \
                   at + offsetof(struct sim_sweep_choice, only),                         \
                   "Only the runs for which it holds"),                                  \
        SIM_TAKEN_BY("shard", "I/N", at + offsetof(struct sim_sweep_choice, shard),      \
                     sim_shard_take, "Only each N-th run, from the I-th on")
bool sim_shard_take(void *shard, const char *text, struct lib_text *why);
void sim_sweep_choice_free(struct sim_sweep_choice *choice);

/* Owns all it holds. */
struct sim_sweep {
    struct lib_arena *arena;
    struct sim_experiment experiment;
    struct sim_runs runs;
    struct sim_selection selection;
    bool *wanted; /* of the selection */
};

/* Reads the experiment at `path`, checks all of it, and makes its runs. `choice` may be NULL.
 * Errors are told; SIM_DONE where all is well. Give back with sim_sweep_close in either case. */
enum sim_status sim_sweep_open(struct sim_sweep *sweep, const char *path,
                               const struct sim_sweep_choice *choice,
                               const struct sim_voice *voice);
void sim_sweep_close(struct sim_sweep *sweep);

#endif
