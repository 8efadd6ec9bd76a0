/* Every cycle of a run has one cause (doc/model.md, "Why: one cause for each cycle"): the chain
 * of what ended last, from the end of a run back to its start, and what the time between was
 * spent on.
 *
 * The stream of events is read twice. First forwards, where a place is kept now and then: the
 * state of this analysis, and what its source needs to go on from there. Then backwards, place by
 * place: the events between two places are read once more, and the chain is followed from where
 * it stands to before that interval. So only the events of one interval are ever remembered; most
 * of them, and of what is kept at places, in files without a name. */
#ifndef ANALYSIS_CAUSES_CAUSES_H
#define ANALYSIS_CAUSES_CAUSES_H

#include "isa/op.h"
#include "lib/memory.h"
#include "traces/events.h"

enum analysis_cause {
#define CAUSE(NAME, key, help) ANALYSIS_CAUSE_##NAME,
#include "analysis/causes/causes.def"
    ANALYSIS_CAUSE_COUNT,
};

struct analysis_cause_row {
    const char *key, *help;
};

extern const struct analysis_cause_row analysis_cause_table[ANALYSIS_CAUSE_COUNT];

/* A link of a network, by the number that events have. The crossbar has one router. */
struct analysis_causes_link {
    uint32_t from, to; /* routers; TRACES_NONE: a PE */
    uint64_t delay;    /* from when a token goes through it to when it is behind it */
    uint64_t router;   /* how much of that is the router's */
    uint64_t credit; /* from when a place behind it is free to when its credit is back */
    bool has_one_class; /* of all its channels */
    bool is_whole;      /* a token is behind it with its last bits */
    bool
        is_open; /* it is behind it whenever it comes to the next one, which may be any */
    bool holds;  /* tokens wait before it for more than the one before */
};

/* What of a machine the causes depend on. */
struct analysis_causes_machine {
    uint32_t pe_count; /* or workers */
    bool has_workers, has_links, is_lifo;
    bool has_routers;
    uint32_t
        node_pes; /* PEs of a node, which a token leaves as a whole; 0: there are no nodes */
    struct analysis_causes_link *links;
    uint32_t link_count; /* 0: none */
    /* Of finite buffers: channels of a link, in classes, and places of each; ports of an input
     * link. */
    uint32_t channels, classes; /* 0 channels: queues are unlimited */
    uint64_t capacity, speedup;
    bool has_tensors; /* which may come out of an input port later than they went in */
    uint64_t latency; /* of a network without links */
    uint64_t match, fetch, form, unit[ISA_UNIT_COUNT];
    uint64_t request; /* forming one */
    bool has_units;   /* tensor units are counted */
    bool has_managers, one_manager;
    bool has_pools; /* identifiers are of a function */
    uint64_t intern, spill;
    uint64_t copy, copy_node, copy_workers;
    bool has_bounds; /* a loop may have one */
    bool has_probe;  /* nodes find out that the run has ended */
    /* These PEs take no tokens before a cycle, for a while; no PEs: none. */
    uint32_t stopped_pe, stopped_pes;
    uint64_t stopped_until;
};

/* A source of events that can be read again from places that it has kept. */
struct analysis_causes_source {
    const struct isa_graph *graph;
    /* Tells events, some `tokens` more of them or up to the end, which END tells. false: it
     * could not, or was stopped. */
    bool (*go_on)(void *context, uint64_t tokens);
    /* Keeps the place where it stands, between two calls of go_on; returns how many bytes that
     * takes. */
    size_t (*keep)(void *context, uint32_t place);
    void (*drop)(void *context, uint32_t place);
    /* Goes back to a place, from where it goes on with the events that it told there before. */
    bool (*go_back)(void *context, uint32_t place);
    void *context;
};

