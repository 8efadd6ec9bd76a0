/* The activations alive at a place in a stream of events (traces/events.h). The numbers that name
 * activations are used again; so a reader of any level keeps this table beside the stream. */
#ifndef TRACES_LIVE_TAGS_H
#define TRACES_LIVE_TAGS_H

#include "traces/tag_index.h"

struct traces_live_tag {
    uint32_t tag;    /* TRACES_NONE: this place is free */
    uint32_t parent; /* TRACES_NONE: it is the root */
    uint32_t site, function;
    uint32_t depth;   /* labels of the tag */
    uint32_t pe;      /* TRACES_NONE: it has none yet */
    uint32_t made_by; /* a node; TRACES_NONE: it was there before */
    uint32_t mark;    /* free for who reads the stream; 0 at first */
    uint64_t path;    /* isa/tag_path.h */
    uint64_t iteration;
    uint64_t
        made; /* in this cycle; of one that was there before the stream: where that began */
    uint64_t serial; /* so many were made before it in the stream */
    bool is_call; /* it counts in `calls`: of an APPLY, since all arguments have come */
};

/* Start with traces_live_tags_start. */
struct traces_live_tags {
    const struct isa_graph *graph;       /* borrowed */
    LIB_VEC(struct traces_live_tag) all; /* in no order */
    uint32_t
        free; /* a place in `all`, whose `parent` is the next one; TRACES_NONE: none is free */
    struct traces_tag_index index;
    size_t count;  /* alive */
    uint64_t made; /* so many in the stream so far */
};

void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph);
void traces_live_tags_free(struct traces_live_tags *tags); /* one that is all zero, too */

/* Valid until the next event is noted; NULL: none of that number is alive. */
struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag);

/* Takes notice of an event: after it was looked at where it ends an activation, before where it
 * makes one. False: it cannot be, as when one is made whose parent is not alive. */
bool traces_live_tags_note(struct traces_live_tags *tags,
                           const struct traces_event *event);

/* Adds the tag of an activation that is alive (isa/tag_text.h). */
void traces_live_tags_write(const struct traces_live_tags *tags, uint32_t tag,
                            struct lib_text *out);

#endif
