/* Watches a run for growth that seems endless: a function that is called while none of its calls
 * ends, or a loop whose iterations increase. Gives one warning; does not affect the run. Times are
 * in seconds of the host. */
#ifndef SIM_ENDING_GROWTH_WATCH_H
#define SIM_ENDING_GROWTH_WATCH_H

#include "isa/exec/exec.h"

struct sim_growth_seen;

/* State of the watch. Starts as {0}; free with sim_growth_watch_end. */
struct sim_growth_watch {
    double next;                  /* time of the next look; 0: at once */
    struct sim_growth_seen *seen; /* owned: observations, one per function */
    bool is_reported;             /* the warning was given */
};

enum { SIM_GROWTH_SECONDS = 5 };

/* Looks at the run at time `now`. Returns true, once, if a warning is due: then `function` is the
 * called function, or that of the loop, and `calls` its calls or iterations since the last look. */
bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls);
void sim_growth_watch_end(struct sim_growth_watch *watch);

#endif
