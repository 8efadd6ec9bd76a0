/* Tags and activations: which call a token belongs to, and where its partner waits for it.
 *
 * A tag is a list of labels (paper 1, section 3): i:t is tag t with label i, a call site, put
 * before it. All tags of a run form a tree. An activation is a node of the tree; it knows its
 * parent, so that lists share their tails, and a token carries only the index of its activation:
 *
 *     tag []      <-- tag [1]      <-- tag [0,1]     activation of the callee of site 0, called
 *     (the root)      (site 1)         (site 0)      from the activation that site 1 called
 *
 * An activation has a frame, from which its index is computed. In units of 16 bytes:
 *
 *     tag -> | header, 2 units | slots, 1 unit each | children, 4 to a unit |
 *
 *   header    struct isa_activation
 *   slots     one for each instruction with two token operands: an operand waits there for its
 *             partner. First come those of the call or the loop, then those of the body
 *   children  one for each site that several CALLs or ENTERs share: the activation that the first
 *             of them has made, where the others find it
 *
 * Loops. Each iteration is an activation. Its label holds the number of the iteration, i.n, and
 * all iterations of a loop have the same parent. The first slot of an iteration holds n and the
 * number of loop variables that have not arrived yet: an ENTER, or a NEXT of the iteration before,
 * brings each. In the frame of the parent, the loop has a slot that counts its iterations alive,
 * followed by a slot for each constant that it holds (isa/exec/loop_constant.h). A constant that
 * has arrived keeps the parent alive until the loop ends, that is, until all its iterations have
 * ended and all constants have arrived.
 *
 * Invariants:
 *   - An activation is alive while `live` > 0. `live` counts the tokens with its tag, in transit
 *     or waiting; its deferred reads; its children; and for an iteration the variables that have
 *     not arrived. The control token of a call is among the tokens until RETURN has fired. So an
 *     activation that may still receive a token is never freed.
 *   - The root is alive throughout a run: the run itself is 1 in its `live`.
 *   - Nothing waits in a frame that is freed. It is used again for the same function.
 *   - Making an activation may move the memory: pointers to activations and slots become invalid,
 *     tags stay valid.
 *
 * A call that sends two tokens, whose activation is freed with the second one:
 *
 *     isa_tag callee = isa_activations_make(tags, caller, site, function, false, true);
 *     if (callee == ISA_TAG_NONE)
 *         ... the limit on memory is reached ...
 *     isa_activations_get(tags, callee)->live += 2;
 *     ...
 *     if (--isa_activations_get(tags, callee)->live == 0)
 *         isa_activations_drop(tags, callee);
 */
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

/* Tags are below this. A machine may store other numbers, from here on, in place of a child. */
#define ISA_TAG_LIMIT UINT32_C(0x80000000)

#define ISA_PE_NONE UINT32_MAX

#define ISA_SITE_NONE UINT32_MAX /* `site` of the root, which no site called */

struct isa_activation {
    isa_tag parent; /* parent; in a freed frame the next in the list of free frames */
    uint32_t site;  /* head of the tag: call site, or site that enters the loop */
    uint64_t path;  /* hash of all labels, the same on every machine (isa/tag_path.h) */
    uint32_t live;  /* things that keep it alive; 0 in a freed frame */
    uint32_t depth; /* labels of the tag */
    uint32_t function;  /* function or loop that the frame belongs to */
    uint32_t pe_number; /* PE where the machine has placed it, or ISA_PE_NONE */
};

/* A place in a frame where an operand of a two-operand instruction waits, or where MERGEIF notes
 * that one of its two tokens has arrived. */
struct isa_slot {
    isa_value value;
    uint64_t info; /* ISA_SLOT_EMPTY, or depth << ISA_SLOT_DEPTH_SHIFT | marks */
};

