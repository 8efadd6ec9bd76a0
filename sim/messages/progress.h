/* Progress of a run: what is alive, how fast it goes, and how far it is from its limits. */
#ifndef SIM_MESSAGES_PROGRESS_H
#define SIM_MESSAGES_PROGRESS_H

#include "sim/hiaton.h"
#include "sim/messages/progress_line.h"
#include "sim/session/simulation.h"

/* The limits that a run comes nearer to. */
enum sim_progress_limit {
    SIM_PROGRESS_CYCLES,
    SIM_PROGRESS_TOKENS,
    SIM_PROGRESS_DEPTH,
    SIM_PROGRESS_MEMORY,
    SIM_PROGRESS_LIMITS,
};

struct sim_progress {
    struct sim_progress_line line;
    uint64_t last_tokens; /* delivered when the line was written last, */
    double last;          /* in seconds of the host */
    struct sim_progress_pace {
        double share; /* of the way to the limit, then */
        double pace;  /* increase of the share per second, recently */
    } paces[SIM_PROGRESS_LIMITS];
};

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice);
/* `simulation` is NULL where events are read from a file: nothing is shown. */
void sim_progress_show(struct sim_progress *progress,
                       const struct sim_simulation *simulation);
/* The same of what the library says. */
void sim_progress_show_numbers(struct sim_progress *progress,
                               const struct hiaton_progress *now);
void sim_progress_end(struct sim_progress *progress);

/* What shows it, until a signal asks to stop (sim/messages/stop.h). */
struct sim_watch sim_progress_watch(struct sim_progress *progress);

#endif
