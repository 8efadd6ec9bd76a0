/* Tags: the activations of a run, held as shared stacks.
 *
 * A tag is a list of labels i:t (paper 1, section 3). All tags of a run form a tree in
 * which each activation knows its parent, so that lists share their tails; a token
 * carries the index of its activation. Each activation has a frame, the slots in which operands
 * wait for their partner. It also has children, one for each call site that several CALLs share.
 *
 * A loop is an activation per iteration: its label carries the number of the iteration,
 * i.n:t, and all have the same parent. The frame of an iteration starts with a slot of its
 * own, which knows that number and how many of the loop's variables have still to come:
 * each ENTER, or NEXT of the iteration before, brings one. Those count in `live`, so that
 * an iteration is not freed before it has begun.
 *
 * In the frame where a loop stands, the loop has a slot, which counts the iterations alive. A
 * slot for each constant that it holds follows (isa/exec/loop_constant.h). A constant that has
 * come keeps that frame alive, until the loop ends: its iterations have ended, and all constants
 * have come.
 *
 * An activation lives while `live` > 0. That counts the tokens that have its tag (on their way
 * or waiting), its deferred reads, its children, and for an iteration the variables still to
 * come. The control token of a call is among these tokens until RETURN has fired. So an
 * activation that may still receive a token is never freed. */
#ifndef ISA_EXEC_ACTIVATION_H
#define ISA_EXEC_ACTIVATION_H

#include "isa/exec/watcher.h"
#include "isa/tag_path.h"
#include "isa/value.h"
#include "lib/memory.h"

#include <assert.h>
#include <stddef.h>

typedef uint32_t isa_tag; /* index of an activation */

enum {
    ISA_TAG_NONE = 0,
    ISA_TAG_ROOT = 1, /* the empty tag */
};

/* Tags are smaller: a machine may put other numbers where children are named. */
#define ISA_TAG_LIMIT UINT32_C(0x80000000)

#define ISA_PE_NONE UINT32_MAX

#define ISA_SITE_NONE UINT32_MAX /* "call site" of the root */

struct isa_activation {
    isa_tag parent; /* of a freed one: the next in the list of free frames */
    uint32_t site;  /* the head of the tag: the call site, or the loop */
    uint64_t path;  /* hash of the whole list of labels: the same on every machine */
    uint32_t live;
    uint32_t depth;     /* length of the list */
    uint32_t function;  /* whose frame this is */
    uint32_t pe_number; /* for the machine: the PE where it was placed; ISA_PE_NONE */
};

/* One place in a frame where the operand of a two-operand instruction waits, or where
 * MERGEIF notes that one of its two tokens has come. */
struct isa_slot {
    isa_value value;
    uint64_t info; /* ISA_SLOT_EMPTY, or depth << ISA_SLOT_DEPTH_SHIFT | marks */
};

enum {
    ISA_SLOT_EMPTY = 0,
    ISA_SLOT_WAITING = 1, /* an operand waits for its partner */
    ISA_SLOT_SEEN = 2,    /* MERGEIF: one of its two tokens has come, and was this one */
    ISA_SLOT_PORT = 4,    /* it is operand 1 */
    ISA_SLOT_DEAD = 8,    /* it is a hiaton */
    ISA_SLOT_OVERFLOW = 16, /* for the machine: it lies in the slower store, */
    ISA_SLOT_COMING = 32,   /* or it is issued later in this cycle, */
    ISA_SLOT_SENT = 64,     /* or its partner has gone on to the PE of an element */
    ISA_SLOT_HELD =
        128, /* a constant of a loop that has come; in the loop's own slot: its
                             iterations have ended, but not all of its constants have come */
    ISA_SLOT_REFERS = 256, /* that constant is a reference (isa/exec/structure.h) */
    ISA_SLOT_WANTED =
        512, /* a constant of a loop that has not come, but that tokens want */
    ISA_SLOT_ABSENT = 1024, /* of an APPLY: `value` of its arguments came as hiatons */
    ISA_SLOT_COPIED = 2048, /* a call's own slot: all arguments have come */
    ISA_SLOT_DEPTH_SHIFT = 12,
};

