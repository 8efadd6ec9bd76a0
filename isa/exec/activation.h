/* Tags and activations: which call a token belongs to, and where its partner waits for it.
 *
 * A tag is a list of labels (paper 1, section 3): i:t is tag t preceded by label i, a call site.
 * All tags of a run form a tree, whose nodes are activations. Each knows its parent, so lists share
 * their tails, and a token carries only the index of its activation:
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
 * Loops. Each iteration is an activation. Its label holds the number of the iteration, i.n, and all
 * iterations of a loop have the same parent. The first slot of an iteration holds n and the number
 * of loop variables still to come. In the frame of the parent, a slot counts the loop's live
 * iterations, and a slot for each constant of the loop follows (isa/exec/loop_constant.h). A
 * constant that has arrived keeps the parent alive until all iterations have ended and all
 * constants have arrived.
 *
 * Invariants:
 *   - An activation is alive while `live` > 0. `live` counts the tokens with its tag, in transit or
 *     waiting; its deferred reads; its children; and for an iteration the variables that have not
 *     arrived. As a call's control token exists until its RETURN fires, an activation that may
 *     still receive a token is never freed.
 *   - The root is alive throughout a run: its `live` counts the run itself as 1.
 *   - Nothing waits in a freed frame. It is used again for the same function.
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
#include "lib/state_table.h"

#include <assert.h>
#include <stddef.h>

typedef uint32_t isa_tag; /* a tag, as the index of its activation */

enum {
    ISA_TAG_NONE = 0,
    ISA_TAG_ROOT = 1, /* the empty tag */
};

/* All tags are below this limit. So a machine can store values other than tags in a frame's child
 * entries, such as the index of a CALL that waits (machine/pe/tag_manager.h). */
#define ISA_TAG_LIMIT UINT32_C(0x80000000)

/* Owner: a number that belongs to the machine (machine/owner.h). It gives one to each activation;
 * what an activation makes has it too. Here owners are copied and used as indices, no more. */
#define ISA_OWNER_NONE UINT32_MAX

/* `site` of the root activation, which no call site made */
#define ISA_SITE_NONE UINT32_MAX

struct isa_activation {
    isa_tag parent; /* parent activation; in a freed frame, the next free frame */
    /* first label of the tag: the call site, or the site where the loop is entered */
    uint32_t site;
    /* hash of all labels of the tag, the same on every machine (isa/tag_path.h) */
    uint64_t path;
    uint32_t live;     /* number of tokens, children, ... of a live activation; else 0 */
    uint32_t depth;    /* number of labels of the tag */
    uint32_t function; /* function or loop that the activation runs */
    /* ISA_OWNER_NONE until the machine gives the activation an owner; in a partitioned graph, one
     * of those of each machine */
    uint32_t owner;
};

/* A slot of the matching store: an operand waits here for its partner, or a MERGEIF notes that one
 * of its two tokens has arrived. */
struct isa_slot {
    isa_value value;
    /* ISA_SLOT_EMPTY, or depth of the waiting operand << ISA_SLOT_DEPTH_SHIFT | flags ISA_SLOT_ */
    uint64_t info;
};

