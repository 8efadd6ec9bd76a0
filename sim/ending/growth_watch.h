/* Watches a run for growth that seems endless, in seconds of the host: a function that is called
 * while none of its calls ends, or a loop whose iterations increase. That is worth one warning. The
 * run does not depend on it. */
#ifndef SIM_ENDING_GROWTH_WATCH_H
#define SIM_ENDING_GROWTH_WATCH_H

#include "isa/exec/exec.h"

struct sim_growth_seen;

/* Starts as {0}; free with sim_growth_watch_end. */
struct sim_growth_watch {
    double next;                  /* time of the next look in seconds; 0: at once */
    struct sim_growth_seen *seen; /* owned: one per function */
    bool is_reported;             /* the warning was given */
};

enum { SIM_GROWTH_SECONDS = 5 };

/* Looks at the run at time `now`, in seconds of the host. Returns true, once, if a warning is due:
 * then `function` is the function that is called, or that of the loop, and `calls` the number of
 * its calls or iterations in that time. */
bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls);
void sim_growth_watch_end(struct sim_growth_watch *watch);

#endif
