#include "traces/present.h"

#include "lib/hash.h"

#include <stdlib.h>

enum { LEAST_PLACES = 64, LEAST_GONE = 1024 };

/* --- activations ---------------------------------------------------------------------------- */

/* Nothing stands among those alive any more. */
static void close_ranks(struct traces_present_tags *tags)
{
    size_t count = 0;
    for (size_t i = 0; i < tags->made.count; i++) {
        struct traces_tag_place *place = traces_tag_index_place(&tags->index,
                                                                tags->made.items[i].tag);
        if (place->at != i)
            continue;
        place->at = (uint32_t)count;
        tags->made.items[count++] = tags->made.items[i];
    }
    tags->made.count = count;
}

static bool make(struct traces_present_tags *tags, const struct traces_event *e)
{
    const bool is_root = e->parent == TRACES_NONE;
    if (e->tag == TRACES_NONE ||
        (!is_root && traces_tag_index_find(&tags->index, e->parent) == TRACES_NONE) ||
        traces_tag_index_find(&tags->index, e->tag) != TRACES_NONE)
        return false;
    if (tags->made.count > 2 * tags->index.count + LEAST_GONE)
        close_ranks(tags);
    traces_tag_index_put(&tags->index, e->tag, (uint32_t)tags->made.count);
    *LIB_VEC_PUSH(&tags->made) = (struct traces_present_tag){
        .iteration = e->a,
        .tag = e->tag,
        .parent = e->parent,
        .site = e->site,
        .pe = e->kind == TRACES_EVENT_GATHER ? TRACES_NONE : e->pe};
    return true;
}

/* One that gathered is placed. */
static bool place_at_pe(struct traces_present_tags *tags, const struct traces_event *e)
{
    const uint32_t at = traces_tag_index_find(&tags->index, e->tag);
    if (at == TRACES_NONE)
        return false;
    tags->made.items[at].pe = e->pe;
    return true;
}

/* --- arrays and tokens ---------------------------------------------------------------------- */

static void start_items(struct traces_present_items *items, size_t places)
{
    items->places = lib_mem_new(places * sizeof *items->places);
    items->mask = places - 1;
    items->count = 0;
}

static void put_item(struct traces_present_items *items, struct traces_present_item item)
{
    size_t at = (size_t)item.key & items->mask;
    while (items->places[at].order)
        at = (at + 1) & items->mask;
    items->places[at] = item;
    items->count++;
}

static void add_item(struct traces_present_items *items, struct traces_present_item item)
{
    if (2 * (items->count + 1) > items->mask) {
        struct traces_present_items old = *items;
        start_items(items, 2 * (old.mask + 1));
        for (size_t i = 0; i <= old.mask; i++)
            if (old.places[i].order)
                put_item(items, old.places[i]);
        lib_mem_free(old.places);
    }
    put_item(items, item);
}

/* Whether both are the same array, or the same token in the same queue. */
static bool is_same(const struct traces_event *a, const struct traces_event *b)
{
    return a->b == b->b && a->how == b->how && a->to == b->to && a->instr == b->instr &&
           a->port == b->port && a->tag == b->tag;
}

/* Removes the oldest one that is the same, or the newest. Those behind an empty place move up to it, if their home is
 * not behind it. */
static bool remove_item(struct traces_present_items *items, uint64_t key,
                        const struct traces_event *event, bool newest)
{
    size_t found = SIZE_MAX;
    for (size_t at = (size_t)key & items->mask; items->places[at].order;
         at = (at + 1) & items->mask)
        if (items->places[at].key == key && is_same(&items->places[at].event, event) &&
            (found == SIZE_MAX ||
             newest == (items->places[at].order > items->places[found].order)))
            found = at;
    if (found == SIZE_MAX)
        return false;
    for (size_t at = (found + 1) & items->mask; items->places[at].order;
         at = (at + 1) & items->mask) {
        const size_t home = (size_t)items->places[at].key & items->mask;
        if (((at - home) & items->mask) < ((at - found) & items->mask))
            continue;
        items->places[found] = items->places[at];
        found = at;
    }
    items->places[found].order = 0;
    items->count--;
    return true;
}

/* --- what is there -------------------------------------------------------------------------- */

void traces_present_start(struct traces_present *p, bool has_queues)
{
    *p = (struct traces_present){.has_queues = has_queues};
    traces_tag_index_start(&p->tags.index);
    start_items(&p->arrays, LEAST_PLACES);
    start_items(&p->queued, LEAST_PLACES);
}

void traces_present_free(struct traces_present *p)
{
    LIB_VEC_FREE(&p->tags.made);
    traces_tag_index_free(&p->tags.index);
    lib_mem_free(p->arrays.places);
    lib_mem_free(p->queued.places);
}

size_t traces_present_count(const struct traces_present *p)
{
    return p->tags.index.count + p->arrays.count + p->queued.count;
}

/* Of an array that is made or gone, or of a token that enters or leaves a queue: what is told of it where
 * a stream begins. */
