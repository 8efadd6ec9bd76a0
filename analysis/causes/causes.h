/* Causes: finds one cause for every cycle of a run (doc/model.md, "Why: one cause for each cycle").
 * The analysis follows a chain of steps from the end of a run back to its start. Each link of the
 * chain is the step that ended last among all that the next link needed. The time between two links
 * is divided into pieces, each with one cause.
 *
 *     start <-- turn <-- port <-- turn (fires) <-- ... <-- end         links
 *            |  link  | slot   |  matching, alu, forming  |            pieces
 *
 * The events are read twice. The first reading, forwards, takes snapshots ("places") of the
 * analysis and of the source. The second one goes backwards from snapshot to snapshot: it repeats
 * the events after each one, and follows the chain to the beginning of that interval. So memory has
 * the links of one interval only; most of these and of the snapshots are in temporary files. */
#ifndef ANALYSIS_CAUSES_CAUSES_H
#define ANALYSIS_CAUSES_CAUSES_H

#include "isa/op.h"
#include "lib/memory.h"
#include "traces/events.h"
#include "traces/links.h"

enum analysis_cause {
#define CAUSE(NAME, key, help) ANALYSIS_CAUSE_##NAME,
#include "analysis/causes/causes.def"
    ANALYSIS_CAUSE_COUNT,
};

struct analysis_cause_row {
    const char *key, *help;
};

extern const struct analysis_cause_row analysis_cause_table[ANALYSIS_CAUSE_COUNT];

/* Properties of the machine on which causes depend. Times are in cycles. */
struct analysis_causes_machine {
    uint32_t pe_count; /* number of PEs or workers */
    bool has_workers, is_lifo;
    struct traces_network network;
    bool has_tensors; /* tensors can leave an input port later than they entered */
    uint64_t latency; /* transfer time of a network without links */
    uint64_t match, fetch, form, unit[ISA_UNIT_COUNT]; /* pipeline stages */
    uint64_t request;                                  /* time to form a request */
    bool has_units; /* the number of tensor units is finite */
    bool has_managers, one_manager;
    bool has_pools; /* each function has its own tag identifiers */
    uint64_t intern, spill;
    uint64_t copy, copy_node, copy_workers;
    bool has_bounds; /* loops can have a bound */
    bool has_probe;  /* the nodes of a cluster must detect the end of the run */

    /* PEs that a fault stops until `stopped_until`: `stopped_pes` from `stopped_pe` on. */
    uint32_t stopped_pe, stopped_pes;
    uint64_t stopped_until;
};

/* A source of events that can save snapshots and repeat events from there. */
struct analysis_causes_source {
    const struct isa_graph *graph;

    /* Emits the events of about `tokens` tokens, or up to END. Returns false if it failed or was
     * stopped. */
    bool (*go_on)(void *context, uint64_t tokens);

    /* Takes snapshot number `place`, between two calls of go_on. Returns its size in bytes. */
    size_t (*keep)(void *context, uint32_t place);
    void (*drop)(void *context, uint32_t place);

    /* Restores a snapshot, after which go_on repeats events. Returns false on failure. */
    bool (*go_back)(void *context, uint32_t place);
    void *context;
};

/* Kind of a link of the chain, which is a step of the run. */
enum analysis_link_kind {
    ANALYSIS_LINK_START, /* start of the run */
    ANALYSIS_LINK_TURN,  /* a token is taken: it fires or waits */
    ANALYSIS_LINK_GO_ON, /* a token that was held back continues */
    ANALYSIS_LINK_PORT,  /* a token enters a network port or link */
    ANALYSIS_LINK_LOCK,  /* a worker gets the lock */
    ANALYSIS_LINK_END,   /* end of the run, or of a chosen firing */
};

/* A piece of the time between two links of the chain; it has one cause. */
struct analysis_piece {
    enum analysis_cause cause;
    uint64_t from, to; /* cycles `from` to `to` - 1 */
    uint32_t instr;    /* instruction that the cycles count for, or TRACES_NONE */
    uint32_t tag;
    uint32_t pe;
    /* Queue, link or buffer that is full, or link that the token passes; else TRACES_NONE. */
    uint32_t place;
    uint8_t place_kind; /* what `place` is: an enum traces_place */
};

/* A link of the chain: a step of the run. */
struct analysis_link {
    enum analysis_link_kind kind;
    bool fires, is_dead;
    uint64_t cycle;
    uint32_t instr, port, tag, pe;
    uint32_t place; /* number of the network port or link, or TRACES_NONE */
};

/* Where the chain begins. */
enum analysis_causes_from {
    ANALYSIS_CAUSES_FROM_END,    /* end of the run: the causes add up to the cycles */
    ANALYSIS_CAUSES_FROM_RESULT, /* result of the run: the pieces add up to `result_cycle` */
    ANALYSIS_CAUSES_FROM_LINE,  /* last firing of a line of the source */
    ANALYSIS_CAUSES_FROM_CYCLE, /* last firing up to a cycle */
    ANALYSIS_CAUSES_FROM_TAG,   /* last firing under a tag */
    ANALYSIS_CAUSES_FROM_STATE, /* no chain; keeps the final state (stopped.h) */
};

/* Callbacks that receive the chain from its end to its start: each link, then the pieces before it,
 * last one first. */
struct analysis_causes_walker {
    void (*link)(void *context, const struct analysis_link *link);
    void (*piece)(void *context, const struct analysis_piece *piece);
    void *context;
};

struct analysis_causes_run {
    struct traces_event end;
    uint64_t cycles;  /* cycles of all pieces together */
    uint64_t links;   /* number of links of the chain */
    uint64_t firings; /* number of links that fire */
    uint64_t places;  /* number of snapshots at the end */
};

enum analysis_causes_done {
    ANALYSIS_CAUSES_DONE,
    ANALYSIS_CAUSES_STOPPED,   /* the source failed or was stopped */
    ANALYSIS_CAUSES_LOST,      /* a temporary file cannot be read again */
    ANALYSIS_CAUSES_NO_RESULT, /* the wanted firing does not exist */
    ANALYSIS_CAUSES_ODD,       /* the described machine cannot emit such events */
};

struct analysis_causes_wish {
    enum analysis_causes_from from;
    uint64_t which; /* number of the line or cycle; path of the tag (isa/tag_path.h) */

    /* Limits of memory; 0: the default. */
    uint64_t interval;  /* tokens between snapshots, at first */
    size_t most_places; /* maximum number of snapshots */
    size_t node_blocks; /* blocks of steps in memory, at least 4 */
};

struct analysis_causes;

/* Takes ownership of machine->network.links. */
struct analysis_causes *analysis_causes_new(const struct analysis_causes_machine *machine,
                                            const struct isa_graph *graph);
void analysis_causes_free(struct analysis_causes *causes);

/* Returns the event that the machine cannot emit, after ANALYSIS_CAUSES_ODD. */
const struct traces_event *analysis_causes_invalid(const struct analysis_causes *causes);

/* Returns the sink to which the source must emit its events. */
struct traces_event_sink analysis_causes_sink(struct analysis_causes *causes);

/* Reads the source twice, and passes the chain to `walker`. */
enum analysis_causes_done analysis_causes_run(struct analysis_causes *causes,
                                              const struct analysis_causes_source *source,
                                              const struct analysis_causes_wish *wish,
                                              const struct analysis_causes_walker *walker,
                                              struct analysis_causes_run *run);

#endif
