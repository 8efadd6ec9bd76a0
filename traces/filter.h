/* A filter: of the events of a stream, those of some PEs, functions, source lines, and
 * activations.
 *
 * What makes activations and frees them passes any filter, and so does END: by these each event
 * that passes can be told with its function and tag. All else passes if it is what each of the
 * given conditions asks for; an event that says nothing of that, as `lock` of a function, does
 * not. */
#ifndef TRACES_FILTER_H
#define TRACES_FILTER_H

#include "lib/diag.h"
#include "traces/live_tags.h"

/* What the texts of a filter are: NULL where there is no such condition. Of functions and lines
 * there may be several, with commas. */
struct traces_filter_texts {
    const char *pe;       /* "0-3,7" */
    const char *function; /* "fib,main" */
    const char *line;     /* "12,20-30" */
    const char *below;    /* a tag as messages write it: "[1,2.0]" */
};

struct traces_filter_range {
    uint64_t from, to; /* both are in it */
};

/* A label of a tag. */
struct traces_filter_label {
    uint64_t site, iteration;
};

struct traces_filter {
    const struct isa_graph *graph;
    LIB_VEC(struct traces_filter_range) pes, lines;
    bool *functions; /* NULL: all */
    LIB_VEC(struct traces_filter_label) below;
    bool has_below;
    struct traces_live_tags tags; /* kept for `below` */
    struct traces_event_sink sink;
    LIB_VEC(struct traces_event) passed;
};

/* Whether there is any condition. */
bool traces_filter_is_any(const struct traces_filter_texts *texts);

/* false: a text is wrong, which is in `diags`. Give back with traces_filter_free in either case. */
bool traces_filter_start(struct traces_filter *filter, const struct isa_graph *graph,
                         const struct traces_filter_texts *texts,
                         struct traces_event_sink sink, struct lib_diags *diags);
void traces_filter_free(struct traces_filter *filter);

/* Whether the next event of a stream, which is told from its beginning, is asked for itself, and
 * not let through only because it makes activations and frees them: for who needs all events, and
 * not a sink. */
bool traces_filter_asks_for(struct traces_filter *filter,
                            const struct traces_event *event);

/* Takes a stream of the level of the sink, from its beginning. */
struct traces_event_sink traces_filter_sink(struct traces_filter *filter);

#endif
