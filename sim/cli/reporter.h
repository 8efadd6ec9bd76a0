/* Prints the diagnostics that the library (sim/hiaton.h) reports to a command, in the same form as
 * sim_tell prints others. */
#ifndef SIM_CLI_REPORTER_H
#define SIM_CLI_REPORTER_H

#include "sim/hiaton.h"
#include "sim/messages/progress.h"

struct sim_reporter {
    const struct sim_printer *printer;
    /* progress whose line is erased before a message; or NULL */
    struct sim_progress *progress;
    const char *option; /* option being read, which begins messages; or NULL */
    size_t errors;
    bool is_usage; /* an error was in the command line */
    bool is_host;  /* the host was to blame for an error */
};

/* Returns the structure to pass to functions of the library. It borrows `reporter`. */
struct hiaton_reporter sim_reporter_of(struct sim_reporter *reporter);

/* Points to --help if the command line was wrong. Returns a status like sim_tell, for the errors
 * since the last call. */
enum sim_status sim_reporter_end(struct sim_reporter *reporter);

#endif
