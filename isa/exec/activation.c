#include "isa/exec/activation.h"

#include "isa/tag_text.h"

static_assert(sizeof(struct isa_activation) % ISA_FRAME_UNIT == 0, "units fit");
static_assert(sizeof(struct isa_slot) == ISA_FRAME_UNIT, "a slot is a unit");

enum { HEADER_UNITS = sizeof(struct isa_activation) / ISA_FRAME_UNIT };

enum { MIN_UNITS = 1024 }; /* initial size of the memory of frames */

struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children)
{
    const uint32_t per_unit = ISA_FRAME_UNIT / sizeof(isa_tag);
    return (struct isa_frame_shape){
        .units = HEADER_UNITS + slots + (children + per_unit - 1) / per_unit,
        .slots = slots,
        .children = children,
    };
}

static void make_root(struct isa_activations *tags)
{
    isa_tag root = isa_activations_new_frame(tags, 0);
    assert(root == ISA_TAG_ROOT);
    *isa_activations_get(tags, root) = (struct isa_activation){
        .site = ISA_SITE_NONE,
        .path = ISA_ROOT_PATH,
        .live = 1, /* held by the run */
        .owner = ISA_OWNER_NONE,
    };
    tags->count = 1;
    tags->made[0] = 1;
}

void isa_activations_init(struct isa_activations *tags,
                          const struct isa_frame_shape *shapes,
                          const uint32_t *child_of_site, const uint32_t *held_of_site,
                          uint32_t function_count, uint64_t limit_bytes)
{
    uint64_t limit = limit_bytes / ISA_FRAME_UNIT;
    *tags = (struct isa_activations){
        .limit = limit < ISA_TAG_LIMIT ? limit : ISA_TAG_LIMIT,
        .shapes = shapes,
        .child_of_site = child_of_site,
        .held_of_site = held_of_site,
        .free_frames = lib_mem_new(function_count * sizeof(isa_tag)),
        .made = lib_mem_new(function_count * sizeof(uint64_t)),
        .freed = lib_mem_new(function_count * sizeof(uint64_t)),
        .function_count = function_count,
    };
    uint64_t room = 1 + (uint64_t)shapes[0].units;
    if (tags->limit < room)
        tags->limit = room; /* the root always fits */
}

/* --- the state ------------------------------------------------------------------------------ */

/* Whether the memory that was read is a sequence of frames, each as long as its function's. */
static bool frames_fit(const struct isa_activations *tags)
{
    uint64_t at = 1, alive = 0;
    while (at + sizeof(struct isa_activation) / ISA_FRAME_UNIT <= tags->used) {
        const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        if (a->function >= tags->function_count)
            return false;
        alive += a->live > 0;
        at += tags->shapes[a->function].units;
    }
    return at == tags->used && alive == tags->count;
}

static void pack_frames(struct lib_pack *pack, struct isa_activations *tags)
{
    tags->used = lib_pack_count(pack, tags->used, 1);
    if (lib_pack_reads(pack)) {
        if (!lib_pack_expect(pack, tags->used > ISA_TAG_ROOT &&
                                       tags->used <= tags->limit &&
                                       tags->used <= pack->length / ISA_FRAME_UNIT)) {
            tags->used = 0;
            return;
        }
        if (tags->used > tags->capacity) {
            tags->memory = lib_mem_resize(tags->memory, tags->used * ISA_FRAME_UNIT);
            tags->capacity = tags->used;
        }
        tags->fresh = tags->capacity;
        memset(tags->memory, 0, ISA_FRAME_UNIT);
    }
    lib_pack_bytes(pack, tags->memory + ISA_FRAME_UNIT,
                   (tags->used - 1) * ISA_FRAME_UNIT);
}

/* Shares after the last frame are 0, and not packed. */
static void pack_held(struct lib_pack *pack, const struct isa_activations *tags,
                      struct isa_shares *s)
{
    const uint64_t most = (tags->used / 2 + 1) * s->machines;
    uint64_t count = s->capacity < most ? s->capacity : most;
    count = lib_pack_count(pack, count, sizeof *s->held);
    if (lib_pack_reads(pack)) {
        if (!lib_pack_expect(pack, count <= most))
            return;
        s->held = lib_mem_resize(s->held, (count + 1) * sizeof *s->held);
        s->capacity = count;
    }
    if (count)
        lib_pack_bytes(pack, s->held, count * sizeof *s->held);
}

