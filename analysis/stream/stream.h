/* Analyses of a run's events (traces/events.h), made while the events arrive.
 * analysis/stream/analyses.def lists them.
 *
 *     simulation, recording or file
 *        | events
 *     sink per level --+--> analysis "profile"  --+
 *                      +--> analysis "traffic"  --+--> findings --> text, JSON, CSV, chart
 *                      +--> ...
 *
 * Invariants:
 *   - An analysis has bounded memory: it keeps counts per node, function, PE or link, and
 *     timelines (analysis/stream/timeline.h), but no events.
 *   - Its findings do not depend on the source of the events, nor on how they are divided into
 *     blocks.
 *   - It reports its findings after END.
 *
 * An example:
 *
 *     bool wanted[ANALYSIS_STREAM_COUNT] = {[ANALYSIS_STREAM_profile] = true};
 *     struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
 *     struct analysis_streams *streams = analysis_streams_new(&run, wanted);
 *     size_t count = analysis_streams_sinks(streams, sinks);
 *
 *     ...                                  send the events of the run to the sinks
 *
 *     struct lib_findings findings;
 *     lib_findings_start(&findings, "profile", true);
 *     analysis_streams_tell(streams, ANALYSIS_STREAM_profile, &findings);
 *     lib_findings_write(&findings, LIB_FORM_TEXT, NULL, &out);
 */
#ifndef ANALYSIS_STREAM_STREAM_H
#define ANALYSIS_STREAM_STREAM_H

#include "lib/findings.h"
#include "isa/op.h"
#include "lib/diag.h"
#include "traces/live_tags.h"

enum {
#define ANALYSIS(name, LEVEL, WINDOW, help) ANALYSIS_STREAM_##name,
#include "analysis/stream/analyses.def"
    ANALYSIS_STREAM_COUNT,
};

/* What an analysis can report of a part of a run; see analysis/stream/analyses.def. */
enum analysis_stream_window {
    ANALYSIS_STREAM_COUNTS,
    ANALYSIS_STREAM_HISTORY,
    ANALYSIS_STREAM_WHOLE,
};

/* Callbacks that describe a network for lower bounds. */
struct analysis_stream_network {
    void *(*open)(const void *settings); /* returns `network`, or NULL if unknown */

    /* Returns the fewest cycles that a token takes from one PE to another. */
    uint64_t (*least)(void *network, uint32_t from, uint32_t to);

    /* Returns the number of links from the lower half of the PEs to the upper half; 0 if unlimited
     * or unknown. */
    uint32_t (*between_halves)(void *network);
    void (*close)(void *network);
};

/* The least times of each part of a machine, in cycles. An executor has only `frame` and `live`. */
struct analysis_stream_machine {
    uint64_t match, fetch, form, unit[ISA_UNIT_COUNT];
    uint64_t request; /* time to form a request */
    uint64_t slower;  /* greatest time that a slower matching store adds */
    uint64_t copy, copy_node;
    uint64_t frame, live; /* executor: cycles per frame; per live node */
    bool shares_links;    /* a link can carry several tokens at once */
    const struct analysis_stream_network *network; /* or NULL */
    const void *settings;                          /* argument of network->open */
};

/* The run to analyse. All pointers are borrowed. */
struct analysis_stream_run {
    const struct isa_graph *graph;
    const struct lib_source *source; /* source text of the program, or NULL */
    uint32_t pe_count;               /* number of PEs or workers */
    uint32_t units;                  /* function units per PE; 0: unlimited */
    uint32_t link_count;             /* number of ports and links of the network */
    bool has_workers;
    struct analysis_stream_machine machine;
    uint64_t from,
        to; /* window to analyse: cycles `from` to `to` - 1; UINT64_MAX: to the end */

    /* Set by struct analysis_streams for analyses that share it: the live activations, before an
     * event that ends one and after an event that makes one. */
    const struct traces_live_tags *live;
};

static inline bool analysis_stream_is_whole(const struct analysis_stream_run *run)
{
    return run->from == 0 && run->to == UINT64_MAX;
}

/* Returns the cycle in which the window ends, for a run that ended with the event `end`. */
static inline uint64_t analysis_stream_end(const struct analysis_stream_run *run,
                                           const struct traces_event *end)
{
    const uint64_t to = run->to < end->a ? run->to : end->a;
    return to > run->from ? to : run->from;
}

/* Callbacks that implement an analysis. */
struct analysis_stream_kind {
    void *(*make)(const struct analysis_stream_run *run);

    /* Processes events: of COUNTS analyses those of the window, of others all; and END. */
    void (*take)(void *state, const struct traces_event *events, size_t count);
    void (*tell)(void *state,
                 struct lib_findings *findings); /* reports results, after END */
    void (*free)(void *state);

    /* The analysis uses `live` of the run. Then `take` can get events of more levels. */
    bool shares_live;
};

struct analysis_stream_row {
    const char *name, *help;
    enum traces_level level;
    enum analysis_stream_window window;
    const struct analysis_stream_kind *kind;
};

extern const struct analysis_stream_row analysis_stream_table[ANALYSIS_STREAM_COUNT];

/* The wanted analyses of a run. `run` is copied. */
struct analysis_streams;
struct analysis_streams *analysis_streams_new(const struct analysis_stream_run *run,
                                              const bool wanted[ANALYSIS_STREAM_COUNT]);
void analysis_streams_free(struct analysis_streams *streams);

/* Sets the sinks for the events of the run, at most one per level. Returns their number. */
size_t analysis_streams_sinks(struct analysis_streams *streams,
                              struct traces_event_sink sinks[TRACES_LEVEL_COUNT]);

/* Adds the results of a wanted analysis to `findings`, which must be started. To be called after
 * END. */
void analysis_streams_tell(struct analysis_streams *streams, size_t which,
                           struct lib_findings *findings);

/* Starts `findings` with the numbers of an analysis of a whole run: names, kinds and helps, without
 * values. The caller frees them. */
void analysis_stream_numbers(size_t which, struct lib_findings *findings);

/* Returns the event END of the run; all zero until it has come. */
const struct traces_event *analysis_streams_end(const struct analysis_streams *streams);

#endif
