/* A session: what `run` and `interp` have in common - a program with its inputs, a
 * configuration, and the telling of how it ended. */
#ifndef SIM_SESSION_H
#define SIM_SESSION_H

#include "isa/exec.h"
#include "sim/load.h"
#include "sim/options.h"
#include "sim/record.h"
#include "sim/setup.h"

/* Owns all it holds; give back with sim_session_close, also after a failure to open. */
struct sim_session {
    const struct sim_options *options; /* borrowed */
    struct lib_arena *arena;
    struct sim_program program;
    struct sim_setup setup;
    struct sim_inputs inputs;
    struct isa_code *code;
    struct isa_digest image_digest;
    double prepare_seconds; /* of the host: from file to code */
};

/* Loads the program that the first argument names, its inputs from the others, and the
 * configuration. Errors are told; SIM_DONE where all is well. */
enum sim_status sim_session_open(struct sim_session *session,
                                 const struct sim_options *options);
void sim_session_close(struct sim_session *session);

/* What `run` and `interp` are: the options of `usage` are read, a session is opened, and
 * `execute` is called with it, interruptible. Returns the exit status. */
int sim_session_main(int argc, char **argv, const struct sim_usage *usage,
                     enum sim_status (*execute)(const struct sim_session *session));

/* Says on standard error why a run ended without a result, where, and what to do; writes
 * the files of --stats and --series; and writes standard output: with --json the object,
 * else the result where there is one and, after a machine's, the table of statistics.
 * Returns the exit status. */
enum sim_status sim_session_finish(const struct sim_session *session,
                                   const struct sim_record *record);

#endif
