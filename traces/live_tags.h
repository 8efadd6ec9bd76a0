/* The activations alive at a place in a stream of events (traces/events.h). Because numbers of
 * activations are used again, readers of a stream of any level keep this table. A million of them
 * may be alive: members that only some readers need are kept on request (`has_more`). */
#ifndef TRACES_LIVE_TAGS_H
#define TRACES_LIVE_TAGS_H

#include "lib/hash_index.h"
#include "traces/events.h"

struct traces_live_tag {
    uint32_t tag;    /* TRACES_NONE in a free entry */
    uint32_t parent; /* TRACES_NONE for the root */
    uint32_t site;
    uint32_t depth : 31;  /* labels of the tag */
    uint32_t is_call : 1; /* counts in `calls`; an APPLY's: all arguments have arrived */
    uint32_t made_by;     /* node; TRACES_NONE if it was alive before the stream */
    uint32_t mark;        /* for the reader; 0 at first */
    uint64_t made; /* cycle in which it was made, or that in which the stream began */
};
static_assert(sizeof(struct traces_live_tag) == 32, "two in a line of a cache");

struct traces_live_tag_more {
    uint64_t path; /* isa/tag_path.h */
    uint64_t iteration;
    uint64_t serial; /* number of activations made before it in the stream */
    uint32_t pe;     /* TRACES_NONE until it is placed */
};

/* Start with traces_live_tags_start. */
struct traces_live_tags {
    const struct isa_graph *graph;             /* borrowed */
    LIB_VEC(struct traces_live_tag) all;       /* unordered, with free entries */
    LIB_VEC(struct traces_live_tag_more) more; /* per entry of `all`, if has_more */
    bool has_more;
    uint32_t free; /* first free place, whose `parent` is the next; or TRACES_NONE */
    struct lib_hash_index index;
    size_t count;  /* live activations */
    uint64_t made; /* number of activations in the stream so far */
};

/* Starts a table. `has_more`: whether to keep struct traces_live_tag_more too. */
void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph,
                            bool has_more);
void traces_live_tags_free(struct traces_live_tags *tags); /* {0} is allowed */

/* Returns an activation by its number, or NULL if it is not alive. Valid until the next event is
 * noted. */
struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag);

/* Returns the index in `all` of an activation, which stays the same as long as it is alive. */
static inline size_t traces_live_tags_place(const struct traces_live_tags *tags,
                                            const struct traces_live_tag *tag)
{
    return (size_t)(tag - tags->all.items);
}

/* Returns the further members of an activation, if has_more. Valid as long as `tag` is. */
static inline const struct traces_live_tag_more *
traces_live_tags_more(const struct traces_live_tags *tags,
                      const struct traces_live_tag *tag)
{
    assert(tags->has_more);
    return &tags->more.items[traces_live_tags_place(tags, tag)];
}

/* Returns the function or loop of an activation. */
static inline uint32_t traces_live_tags_function(const struct traces_live_tags *tags,
                                                 const struct traces_live_tag *tag)
{
    return tag->parent == TRACES_NONE ? 0 : tags->graph->sites[tag->site].callee;
}

/* Updates the table by an event. A reader calls it before it looks at an event that makes an
 * activation, and after it has looked at one that frees an activation. Returns false if the event
 * is impossible, for example if the parent of a new activation is not alive. */
bool traces_live_tags_note(struct traces_live_tags *tags,
                           const struct traces_event *event);

/* Adds the tag of an activation that is alive (isa/tag_text.h). Needs has_more. */
void traces_live_tags_write(const struct traces_live_tags *tags, uint32_t tag,
                            struct lib_text *out);

#endif