enum {
    ISA_SLOT_EMPTY = 0,
    ISA_SLOT_WAITING = 1,   /* an operand waits for its partner */
    ISA_SLOT_SEEN = 2,      /* MERGEIF: one of its two tokens has arrived */
    ISA_SLOT_PORT = 4,      /* the waiting operand is operand 1 */
    ISA_SLOT_DEAD = 8,      /* the token that has arrived is a hiaton */
    ISA_SLOT_OVERFLOW = 16, /* set by a machine: the operand is in the slower store */
    /* set by a machine: the operand is issued later in this cycle */
    ISA_SLOT_COMING = 32,
    ISA_SLOT_SENT = 64, /* set by a machine: its partner went to the PE of an element */
    /* Constant of a loop: it has arrived. Slot of the loop itself: all iterations have ended, but
     * not all constants have arrived. */
    ISA_SLOT_HELD = 128,
    ISA_SLOT_REFERS = 256,  /* the constant is a reference (isa/exec/structure.h) */
    ISA_SLOT_WANTED = 512,  /* tokens wait for a constant that has not arrived */
    ISA_SLOT_ABSENT = 1024, /* APPLY: `value` is how many arguments arrived as hiatons */
    ISA_SLOT_COPIED = 2048, /* first slot of a call: all arguments have arrived */
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

/* Returns the marks of a MERGEIF after the first of its two tokens. */
static inline uint64_t isa_slot_seen(bool dead)
{
    return ISA_SLOT_SEEN | (dead ? ISA_SLOT_DEAD : 0);
}

/* Bytes of a unit. A tag is an index of units, so that 32 bits address 64 GiB. */
enum { ISA_FRAME_UNIT = 16 };

struct isa_frame_shape {
    uint32_t units; /* size, header included */
    uint32_t slots;
    uint32_t children;
    bool is_loop;
    bool gathers; /* arguments of an APPLY wait in the slots after the first one */
};

/* Report that a machine has nothing left of an activation. */
struct isa_left {
    isa_tag tag;
    uint32_t machine;
};

/* Shares of the machines of a partitioned graph in each activation. The share of a machine is the
 * part of `live` that is on it. Only tokens between a SEND and its RECV are in no share. A machine
 * whose share becomes 0 releases the activation to its home, unless it is the home itself
 * (doc/model.md, "Machines"). */
struct isa_shares {
    uint32_t machines;
    /* Home of each site; borrowed. NULL if shares are not counted: with scheduled RECVs each
     * machine knows which tags exist, and which tokens will arrive under each. */
    const uint32_t *home_of_site;
    uint32_t at;          /* machine of the instruction that fires */
    uint32_t machine_pes; /* number of PEs of each machine */
    uint32_t *held; /* share per frame and machine: held[tag / 2 * machines + machine] */
    uint64_t capacity; /* entries of `held` */
    uint64_t releases; /* releases so far */
    /* Whether a release is a message that keeps the activation alive; never for the root. */
    bool tells;
    LIB_VEC(struct isa_left) left; /* releases whose messages were not sent yet */
    /* Set if frames are finite, else NULL; borrowed. slots_on: per function and machine, slots of
     * its instructions there. slots_of_call: per function, slots at the home of its site. homes:
     * home of each site. */
    const uint32_t *slots_on, *slots_of_call, *homes;
};

/* Returns the number of slots that a frame has on a machine. */
static inline uint32_t isa_shares_slots(const struct isa_shares *s, uint32_t function,
                                        uint32_t site, uint32_t machine)
{
    const bool is_home = site != ISA_SITE_NONE && s->homes[site] == machine;
    return s->slots_on[(size_t)function * s->machines + machine] +
           (is_home ? s->slots_of_call[function] : 0);
}

struct isa_activations {
    unsigned char *memory;
    uint64_t used, capacity;              /* units used, units allocated */
    uint64_t limit;                       /* max units */
    const struct isa_frame_shape *shapes; /* shape of each function's frame; borrowed */
    /* Per site: index among the caller's children, ISA_NO_CHILD, or ISA_LOOP_FLIGHT | slot if
     * the callee is a loop; borrowed. */
    const uint32_t *child_of_site;
    const uint32_t *held_of_site; /* per site: constants of its loop; borrowed */
    isa_tag *free_frames;   /* per function: list of free frames, the last freed first */
    uint64_t *made, *freed; /* per function: activations made and freed so far */
    bool is_watched; /* one of the members up to `shares` is set: freeing takes longer */
    /* functions to call when activations are freed; borrowed, or NULL */
    const struct isa_watcher *watcher;
    uint64_t *slots_at;         /* slots of frames per PE; borrowed, or NULL */
    const uint32_t *copy_nodes; /* nodes of a copy per function; borrowed; NULL if none */
    uint64_t *copies_at;        /* nodes of copies per PE; borrowed, or NULL */
    uint32_t followed;          /* function whose first call is followed */
    isa_tag first_call; /* first activation of `followed`; ISA_TAG_NONE until made */
    bool is_over;       /* `first_call` was made and is freed */
    struct isa_shares *shares; /* of a partitioned graph; owned; else NULL */
    uint64_t copied_nodes;     /* nodes of all copies made so far */
    uint64_t freed_nodes;      /* nodes of all copies freed so far */
    uint32_t function_count;
    uint64_t count;      /* activations alive, with the root */
    uint64_t created;    /* activations made so far, without the root and iterations */
    uint64_t iterations; /* iterations made so far, without the first of each loop */
    /* References that ended loops held; to be dropped (isa_loop_constant_give_up). */
    LIB_VEC(isa_value) consumed;
    uint32_t deepest; /* max depth so far */
};

/* Value of `child_of_site` for a call with one CALL: no other one looks for the activation. */
#define ISA_NO_CHILD UINT32_MAX

/* Flag in `child_of_site`: the other bits number the slot of a loop in its parent's frame. The
 * lower half of the slot's `value` counts the iterations alive, the upper half the constants
 * that have arrived. `info` belongs to the machine, except for the marks. */
#define ISA_LOOP_FLIGHT UINT32_C(0x40000000)

enum { ISA_LOOP_HELD_SHIFT = 32 };

/* Returns the PE of an activation; in a partitioned graph its PE on the machine of the instruction
 * that fires. */
static inline uint32_t isa_activations_pe(const struct isa_activations *tags,
                                          const struct isa_activation *a)
{
    const struct isa_shares *s = tags->shares;
    return s ? s->at * s->machine_pes + a->pe_number : a->pe_number;
}

/* Adds `change` to the share of a machine in an activation. Releases the activation if the share
 * becomes 0. Does nothing if shares are not counted. */
void isa_shares_change(struct isa_activations *tags, isa_tag tag, uint32_t machine,
                       int32_t change);

/* Makes tags->shares for a graph on `machines` machines of `machine_pes` PEs each. Called before
 * anything fires. `home_of_site` is as in struct isa_shares. */
void isa_shares_start(struct isa_activations *tags, uint32_t machines,
                      const uint32_t *home_of_site, uint32_t machine_pes);

struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children);

