/* Opens the program, machine and inputs that a command line names as a session of the library
 * (sim/hiaton.h). */
#ifndef SIM_CLI_OPEN_H
#define SIM_CLI_OPEN_H

#include "sim/cli/options.h"
#include "sim/cli/reporter.h"
#include "sim/session/session.h"

struct sim_opened {
    struct sim_reporter reporter;
    struct hiaton_machine *machine;
    struct hiaton_program *program;
    struct hiaton_session *session;
    struct sim_session *parts; /* parts of `session`, borrowed */
};

/* Opens the program, machine and inputs that the options name. Returns false and reports an error
 * on failure. Call sim_open_close even then. */
bool sim_open(struct sim_opened *opened, const struct sim_options *options,
              enum sim_engine engine);
void sim_open_close(struct sim_opened *opened);

#endif
