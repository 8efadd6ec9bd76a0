/* All elements that are fed to the input ports of a run, with their cycles; from a recording or
 * from files. Feeds, program, machine, inputs and seed determine the run. */
#ifndef SIM_SESSION_FEEDS_H
#define SIM_SESSION_FEEDS_H

#include "machine/ports.h"

/* Feeds in order of arrival. The cycles of the feeds of one port never decrease. */
struct sim_feeds {
    struct lib_arena *arena; /* borrowed; owns the values of the elements */
    LIB_VEC(struct machine_feed) all;
};

void sim_feeds_free(struct sim_feeds *feeds);

/* Whether `feed` can be added: the port has not been closed, and its last feed is not later. */
bool sim_feeds_fit(const struct sim_feeds *feeds, const struct machine_feed *feed);

#endif
