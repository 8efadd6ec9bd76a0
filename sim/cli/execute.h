/* What `run` and `interp` are as commands: a session from the command line, simulated once
 * with its progress shown, until a signal comes; and the telling of how it ended. */
#ifndef SIM_CLI_EXECUTE_H
#define SIM_CLI_EXECUTE_H

#include "sim/cli/options.h"
#include "sim/session/session.h"

/* What a command does beyond that, with options of its own. */
struct sim_execute_more {
    void *own; /* what usage->parse fills, and the functions get */
    /* Before anything runs: whether all can be delivered; it is said if not. */
    enum sim_status (*check)(const struct sim_options *options, void *own);
    /* What the run of a session shall be observed for. */
    void (*observe)(struct sim_simulation_config *config, void *own);
    /* Of a run that has ended, however it did. */
    enum sim_status (*deliver)(const struct sim_voice *voice,
                               const struct sim_ending *ending, void *own);
};

/* Reads the options of `usage`, runs the program that the first argument names by the
 * engine, and writes: on standard error why it ended without a result, where, and what to
 * do; the files of --stats and --series; and on standard output with --json the object,
 * else the result where there is one and, after a machine's, the table of statistics.
 * `more`: NULL if that is all. Returns the exit status. */
int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine, const struct sim_execute_more *more);

#endif