static void free_held(struct isa_shares *s)
{
    lib_mem_free(s->held);
    s->held = NULL;
    s->capacity = 0;
}

LIB_STATE(struct isa_activations, isa_shares, ISA_SHARES_FIELDS)

static void clear_shares(struct isa_activations *tags)
{
    if (tags->shares)
        isa_shares_fields_clear(tags, tags->shares);
}

static void free_shares(struct isa_activations *tags)
{
    if (tags->shares)
        isa_shares_fields_free(tags, tags->shares);
    lib_mem_free(tags->shares);
}

LIB_STATE(struct isa_activations, isa_activations, ISA_ACTIVATIONS_FIELDS)

void isa_activations_reset(struct isa_activations *tags)
{
    isa_activations_fields_clear(tags, tags);
    make_root(tags);
}

void isa_activations_free(struct isa_activations *tags)
{
    isa_activations_fields_free(tags, tags);
}

void isa_activations_pack(struct lib_pack *pack, struct isa_activations *tags)
{
    isa_activations_fields_pack(pack, tags, tags);
}

void isa_shares_pack(struct lib_pack *pack, struct isa_activations *tags)
{
    isa_shares_fields_pack(pack, tags, tags->shares);
}

/* --- frames --------------------------------------------------------------------------------- */

static __attribute__((cold, noinline)) void grow_memory(struct isa_activations *tags,
                                                        uint64_t units)
{
    size_t bytes = tags->capacity * ISA_FRAME_UNIT;
    const uint64_t least = tags->capacity ? units : MIN_UNITS;
    tags->memory = lib_mem_extend(tags->memory, &bytes,
                                  (units > least ? units : least) * ISA_FRAME_UNIT);
    tags->capacity = bytes / ISA_FRAME_UNIT;
    if (bytes < LIB_MEM_LARGE)
        tags->fresh = tags->capacity;
}

isa_tag isa_activations_new_frame(struct isa_activations *tags, uint32_t function)
{
    uint32_t units = tags->shapes[function].units;
    if (tags->used + units > tags->limit)
        return ISA_TAG_NONE;
    if (tags->used + units > tags->capacity)
        grow_memory(tags, tags->used + units);
    isa_tag tag = (isa_tag)tags->used;
    tags->used += units;
    if (tag < tags->fresh)
        memset(isa_activations_get(tags, tag), 0, (size_t)units * ISA_FRAME_UNIT);
    if (function == tags->followed && tags->first_call == ISA_TAG_NONE)
        tags->first_call = tag;
    return tag;
}

/* Empties the slots of an ended loop's constants; they no longer keep the parent alive. */
static void consume_constants(struct isa_activations *tags, struct isa_slot *flight,
                              uint32_t site, isa_tag tag)
{
    const uint32_t held = tags->held_of_site[site];
    struct isa_activation *parent = isa_activations_get(tags, tag);
    for (uint32_t i = 1; i <= held; i++) {
        if (flight[i].info & ISA_SLOT_REFERS)
            *LIB_VEC_PUSH(&tags->consumed) = flight[i].value;
        flight[i].info = ISA_SLOT_EMPTY;
    }
    parent->live -= held + isa_slot_is_held(flight);
    if (tags->shares && tags->shares->home_of_site)
        isa_shares_change(tags, tag, tags->shares->home_of_site[site],
                          -(int32_t)(held + isa_slot_is_held(flight)));
    flight->info &= ~(uint64_t)ISA_SLOT_HELD;
    flight->value = 0;
}

static void end_iteration(struct isa_activations *tags, isa_tag parent, uint32_t site)
{
    struct isa_slot *flight = isa_activations_flight(tags, parent, site);
    const uint32_t held = tags->held_of_site[site];
    struct isa_activation *a = isa_activations_get(tags, parent);
    flight->value--;
    if (__builtin_expect(flight->info & ISA_SLOT_WANTED, 0)) {
        *LIB_VEC_PUSH(&tags->resumed) = flight->info;
        tags->stop = UINTPTR_MAX;
        flight->info &= ISA_SLOT_HELD;
    }
    if (isa_loop_alive(flight) > 0)
        return;
    if (flight->value >> ISA_LOOP_HELD_SHIFT == held) {
        consume_constants(tags, flight, site, parent);
    } else if (!isa_slot_is_held(flight)) { /* keeps the frame for constants to come */
        flight->info |= ISA_SLOT_HELD;
        a->live++;
        if (tags->shares && tags->shares->home_of_site)
            isa_shares_change(tags, parent, tags->shares->home_of_site[site], 1);
    }
}

