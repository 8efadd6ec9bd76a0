/* Watches a run for what never seems to end, for seconds of the host: a function that is called
 * again and again while none of its calls ends, or a loop whose iterations go up and up. That is
 * worth a warning, once. Nothing of the run depends on it. */
#ifndef SIM_ENDING_GROWTH_WATCH_H
#define SIM_ENDING_GROWTH_WATCH_H

#include "isa/exec/exec.h"

struct sim_growth_seen;

/* Start with {0}; give back with sim_growth_watch_end. */
struct sim_growth_watch {
    double next;                  /* when to look again, in seconds; 0: at once */
    struct sim_growth_seen *seen; /* owned: of each function */
    bool told;
};

enum { SIM_GROWTH_SECONDS = 5 };

/* Looks, at the time `now` in seconds of the host. Returns true once, if a warning is worth it.
 * Then `function` is the function that is called, or the graph of the loop, and `calls` is the
 * number of its calls or iterations in that time. */
bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls);
void sim_growth_watch_end(struct sim_growth_watch *watch);

#endif
