/* Commands `run` and `interp`: simulate a program from the command line, show progress, stop at a
 * signal, and report how the run ended. */
#ifndef SIM_CLI_EXECUTE_H
#define SIM_CLI_EXECUTE_H

#include "sim/cli/options.h"
#include "sim/session/session.h"

/* Callbacks of a command that runs programs, with options of its own. */
struct sim_execute_more {
    void *own; /* data of usage->parse and of the callbacks */
    /* Checks before the run that all outputs can be written. Reports an error if not. */
    enum sim_status (*check)(const struct sim_options *options, void *own);
    /* Adds to `config` what to observe in the run. */
    void (*observe)(struct sim_simulation_config *config, void *own);
    /* Writes outputs after the run, however it ended. */
    enum sim_status (*deliver)(const struct sim_printer *printer,
                               const struct sim_ending *ending, void *own);
};

/* Runs the program of the first argument with the engine and the options of `usage`. Writes on
 * standard error why it ended without a result, where, and what to do; the files of --stats and
 * --series; on standard output the record as JSON with --json, else the result and for machines the
 * table of statistics. `more` may be NULL. Returns the exit status. */
int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine, const struct sim_execute_more *more);

#endif
