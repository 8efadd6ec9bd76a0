/* All that the ports of a run are fed, in which cycles: recorded, or from files. With its
 * program, machine, inputs and seed it makes the run. */
#ifndef SIM_SESSION_FEEDS_H
#define SIM_SESSION_FEEDS_H

#include "lib/arena.h"
#include "lib/pack.h"
#include "machine/ports.h"

struct isa_graph;

/* An element for a port in, or its close. */
struct sim_feed {
    uint64_t cycle;
    uint32_t port;
    struct machine_fed *parts; /* in the arena, like their data; NULL: a close */
};

/* In the order in which they were given: cycles of one port do not fall. */
struct sim_feeds {
    struct lib_arena *arena; /* borrowed */
    LIB_VEC(struct sim_feed) all;
};

void sim_feeds_free(struct sim_feeds *feeds);

/* Packs a feed of a program: of a reader its parts come into the arena. */
void sim_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                   struct sim_feed *feed, struct lib_arena *arena);

/* Whether a feed may follow on these: its port is open, and its cycle is not before that of the
 * last one of the port. */
bool sim_feeds_fit(const struct sim_feeds *feeds, const struct sim_feed *feed);

#endif
