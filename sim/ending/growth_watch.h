/* Watches a run for growth that seems endless: a function is called while none of its calls ends,
 * or the iterations of a loop increase. Gives one warning, and does not affect the run. Times are
 * in seconds of the host. */
#ifndef SIM_ENDING_GROWTH_WATCH_H
#define SIM_ENDING_GROWTH_WATCH_H

#include "isa/exec/exec.h"

struct sim_growth_seen;

/* State of the watch. Initialise it with {0}; free it with sim_growth_watch_end. */
struct sim_growth_watch {
    double next;                  /* time of the next observation; 0: at once */
    struct sim_growth_seen *seen; /* owned; observations, one per function */
    bool is_reported;             /* whether the warning was given */
};

enum { SIM_GROWTH_SECONDS = 5 };

/* Observes the run at time `now`. Returns true, once, if a warning is due. Then `function` is the
 * called function or the loop, and `calls` the number of its calls or iterations since the growth
 * began. */
bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls);
void sim_growth_watch_end(struct sim_growth_watch *watch);

#endif
