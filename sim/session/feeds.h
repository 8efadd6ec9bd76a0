/* All that the ports of a run are fed, in which cycles: recorded, or from files. With its
 * program, machine, inputs and seed it makes the run. */
#ifndef SIM_SESSION_FEEDS_H
#define SIM_SESSION_FEEDS_H

#include "machine/ports.h"

/* Feeds in the order in which they were given: the cycles of one port do not decrease. */
struct sim_feeds {
    struct lib_arena *arena; /* borrowed; has the parts */
    LIB_VEC(struct machine_feed) all;
};

void sim_feeds_free(struct sim_feeds *feeds);

/* Whether a feed may follow on these: its port is open, and its cycle is not before that of the
 * last one of the port. */
bool sim_feeds_fit(const struct sim_feeds *feeds, const struct machine_feed *feed);

#endif