/* What happened at a place of the chain. */
enum analysis_link_kind {
    ANALYSIS_LINK_START, /* of the run */
    ANALYSIS_LINK_TURN,  /* a token has its turn, and fires or waits */
    ANALYSIS_LINK_GO_ON, /* a token that was held back goes on */
    ANALYSIS_LINK_PORT,  /* a token goes through a port */
    ANALYSIS_LINK_LOCK,  /* a worker has the lock */
    ANALYSIS_LINK_END,   /* of the run, or its result */
};

/* A place of the chain, and a part of the time before it. */
struct analysis_piece {
    enum analysis_cause cause;
    uint64_t from, to; /* cycles `from` to `to` - 1 */
    uint32_t instr;    /* to which the cycles belong; TRACES_NONE: to none */
    uint32_t tag;
    uint32_t pe;
    uint32_t
        place; /* back-pressure: number of the queue, link or buffer; of a link its number; else TRACES_NONE */
    uint8_t place_kind; /* enum traces_place */
};

struct analysis_link {
    enum analysis_link_kind kind;
    bool fires, is_dead;
    uint64_t cycle;
    uint32_t instr, port, tag, pe;
    uint32_t place; /* of a port: its number */
};

/* From where the chain is followed. */
enum analysis_causes_from {
    ANALYSIS_CAUSES_FROM_END,    /* the end of the run: they add up to `cycles` */
    ANALYSIS_CAUSES_FROM_RESULT, /* its result: they add up to `result_cycle` */
    ANALYSIS_CAUSES_FROM_LINE, /* the last firing of a line of the source: up to its result */
    ANALYSIS_CAUSES_FROM_CYCLE, /* the last firing up to a cycle */
    ANALYSIS_CAUSES_FROM_TAG,   /* the last firing under a tag */
    ANALYSIS_CAUSES_FROM_STATE, /* nothing: what there is at the end (analysis/causes/stopped.h) */

};

/* Who wants the chain, from its end to its start. Each link is told, then the pieces of the time
 * between it and the link before, the last one first. */
struct analysis_causes_walker {
    void (*link)(void *context, const struct analysis_link *link);
    void (*piece)(void *context, const struct analysis_piece *piece);
    void *context;
};

struct analysis_causes_run {
    struct traces_event end;
    uint64_t cycles; /* that the causes add up to */
    uint64_t links;  /* of the chain; and those that fire */
    uint64_t firings;
    uint64_t places; /* that were kept in the end */
};

enum analysis_causes_done {
    ANALYSIS_CAUSES_DONE,
    ANALYSIS_CAUSES_STOPPED,   /* the source failed, or was stopped */
    ANALYSIS_CAUSES_LOST,      /* what was kept in files cannot be read again */
    ANALYSIS_CAUSES_NO_RESULT, /* there is no such firing to go back from */
    ANALYSIS_CAUSES_ODD,       /* the events are not those of such a machine */
};

struct analysis_causes_wish {
    enum analysis_causes_from from;
    uint64_t which;     /* line, cycle, or path of the tag (isa/tag_path.h) */
    uint64_t interval;  /* of places at first, in tokens; 0: what is good */
    size_t most_places; /* 0: what is good */
    size_t node_blocks; /* blocks of nodes in memory, 4 at least; 0: what is good */
};

/* Reads the source twice, and tells the chain. The events go to analysis_causes_take, of
 * `follow`. */
struct analysis_causes;
/* Takes the links of the machine over. */
struct analysis_causes *analysis_causes_new(const struct analysis_causes_machine *machine,
                                            const struct isa_graph *graph);
void analysis_causes_free(struct analysis_causes *causes);

/* The event that could not be, after ANALYSIS_CAUSES_ODD. */
const struct traces_event *analysis_causes_invalid(const struct analysis_causes *causes);

/* The sink, for the source. */
struct traces_event_sink analysis_causes_sink(struct analysis_causes *causes);

enum analysis_causes_done analysis_causes_run(struct analysis_causes *causes,
                                              const struct analysis_causes_source *source,
                                              const struct analysis_causes_wish *wish,
                                              const struct analysis_causes_walker *walker,
                                              struct analysis_causes_run *run);

#endif