static inline bool isa_slot_is_empty(const struct isa_slot *s)
{
    return s->info == ISA_SLOT_EMPTY;
}

static inline bool isa_slot_is_waiting(const struct isa_slot *s)
{
    return s->info & ISA_SLOT_WAITING;
}

static inline bool isa_slot_port(const struct isa_slot *s)
{
    return s->info & ISA_SLOT_PORT;
}

static inline bool isa_slot_is_dead(const struct isa_slot *s)
{
    return s->info & ISA_SLOT_DEAD;
}

static inline bool isa_slot_is_held(const struct isa_slot *s)
{
    return s->info & ISA_SLOT_HELD;
}

static inline uint64_t isa_slot_depth(const struct isa_slot *s)
{
    return s->info >> ISA_SLOT_DEPTH_SHIFT;
}

/* The mark of a MERGEIF that has seen one token. */
static inline uint64_t isa_slot_seen(bool dead)
{
    return ISA_SLOT_SEEN | (dead ? ISA_SLOT_DEAD : 0);
}

/* Frames are made of units, so that 32-bit indices reach 64 GiB. */
enum { ISA_FRAME_UNIT = 16 };

/* The shape of a function's frame. */
struct isa_frame_shape {
    uint32_t units; /* the whole frame, header included */
    uint32_t slots;
    uint32_t children;
    bool is_loop;
    bool gathers; /* arguments of an APPLY come to it, in slots behind its own one */
};

/* A machine has nothing left of an activation. */
struct isa_left {
    isa_tag tag;
    uint32_t machine;
};

/* What each machine of a partitioned graph has of each activation: its share of `live`, which is
 * what of it stands there. Only the tokens on their way from a SEND to a RECV are in no share. A
 * machine whose share becomes empty gives its weight back to the home of the activation, unless
 * it is that (doc/model.md, "Machines"). */
struct isa_shares {
    uint32_t machines;
    const uint32_t
        *home_of_site;    /* borrowed; NULL: shares are not counted, as each machine
                                     knows which tags there are, and what comes under each */
    uint32_t at;          /* the machine of the instruction that fires */
    uint32_t machine_pes; /* for the machine: PEs of each */
    uint32_t *held;       /* per place of a frame, and machine */
    uint64_t capacity;    /* in numbers */
    uint64_t releases;
    bool
        tells; /* the home is told by messages, which are in `live`, but of the root, of which nobody is */
    LIB_VEC(struct isa_left) left; /* since the machine has sent them */
    /* For the machine, where frames are finite; borrowed, or NULL: per function and machine the
     * slots of its instructions there, per function those at the home of the site, and per site
     * that. */
    const uint32_t *slots_on, *slots_of_call, *homes;
};

/* The slots that a frame has on a machine. */
static inline uint32_t isa_shares_slots(const struct isa_shares *s, uint32_t function,
                                        uint32_t site, uint32_t machine)
{
    const bool is_home = site != ISA_SITE_NONE && s->homes[site] == machine;
    return s->slots_on[(size_t)function * s->machines + machine] +
           (is_home ? s->slots_of_call[function] : 0);
}

