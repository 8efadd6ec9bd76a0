/* What `run` and `interp` are as commands: a session from the command line, simulated once
 * with its progress shown, until a signal comes; and the telling of how it ended. */
#ifndef SIM_CLI_EXECUTE_H
#define SIM_CLI_EXECUTE_H

#include "sim/cli/options.h"
#include "sim/session/ending.h"

/* Reads the options of `usage`, runs the program that the first argument names by the
 * engine, and writes: on standard error why it ended without a result, where, and what to
 * do; the files of --stats and --series; and on standard output with --json the object,
 * else the result where there is one and, after a machine's, the table of statistics.
 * Returns the exit status. */
int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine);

#endif
