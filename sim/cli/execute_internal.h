/* Shared by the two files of a command that runs a program: execute.c opens and simulates,
 * execute_deliver.c reports how the run ended and writes outputs. */
#ifndef SIM_CLI_EXECUTE_INTERNAL_H
#define SIM_CLI_EXECUTE_INTERNAL_H

#include "sim/cli/execute.h"
#include "sim/cli/open.h"
#include "sim/cli/ports.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* State of a command that runs a program. */
struct sim_execute_command {
    const struct sim_options *options;
    const struct sim_execute_more *more; /* NULL: the command has no callbacks */
    enum sim_engine engine;
    struct sim_session *session;
    struct sim_opened opened; /* session and its parts, made from the command line */
    struct sim_recording recording; /* recording of option --from */
    struct sim_recorder *recorder;  /* option --record; NULL: not given */
    struct sim_tracer *tracer;      /* option --trace; NULL: not given */
    struct sim_ports ports;         /* files of option --port */
    bool
        stopped; /* the run stopped at an element of a port that is invalid or not written */
};

enum sim_tone { SIM_AS_ERROR, SIM_AS_WARNING };

/* Reports an error or a warning at a position in the program, and shows the line if its source is
 * available. */
void sim_execute_tell_at(const struct sim_execute_command *c, struct lib_pos pos,
                         const char *text, enum sim_tone tone);

/* Reports how a run ended, completes its recording and its event file, and writes all requested
 * outputs. Returns the exit status. */
enum sim_status sim_execute_finish(const struct sim_execute_command *c,
                                   struct sim_ending *ending);

#endif
