/* Statistics of a run, counted again from its events, and a check that the events are possible
 * (doc/model.md, "The events of a run"). */
#ifndef TESTS_UNIT_RECOUNT_H
#define TESTS_UNIT_RECOUNT_H

#include "machine/settings.h"
#include "traces/live_tags.h"
#include "traces/stats.h"

/* A token that was sent and not issued yet, or that is blocked. */
struct recount_token {
    uint64_t key; /* 0: the entry is free */
    uint32_t tag, holder;
    uint32_t count, pe;
    uint64_t formed;
};

struct recount {
    const struct isa_graph *graph;
    bool workers;
    bool coordinated; /* APPLYs fire at the PE of their graph copy */
    /* Links from this number on are interfaces and links of a platform. */
    uint64_t portless;
    struct traces_live_tags tags;
    struct recount_token *tokens; /* hash table of tokens */
    size_t places, used;
    struct traces_stats stats; /* statistics counted from the events */
    uint64_t now, waiting, live, structures, elements, copied;
    /* There are events of level `queues`. */
    bool has_queues;
    /* Number of tokens at each place (a kind, and a number). */
    uint64_t *queued[TRACES_PLACE_COUNT];
    uint64_t fetched, served; /* requests for tensors sent and answered */
    uint64_t kernels;         /* kernels of the started batch that have not continued */
    /* Tokens that left input queues, counted twice; must be equal. */
    uint64_t left, taken;
    uint64_t events, digest; /* number and hash of all events */
    int end;                 /* enum isa_end; -1 while the run has not ended */
    char wrong[256];         /* the first impossible event, as text */
};

void recount_start(struct recount *recount, const struct isa_graph *graph,
                   const struct machine_settings *settings);
void recount_free(struct recount *recount);

void recount_queues(struct recount *recount);

/* Function of an event sink; the context is the struct recount. */
void recount_take(void *context, const struct traces_event *events, size_t count);

/* Compares the counted statistics with those of the run; adds differences to `wrong`. */
void recount_compare(struct recount *recount, const struct traces_stats *stats);

#endif
