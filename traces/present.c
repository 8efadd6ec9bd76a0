#include "traces/present.h"

#include "lib/hash.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_LISTS = 64, LEAST_GONE = 1024 };

/* --- activations ---------------------------------------------------------------------------- */

/* Removes the activations that are gone from the list. */
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

static bool make_tag(struct traces_present_tags *tags, const struct traces_event *e)
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

/* Sets the PE of an activation that gathered its parameters without one. */
static bool place_at_pe(struct traces_present_tags *tags, const struct traces_event *e)
{
    const uint32_t at = traces_tag_index_find(&tags->index, e->tag);
    if (at == TRACES_NONE)
        return false;
    tags->made.items[at].pe = e->pe;
    return true;
}

/* --- arrays and tokens ---------------------------------------------------------------------- */

static void start_lists(struct traces_present_items *items, size_t count)
{
    items->lists = lib_mem_resize(NULL, count * sizeof *items->lists);
    memset(items->lists, 0xff, count * sizeof *items->lists); /* all TRACES_NONE */
    items->mask = count - 1;
}

static void start_items(struct traces_present_items *items, bool is_arrays)
{
    *items = (struct traces_present_items){.free = TRACES_NONE, .is_arrays = is_arrays};
    start_lists(items, LEAST_LISTS);
}

static void free_items(struct traces_present_items *items)
{
    LIB_VEC_FREE(&items->all);
    lib_mem_free(items->lists);
    items->lists = NULL;
}

static uint32_t *list_of(const struct traces_present_items *items,
                         const struct traces_present_item *item)
{
    const uint64_t key = items->is_arrays
                             ? item->number
                             : ((uint64_t)item->instr << 32 | item->tag) +
                                   lib_hash_mix((uint64_t)item->to << 32 | item->how);
    return &items->lists[lib_hash_mix(key) & items->mask];
}

static void put_item(struct traces_present_items *items, uint32_t at)
{
    uint32_t *list = list_of(items, &items->all.items[at]);
    items->all.items[at].next = *list;
    *list = at;
}

static void add_lists(struct traces_present_items *items)
{
    const size_t count = items->mask + 1;
    uint32_t *lists = items->lists;
    start_lists(items, 2 * count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t at = lists[i], next; at != TRACES_NONE; at = next) {
            next = items->all.items[at].next;
            put_item(items, at);
        }
    lib_mem_free(lists);
}

static void add_item(struct traces_present_items *items,
                     const struct traces_present_item *item)
{
    uint32_t at = items->free;
    if (items->count > items->mask)
        add_lists(items);
    if (at == TRACES_NONE) {
        at = (uint32_t)items->all.count;
        (void)LIB_VEC_PUSH(&items->all);
    } else {
        items->free = items->all.items[at].next;
    }
    items->all.items[at] = *item;
    put_item(items, at);
    items->count++;
}

/* Whether both are the same array, or the same token in the same queue. */
static bool is_same(const struct traces_present_item *a,
                    const struct traces_present_item *b, bool are_arrays)
{
    if (are_arrays)
        return a->number == b->number;
    return a->instr == b->instr && a->tag == b->tag && a->to == b->to &&
           a->port == b->port && a->how == b->how;
}

/* Removes the oldest one that is the same, or the newest. */
static bool remove_item(struct traces_present_items *items,
                        const struct traces_present_item *item, bool newest)
{
    struct traces_present_item *all = items->all.items;
    uint32_t *found = NULL;
    for (uint32_t *at = list_of(items, item); *at != TRACES_NONE; at = &all[*at].next)
        if (is_same(&all[*at], item, items->is_arrays) &&
            (!found || newest == (all[*at].order > all[*found].order)))
            found = at;
    if (!found)
        return false;
    const uint32_t at = *found;
    *found = all[at].next;
    all[at].order = 0;
    all[at].next = items->free;
    items->free = at;
    items->count--;
    return true;
}

/* --- what is there -------------------------------------------------------------------------- */

void traces_present_start(struct traces_present *p, bool has_queues)
{
    *p = (struct traces_present){.has_queues = has_queues};
    traces_tag_index_start(&p->tags.index);
    start_items(&p->arrays, true);
    start_items(&p->queued, false);
}

void traces_present_free(struct traces_present *p)
{
    LIB_VEC_FREE(&p->tags.made);
    traces_tag_index_free(&p->tags.index);
    free_items(&p->arrays);
    free_items(&p->queued);
}

size_t traces_present_count(const struct traces_present *p)
{
    return p->tags.index.count + p->arrays.count + p->queued.count;
}