static struct traces_present_item item_of(struct traces_present *p,
                                          const struct traces_event *e, bool is_array)
{
    struct traces_present_item item = {.order = ++p->order};
    if (is_array) {
        item.event = (struct traces_event){
            .kind = TRACES_EVENT_ARRAY_PRESENT, .a = e->a, .b = e->b};
        item.key = lib_hash_mix(e->b);
    } else {
        item.event = (struct traces_event){.kind = TRACES_EVENT_ENTERED,
                                           .how = e->how,
                                           .to = e->to,
                                           .instr = e->instr,
                                           .port = e->port,
                                           .tag = e->tag};
        item.key = lib_hash_mix(((uint64_t)e->instr << 32 | e->tag) +
                                lib_hash_mix((uint64_t)e->to << 32 | e->how));
    }
    return item;
}

static bool note_item(struct traces_present *p, const struct traces_event *e,
                      bool is_array, bool enters)
{
    struct traces_present_items *items = is_array ? &p->arrays : &p->queued;
    const struct traces_present_item item = item_of(p, e, is_array);
    if (!enters)
        return remove_item(items, item.key, &item.event,
                           p->is_lifo && !is_array && e->how == TRACES_PLACE_INPUT);
    add_item(items, item);
    return true;
}

bool traces_present_note(struct traces_present *p, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_ARRAY_PRESENT:
    case TRACES_EVENT_ARRAY:
        return note_item(p, e, true, true);
    case TRACES_EVENT_ARRAY_GONE:
        return note_item(p, e, true, false);
    case TRACES_EVENT_ENTERED:
        return !p->has_queues || note_item(p, e, false, true);
    case TRACES_EVENT_LEFT:
        return !p->has_queues || note_item(p, e, false, false);
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        return make(&p->tags, e);
    case TRACES_EVENT_COPY:
        return place_at_pe(&p->tags, e);
    case TRACES_EVENT_GONE:
        return traces_tag_index_remove(&p->tags.index, e->tag) != TRACES_NONE;
    default:
        return true;
    }
}

/* --- telling it ------------------------------------------------------------------------------- */

/* An activation that is told, and the length of its tag. */
struct ranked {
    const struct traces_present_tag *tag;
    size_t depth;
};

static int compare_tags(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->tag->tag < y->tag->tag ? -1 : x->tag->tag > y->tag->tag;
}

static void tell_tag(const struct traces_present_tag *tag, uint64_t cycle,
                     traces_event_vec *out)
{
    *LIB_VEC_PUSH(out) = (struct traces_event){.cycle = cycle,
                                               .kind = TRACES_EVENT_PRESENT,
                                               .tag = tag->tag,
                                               .parent = tag->parent,
                                               .site = tag->site,
                                               .a = tag->iteration,
                                               .pe = tag->pe};
}

/* A parent stands before its children, so that its depth is known; but in what is damaged. */
static void tell_tags(struct traces_present_tags *tags, uint64_t cycle,
                      traces_event_vec *out)
{
    LIB_VEC(struct ranked) all = {0};
    close_ranks(tags);
    for (size_t i = 0; i < tags->made.count; i++) {
        const struct traces_present_tag *tag = &tags->made.items[i];
        const size_t parent = traces_tag_index_find(&tags->index, tag->parent);
        const size_t depth = parent < i ? all.items[parent].depth + 1 : 0;
        *LIB_VEC_PUSH(&all) = (struct ranked){tag, depth};
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_tags);
    for (size_t i = 0; i < all.count; i++)
        tell_tag(all.items[i].tag, cycle, out);
    LIB_VEC_FREE(&all);
}

/* The order in which a machine tells of its queues. */
static unsigned turn_of(const struct traces_event *e)
{
    return e->how == TRACES_PLACE_BUFFER  ? 3
           : e->how == TRACES_PLACE_LINK  ? 2
           : e->how == TRACES_PLACE_READY ? 1
                                          : 0;
}

static int compare_items(const void *a, const void *b)
{
    const struct traces_present_item *x = a, *y = b;
    const struct traces_event *e = &x->event, *f = &y->event;
    if (turn_of(e) != turn_of(f))
        return turn_of(e) < turn_of(f) ? -1 : 1;
    if (e->b != f->b)
        return e->b < f->b ? -1 : 1;
    if (e->to != f->to)
        return e->to < f->to ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void tell_items(const struct traces_present_items *items, uint64_t cycle,
                       traces_event_vec *out)
{
    LIB_VEC(struct traces_present_item) all = {0};
    for (size_t i = 0; i <= items->mask; i++)
        if (items->places[i].order)
            *LIB_VEC_PUSH(&all) = items->places[i];
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_items);
    for (size_t i = 0; i < all.count; i++) {
        all.items[i].event.cycle = cycle;
        *LIB_VEC_PUSH(out) = all.items[i].event;
    }
    LIB_VEC_FREE(&all);
}

void traces_present_tell(struct traces_present *p, uint64_t cycle, traces_event_vec *out)
{
    tell_tags(&p->tags, cycle, out);
    tell_items(&p->arrays, cycle, out);
    tell_items(&p->queued, cycle, out);
}

void traces_present_tell_as_made(struct traces_present *p, uint64_t cycle,
                                 traces_event_vec *out)
{
    close_ranks(&p->tags);
    for (size_t i = 0; i < p->tags.made.count; i++)
        tell_tag(&p->tags.made.items[i], cycle, out);
    tell_items(&p->arrays, cycle, out);
    tell_items(&p->queued, cycle, out);
}