enum {
    ISA_SLOT_EMPTY = 0,
    ISA_SLOT_WAITING = 1, /* an operand waits for its partner */
    ISA_SLOT_SEEN = 2,    /* MERGEIF: one of its two tokens has arrived */
    ISA_SLOT_PORT = 4,    /* the waiting operand is operand 1 */
    ISA_SLOT_DEAD = 8,    /* the token that has arrived is dead */
    /* set by a machine: the operand is in the slower overflow store */
    ISA_SLOT_OVERFLOW = 16,
    /* set by a machine: an operand for this slot is issued later in this cycle */
    ISA_SLOT_COMING = 32,
    /* set by a machine: the partner has arrived, but the instruction fires later or elsewhere
     * (array element, tensor unit) */
    ISA_SLOT_SENT = 64,
    /* In the slot of a loop constant: the constant has arrived. In the slot of a loop: all
     * iterations have ended, but not all constants have arrived. */
    ISA_SLOT_HELD = 128,
    ISA_SLOT_REFERS = 256, /* the loop constant is a reference (isa/exec/structure.h) */
    ISA_SLOT_WANTED = 512, /* tokens wait for a loop constant that has not arrived */
    /* APPLY: `value` is the number of arguments that arrived as dead tokens */
    ISA_SLOT_ABSENT = 1024,
    ISA_SLOT_COPIED = 2048, /* first slot of a call: all its arguments have arrived */
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

/* Returns the flags of a MERGEIF's slot after the first of its two tokens has arrived. `dead`:
 * whether that token is dead. */
static inline uint64_t isa_slot_seen(bool dead)
{
    return ISA_SLOT_SEEN | (dead ? ISA_SLOT_DEAD : 0);
}

/* Bytes of a unit of frame memory. Tags are indexes of units, so 32 bits address 64 GiB. */
enum { ISA_FRAME_UNIT = 16 };

struct isa_frame_shape {
    uint32_t units; /* size of the frame in units, header included */
    uint32_t slots;
    uint32_t children;
    bool is_loop;
    /* arguments of a call wait in the slots after the first one, until all have arrived */
    bool gathers;
};

/* A message from `machine` to the home machine of activation `tag`: the share of `machine` in the
 * activation has become 0 (struct isa_shares). */
struct isa_left {
    isa_tag tag;
    uint32_t machine;
};

/* Shares of machines in the activations of a partitioned graph. The share of a machine is the part
 * of an activation's `live` that is on this machine; tokens between a SEND and its RECV are in no
 * share. When its share becomes 0, a machine reports this to the activation's home machine; such a
 * report is called a release (doc/model.md, "Machines"). */
#define ISA_SHARES_FIELDS(F)                                                             \
    F(KEPT, uint32_t, machines)                                                          \
    /* home machine of each call site; borrowed; NULL if shares are not counted */       \
    F(KEPT, const uint32_t *, home_of_site)                                              \
    F(KEPT, uint32_t, owners) /* number of owners of each machine */                     \
    F(NUMBER, uint64_t, releases)                                                        \
    F(NUMBER, uint32_t, at) /* machine of the instruction that fires */                  \
    F(CHECK, s->at < s->machines)                                                        \
    /* `capacity` shares, by frame and machine: held[tag / 2 * machines + machine] */    \
    F(OTHER, uint32_t *held, pack_held(pack, m, s), free_held(s), lib_mem_free(s->held)) \
    F(KEPT, uint64_t, capacity)                                                          \
    /* Whether a release is a message, which keeps the activation alive until it */      \
    /* arrives. If so, the root is never released. */                                    \
    F(KEPT, bool, tells)                                                                 \
    F(SCRATCH_VEC, struct isa_left, left) /* releases whose messages are not sent yet */ \
    /* Where the slots of a frame are, if machines limit slots; else NULL; borrowed. */  \
    /*   slots_on       for each function and machine: slots of the function's */        \
    /*                  instructions there */                                            \
    /*   slots_of_call  for each function: its other slots, such as slots of the */      \
    /*                  JOINs and RETURNs that call it; they are on the home machine */  \
    /*                  of the call site */                                              \
    /*   homes          for each call site: its home machine */                          \
    F(KEPT, const uint32_t *, slots_on)                                                  \
    F(KEPT, const uint32_t *, slots_of_call)                                             \
    F(KEPT, const uint32_t *, homes)
struct isa_shares {
    ISA_SHARES_FIELDS(LIB_STATE_MEMBER)
};

/* Returns the number of slots that an activation's frame has on a machine. */
static inline uint32_t isa_shares_slots(const struct isa_shares *s, uint32_t function,
                                        uint32_t site, uint32_t machine)
{
    const bool is_home = site != ISA_SITE_NONE && s->homes[site] == machine;
    return s->slots_on[(size_t)function * s->machines + machine] +
           (is_home ? s->slots_of_call[function] : 0);
}

/* The members of the next struct (lib/state_table.h). A state that is cleared has no root. */
#define ISA_ACTIVATIONS_FIELDS(F)                                                         \
    F(OTHER, unsigned char *memory, pack_frames(pack, s), , lib_mem_free(s->memory))      \
    /* units of `memory` from here on are zero */                                         \
    F(OTHER, uint64_t fresh, , s->fresh = s->fresh > s->used ? s->fresh : s->used, )      \
    F(FRESH, uint64_t, used, 1) /* units of `memory` in use; 0 is ISA_TAG_NONE */         \
    F(KEPT, uint64_t, capacity) /* units of `memory` allocated */                         \
    F(KEPT, uint64_t, limit)    /* max units of `memory` */                               \
    /* shape of each function's frame; borrowed */                                        \
    F(KEPT, const struct isa_frame_shape *, shapes)                                       \
    /* For each call site: index of the callee among the caller's children, or */         \
    /* ISA_NO_CHILD. For a loop: ISA_LOOP_FLIGHT | slot. Borrowed. */                     \
    F(KEPT, const uint32_t *, child_of_site)                                              \
    /* for each loop's site: number of loop constants; borrowed */                        \
    F(KEPT, const uint32_t *, held_of_site)                                               \
    F(KEPT, uint32_t, function_count)                                                     \
    /* for each function: list of free frames, the last freed first */                    \
    F(ARRAY, isa_tag, free_frames, s->function_count)                                     \
    /* for each function: activations made and freed so far */                            \
    F(ARRAY, uint64_t, made, s->function_count)                                           \
    F(ARRAY, uint64_t, freed, s->function_count)                                          \
    F(NUMBER, uint64_t, copied_nodes) /* nodes of all graph copies made so far */         \
    F(NUMBER, uint64_t, freed_nodes)  /* nodes of all graph copies freed so far */        \
    F(NUMBER, uint64_t, count)        /* live activations, including the root */          \
    /* activations made so far, without the root and iterations */                        \
    F(NUMBER, uint64_t, created)                                                          \
    /* iterations made so far, except the first of each loop */                           \
    F(NUMBER, uint64_t, iterations)                                                       \
    /* References in constants of loops that have ended. */                               \
    /* isa_loop_constant_give_up drops them. */                                           \
    F(VEC, isa_value, consumed)                                                           \
    F(NUMBER, uint32_t, deepest) /* max depth of a tag so far */                          \
    F(CHECK, !lib_pack_reads(pack) || frames_fit(s))                                      \
    /* NULL unless the graph is partitioned; owned; packed by isa_shares_pack */          \
    F(OTHER, struct isa_shares *shares, , clear_shares(s), free_shares(s))                \
    /* for each owner: slots of its frames; borrowed, or NULL */                          \
    F(KEPT, uint64_t *, slots_at)                                                         \
    /* nodes of each function's graph copy; borrowed; NULL if calls copy no graphs */     \
    F(KEPT, const uint32_t *, copy_nodes)                                                 \
    /* for each owner: nodes of its graph copies; borrowed, or NULL */                    \
    F(KEPT, uint64_t *, copies_at)                                                        \
    /* whether any of the members from `shares` to `is_over` is in use and must be */     \
    /* updated when an activation is freed */                                             \
    F(FRESH, bool, is_watched, s->shares || s->slots_at || s->copy_nodes)                 \
    /* functions to call when activations are freed; borrowed, or NULL */                 \
    F(SCRATCH, const struct isa_watcher *, watcher)                                       \
    /* function whose first call is watched, or ISA_FOLLOWS_NONE; such runs have no */    \
    /* checkpoints */                                                                     \
    F(FRESH, uint32_t, followed, ISA_FOLLOWS_NONE)                                        \
    /* activation of the first call of `followed`; ISA_TAG_NONE until made */             \
    F(SCRATCH, isa_tag, first_call)                                                       \
    /* the activation `first_call` was made and is freed */                               \
    F(SCRATCH, bool, is_over)                                                             \
    /* Loops of which NEXTs waited for the end of an iteration (ISA_SLOT_WANTED), and */  \
    /* one has ended: `info` of their slots. Only the interpreter makes NEXTs wait so. */ \
    /* An item sets `stop`, where the interpreter has the lowest address of its stack, */ \
    /* to the highest address. */                                                         \
    F(SCRATCH_VEC, uint64_t, resumed)                                                     \
    F(SCRATCH, uintptr_t, stop)
struct isa_activations {
    ISA_ACTIVATIONS_FIELDS(LIB_STATE_MEMBER)
};

/* Value of `child_of_site` if a single CALL makes the call: frames need no child entry for it, as
 * no other CALL has to find the activation. */
#define ISA_NO_CHILD UINT32_MAX

/* Flag in `child_of_site`: the site enters a loop, and the other bits are the index of the loop's
 * slot in the parent's frame. The lower half of that slot's `value` counts live iterations, the
 * upper half the loop constants that have arrived. Machines may use the bits of its `info` that are
 * not flags. */
#define ISA_LOOP_FLIGHT UINT32_C(0x40000000)

enum { ISA_LOOP_HELD_SHIFT = 32 };

/* Returns the owner of an activation; in a partitioned graph, that on the machine of the
 * instruction that fires. */
static inline uint32_t isa_activations_owner(const struct isa_activations *tags,
                                             const struct isa_activation *a)
{
    const struct isa_shares *s = tags->shares;
    return s ? s->at * s->owners + a->owner : a->owner;
}

/* Adds `change` to the share of a machine in an activation (struct isa_shares). Counts a release if
 * the share becomes 0 and the machine is not the activation's home. Does nothing if shares are not
 * counted. */
void isa_shares_change(struct isa_activations *tags, isa_tag tag, uint32_t machine,
                       int32_t change);

/* Allocates tags->shares for a graph on `machines` machines of `owners` owners each, before
 * anything fires. `home_of_site` has the home machine of each call site. */
void isa_shares_start(struct isa_activations *tags, uint32_t machines,
                      const uint32_t *home_of_site, uint32_t owners);

struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children);

