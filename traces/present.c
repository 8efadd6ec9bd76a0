#include "traces/present.h"

#include "lib/hash.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PLACES = 64 };

/* --- tables --------------------------------------------------------------------------------- */

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

/* Removes the oldest one that is the same. Those behind an empty place move up to it, if their home is
 * not behind it. */
static bool remove_item(struct traces_present_items *items, uint64_t key,
                        const struct traces_event *event)
{
    size_t found = SIZE_MAX;
    for (size_t at = (size_t)key & items->mask; items->places[at].order;
         at = (at + 1) & items->mask)
        if (items->places[at].key == key && is_same(&items->places[at].event, event) &&
            (found == SIZE_MAX || items->places[at].order < items->places[found].order))
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

void traces_present_start(struct traces_present *p, const struct isa_graph *graph,
                          bool has_queues)
{
    *p = (struct traces_present){.has_queues = has_queues};
    traces_live_tags_start(&p->tags, graph);
    start_items(&p->arrays, LEAST_PLACES);
    start_items(&p->queued, LEAST_PLACES);
}

void traces_present_free(struct traces_present *p)
{
    traces_live_tags_free(&p->tags);
    lib_mem_free(p->arrays.places);
    lib_mem_free(p->queued.places);
}

size_t traces_present_count(const struct traces_present *p)
{
    return p->tags.count + p->arrays.count + p->queued.count;
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
        return remove_item(items, item.key, &item.event);
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
    default:
        return traces_live_tags_note(&p->tags, e);
    }
}

/* --- telling it ------------------------------------------------------------------------------- */

static int compare_tags(const void *a, const void *b)
{
    const struct traces_live_tag *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* Parents before their children. */
static void tell_tags(const struct traces_present *p, uint64_t cycle,
                      traces_event_vec *out)
{
    LIB_VEC(struct traces_live_tag) all = {0};
    for (size_t i = 0; i <= p->tags.mask; i++)
        if (p->tags.places[i].tag != TRACES_NONE)
            *LIB_VEC_PUSH(&all) = p->tags.places[i];
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_tags);
    for (size_t i = 0; i < all.count; i++)
        *LIB_VEC_PUSH(out) = (struct traces_event){.cycle = cycle,
                                                   .kind = TRACES_EVENT_PRESENT,
                                                   .tag = all.items[i].tag,
                                                   .parent = all.items[i].parent,
                                                   .site = all.items[i].site,
                                                   .a = all.items[i].iteration,
                                                   .pe = all.items[i].pe};
    LIB_VEC_FREE(&all);
}

/* The order in which a machine tells of its queues. */
static unsigned turn_of(const struct traces_event *e)
{
    return e->how == TRACES_PLACE_BUFFER  ? 3
           : e->how == TRACES_PLACE_LINK  ? 2
           : e->how == TRACES_PLACE_READY ? 1 : 0;
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

void traces_present_tell(const struct traces_present *p, uint64_t cycle,
                         traces_event_vec *out)
{
    tell_tags(p, cycle, out);
    tell_items(&p->arrays, cycle, out);
    tell_items(&p->queued, cycle, out);
}
