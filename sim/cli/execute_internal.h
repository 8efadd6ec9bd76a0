/* A command that runs a program, as its two files see it: execute.c opens and simulates,
 * execute_deliver.c says how the run ended and writes what was asked for. */
#ifndef SIM_CLI_EXECUTE_INTERNAL_H
#define SIM_CLI_EXECUTE_INTERNAL_H

#include "sim/cli/execute.h"
#include "sim/cli/open.h"
#include "sim/cli/ports.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* A command that runs. */
struct sim_execute_command {
    const struct sim_options *options;
    const struct sim_execute_more *more; /* or NULL */
    enum sim_engine engine;
    struct sim_session *session;
    struct sim_opened opened;       /* what the command line says, */
    struct sim_recording recording; /* or --from */
    struct sim_recorder *recorder;  /* --record; NULL: not asked for */
    struct sim_tracer *tracer;      /* --trace; NULL: not asked for */
    struct sim_ports ports;         /* --port */
};

enum sim_tone { SIM_AS_ERROR, SIM_AS_WARNING };

/* Reports an error or a warning at a place in the program: with a caret where the source is at
 * hand. */
void sim_execute_tell_at(const struct sim_execute_command *c, struct lib_pos pos,
                         const char *text, enum sim_tone tone);

/* Reports how a run ended, completes its recording and its file of events, and writes all that was
 * asked for. Returns the status of the command. */
enum sim_status sim_execute_finish(const struct sim_execute_command *c,
                                   struct sim_ending *ending);

#endif
