/* Shows the progress of a run: live activations, speed, and how near its limits are. */
#ifndef SIM_MESSAGES_PROGRESS_H
#define SIM_MESSAGES_PROGRESS_H

#include "sim/hiaton.h"
#include "sim/messages/progress_line.h"
#include "sim/session/simulation.h"

enum sim_progress_limit {
    SIM_PROGRESS_CYCLES,
    SIM_PROGRESS_TOKENS,
    SIM_PROGRESS_DEPTH,
    SIM_PROGRESS_MEMORY,
    SIM_PROGRESS_LIMITS,
};

struct sim_progress {
    struct sim_progress_line line;
    uint64_t last_tokens; /* tokens delivered when progress was last shown */
    double last;          /* time when progress was last shown, in seconds of the host */
    struct sim_progress_pace {
        /* share of the limit that was used when progress was last shown */
        double share;
        double pace; /* recent increase of `share` per second */
    } paces[SIM_PROGRESS_LIMITS];
};

void sim_progress_start(struct sim_progress *progress, const struct sim_printer *printer);
/* Shows the progress of a simulation, or nothing if it is NULL. */
void sim_progress_show(struct sim_progress *progress,
                       const struct sim_simulation *simulation);
/* Shows the progress `now` that the library (sim/hiaton.h) reports of a run. */
void sim_progress_show_numbers(struct sim_progress *progress,
                               const struct hiaton_progress *now);
void sim_progress_end(struct sim_progress *progress);

/* Returns a callback that shows progress, and stops the run after a signal
 * (sim/messages/stop.h). */
struct sim_watch sim_progress_watch(struct sim_progress *progress);

#endif
