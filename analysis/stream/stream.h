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
#include "lib/diag.h"
#include "traces/live_tags.h"
#include "traces/machine.h"

enum {
#define ANALYSIS(name, LEVEL, WINDOW, help) ANALYSIS_STREAM_##name,
#include "analysis/stream/analyses.def"
    ANALYSIS_STREAM_COUNT,
};

/* Kind of report that an analysis can make about a part of the cycles. analysis/stream/analyses.def
 * describes the values. */
enum analysis_stream_window {
    ANALYSIS_STREAM_COUNTS,
    ANALYSIS_STREAM_HISTORY,
    ANALYSIS_STREAM_WHOLE,
};

/* The run to analyse. All pointers are borrowed. */
struct analysis_stream_run {
    const struct isa_graph *graph;
    const struct lib_source *source; /* source text of the program; may be NULL */
    uint32_t link_count;             /* number of ports and links of the network */
    struct traces_machine machine;
    /* only cycles `from` to `to` - 1 are analysed; UINT64_MAX: to the end */
    uint64_t from, to;

    /* The live activations; set by struct analysis_streams, not by the caller. They include an
     * activation from the event that makes it to the event that ends it, both included. */
    const struct traces_live_tags *live;
};

static inline bool analysis_stream_is_whole(const struct analysis_stream_run *run)
{
    return run->from == 0 && run->to == UINT64_MAX;
}

/* Returns the cycle in which the analysed part of a run ends. `end` is the event END of the run. */
static inline uint64_t analysis_stream_end(const struct analysis_stream_run *run,
                                           const struct traces_event *end)
{
    const uint64_t to = run->to < end->a ? run->to : end->a;
    return to > run->from ? to : run->from;
}

/* Callbacks that implement an analysis of events. */
struct analysis_stream_kind {
    void *(*make)(const struct analysis_stream_run *run);

    /* Processes `count` events. An analysis with the window ANALYSIS_STREAM_COUNTS gets the events
     * of the analysed cycles and the event END, others all events. */
    void (*take)(void *state, const struct traces_event *events, size_t count);
    /* reports results after END */
    void (*tell)(void *state, struct lib_findings *findings);
    void (*free)(void *state);

    /* Whether the analysis uses the member `live` of the run. If so, `take` must ignore events of
     * levels for which it did not ask. */
    bool shares_live;

    /* NULL, or prefetches memory that `take` will use for these events, which it gets soon. Only
     * analyses with shares_live are asked. */
    void (*foresee)(void *state, const struct traces_event *events, size_t count);
};

struct analysis_stream_row {
    const char *name, *help;
    enum traces_level level;
    enum analysis_stream_window window;
    const struct analysis_stream_kind *kind;
};

extern const struct analysis_stream_row analysis_stream_table[ANALYSIS_STREAM_COUNT];

/* The wanted analyses of a run. analysis_streams_new copies `run`. */
struct analysis_streams;
struct analysis_streams *analysis_streams_new(const struct analysis_stream_run *run,
                                              const bool wanted[ANALYSIS_STREAM_COUNT]);
void analysis_streams_free(struct analysis_streams *streams);

/* Sets the sinks that must get the events of the run, at most one per level. Returns their
 * number. */
size_t analysis_streams_sinks(struct analysis_streams *streams,
                              struct traces_event_sink sinks[TRACES_LEVEL_COUNT]);

/* Adds the results of the analysis ANALYSIS_STREAM_... `which` to `findings`, which must be
 * started. Call this after the event END. */
void analysis_streams_tell(struct analysis_streams *streams, size_t which,
                           struct lib_findings *findings);

/* Starts `findings` and adds what the analysis with index `which` can report, without a run: names,
 * kinds and help texts of its results. The caller frees `findings`. */
void analysis_stream_numbers(size_t which, struct lib_findings *findings);

/* Returns the event END of the run; all zero before it has arrived. */
const struct traces_event *analysis_streams_end(const struct analysis_streams *streams);

#endif