/* An array that is made or gone, or a token that enters or leaves a queue. */
static struct traces_present_item item_of(struct traces_present *p,
                                          const struct traces_event *e, bool is_array)
{
    struct traces_present_item item = {.order = ++p->order};
    if (is_array) {
        item.length = e->a;
        item.number = e->b;
    } else {
        item.instr = e->instr;
        item.tag = e->tag;
        item.to = e->to;
        item.port = e->port;
        item.how = e->how;
    }
    return item;
}

static bool note_item(struct traces_present *p, const struct traces_event *e,
                      bool is_array, bool enters)
{
    struct traces_present_items *items = is_array ? &p->arrays : &p->queued;
    const struct traces_present_item item = item_of(p, e, is_array);
    if (!enters)
        return remove_item(items, &item,
                           p->is_lifo && !is_array && e->how == TRACES_PLACE_INPUT);
    add_item(items, &item);
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
        return make_tag(&p->tags, e);
    case TRACES_EVENT_COPY:
        return place_at_pe(&p->tags, e);
    case TRACES_EVENT_GONE:
        return traces_tag_index_remove(&p->tags.index, e->tag) != TRACES_NONE;
    default:
        return true;
    }
}

/* --- telling it ------------------------------------------------------------------------------- */

/* An activation, and the number of its ancestors. */
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

static void emit_tag(const struct traces_present_tag *tag, uint64_t cycle,
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

/* Emits the activations in the order of compare_tags. A parent is before its children in the list,
 * so that its depth is known, except in a damaged file. */
static void emit_tags(struct traces_present_tags *tags, uint64_t cycle,
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
        emit_tag(all.items[i].tag, cycle, out);
    LIB_VEC_FREE(&all);
}

/* Returns the rank of an item in the order in which a machine reports its queues. */
static unsigned turn_of(const struct traces_present_item *item)
{
    return item->how == TRACES_PLACE_BUFFER  ? 4
           : item->how == TRACES_PLACE_LINK  ? 3
           : item->how == TRACES_PLACE_FAULT ? 2
           : item->how == TRACES_PLACE_READY ? 1
                                             : 0;
}

static int compare_orders(const struct traces_present_item *x,
                          const struct traces_present_item *y)
{
    return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_arrays(const void *a, const void *b, void *items)
{
    const struct traces_present_item *all = items;
    const struct traces_present_item *x = &all[*(const uint32_t *)a],
                                     *y = &all[*(const uint32_t *)b];
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return compare_orders(x, y);
}

static int compare_tokens(const void *a, const void *b, void *items)
{
    const struct traces_present_item *all = items;
    const struct traces_present_item *x = &all[*(const uint32_t *)a],
                                     *y = &all[*(const uint32_t *)b];
    if (turn_of(x) != turn_of(y))
        return turn_of(x) < turn_of(y) ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return compare_orders(x, y);
}

static struct traces_event event_of(const struct traces_present_item *item, bool is_array,
                                    uint64_t cycle)
{
    if (is_array)
        return (struct traces_event){.cycle = cycle,
                                     .kind = TRACES_EVENT_ARRAY_PRESENT,
                                     .a = item->length,
                                     .b = item->number};
    return (struct traces_event){.cycle = cycle,
                                 .kind = TRACES_EVENT_ENTERED,
                                 .how = (uint8_t)item->how,
                                 .to = item->to,
                                 .instr = item->instr,
                                 .port = item->port,
                                 .tag = item->tag};
}

static void emit_items(const struct traces_present_items *items, uint64_t cycle,
                       traces_event_vec *out)
{
    struct traces_present_item *all = items->all.items;
    uint32_t *order = lib_mem_resize(NULL, (items->count + 1) * sizeof *order);
    size_t count = 0;
    for (uint32_t i = 0; i < items->all.count; i++)
        if (all[i].order) /* else it is free */
            order[count++] = i;
    if (count)
        qsort_r(order, count, sizeof *order,
                items->is_arrays ? compare_arrays : compare_tokens, all);
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(out) = event_of(&all[order[i]], items->is_arrays, cycle);
    lib_mem_free(order);
}

void traces_present_tell(struct traces_present *p, uint64_t cycle, traces_event_vec *out)
{
    emit_tags(&p->tags, cycle, out);
    emit_items(&p->arrays, cycle, out);
    emit_items(&p->queued, cycle, out);
}

void traces_present_tell_as_made(struct traces_present *p, uint64_t cycle,
                                 traces_event_vec *out)
{
    close_ranks(&p->tags);
    for (size_t i = 0; i < p->tags.made.count; i++)
        emit_tag(&p->tags.made.items[i], cycle, out);
    emit_items(&p->arrays, cycle, out);
    emit_items(&p->queued, cycle, out);
}
