/* Progress of a run: how fast it goes and how far it is from its limits. */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include "machine/machine.h"
#include "sim/line.h"

/* Tokens between two looks at the clock and at the stop flag: some 20 ms. */
enum { SIM_SLICE = 1000000 };

struct sim_progress {
    struct sim_line line;
    const struct machine_settings *settings; /* borrowed: limits tell what is left */
    double start;                            /* seconds of the host */
    uint64_t last_tokens; /* delivered when the line was written last */
    double last;
};

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice,
                        const struct machine_settings *settings);
/* `cycle`: of the machine; NULL where there is none. */
void sim_progress_show(struct sim_progress *progress, const struct isa_exec *exec,
                       const uint64_t *cycle);
void sim_progress_end(struct sim_progress *progress);

#endif