/* Initialises a state without activations, which isa_activations_reset completes. Frames never take
 * more than `limit_bytes`, but the root always fits. */
void isa_activations_init(struct isa_activations *tags,
                          const struct isa_frame_shape *shapes,
                          const uint32_t *child_of_site, const uint32_t *held_of_site,
                          uint32_t function_count, uint64_t limit_bytes);
void isa_activations_free(struct isa_activations *tags);

/* Makes a state in which only the root exists. Keeps the memory of the frames. A machine then has
 * to place the root. */
void isa_activations_reset(struct isa_activations *tags);

/* Packs or reads the activations, without their shares; the shares, which exist. */
void isa_activations_pack(struct lib_pack *pack, struct isa_activations *tags);
void isa_shares_pack(struct lib_pack *pack, struct isa_activations *tags);

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

/* Returns the children of an activation, by index (`child_of_site`): activations that several CALLs
 * or ENTERs of one site share, or ISA_TAG_NONE. */
static inline isa_tag *isa_activations_children(const struct isa_activations *tags,
                                                struct isa_activation *a)
{
    return (isa_tag *)(isa_activation_slots(a) + tags->shapes[a->function].slots);
}

/* Index of the slot in an iteration's own frame that holds the number of the iteration (`value`),
 * and how many variables must still arrive. */
