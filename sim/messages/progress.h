/* Shows the progress of a run: its live activations, its speed, and how near its limits are. */
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
    uint64_t last_tokens; /* tokens delivered when the line was last written */
    double last;          /* when it was last written, in seconds of the host */
    struct sim_progress_pace {
        double share; /* share of the limit reached when last written */
        double pace;  /* recent increase of `share` per second */
    } paces[SIM_PROGRESS_LIMITS];
};

void sim_progress_start(struct sim_progress *progress, const struct sim_printer *printer);
/* Shows nothing if `simulation` is NULL, as while an event file is read. */
void sim_progress_show(struct sim_progress *progress,
                       const struct sim_simulation *simulation);
/* Like sim_progress_show, for progress that the library reports. */
void sim_progress_show_numbers(struct sim_progress *progress,
                               const struct hiaton_progress *now);
void sim_progress_end(struct sim_progress *progress);

/* Returns a callback that shows progress, and stops the run after a signal
 * (sim/messages/stop.h). */
struct sim_watch sim_progress_watch(struct sim_progress *progress);

#endif