void isa_activations_hold(struct isa_activations *tags, isa_tag parent, uint32_t site,
                          struct isa_slot *constant, isa_value value, uint64_t depth,
                          bool refers)
{
    const uint64_t marks = ISA_SLOT_HELD | (refers ? ISA_SLOT_REFERS : 0);
    struct isa_slot *flight = isa_activations_flight(tags, parent, site);
    const uint32_t held = tags->held_of_site[site];
    struct isa_activation *a = isa_activations_get(tags, parent);
    *constant = (struct isa_slot){value, depth << ISA_SLOT_DEPTH_SHIFT | marks};
    a->live++;
    if (tags->shares && tags->shares->home_of_site)
        isa_shares_change(tags, parent, tags->shares->home_of_site[site], 1);
    flight->value += UINT64_C(1) << ISA_LOOP_HELD_SHIFT;
    const bool is_over = isa_slot_is_held(flight) && isa_loop_alive(flight) == 0;
    if (is_over && flight->value >> ISA_LOOP_HELD_SHIFT == held)
        consume_constants(tags, flight, site, parent);
}

void isa_shares_start(struct isa_activations *tags, uint32_t machines,
                      const uint32_t *home_of_site, uint32_t owners)
{
    tags->shares = lib_mem_new(sizeof *tags->shares);
    *tags->shares = (struct isa_shares){
        .machines = machines, .home_of_site = home_of_site, .owners = owners};
    tags->is_watched = true;
}

/* Returns the share of a machine in an activation. Frames have at least two units, so tag / 2 is
 * different for each frame. */
static uint32_t *share(struct isa_activations *tags, isa_tag tag, uint32_t machine)
{
    struct isa_shares *s = tags->shares;
    const uint64_t place = (uint64_t)tag / 2 * s->machines + machine;
    if (place >= s->capacity) {
        const uint64_t before = s->capacity;
        while (s->capacity <= place)
            s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->held = lib_mem_resize(s->held, s->capacity * sizeof *s->held);
        memset(s->held + before, 0, (s->capacity - before) * sizeof *s->held);
    }
    return &s->held[place];
}

void isa_shares_change(struct isa_activations *tags, isa_tag tag, uint32_t machine,
                       int32_t change)
{
    if (!tags->shares->home_of_site)
        return;
    const uint32_t site = isa_activations_get(tags, tag)->site;
    const uint32_t home = site == ISA_SITE_NONE ? 0 : tags->shares->home_of_site[site];
    uint32_t *held = share(tags, tag, machine);
    assert(change >= 0 || *held >= (uint32_t)-change);
    *held += (uint32_t)change;
    if (change >= 0 || *held > 0 || machine == home)
        return;
    if (tags->shares->tells && tag == ISA_TAG_ROOT)
        return;
    tags->shares->releases++;
    if (!tags->shares->tells)
        return;
    isa_activations_get(tags, tag)->live++;
    *LIB_VEC_PUSH(&tags->shares->left) = (struct isa_left){tag, machine};
}

/* Subtracts a freed frame's slots from those of its owner (on each machine, if partitioned). */
static void release_slots(struct isa_activations *tags, const struct isa_activation *a)
{
    const struct isa_shares *s = tags->shares;
    if (!s)
        tags->slots_at[a->owner] -= tags->shapes[a->function].slots;
    for (uint32_t i = 0; s && i < s->machines; i++)
        tags->slots_at[i * s->owners + a->owner] -= isa_shares_slots(s, a->function,
                                                                     a->site, i);
}

