/* A filter of a stream of events, by PEs, functions, source lines or activations. An event passes
 * if all given conditions hold for it. A condition does not hold for an event without the field in
 * question: LOCK has no function. Events that make or free activations and END always pass, because
 * readers need them to print functions and tags. */
#ifndef TRACES_FILTER_H
#define TRACES_FILTER_H

#include "lib/cursor.h"
#include "traces/live_tags.h"

/* The conditions of a filter as the user writes them; NULL if not given. */
struct traces_filter_texts {
    const char *pe;       /* "0-3,7" */
    const char *function; /* "fib,main" */
    const char *line;     /* "12,20-30" */
    const char *below;    /* a tag as messages write it: "[1,2.0]" */
};

struct traces_filter_range {
    uint64_t from, to; /* range of numbers, both ends included */
};

struct traces_filter_ranges {
    struct traces_filter_range *items;
    size_t count, capacity;
};

/* The labels of a tag (its calls and loops), the innermost first. */
struct traces_tag_labels {
    struct traces_tag_label {
        uint64_t site, iteration;
        bool has_iteration;
    } * items;
    size_t count, capacity;
};

/* Reads a whole tag as messages write it: "[1,0.2]". The cursor reports errors. `labels` must be
 * freed with LIB_VEC_FREE in either case. */
bool traces_tag_read(struct traces_tag_labels *labels, struct lib_cursor *c);

struct traces_filter {
    const struct isa_graph *graph;
    struct traces_filter_ranges pes, lines;
    bool *functions; /* selected functions; NULL: all */
    struct traces_tag_labels below;
    bool has_below;
    struct traces_live_tags tags; /* live activations, for the condition `below` */
    struct traces_event_sink sink;
    LIB_VEC(struct traces_event) passed;
};

/* Whether any condition is given. */
bool traces_filter_is_any(const struct traces_filter_texts *texts);

/* Starts a filter that passes events to `sink`. Returns false and adds a diagnostic if a condition
 * is invalid. The caller calls traces_filter_free in either case. */
bool traces_filter_start(struct traces_filter *filter, const struct isa_graph *graph,
                         const struct traces_filter_texts *texts,
                         struct traces_event_sink sink, struct lib_diags *diags);
void traces_filter_free(struct traces_filter *filter);

/* Whether the conditions hold for the next event. Must get all events of the stream in order.
 * Unlike the sink, returns false for events that pass only because they make or free
 * activations. */
bool traces_filter_asks_for(struct traces_filter *filter,
                            const struct traces_event *event);

/* Returns the sink of the filter, which must get the stream from its beginning. */
struct traces_event_sink traces_filter_sink(struct traces_filter *filter);

#endif
