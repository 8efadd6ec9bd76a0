/* The activations alive at a place in a stream of events (traces/events.h). The numbers that name
 * activations are used again; so a reader of any level keeps this table beside the stream. A run
 * may have a million of them alive: what only some readers need is kept if they ask for it. */
#ifndef TRACES_LIVE_TAGS_H
#define TRACES_LIVE_TAGS_H

#include "lib/hash_index.h"
#include "traces/events.h"

struct traces_live_tag {
    uint32_t tag;    /* TRACES_NONE: this place is free */
    uint32_t parent; /* TRACES_NONE: it is the root */
    uint32_t site;
    uint32_t depth : 31; /* labels of the tag */
    uint32_t
        is_call : 1; /* it counts in `calls`: of an APPLY, since all arguments have come */
    uint32_t made_by; /* a node; TRACES_NONE: it was there before */
    uint32_t mark;    /* free for who reads the stream; 0 at first */
    uint64_t
        made; /* in this cycle; of one that was there before the stream: where that began */
};
static_assert(sizeof(struct traces_live_tag) == 32, "two in a line of a cache");

struct traces_live_tag_more {
    uint64_t path; /* isa/tag_path.h */
    uint64_t iteration;
    uint64_t serial; /* so many were made before it in the stream */
    uint32_t pe;     /* TRACES_NONE: it has none yet */
};

/* Start with traces_live_tags_start. */
struct traces_live_tags {
    const struct isa_graph *graph;             /* borrowed */
    LIB_VEC(struct traces_live_tag) all;       /* in no order */
    LIB_VEC(struct traces_live_tag_more) more; /* of each place of `all`, or nothing */
    bool has_more;
    uint32_t
        free; /* a place in `all`, whose `parent` is the next one; TRACES_NONE: none is free */
    struct lib_hash_index index;
    size_t count;  /* alive */
    uint64_t made; /* so many in the stream so far */
};

/* `has_more`: struct traces_live_tag_more is kept, too. */
void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph,
                            bool has_more);
void traces_live_tags_free(struct traces_live_tags *tags); /* one that is all zero, too */

/* Valid until the next event is noted; NULL: none of that number is alive. */
struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag);

/* The place in `all` of one that is alive. It keeps its place as long as it lives. */
static inline size_t traces_live_tags_place(const struct traces_live_tags *tags,
                                            const struct traces_live_tag *tag)
{
    return (size_t)(tag - tags->all.items);
}

/* What else is known of one that is alive, where that is kept. Valid as long as `tag` is. */
static inline const struct traces_live_tag_more *
traces_live_tags_more(const struct traces_live_tags *tags,
                      const struct traces_live_tag *tag)
{
    assert(tags->has_more);
    return &tags->more.items[traces_live_tags_place(tags, tag)];
}

/* The function, or loop, of which it is an activation. */
static inline uint32_t traces_live_tags_function(const struct traces_live_tags *tags,
                                                 const struct traces_live_tag *tag)
{
    return tag->parent == TRACES_NONE ? 0 : tags->graph->sites[tag->site].callee;
}

/* Takes notice of an event: after it was looked at where it ends an activation, before where it
 * makes one. False: it cannot be, as when one is made whose parent is not alive. */
bool traces_live_tags_note(struct traces_live_tags *tags,
                           const struct traces_event *event);

/* Adds the tag of an activation that is alive (isa/tag_text.h); `tags` keep more. */
void traces_live_tags_write(const struct traces_live_tags *tags, uint32_t tag,
                            struct lib_text *out);

#endif