/* Updates everything that watches activations after one was freed. */
static __attribute__((noinline)) void report_freed(struct isa_activations *tags,
                                                   isa_tag tag,
                                                   const struct isa_activation *a,
                                                   isa_tag parent)
{
    tags->is_over |= tag == tags->first_call;
    if (tags->shares && tags->shares->home_of_site) {
        for (uint32_t i = 0; i < tags->shares->machines; i++)
            assert(*share(tags, tag, i) == 0);
        isa_shares_change(tags, parent, tags->shares->home_of_site[a->site], -1);
    }
    if (tags->slots_at && a->owner != ISA_OWNER_NONE)
        release_slots(tags, a);
    const bool is_copy = isa_activations_is_copy(tags, tag);
    const uint32_t nodes = is_copy ? tags->copy_nodes[a->function] : 0;
    tags->freed_nodes += nodes;
    if (is_copy && tags->copies_at)
        tags->copies_at[a->owner] -= nodes;
    if (tags->watcher && is_copy)
        tags->watcher->uncopied(tags->watcher->context, tag, nodes);
    if (tags->watcher)
        tags->watcher->gone(tags->watcher->context, tag);
}

/* Frees the frame of an activation that nothing refers to. Returns its parent. */
static inline isa_tag free_frame(struct isa_activations *tags, isa_tag tag,
                                 struct isa_activation *a)
{
    const isa_tag parent = a->parent;
    const uint32_t function = a->function;
    a->parent = tags->free_frames[function];
    tags->free_frames[function] = tag;
    tags->count--;
    tags->freed[function]++;
    if (__builtin_expect(tags->is_watched, 0))
        report_freed(tags, tag, a, parent);
    return parent;
}

static __attribute__((noinline)) void drop_any(struct isa_activations *tags, isa_tag tag)
{
    for (;;) {
        struct isa_activation *a = isa_activations_get(tags, tag);
        assert(a->live == 0 && tag != ISA_TAG_ROOT);
        const isa_tag parent = a->parent;
        const uint32_t child = tags->child_of_site[a->site];
        if (child < ISA_LOOP_FLIGHT)
            isa_activations_children(
                tags, isa_activations_get(tags, parent))[child] = ISA_TAG_NONE;
        else if (child != ISA_NO_CHILD)
            end_iteration(tags, parent, a->site);
        /* An iteration that did not send all variables to the next one still names it. */
        if (tags->shapes[a->function].is_loop && tags->shapes[a->function].children)
            isa_activations_children(tags, a)[ISA_LOOP_CHILD] = ISA_TAG_NONE;
        tag = free_frame(tags, tag, a);
        if (--isa_activations_get(tags, tag)->live > 0)
            return;
    }
}

void isa_activations_drop(struct isa_activations *tags, isa_tag tag)
{
    struct isa_activation *a = isa_activations_get(tags, tag);
    assert(a->live == 0 && tag != ISA_TAG_ROOT);
    if (tags->child_of_site[a->site] == ISA_NO_CHILD &&
        !tags->is_watched) { /* the common case, without saving registers */
        tag = free_frame(tags, tag, a);
        if (--isa_activations_get(tags, tag)->live > 0)
            return;
    }
    drop_any(tags, tag);
}

void isa_tag_write(const struct isa_activations *tags, isa_tag tag, struct lib_text *out)
{
    const uint32_t depth = isa_activations_get(tags, tag)->depth;
    lib_text_puts(out, "[");
    for (uint32_t i = 0; i < depth; i++) {
        struct isa_activation *a = isa_activations_get(tags, tag);
        tag = a->parent;
        const bool is_loop = tags->shapes[a->function].is_loop;
        const uint64_t iteration = is_loop ? isa_iteration_number(a) : 0;
        isa_tag_text_label(out, i, depth, a->site, is_loop ? &iteration : NULL);
    }
    lib_text_puts(out, "]");
}

void isa_activations_each(const struct isa_activations *tags,
                          void (*visit)(isa_tag tag, struct isa_activation *activation,
                                        void *context),
                          void *context)
{
    for (uint64_t at = 1; at < tags->used;) {
        struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        if (a->live > 0)
            visit((isa_tag)at, a, context);
        at += tags->shapes[a->function].units;
    }
}

static void max_depth(isa_tag tag, struct isa_activation *activation, void *context)
{
    uint32_t *depth = context;
    (void)tag;
    *depth = activation->depth > *depth ? activation->depth : *depth;
}

uint32_t isa_activations_depth(const struct isa_activations *tags)
{
    uint32_t depth = 0;
    isa_activations_each(tags, max_depth, &depth);
    return depth;
}