struct isa_activations {
    unsigned char *memory;
    uint64_t used, capacity;              /* in units */
    uint64_t limit;                       /* in units */
    const struct isa_frame_shape *shapes; /* per function; borrowed */
    const uint32_t *child_of_site;        /* per site: its place among the caller's
                                             children, ISA_NO_CHILD, or of a loop
                                             ISA_LOOP_FLIGHT | slot; borrowed */
    const uint32_t *held_of_site;         /* per site: constants of a loop; borrowed */
    isa_tag *free_frames;                 /* per function: the newest freed */
    uint64_t *made, *freed;               /* per function: its activations, ever */
    bool is_watched;                      /* one of the following is there */
    const struct isa_watcher *watcher;    /* for the machine: borrowed, or NULL */
    uint64_t *slots_at;                   /* for the machine: the slots of frames, per
                                             PE; borrowed, or NULL */
    const uint32_t *copy_nodes;           /* per function: nodes of a copy of its graph;
                                             borrowed; NULL: none is copied */
    uint64_t *copies_at;                  /* for the machine: nodes of copies, per PE;
                                             borrowed, or NULL */
    uint32_t followed;                    /* a function, whose first call is: */
    isa_tag first_call;                   /* ISA_TAG_NONE: not made yet */
    bool is_over;                         /* it has been, and is gone */
    struct isa_shares *shares;            /* of a partitioned graph; or NULL */
    uint64_t copied_nodes;                /* ever */
    uint64_t freed_nodes;                 /* of copies that were freed */
    uint32_t function_count;
    uint64_t count;      /* activations alive, the root among them */
    uint64_t created;    /* ever, without the root and iterations */
    uint64_t iterations; /* made by NEXT, ever */
    LIB_VEC(isa_value)
    consumed;         /* references that loops which have ended held, and that are
                                    to be given up (isa/exec/loop_constant.h) */
    uint32_t deepest; /* longest list of labels so far */
};

/* A site whose callee has one parameter: no other CALL will look for the child. */
#define ISA_NO_CHILD UINT32_MAX

/* A slot in the frame where a loop stands counts, in the lower half of `value`, its iterations
 * alive, and in the upper half its constants that have come; the machine has the `info`, but
 * for the marks. The last variable to come empties the place where the iteration before
 * keeps its next one. */
#define ISA_LOOP_FLIGHT UINT32_C(0x40000000)

enum { ISA_LOOP_HELD_SHIFT = 32 };

/* For the machine: the PE of an activation where an instruction of it fires. */
static inline uint32_t isa_activations_pe(const struct isa_activations *tags,
                                          const struct isa_activation *a)
{
    const struct isa_shares *s = tags->shares;
    return s ? s->at * s->machine_pes + a->pe_number : a->pe_number;
}

/* A machine has so much more of an activation, or less. */
void isa_shares_change(struct isa_activations *tags, isa_tag tag, uint32_t machine,
                       int32_t change);

/* From the start on shares are counted, of so many machines of so many PEs. */
void isa_shares_start(struct isa_activations *tags, uint32_t machines,
                      const uint32_t *home_of_site, uint32_t machine_pes);

/* The shape of a frame with so many slots and children. */
struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children);

/* Starts with the root alone. `limit_bytes` bounds the memory of all frames. */
void isa_activations_init(struct isa_activations *tags,
                          const struct isa_frame_shape *shapes,
                          const uint32_t *child_of_site, const uint32_t *held_of_site,
                          uint32_t function_count, uint64_t limit_bytes);
void isa_activations_free(struct isa_activations *tags);

/* Restores `start`, a copy of `tags` from before any activation but the root was made. Keeps the
 * memory that frames have. Whoever placed the root places it again. */
void isa_activations_reset(struct isa_activations *tags, struct isa_activations *start);

static inline struct isa_activation *
isa_activations_get(const struct isa_activations *tags, isa_tag tag)
{
    assert(tag != ISA_TAG_NONE && tag < tags->used);
    return (struct isa_activation *)(tags->memory + (size_t)tag * ISA_FRAME_UNIT);
}

static inline struct isa_slot *isa_activation_slots(struct isa_activation *a)
{
    return (struct isa_slot *)(a + 1);
}

/* The activations of a function that are alive. */
static inline uint64_t isa_activations_alive(const struct isa_activations *tags,
                                             uint32_t function)
{
    return tags->made[function] - tags->freed[function];
}

/* The activations that the CALLs of one site share. */
static inline isa_tag *isa_activations_children(const struct isa_activations *tags,
                                                struct isa_activation *a)
{
    return (isa_tag *)(isa_activation_slots(a) + tags->shapes[a->function].slots);
}

/* The slot of an iteration in its own frame: the first. */
enum { ISA_LOOP_SLOT = 0 };

