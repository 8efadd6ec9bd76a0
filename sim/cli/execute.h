/* Commands `run` and `interp`: simulate a program from the command line, show progress, stop at a
 * signal, and report how the run ended. */
#ifndef SIM_CLI_EXECUTE_H
#define SIM_CLI_EXECUTE_H

#include "sim/cli/options.h"
#include "sim/session/session.h"

/* Callbacks of a command that runs programs, with options of its own. */
struct sim_execute_more {
    void *own; /* values of the command's own options, for the callbacks */
    /* Checks before the run that all outputs can be written. Reports an error if not. */
    enum sim_status (*check)(const struct sim_options *options, void *own);
    /* Adds to `config` what to observe in the run. */
    void (*observe)(struct sim_simulation_config *config, void *own);
    /* Writes outputs after the run, however it ended. */
    enum sim_status (*deliver)(const struct sim_printer *printer,
                               const struct sim_ending *ending, void *own);
};

/* Runs the program that the first argument names, and writes
 * - to standard output, with --json the record of the run, else the result and, if a machine ran
 *   it, a table of statistics;
 * - the files of --stats and --series;
 * - to standard error, if there is no result, why and where the run ended, and what to do.
 * `usage` has the options of the command; `more` may be NULL. Returns the exit status. */
int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine, const struct sim_execute_more *more);

#endif
