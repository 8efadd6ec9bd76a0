/* Filter of a stream of events by PEs, functions, source lines or activations. An event passes if
 * all given conditions hold for it. A condition fails for an event without the field in question:
 * LOCK has no function. Events that make or free activations, and END, always pass, because readers
 * need them. */
#ifndef TRACES_FILTER_H
#define TRACES_FILTER_H

#include "lib/cursor.h"
#include "traces/live_tags.h"

/* Conditions of a filter as the user writes them; NULL: no such condition. */
struct traces_filter_texts {
    const char *pe;       /* PEs: "0-3,7" */
    const char *function; /* names of functions: "fib,main" */
    const char *line;     /* source lines: "12,20-30" */
    /* tag of an activation, as messages write it, "[1,2.0]"; it and all below it pass */
    const char *below;
};

struct traces_filter_range {
    uint64_t from, to; /* first and last PE or source line of the range */
};

struct traces_filter_ranges {
    struct traces_filter_range *items;
    size_t count, capacity;
};

/* Labels of a tag (its calls and loops), innermost first. */
struct traces_tag_labels {
    struct traces_tag_label {
        uint64_t site, iteration;
        bool has_iteration;
    } * items;
    size_t count, capacity;
};

/* Reads a complete tag as messages write it, "[1,0.2]". The cursor reports errors. Free `labels`
 * with LIB_VEC_FREE even after an error. */
bool traces_tag_read(struct traces_tag_labels *labels, struct lib_cursor *c);

struct traces_filter {
    const struct isa_graph *graph;
    struct traces_filter_ranges pes, lines;
    bool *functions; /* per function: whether its events pass; NULL: all pass */
    struct traces_tag_labels below;
    bool has_below;
    struct traces_live_tags tags; /* live activations, for the condition `below` */
    struct traces_event_sink sink;
    LIB_VEC(struct traces_event) passed;
};

/* Whether the user gave any condition. */
bool traces_filter_is_any(const struct traces_filter_texts *texts);

/* Starts a filter that passes events to `sink`. Returns false and adds a diagnostic if a condition
 * is invalid. Call traces_filter_free even after an error. */
bool traces_filter_start(struct traces_filter *filter, const struct isa_graph *graph,
                         const struct traces_filter_texts *texts,
                         struct traces_event_sink sink, struct lib_diags *diags);
void traces_filter_free(struct traces_filter *filter);

/* Whether the conditions hold for the next event; true for END. Events that make or free
 * activations always pass the sink, but are tested here. Call it for all events of the stream in
 * order. */
bool traces_filter_asks_for(struct traces_filter *filter,
                            const struct traces_event *event);

/* Returns the filter as a sink, which must get the stream from its beginning. */
struct traces_event_sink traces_filter_sink(struct traces_filter *filter);

#endif
