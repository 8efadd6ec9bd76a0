/* Shared by the commands of `hiaton sweep`: an experiment and its runs. Each command is called with
 * argv[0] "hiaton sweep CMD". */
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

/* Runs of an experiment to which a command applies. */
struct sim_selection {
    struct sim_shard shard;
    const bool *wanted; /* for each run from 0: whether it is wanted; NULL: all are */
};

/* Whether run `number` (from 1) is selected. */
bool sim_selection_has(const struct sim_selection *selection, size_t number);

/* Options that change or select an experiment's runs. Strings point into argv. Free with
 * sim_sweep_choice_free. */
struct sim_sweep_choice {
    struct lib_texts sets;    /* settings KEY=VALUES */
    struct lib_text optimise; /* owns what --optimise adds to `sets` */
    struct lib_texts inputs;  /* inputs NAME=VALUES */
    const char *only;         /* condition for the runs to make, or NULL */
    struct sim_shard shard;
};

#define SIM_SWEEP_CHOICE_OPTIONS(at)                                                     \
    SIM_OPTION("set", 's', TEXTS, "KEY=VALUES",                                          \
               at + offsetof(struct sim_sweep_choice, sets),                             \
               "Override a setting for this call; repeatable"),                          \
        SIM_OPTIMISE(at, sim_sweep_take_optimise),                                       \
        SIM_OPTION("input", 0, TEXTS, "NAME=VALUES",                                     \
                   at + offsetof(struct sim_sweep_choice, inputs),                       \
                   "Override an input for this call; repeatable"),                       \
        SIM_OPTION("only", 0, TEXT, "CONDITION",                                         \
                   at + offsetof(struct sim_sweep_choice, only),                         \
                   "Only the runs for which it holds"),                                  \
        SIM_TAKEN_BY("shard", "I/N", at + offsetof(struct sim_sweep_choice, shard),      \
                     sim_shard_take, "Only each N-th run, from the I-th on")
bool sim_sweep_take_optimise(void *choice, const char *text, struct lib_text *why);
bool sim_shard_take(void *shard, const char *text, struct lib_text *why);
void sim_sweep_choice_free(struct sim_sweep_choice *choice);

/* Experiment with its runs. Owns all it holds. */
struct sim_sweep {
    struct lib_arena *arena;
    struct sim_experiment experiment;
    struct sim_runs runs;
    struct sim_selection selection;
    bool *wanted; /* storage of selection.wanted, owned */
};

/* Reads and checks the experiment at `path`, and makes the list of its runs. `choice` may be NULL.
 * Reports errors; returns SIM_DONE if there were none. Call sim_sweep_close even then. */
enum sim_status sim_sweep_open(struct sim_sweep *sweep, const char *path,
                               const struct sim_sweep_choice *choice,
                               const struct sim_printer *printer);
void sim_sweep_close(struct sim_sweep *sweep);

#endif