/* Where an iteration keeps the next one, among its children, if there are variables that
 * share it. */
enum { ISA_LOOP_CHILD = 0 };

/* The number of an iteration. */
static inline uint64_t isa_iteration_number(struct isa_activation *a)
{
    return isa_activation_slots(a)[ISA_LOOP_SLOT].value;
}

/* How many variables have still to come. */
static inline uint32_t isa_iteration_expects(struct isa_activation *a)
{
    return (uint32_t)(isa_activation_slots(a)[ISA_LOOP_SLOT].info >>
                      ISA_SLOT_DEPTH_SHIFT);
}

/* The slot of a call in its own frame, the first, where it gathers arguments: how many have
 * come, and whether that were all. That of argument k is the k-th behind it. */
enum { ISA_CALL_SLOT = 0 };

static inline uint64_t isa_call_has(const struct isa_slot *own)
{
    return own->info >> ISA_SLOT_DEPTH_SHIFT;
}

/* What a loop counts where it stands: in the frame of the parent of its iterations. */
static inline struct isa_slot *isa_activations_flight(const struct isa_activations *tags,
                                                      isa_tag parent, uint32_t site)
{
    assert(tags->child_of_site[site] & ISA_LOOP_FLIGHT);
    return &isa_activation_slots(
        isa_activations_get(tags, parent))[tags->child_of_site[site] & ~ISA_LOOP_FLIGHT];
}

static inline uint32_t isa_loop_alive(const struct isa_slot *flight)
{
    return (uint32_t)flight->value;
}

/* Keeps a constant in its slot, which is not HELD, in the frame where its loop stands. Only
 * the token that brings it must keep the frame alive yet. `refers`: it is a reference. */
void isa_activations_hold(struct isa_activations *tags, isa_tag parent, uint32_t site,
                          struct isa_slot *constant, isa_value value, uint64_t depth,
                          bool refers);

/* No function is followed. Its first call is the first activation of it that is made: its frame
 * was never used. So only the making of such a frame looks for it. */
#define ISA_FOLLOWS_NONE UINT32_MAX

/* A frame that was never used, all zero; ISA_TAG_NONE: the limit is reached. */
isa_tag isa_activations_new_frame(struct isa_activations *tags, uint32_t function);

/* A frame that an activation of `function` has left, or a new one. Nothing waits in a
 * freed frame, and its children are gone; but a MERGEIF may have left its mark, where
 * `marks` are made. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_frame(struct isa_activations *tags, uint32_t function, bool marks,
                      bool measures)
{
    isa_tag tag = tags->free_frames[function];
    if (__builtin_expect(tag == ISA_TAG_NONE, 0))
        return isa_activations_new_frame(tags, function);
    struct isa_activation *a = isa_activations_get(tags, tag);
    tags->free_frames[function] = a->parent;
    if (measures)
        __builtin_prefetch(tags->memory + (size_t)a->parent * ISA_FRAME_UNIT);
    struct isa_slot *slots = isa_activation_slots(a);
    for (uint32_t i = 0; marks && i < tags->shapes[function].slots; i++)
        slots[i].info = ISA_SLOT_EMPTY;
    return tag;
}

/* What isa_activations_make and isa_activations_make_iteration have in common. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_begin(struct isa_activations *tags, isa_tag parent, uint32_t site,
                      uint32_t function, bool marks, bool measures)
{
    isa_tag tag = isa_activations_frame(tags, function, marks, measures);
    if (__builtin_expect(tag == ISA_TAG_NONE, 0))
        return tag;
    struct isa_activation *p = isa_activations_get(tags, parent);
    p->live++;
    uint32_t depth = p->depth + 1;
    struct isa_activation *a = isa_activations_get(tags, tag);
    assert(a->live == 0);
    a->parent = parent;
    a->site = site;
    a->depth = depth;
    a->function = function;
    a->pe_number = ISA_PE_NONE;
    if (measures) {
        a->path = isa_tag_path(p->path, site);
        tags->deepest = depth > tags->deepest ? depth : tags->deepest;
    }
    tags->count++;
    tags->made[function]++;
    return tag;
}

/* Makes the activation site:parent of `function`, with `live` 0 and a clear frame, and
 * counts it in the parent's `live`; `marks` as in isa_activations_frame. ISA_TAG_NONE: the
 * limit is reached. May move the memory: pointers to activations are no longer valid. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_make(struct isa_activations *tags, isa_tag parent, uint32_t site,
                     uint32_t function, bool marks, bool measures)
{
    isa_tag tag = isa_activations_begin(tags, parent, site, function, marks, measures);
    if (measures && __builtin_expect(tag != ISA_TAG_NONE, 1))
        tags->created++;
    return tag;
}

/* The same for a call that gathers arguments: it does not count as one before all have
 * come. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_gather(struct isa_activations *tags, isa_tag parent, uint32_t site,
                       uint32_t function, bool marks)
{
    isa_tag tag = isa_activations_begin(tags, parent, site, function, marks, true);
    if (tag != ISA_TAG_NONE && tags->shapes[function].gathers)
        isa_activation_slots(isa_activations_get(
            tags, tag))[ISA_CALL_SLOT] = (struct isa_slot){0, ISA_SLOT_EMPTY};
    return tag;
}

/* The call has all its arguments: its graph is copied. */
static inline void isa_activations_copy(struct isa_activations *tags,
                                        struct isa_activation *a)
{
    if (tags->shapes[a->function].gathers)
        isa_activation_slots(a)[ISA_CALL_SLOT].info = ISA_SLOT_COPIED;
    tags->created++;
    tags->copied_nodes += tags->copy_nodes[a->function];
}