enum { ISA_LOOP_SLOT = 0 };

/* Index of the child entry of an iteration's frame where NEXTs find the next iteration. The last
 * variable to arrive there clears the entry. A loop of one variable needs none. */
enum { ISA_LOOP_CHILD = 0 };

static inline uint64_t isa_iteration_number(struct isa_activation *a)
{
    return isa_activation_slots(a)[ISA_LOOP_SLOT].value;
}

/* Returns the number of loop variables that have not arrived at an iteration. */
static inline uint32_t isa_iteration_expects(struct isa_activation *a)
{
    return (uint32_t)(isa_activation_slots(a)[ISA_LOOP_SLOT].info >>
                      ISA_SLOT_DEPTH_SHIFT);
}

/* Index of a slot in the frame of a call by APPLY. The slot counts the arguments that have arrived,
 * and gets the flag ISA_SLOT_COPIED when all have. Argument k waits in slot 1 + k. */
enum { ISA_CALL_SLOT = 0 };

static inline uint64_t isa_call_has(const struct isa_slot *own)
{
    return own->info >> ISA_SLOT_DEPTH_SHIFT;
}

/* Returns the slot that counts the live iterations of the loop at `site` (ISA_LOOP_FLIGHT). The
 * slot is in the frame of `parent`, the activation that runs the loop. */
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

