/* Progress of a run: how fast it goes and how far it is from its limits. */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include "sim/cli/progress_line.h"
#include "sim/session/simulation.h"

struct sim_progress {
    struct sim_progress_line line;
    double start;         /* seconds of the host */
    uint64_t last_tokens; /* delivered when the line was written last */
    double last;
};

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice);
void sim_progress_show(struct sim_progress *progress,
                       const struct sim_simulation *simulation);
void sim_progress_end(struct sim_progress *progress);

#endif
