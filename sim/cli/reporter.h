/* What the library reports to a command (sim/hiaton.h), written as sim_tell writes diagnostics. */
#ifndef SIM_CLI_REPORTER_H
#define SIM_CLI_REPORTER_H

#include "sim/hiaton.h"
#include "sim/messages/progress.h"

struct sim_reporter {
    const struct sim_voice *voice;
    struct sim_progress
        *progress;      /* whose line goes before anything is written; or NULL */
    const char *option; /* the option that is read, which messages begin with; or NULL */
    size_t errors;
    bool is_usage; /* the command line was wrong */
};

/* What functions of the library are given; it borrows `reporter`. */
struct hiaton_reporter sim_reporter_of(struct sim_reporter *reporter);

/* Points to --help if the command line was wrong. Returns SIM_USAGE if there was an error, else
 * SIM_DONE; and starts anew. */
enum sim_status sim_reporter_end(struct sim_reporter *reporter);

#endif
