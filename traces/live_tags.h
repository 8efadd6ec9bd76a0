/* Table of the activations alive at a point of a stream of events (traces/events.h). Events name an
 * activation by an identifier that is reused, so most readers of a stream need this table. It may
 * have a million entries, so struct traces_live_tag_more is kept only on request. */
#ifndef TRACES_LIVE_TAGS_H
#define TRACES_LIVE_TAGS_H

#include "lib/hash_index.h"
#include "traces/events.h"

struct traces_live_tag {
    uint32_t tag;    /* identifier in events; TRACES_NONE: the entry is free */
    uint32_t parent; /* identifier of the parent activation; TRACES_NONE for the root */
    uint32_t site;
    uint32_t depth : 31; /* length of the tag: number of nested calls and loops */
    /* activation of a call; for an APPLY, set when all arguments have arrived */
    uint32_t is_call : 1;
    /* instruction that made the activation; TRACES_NONE if before the stream began */
    uint32_t made_by;
    uint32_t mark; /* for use by the reader of the stream; 0 at first */
    uint64_t made; /* cycle in which the activation was made, or the stream began */
};
static_assert(sizeof(struct traces_live_tag) == 32, "two in a line of a cache");

struct traces_live_tag_more {
    uint64_t path; /* hash of the tag (isa/tag_path.h) */
    uint64_t iteration;
    uint64_t serial; /* number of activations that the stream made before this one */
    uint32_t pe;     /* PE of the activation; TRACES_NONE until it is placed on one */
};

struct traces_live_tags {
    const struct isa_graph *graph;       /* borrowed */
    LIB_VEC(struct traces_live_tag) all; /* unordered, with free entries */
    /* if has_more, further data of each entry of `all`, at the same index; else empty */
    LIB_VEC(struct traces_live_tag_more) more;
    bool has_more;
    /* first free entry, whose `parent` is the next one; TRACES_NONE: none */
    uint32_t free;
    struct lib_hash_index index;
    size_t count;  /* number of live activations */
    uint64_t made; /* number of activations made in the stream so far */
};

/* Starts an empty table of activations. `has_more`: the table also keeps a struct
 * traces_live_tag_more for each activation. */
void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph,
                            bool has_more);
/* Frees a table of activations, which may be zeroed. */
void traces_live_tags_free(struct traces_live_tags *tags);

/* Returns the live activation with identifier `tag`, or NULL. The pointer is valid until the next
 * call of traces_live_tags_note. */
struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag);

/* Returns the index in `all` of a live activation, fixed while it lives. */
static inline size_t traces_live_tags_place(const struct traces_live_tags *tags,
                                            const struct traces_live_tag *tag)
{
    return (size_t)(tag - tags->all.items);
}

/* Returns the further data of an activation, valid as long as the pointer `tag`. The table must
 * have been started with has_more. */
static inline const struct traces_live_tag_more *
traces_live_tags_more(const struct traces_live_tags *tags,
                      const struct traces_live_tag *tag)
{
    assert(tags->has_more);
    return &tags->more.items[traces_live_tags_place(tags, tag)];
}

/* Returns the function or loop that an activation runs. */
static inline uint32_t traces_live_tags_function(const struct traces_live_tags *tags,
                                                 const struct traces_live_tag *tag)
{
    return tag->parent == TRACES_NONE ? 0 : tags->graph->sites[tag->site].callee;
}

/* Updates the table by an event. Call it before handling an event that makes an activation, and
 * after handling one that frees an activation. Returns false if the event is impossible, for
 * example if the parent of a new activation is not alive. */
bool traces_live_tags_note(struct traces_live_tags *tags,
                           const struct traces_event *event);

/* Adds the tag of a live activation as text (isa/tag_text.h). The table must have been started with
 * has_more. */
void traces_live_tags_write(const struct traces_live_tags *tags, uint32_t tag,
                            struct lib_text *out);

#endif