/* Makes the root. The frames never take more than `limit_bytes`, but the root always fits. */
void isa_activations_init(struct isa_activations *tags,
                          const struct isa_frame_shape *shapes,
                          const uint32_t *child_of_site, const uint32_t *held_of_site,
                          uint32_t function_count, uint64_t limit_bytes);
void isa_activations_free(struct isa_activations *tags);

/* Restores `start`, a copy of `tags` from before any activation except the root was made. Keeps
 * the memory of the frames. A machine then has to place the root again. */
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

static inline uint64_t isa_activations_alive(const struct isa_activations *tags,
                                             uint32_t function)
{
    return tags->made[function] - tags->freed[function];
}

/* Returns the children of an activation: for each site that several CALLs or ENTERs share, the
 * activation that they send to, or ISA_TAG_NONE. */
static inline isa_tag *isa_activations_children(const struct isa_activations *tags,
                                                struct isa_activation *a)
{
    return (isa_tag *)(isa_activation_slots(a) + tags->shapes[a->function].slots);
}

/* Slot of an iteration in its own frame, with its number and the variables to come. */
enum { ISA_LOOP_SLOT = 0 };

/* Index of the child entry in an iteration's frame by which several variables find the next
 * iteration. The last variable to arrive clears it. */
enum { ISA_LOOP_CHILD = 0 };

static inline uint64_t isa_iteration_number(struct isa_activation *a)
{
    return isa_activation_slots(a)[ISA_LOOP_SLOT].value;
}

