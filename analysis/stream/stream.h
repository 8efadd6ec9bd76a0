/* Analyses of the events of a run, while they come (traces/events.h). Each takes the events of its
 * level, keeps what has a bound, and tells its findings when the last event has come. It does not
 * see where events come from: of a live run, of a recording and of a file it finds the same.
 *
 * analysis/stream/analyses.def says which there are. */
#ifndef ANALYSIS_STREAM_STREAM_H
#define ANALYSIS_STREAM_STREAM_H

#include "analysis/stream/findings.h"
#include "isa/op.h"
#include "lib/diag.h"
#include "traces/live_tags.h"

enum {
#define ANALYSIS(name, LEVEL, WINDOW, help) ANALYSIS_STREAM_##name,
#include "analysis/stream/analyses.def"
    ANALYSIS_STREAM_COUNT,
};

/* See analysis/stream/analyses.def. */
enum analysis_stream_window {
    ANALYSIS_STREAM_COUNTS,
    ANALYSIS_STREAM_HISTORY,
    ANALYSIS_STREAM_WHOLE,
};

/* What a network is, as far as bounds of runs need it. What `open` makes is given back with
 * `close`. */
struct analysis_stream_network {
    void *(*open)(const void *settings); /* NULL: it has nothing to say */
    /* The fewest cycles that a token takes from PE to PE, another one, if it meets no other. */
    uint64_t (*least)(void *network, uint32_t from, uint32_t to);
    /* The links that tokens from the lower half of the PEs to the upper half share; 0: unlimited,
     * or unknown. */
    uint32_t (*between_halves)(void *network);
    void (*close)(void *network);
};

/* How long things take at least. Of an executor only `frame` and `live` mean something. */
struct analysis_stream_machine {
    uint64_t match, fetch, form, unit[ISA_UNIT_COUNT];
    uint64_t request; /* forming one */
    uint64_t slower;  /* what a slower matching store may add */
    uint64_t copy, copy_node;
    uint64_t frame, live; /* executor: a frame, a live node */
    bool shares_links;    /* several tokens are on a link at once */
    const struct analysis_stream_network *network; /* NULL: there is none */
    const void *settings;                          /* for it */
};

/* What ran; borrowed. */
struct analysis_stream_run {
    const struct isa_graph *graph;
    const struct lib_source *source; /* NULL: it is not at hand */
    uint32_t pe_count;               /* or workers */
    uint32_t units;                  /* of each PE; 0: unlimited */
    uint32_t link_count;             /* ports and links of the network; 0: it has none */
    bool has_workers;
    struct analysis_stream_machine machine;
    uint64_t from,
        to; /* the cycles `from` to `to` - 1 are wanted; UINT64_MAX: up to the end */
    /* The activations alive, for analyses that share them: before an event that ends one, behind
     * one that makes one. Kept by struct analysis_streams. */
    const struct traces_live_tags *live;
};

static inline bool analysis_stream_is_whole(const struct analysis_stream_run *run)
{
    return run->from == 0 && run->to == UINT64_MAX;
}

/* The cycle in which what is wanted ends, of a run that ended so. */
static inline uint64_t analysis_stream_end(const struct analysis_stream_run *run,
                                           const struct traces_event *end)
{
    const uint64_t to = run->to < end->a ? run->to : end->a;
    return to > run->from ? to : run->from;
}

/* An analysis. What `make` returns is given back with `free`. */
struct analysis_stream_kind {
    void *(*make)(const struct analysis_stream_run *run);
    /* Events of the window, unless it needs HISTORY, and END. */
    void (*take)(void *state, const struct traces_event *events, size_t count);
    void (*tell)(void *state, struct analysis_findings *findings); /* after END */
    void (*free)(void *state);
    bool
        shares_live; /* it uses `live` of the run; `take` gets events of greater levels, too */
};

struct analysis_stream_row {
    const char *name, *help;
    enum traces_level level;
    enum analysis_stream_window window;
    const struct analysis_stream_kind *kind;
};

extern const struct analysis_stream_row analysis_stream_table[ANALYSIS_STREAM_COUNT];

/* Analyses that go on at once. `run` is copied. */
struct analysis_streams;
struct analysis_streams *analysis_streams_new(const struct analysis_stream_run *run,
                                              const bool wanted[ANALYSIS_STREAM_COUNT]);
void analysis_streams_free(struct analysis_streams *streams);

/* The sinks, one for each level that is wanted. Returns how many. */
size_t analysis_streams_sinks(struct analysis_streams *streams,
                              struct traces_event_sink sinks[TRACES_LEVEL_COUNT]);

/* After END: the findings of one that is wanted. The findings were started. */
void analysis_streams_tell(struct analysis_streams *streams, size_t which,
                           struct analysis_findings *findings);

/* The numbers that an analysis finds of a whole run, in their order: names, kinds and helps,
 * without what was found. Gives findings, which are to be freed. */
void analysis_stream_numbers(size_t which, struct analysis_findings *findings);

/* How the run ended; all 0 as long as it has not. */
const struct traces_event *analysis_streams_end(const struct analysis_streams *streams);

#endif
