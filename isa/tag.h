/* Tags: the activations of a run, held as shared stacks.
 *
 * A tag is a list of labels i:t (paper 1, section 3). All tags of a run form a tree in
 * which each activation knows its parent, so that lists share their tails; a token
 * carries the index of its activation. With each activation go its frame - the slots in
 * which operands wait for their partner - and its children, one for each call site that
 * several CALLs share.
 *
 * An activation lives while `live` > 0. That counts the tokens that have its tag (on
 * their way or waiting), its deferred reads and its children. The control token of a
 * call is among them until RETURN has fired, so an activation that may still receive a
 * token is never freed. */
#ifndef ISA_TAG_H
#define ISA_TAG_H

#include "isa/value.h"

#include <assert.h>
#include <stddef.h>

typedef uint32_t isa_tag; /* index of an activation */

enum {
    ISA_TAG_NONE = 0,
    ISA_TAG_ROOT = 1, /* the empty tag */
};

#define ISA_SITE_NONE UINT32_MAX /* "call site" of the root */

struct isa_activation {
    isa_tag parent; /* of a freed one: the next in the list of free frames */
    uint32_t site;  /* the head of the tag: the call site */
    uint64_t path;  /* hash of the whole list of labels: the same on every machine */
    uint32_t live;
    uint32_t depth;    /* length of the list */
    uint32_t function; /* whose frame this is */
    uint32_t spare;    /* for the machine: where the activation was placed */
};

enum isa_slot_state {
    ISA_SLOT_EMPTY,
    ISA_SLOT_WAITING, /* an operand waits for its partner */
    ISA_SLOT_SEEN,    /* MERGEIF: one of its two tokens has come, and was this one */
};

/* One place in a frame where the operand of a two-operand instruction waits. */
struct isa_slot {
    isa_value value;
    uint64_t depth : 40, state : 8, port : 8, dead : 8;
};

/* Frames are made of units, so that 32-bit indices reach 64 GiB. */
enum { ISA_FRAME_UNIT = 16 };

/* The shape of a function's frame. */
struct isa_frame_shape {
    uint32_t units; /* the whole frame, header included */
    uint32_t slots;
    uint32_t children;
};

struct isa_tags {
    unsigned char *memory;
    uint64_t used, capacity;              /* in units */
    uint64_t limit;                       /* in units */
    const struct isa_frame_shape *shapes; /* per function; borrowed */
    const uint32_t *child_of_site;        /* per site: its place among the caller's
                                             children, or ISA_NO_CHILD; borrowed */
    isa_tag *free_frames;                 /* per function: the newest freed */
    uint32_t function_count;
    uint64_t count;   /* activations alive, the root among them */
    uint64_t created; /* ever, without the root */
    uint32_t deepest; /* longest list of labels so far */
};

/* A site whose callee has one parameter: no other CALL will look for the child. */
#define ISA_NO_CHILD UINT32_MAX

/* The shape of a frame with so many slots and children. */
struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children);

/* Starts with the root alone. `limit_bytes` bounds the memory of all frames. */
void isa_tags_init(struct isa_tags *tags, const struct isa_frame_shape *shapes,
                   const uint32_t *child_of_site, uint32_t function_count,
                   uint64_t limit_bytes);
void isa_tags_free(struct isa_tags *tags);

static inline struct isa_activation *isa_tags_get(const struct isa_tags *tags,
                                                  isa_tag tag)
{
    assert(tag != ISA_TAG_NONE && tag < tags->used);
    return (struct isa_activation *)(tags->memory + (size_t)tag * ISA_FRAME_UNIT);
}

static inline struct isa_slot *isa_activation_slots(struct isa_activation *a)
{
    return (struct isa_slot *)(a + 1);
}

/* The activations that the CALLs of one site share. */
static inline isa_tag *isa_tags_children(const struct isa_tags *tags,
                                         struct isa_activation *a)
{
    return (isa_tag *)(isa_activation_slots(a) + tags->shapes[a->function].slots);
}

/* Makes the activation site:parent of `function`, with `live` 0 and a clear frame, and
 * counts it in the parent's `live`. ISA_TAG_NONE: the limit is reached. Moves the
 * memory: pointers to activations are no longer valid. */
isa_tag isa_tags_make(struct isa_tags *tags, isa_tag parent, uint32_t site,
                      uint32_t function);

/* Gives back an activation whose `live` is 0, and its ancestors of which it was the last
 * thing alive. The caller's children no longer name it. */
void isa_tags_drop(struct isa_tags *tags, isa_tag tag);

/* The tag i:t after the tag t, in `path`. */
uint64_t isa_tag_path(uint64_t parent_path, uint32_t site);

/* Adds the tag as [i,j,...], its head first; long ones are shortened in the middle. */
void isa_tag_write(const struct isa_tags *tags, isa_tag tag, struct lib_text *out);

/* Calls `visit` for every activation alive, in the order of their memory. */
void isa_tags_each(const struct isa_tags *tags,
                   void (*visit)(isa_tag tag, struct isa_activation *activation,
                                 void *context),
                   void *context);

#endif
