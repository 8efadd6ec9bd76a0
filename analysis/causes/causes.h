/* Causes: every cycle of a run has one cause (doc/model.md, "Why: one cause for each cycle"). The
 * analysis follows a chain from the end of a run back to its start. Each link of the chain is the
 * step that ended last among all that the next link needed; the time between two links is divided
 * into pieces, one per cause.
 *
 *     start <-- turn <-- port <-- turn (fires) <-- ... <-- end         links
 *            |  link  | slot   |  matching, alu, forming  |            pieces
 *
 * The stream of events is read twice:
 *
 *     forwards    snapshots ("places") are kept at intervals: the state of this analysis, and what
 *                 the source needs to go on from there
 *     backwards   the events after one snapshot at a time are read again, and the chain is followed
 *                 to the beginning of that interval
 *
 * So memory has the links of one interval only; most of these and of the snapshots are in files
 * without a name. */
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

/* The properties of a machine on which causes depend. */
struct analysis_causes_machine {
    uint32_t pe_count; /* PEs or workers */
    bool has_workers, is_lifo;
    struct traces_network network;
    bool has_tensors; /* tensors can leave an input port later than they entered */
    uint64_t latency; /* cycles of a network without links */
    uint64_t match, fetch, form, unit[ISA_UNIT_COUNT]; /* cycles of the stages */
    uint64_t request;                                  /* cycles to form a request */
    bool has_units; /* the number of tensor units is finite */
    bool has_managers, one_manager;
    bool has_pools; /* each function has its own identifiers */
    uint64_t intern, spill;
    uint64_t copy, copy_node, copy_workers;
    bool has_bounds; /* loops can have a bound */
    bool has_probe;  /* nodes have to detect the end of the run */

    /* PEs that are stopped for a while, up to a cycle. */
    uint32_t stopped_pe, stopped_pes;
    uint64_t stopped_until;
};

/* A source of events that can be read again from snapshots. */
struct analysis_causes_source {
    const struct isa_graph *graph;

    /* Emits events for about `tokens` tokens, or up to END. Returns false if it failed or was
     * stopped. */
    bool (*go_on)(void *context, uint64_t tokens);

    /* Takes a snapshot between two calls of go_on. Returns its bytes. */
    size_t (*keep)(void *context, uint32_t place);
    void (*drop)(void *context, uint32_t place);

    /* Restores a snapshot, after which go_on emits the same events again. */
    bool (*go_back)(void *context, uint32_t place);
    void *context;
};

/* The kind of step at a link of the chain. */
enum analysis_link_kind {
    ANALYSIS_LINK_START, /* start of the run */
    ANALYSIS_LINK_TURN,  /* turn of a token, which fires or waits */
    ANALYSIS_LINK_GO_ON, /* a token that was held back continues */
    ANALYSIS_LINK_PORT,  /* a token goes through a port */
    ANALYSIS_LINK_LOCK,  /* a worker gets the lock */
    ANALYSIS_LINK_END,   /* end of the run, or of the firing asked for */
};

/* A piece of the time between two links of the chain, with one cause. */
struct analysis_piece {
    enum analysis_cause cause;
    uint64_t from, to; /* cycles `from` to `to` - 1 */
    uint32_t instr;    /* instruction to which the cycles belong; TRACES_NONE for none */
    uint32_t tag;
    uint32_t pe;
    /* Number of the queue, link or buffer without room, or of the link on which the token is; else
     * TRACES_NONE. */
    uint32_t place;
    uint8_t place_kind; /* enum traces_place */
};

/* A link of the chain. */
struct analysis_link {
    enum analysis_link_kind kind;
    bool fires, is_dead;
    uint64_t cycle;
    uint32_t instr, port, tag, pe;
    uint32_t place; /* number of the port; else TRACES_NONE */
};

/* The beginning of the chain. */
enum analysis_causes_from {
    ANALYSIS_CAUSES_FROM_END,    /* end of the run: the pieces add up to `cycles` */
    ANALYSIS_CAUSES_FROM_RESULT, /* its result: the pieces add up to `result_cycle` */
    ANALYSIS_CAUSES_FROM_LINE,   /* result of the last firing of a line of the source */
    ANALYSIS_CAUSES_FROM_CYCLE,  /* last firing up to a cycle */
    ANALYSIS_CAUSES_FROM_TAG,    /* last firing under a tag */
    ANALYSIS_CAUSES_FROM_STATE, /* no chain; keeps the last state (analysis/causes/stopped.h) */
};

/* Callbacks for the chain, from its end to its start: each link, then the pieces between it and the
 * link before, the last one first. */
struct analysis_causes_walker {
    void (*link)(void *context, const struct analysis_link *link);
    void (*piece)(void *context, const struct analysis_piece *piece);
    void *context;
};

struct analysis_causes_run {
    struct traces_event end;
    uint64_t cycles;  /* sum of the pieces */
    uint64_t links;   /* links of the chain */
    uint64_t firings; /* links that fire */
    uint64_t places;  /* snapshots kept in the end */
};

enum analysis_causes_done {
    ANALYSIS_CAUSES_DONE,
    ANALYSIS_CAUSES_STOPPED,   /* the source failed, or was stopped */
    ANALYSIS_CAUSES_LOST,      /* a file of snapshots or nodes cannot be read again */
    ANALYSIS_CAUSES_NO_RESULT, /* the firing asked for does not exist */
    ANALYSIS_CAUSES_ODD,       /* the events do not fit such a machine */
};

struct analysis_causes_wish {
    enum analysis_causes_from from;
    uint64_t which; /* line, cycle, or path of the tag (isa/tag_path.h) */

    /* 0 for the default: */
    uint64_t interval;  /* first interval between snapshots, in tokens */
    size_t most_places; /* most snapshots */
    size_t node_blocks; /* blocks of nodes in memory, at least 4 */
};

struct analysis_causes;

/* Takes over the ownership of the links of the machine. */
struct analysis_causes *analysis_causes_new(const struct analysis_causes_machine *machine,
                                            const struct isa_graph *graph);
void analysis_causes_free(struct analysis_causes *causes);

/* Returns the event that does not fit, after ANALYSIS_CAUSES_ODD. */
const struct traces_event *analysis_causes_invalid(const struct analysis_causes *causes);

/* Returns the sink to which the source must emit its events. */
struct traces_event_sink analysis_causes_sink(struct analysis_causes *causes);

/* Reads the source twice, and calls the walker for the chain. */

enum analysis_causes_done analysis_causes_run(struct analysis_causes *causes,
                                              const struct analysis_causes_source *source,
                                              const struct analysis_causes_wish *wish,
                                              const struct analysis_causes_walker *walker,
                                              struct analysis_causes_run *run);

#endif
