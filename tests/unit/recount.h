/* What a stream of events says of a run, counted again: its statistics; and whether it can be the
 * stream of a run at all (doc/model.md, "The events of a run"). */
#ifndef TESTS_UNIT_RECOUNT_H
#define TESTS_UNIT_RECOUNT_H

#include "machine/settings.h"
#include "traces/live_tags.h"
#include "traces/stats.h"

/* A token that was sent and not taken, or is held back. */
struct recount_token {
    uint64_t key; /* 0: this place is empty, or was */
    uint32_t tag, holder;
    uint32_t count, pe;
    uint64_t formed;
};

struct recount {
    const struct isa_graph *graph;
    bool workers;
    bool coordinated; /* an APPLY fires where its copy is */
    uint64_t
        portless; /* links from this number on: the interfaces and links of a platform */
    struct traces_live_tags tags;
    struct recount_token *tokens; /* a hash table */
    size_t places, used;
    struct traces_stats stats; /* what follows from the stream */
    uint64_t now, waiting, live, structures, elements, copied;
    bool has_queues;                      /* the stream has the level `queues`: */
    uint64_t *queued[TRACES_PLACE_COUNT]; /* tokens at each place, by number */
    uint64_t fetched, served;             /* for tensors: sent, and requests answered */
    uint64_t left, taken;                 /* of input queues */
    uint64_t events, digest;              /* of all the events, in order */
    int end;                              /* enum isa_end; -1: it has not ended */
    char wrong[256];                      /* the first thing that cannot be */
};

void recount_start(struct recount *recount, const struct isa_graph *graph,
                   const struct machine_settings *settings);
void recount_free(struct recount *recount);

/* It will get the level `queues`. */
void recount_queues(struct recount *recount);

/* A sink's; the context is the recount. */
void recount_take(void *context, const struct traces_event *events, size_t count);

/* Compares it with the statistics that the run left; what differs is in `wrong`. */
void recount_compare(struct recount *recount, const struct traces_stats *stats);

#endif