/* Returns the number of variables that have not arrived at an iteration. */
static inline uint32_t isa_iteration_expects(struct isa_activation *a)
{
    return (uint32_t)(isa_activation_slots(a)[ISA_LOOP_SLOT].info >>
                      ISA_SLOT_DEPTH_SHIFT);
}

/* Slot of a call in its own frame, if it gathers arguments: counts those that have arrived, and
 * has the mark COPIED when all have. Argument k waits in slot 1 + k. */
enum { ISA_CALL_SLOT = 0 };

static inline uint64_t isa_call_has(const struct isa_slot *own)
{
    return own->info >> ISA_SLOT_DEPTH_SHIFT;
}

/* Returns the slot of a loop in the frame of the parent of its iterations (ISA_LOOP_FLIGHT). */
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

/* Keeps a constant of a loop in its slot, which must not be HELD yet, in the frame of `parent`.
 * The constant keeps the parent alive from now on; until now the token that brings it must do so.
 * `refers`: whether the value is a reference. */
void isa_activations_hold(struct isa_activations *tags, isa_tag parent, uint32_t site,
                          struct isa_slot *constant, isa_value value, uint64_t depth,
                          bool refers);

/* Value of `followed` if no function is followed. Only isa_activations_new_frame looks for a
 * first call, as its frame was never used before; other calls pay nothing. */
#define ISA_FOLLOWS_NONE UINT32_MAX

/* Returns a frame that was never used, all zero, or ISA_TAG_NONE at the limit. */
isa_tag isa_activations_new_frame(struct isa_activations *tags, uint32_t function);

/* Returns a freed frame of `function`, or a new one; ISA_TAG_NONE at the limit. In a freed frame
 * nothing waits and no children are left. But under propagated deadness a MERGEIF may have left a
 * mark: `marks` says whether to clear those. */
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

/* Makes an activation with `live` 0: the common part of the three functions that follow. */
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

/* Makes the activation site:parent of `function`, with `live` 0 and an empty frame, and counts it
 * in the parent's `live`. `marks` is as in isa_activations_frame; `measures` says whether to
 * compute path, `deepest` and `created`. Returns ISA_TAG_NONE at the limit. May move the memory:
 * pointers to activations become invalid. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_make(struct isa_activations *tags, isa_tag parent, uint32_t site,
                     uint32_t function, bool marks, bool measures)
{
    isa_tag tag = isa_activations_begin(tags, parent, site, function, marks, measures);
    if (measures && __builtin_expect(tag != ISA_TAG_NONE, 1))
        tags->created++;
    return tag;
}

/* Makes the activation in which the arguments of an APPLY gather. It counts in `created` only once
 * all have arrived (isa_activations_copy). */
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

/* Accounts for a call whose arguments have all arrived: its graph is copied. */
static inline void isa_activations_copy(struct isa_activations *tags,
                                        struct isa_activation *a)
{
    if (tags->shapes[a->function].gathers)
        isa_activation_slots(a)[ISA_CALL_SLOT].info = ISA_SLOT_COPIED;
    tags->created++;
    tags->copied_nodes += tags->copy_nodes[a->function];
}

/* Whether an activation runs a copy of a graph made for it. */
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

/* Makes iteration number `iteration` of a loop, as isa_activations_make does. It waits for
 * `expects` variables, which count in its `live`. */
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

/* Frees an activation whose `live` is 0, and each ancestor that only it kept alive. Its parent no
 * longer names it as a child. */
void isa_activations_drop(struct isa_activations *tags, isa_tag tag);

/* Adds a tag as users read it: [i,j,...], the head first (isa/tag_text.h). */
void isa_tag_write(const struct isa_activations *tags, isa_tag tag, struct lib_text *out);

uint32_t isa_activations_depth(const struct isa_activations *tags);

/* Calls `visit` for every activation alive, in the order of their tags. */
void isa_activations_each(const struct isa_activations *tags,
                          void (*visit)(isa_tag tag, struct isa_activation *activation,
                                        void *context),
                          void *context);

#endif
