/* Finds one cause for every cycle of a run (doc/model.md, "Why: one cause for each cycle"). A chain
 * of steps leads from the end of the run back to its start. Each link of the chain is the step that
 * ended last among all that the next link needed. The time between two links is divided into pieces
 * with one cause each. A link "turn" is a step in which a PE takes a token.
 *
 *     start <-- turn <-- port <-- turn (fires) <-- ... <-- end         links
 *            |  link  | slot   |  matching, alu, forming  |            pieces
 *
 * Events are read twice. The first reading takes snapshots ("places") of the analysis and of the
 * source. The second goes backwards from snapshot to snapshot: it repeats the events after a
 * snapshot, and follows the chain to the start of that interval. So memory holds the links of one
 * interval; most links and snapshots are in temporary files. */
#ifndef ANALYSIS_CAUSES_CAUSES_H
#define ANALYSIS_CAUSES_CAUSES_H

#include "lib/memory.h"
#include "traces/events.h"
#include "traces/machine.h"

enum analysis_cause {
#define CAUSE(NAME, key, help) ANALYSIS_CAUSE_##NAME,
#include "analysis/causes/causes.def"
    ANALYSIS_CAUSE_COUNT,
};

struct analysis_cause_row {
    const char *key, *help;
};

extern const struct analysis_cause_row analysis_cause_table[ANALYSIS_CAUSE_COUNT];

/* A source of events that can save snapshots of its state and repeat events from a snapshot. */
struct analysis_causes_source {
    const struct isa_graph *graph;

    /* Emits the next events: of about `tokens` tokens, or fewer if the run ends (event END).
     * Returns false if the source failed or was stopped. */
    bool (*go_on)(void *context, uint64_t tokens);

    /* Saves snapshot number `place` between two calls of go_on. Returns its size in bytes. */
    size_t (*keep)(void *context, uint32_t place);
    void (*drop)(void *context, uint32_t place);

    /* Restores snapshot number `place`, so that go_on repeats the events after it. Returns false on
     * failure. */
    bool (*go_back)(void *context, uint32_t place);
    void *context;
};

/* Kinds of links of the causal chain. Each link is a step of the run. */
enum analysis_link_kind {
    ANALYSIS_LINK_START, /* start of the run */
    /* a PE takes a token: an instruction fires, or the token waits */
    ANALYSIS_LINK_TURN,
    ANALYSIS_LINK_GO_ON, /* a token that the machine held back is released */
    ANALYSIS_LINK_PORT,  /* a token enters a network port or link */
    ANALYSIS_LINK_LOCK,  /* a worker of the executor gets the lock */
    ANALYSIS_LINK_END,   /* end of the chain: of the run or of the chosen firing */
};

/* The time between two links of the causal chain, or a part of that time, with one cause. */
struct analysis_piece {
    enum analysis_cause cause;
    uint64_t from, to; /* cycles `from` to `to` - 1 */
    uint32_t instr;    /* instruction to which the cycles belong; TRACES_NONE: none */
    uint32_t tag;
    uint32_t pe;
    /* Index of the full queue, link or buffer that blocked the token, or of the link that it
     * passes; TRACES_NONE: none. */
    uint32_t place;
    uint8_t place_kind; /* kind of `place`: an enum traces_place */
};

/* A link of the causal chain: a step of the run. */
struct analysis_link {
    enum analysis_link_kind kind;
    bool fires, is_dead;
    uint64_t cycle;
    uint32_t instr, port, tag, pe;
    /* index of the network port or link that a token enters; TRACES_NONE: none */
    uint32_t place;
};

/* The end of the causal chain, from which it is followed backwards. */
enum analysis_causes_from {
    /* the end of the run: causes add up to the cycles of the run */
    ANALYSIS_CAUSES_FROM_END,
    /* the result of the run: causes add up to `result_cycle` */
    ANALYSIS_CAUSES_FROM_RESULT,
    ANALYSIS_CAUSES_FROM_LINE,  /* last firing of the source line `which` */
    ANALYSIS_CAUSES_FROM_CYCLE, /* last firing up to the cycle `which` */
    /* last firing under the tag whose path, the hash of its labels, is `which` (isa/tag_path.h) */
    ANALYSIS_CAUSES_FROM_TAG,
    ANALYSIS_CAUSES_FROM_STATE, /* no chain; keeps the final state (stopped.h) */
};

/* Callbacks that receive the causal chain backwards: a link, then the pieces of time before it, the
 * last piece first. */
struct analysis_causes_walker {
    void (*link)(void *context, const struct analysis_link *link);
    void (*piece)(void *context, const struct analysis_piece *piece);
    void *context;
};

struct analysis_causes_run {
    struct traces_event end;
    uint64_t cycles;  /* total cycles of the chain */
    uint64_t links;   /* number of links of the chain */
    uint64_t firings; /* number of links that are firings */
    uint64_t places;  /* number of snapshots after the first reading */
};

enum analysis_causes_done {
    ANALYSIS_CAUSES_DONE,
    ANALYSIS_CAUSES_STOPPED,   /* the source failed or was stopped */
    ANALYSIS_CAUSES_LOST,      /* a temporary file cannot be read again */
    ANALYSIS_CAUSES_NO_RESULT, /* the chosen firing does not exist */
    ANALYSIS_CAUSES_ODD,       /* an event that the machine cannot emit */
};

struct analysis_causes_wish {
    enum analysis_causes_from from;
    /* depends on `from`: source line, cycle, or hash of a tag's labels (isa/tag_path.h) */
    uint64_t which;

    /* The members below limit memory; 0 selects a default. */
    uint64_t interval;  /* number of tokens between two snapshots, at first */
    size_t most_places; /* maximum number of snapshots */
    /* number of blocks of steps that are kept in memory; at least 4 */
    size_t node_blocks;
};

struct analysis_causes;

/* Returns a new analysis of causes. Copies `machine`; borrows `graph`. */
struct analysis_causes *analysis_causes_new(const struct traces_machine *machine,
                                            const struct isa_graph *graph);
void analysis_causes_free(struct analysis_causes *causes);

/* After ANALYSIS_CAUSES_ODD, returns the event that the machine cannot emit. */
const struct traces_event *analysis_causes_invalid(const struct analysis_causes *causes);

/* Returns the sink to which the source emits its events. */
struct traces_event_sink analysis_causes_sink(struct analysis_causes *causes);

/* Reads the events of `source` twice, and passes the causal chain to `walker`. */
enum analysis_causes_done analysis_causes_run(struct analysis_causes *causes,
                                              const struct analysis_causes_source *source,
                                              const struct analysis_causes_wish *wish,
                                              const struct analysis_causes_walker *walker,
                                              struct analysis_causes_run *run);

#endif
