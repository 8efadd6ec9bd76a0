/* What the sub-commands of `hiaton sweep` have in common: an experiment that was read,
 * and its runs. Each command is called with argv[0] "hiaton sweep CMD". */
#ifndef SIM_COMMANDS_CMD_SWEEP_H
#define SIM_COMMANDS_CMD_SWEEP_H

#include "sim/cli/options.h"
#include "sim/experiment/expand.h"
#include "sim/sweep/result_layout.h"

int sim_sweep_run(int argc, char **argv);
int sim_sweep_list(int argc, char **argv);
int sim_sweep_merge(int argc, char **argv);
int sim_sweep_emit(int argc, char **argv);
int sim_sweep_keys(int argc, char **argv);

/* Owns all it holds. */
struct sim_sweep {
    struct lib_arena *arena;
    struct sim_experiment experiment;
    struct sim_runs runs;
};

/* Reads the experiment at `path`, checks all of it, and makes its runs. Errors are told;
 * SIM_DONE where all is well. Give back with sim_sweep_close in either case. */
enum sim_status sim_sweep_open(struct sim_sweep *sweep, const char *path,
                               const struct sim_voice *voice);
void sim_sweep_close(struct sim_sweep *sweep);

/* The option --shard=I/N. */
#define SIM_SHARD_OPTION(key)                                                            \
    {                                                                                    \
        "shard", key, "I/N", 0, "Only each N-th run, from the I-th on", 0                \
    }
struct sim_shard sim_shard_parse(const char *text, const char *command);

/* Whether the run of that number (from 1) is in the shard. */
bool sim_shard_has(struct sim_shard shard, size_t number);

#endif