/* Whether an activation runs a copy of its own. */
static inline bool isa_activations_is_copy(const struct isa_activations *tags,
                                           isa_tag tag)
{
    struct isa_activation *a = isa_activations_get(tags, tag);
    const struct isa_frame_shape *shape = &tags->shapes[a->function];
    if (!tags->copy_nodes || shape->is_loop || tag == ISA_TAG_ROOT)
        return false;
    return !shape->gathers ||
           isa_activation_slots(a)[ISA_CALL_SLOT].info & ISA_SLOT_COPIED;
}

/* The same for iteration number `iteration` of a loop, which expects so many variables:
 * its `live`. */
static inline isa_tag isa_activations_make_iteration(struct isa_activations *tags,
                                                     isa_tag parent, uint32_t site,
                                                     uint32_t function, bool marks,
                                                     bool measures, uint64_t iteration,
                                                     uint32_t expects)
{
    isa_tag tag = isa_activations_begin(tags, parent, site, function, marks, measures);
    if (__builtin_expect(tag == ISA_TAG_NONE, 0))
        return tag;
    struct isa_activation *a = isa_activations_get(tags, tag);
    if (measures)
        a->path = isa_tag_iteration_path(a->path, iteration);
    a->live = expects;
    isa_activation_slots(a)[ISA_LOOP_SLOT] = (struct isa_slot){
        iteration, (uint64_t)expects << ISA_SLOT_DEPTH_SHIFT};
    tags->iterations += iteration > 0;
    isa_activations_flight(tags, parent, site)->value++;
    return tag;
}

/* Gives back an activation whose `live` is 0, and its ancestors of which it was the last
 * thing alive. The caller's children no longer name it. */
void isa_activations_drop(struct isa_activations *tags, isa_tag tag);

/* Adds the tag as [i,j,...], its head first, a loop with its iteration, i.n; long ones are
 * shortened in the middle. */
void isa_tag_write(const struct isa_activations *tags, isa_tag tag, struct lib_text *out);

/* The length of the longest tag alive. */
uint32_t isa_activations_depth(const struct isa_activations *tags);

/* Calls `visit` for every activation alive, in the order of their memory. */
void isa_activations_each(const struct isa_activations *tags,
                          void (*visit)(isa_tag tag, struct isa_activation *activation,
                                        void *context),
                          void *context);

#endif