/* Stores a loop constant in its slot, which must not be HELD yet, in the frame of `parent`. From
 * now on the constant keeps the parent alive; until now the token that brought it must do so.
 * `refers`: whether the value is a reference. */
void isa_activations_hold(struct isa_activations *tags, isa_tag parent, uint32_t site,
                          struct isa_slot *constant, isa_value value, uint64_t depth,
                          bool refers);

/* Value of `followed` if no function's first call is watched. */
#define ISA_FOLLOWS_NONE UINT32_MAX

/* Returns a frame that was never used, filled with zeros; or ISA_TAG_NONE at the memory limit. */
isa_tag isa_activations_new_frame(struct isa_activations *tags, uint32_t function);

/* Returns a freed frame of `function`, or a new one, or ISA_TAG_NONE at the memory limit. A freed
 * frame has no children, and empty slots unless dead tokens exist: a MERGEIF may have left a flag
 * there. `marks`: whether to clear the slots. `measures` also prefetches the next free frame. */
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

/* Makes an activation whose `live` is 0: the part that isa_activations_make, _gather and
 * _make_iteration share. */
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
    a->owner = ISA_OWNER_NONE;
    if (measures) {
        a->path = isa_tag_path(p->path, site);
        tags->deepest = depth > tags->deepest ? depth : tags->deepest;
    }
    tags->count++;
    tags->made[function]++;
    return tag;
}

/* Makes the activation site:parent of `function`, with `live` 0 and an empty frame, and adds 1 to
 * the parent's `live`. `marks`: whether to clear the slots. `measures`: whether to compute path,
 * `deepest` and `created`. Returns ISA_TAG_NONE at the memory limit. Invalidates pointers to
 * activations, as memory may move. */
static inline __attribute__((always_inline)) isa_tag
isa_activations_make(struct isa_activations *tags, isa_tag parent, uint32_t site,
                     uint32_t function, bool marks, bool measures)
{
    isa_tag tag = isa_activations_begin(tags, parent, site, function, marks, measures);
    if (measures && __builtin_expect(tag != ISA_TAG_NONE, 1))
        tags->created++;
    return tag;
}

/* Makes the activation of a call by APPLY, where its arguments wait for each other. `created`
 * counts it only once all have arrived (isa_activations_copy). */
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

/* Accounts for a call whose arguments have all arrived: the graph of the callee is copied. */
static inline void isa_activations_copy(struct isa_activations *tags,
                                        struct isa_activation *a)
{
    if (tags->shapes[a->function].gathers)
        isa_activation_slots(a)[ISA_CALL_SLOT].info = ISA_SLOT_COPIED;
    tags->created++;
    tags->copied_nodes += tags->copy_nodes[a->function];
}

/* Whether an activation runs a graph copy that was made for it. */
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

/* Makes an iteration of a loop as isa_activations_make makes a call. The iteration waits for
 * `expects` variables, which its `live` counts. */
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

/* Frees an activation whose `live` is 0, and each ancestor that only it kept alive. Removes it from
 * the parent's children. */
void isa_activations_drop(struct isa_activations *tags, isa_tag tag);

/* Appends a tag as users see it: [i,j,...], the innermost label first (isa/tag_text.h). */
void isa_tag_write(const struct isa_activations *tags, isa_tag tag, struct lib_text *out);

uint32_t isa_activations_depth(const struct isa_activations *tags);

/* Calls `visit` for each live activation, in ascending order of tags. */
void isa_activations_each(const struct isa_activations *tags,
                          void (*visit)(isa_tag tag, struct isa_activation *activation,
                                        void *context),
                          void *context);

#endif
