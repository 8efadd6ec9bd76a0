#include "traces/present.h"

#include "lib/order.h"

#include <stdlib.h>

enum { LEAST_GONE = 1024 };

/* Removes freed activations from the list. */
static void close_ranks(struct traces_present_tags *tags)
{
    size_t count = 0;
    for (size_t i = 0; i < tags->made.count; i++) {
        const uint32_t tag = tags->made.items[i].tag;
        if (lib_hash_index_find(&tags->index, tag) != i)
            continue;
        lib_hash_index_put(&tags->index, tag, (uint32_t)count);
        tags->made.items[count++] = tags->made.items[i];
    }
    tags->made.count = count;
}

static bool make_tag(struct traces_present_tags *tags, const struct traces_event *e)
{
    const bool is_root = e->parent == TRACES_NONE;
    if (e->tag == TRACES_NONE ||
        (!is_root && lib_hash_index_find(&tags->index, e->parent) == TRACES_NONE) ||
        lib_hash_index_find(&tags->index, e->tag) != TRACES_NONE)
        return false;
    if (tags->made.count > 2 * tags->index.count + LEAST_GONE)
        close_ranks(tags);
    lib_hash_index_put(&tags->index, e->tag, (uint32_t)tags->made.count);
    *LIB_VEC_PUSH(&tags->made) = (struct traces_present_tag){
        .iteration = e->a,
        .tag = e->tag,
        .parent = e->parent,
        .site = e->site,
        .pe = e->kind == TRACES_EVENT_GATHER ? TRACES_NONE : e->pe};
    return true;
}

/* Sets the PE of an activation that gathered arguments before it was placed. */
static bool place_at_pe(struct traces_present_tags *tags, const struct traces_event *e)
{
    const uint32_t at = lib_hash_index_find(&tags->index, e->tag);
    if (at == TRACES_NONE)
        return false;
    tags->made.items[at].pe = e->pe;
    return true;
}

static struct traces_present_item *add_item(struct traces_present *p,
                                            struct traces_live_tokens *items,
                                            uint32_t instr, uint32_t tag, uint32_t port)
{
    struct traces_present_item *item = traces_live_tokens_add(items, instr, tag, port);
    item->order = ++p->order;
    return item;
}

/* Notes an array. The halves of its number are its name. */
static bool note_array(struct traces_present *p, const struct traces_event *e)
{
    const uint32_t high = (uint32_t)(e->b >> 32), low = (uint32_t)e->b;
    if (e->kind != TRACES_EVENT_ARRAY_GONE) {
        add_item(p, &p->arrays, high, low, 0)->length = e->a;
        return true;
    }
    void *item = traces_live_tokens_first(&p->arrays, high, low, 0);
    if (item)
        traces_live_tokens_remove(&p->arrays, item);
    return item != NULL;
}

/* Notes that the oldest (or newest) of equal tokens left a queue. */
static bool note_queued(struct traces_present *p, const struct traces_event *e)
{
    struct traces_present_item *found = NULL, *item;
    if (!p->has_queues)
        return true;
    if (e->kind == TRACES_EVENT_ENTERED) {
        item = add_item(p, &p->queued, e->instr, e->tag, e->port);
        item->to = e->to;
        item->how = e->how;
        return true;
    }
    const bool newest = p->is_lifo && e->how == TRACES_PLACE_INPUT;
    struct traces_token_search search = traces_live_tokens_search(&p->queued, e->instr,
                                                                  e->tag, e->port);
    while ((!found || newest) && (item = traces_live_tokens_next(&p->queued, &search)))
        if (item->to == e->to && item->how == e->how)
            found = item;
    if (found)
        traces_live_tokens_remove(&p->queued, found);
    return found != NULL;
}

void traces_present_start(struct traces_present *p, bool has_queues)
{
    *p = (struct traces_present){.has_queues = has_queues};
    lib_hash_index_start(&p->tags.index);
    traces_live_tokens_start(&p->arrays, sizeof(struct traces_present_item));
    traces_live_tokens_start(&p->queued, sizeof(struct traces_present_item));
}

void traces_present_free(struct traces_present *p)
{
    LIB_VEC_FREE(&p->tags.made);
    lib_hash_index_free(&p->tags.index);
    traces_live_tokens_free(&p->arrays);
    traces_live_tokens_free(&p->queued);
}

size_t traces_present_count(const struct traces_present *p)
{
    return p->tags.index.count + traces_live_tokens_alive(&p->arrays) +
           traces_live_tokens_alive(&p->queued);
}

bool traces_present_note(struct traces_present *p, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_ARRAY_PRESENT:
    case TRACES_EVENT_ARRAY:
    case TRACES_EVENT_ARRAY_GONE:
        return note_array(p, e);
    case TRACES_EVENT_ENTERED:
    case TRACES_EVENT_LEFT:
        return note_queued(p, e);
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        return make_tag(&p->tags, e);
    case TRACES_EVENT_COPY:
        return place_at_pe(&p->tags, e);
    case TRACES_EVENT_GONE:
        return lib_hash_index_remove(&p->tags.index, e->tag) != TRACES_NONE;
    default:
        return true;
    }
}

/* Activation and number of its ancestors. */
struct ranked {
    const struct traces_present_tag *tag;
    size_t depth;
};

static int compare_tags(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return LIB_ORDER(x->depth, y->depth) ?: LIB_ORDER(x->tag->tag, y->tag->tag);
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

/* Emits the activations in the order of compare_tags. Except in a damaged file, a parent comes
 * before its children, so its depth is known. */
static void emit_tags(struct traces_present_tags *tags, uint64_t cycle,
                      traces_event_vec *out)
{
    LIB_VEC(struct ranked) all = {0};
    close_ranks(tags);
    for (size_t i = 0; i < tags->made.count; i++) {
        const struct traces_present_tag *tag = &tags->made.items[i];
        const size_t parent = lib_hash_index_find(&tags->index, tag->parent);
        const size_t depth = parent < i ? all.items[parent].depth + 1 : 0;
        *LIB_VEC_PUSH(&all) = (struct ranked){tag, depth};
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_tags);
    for (size_t i = 0; i < all.count; i++)
        emit_tag(all.items[i].tag, cycle, out);
    LIB_VEC_FREE(&all);
}

/* Returns the rank of a queue in the order in which a machine reports its queues. */
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

static uint64_t number_of(const struct traces_present_item *array)
{
    return (uint64_t)array->name.instr << 32 | array->name.tag;
}

static int compare_arrays(const void *a, const void *b)
{
    const struct traces_present_item *x = *(struct traces_present_item *const *)a,
                                     *y = *(struct traces_present_item *const *)b;
    return LIB_ORDER(number_of(x), number_of(y)) ?: compare_orders(x, y);
}

static int compare_tokens(const void *a, const void *b)
{
    const struct traces_present_item *x = *(struct traces_present_item *const *)a,
                                     *y = *(struct traces_present_item *const *)b;
    return LIB_ORDER(turn_of(x), turn_of(y)) ?: LIB_ORDER(x->to, y->to)
           ?: compare_orders(x, y);
}

static struct traces_event array_event(const struct traces_present_item *item,
                                       uint64_t cycle)
{
    return (struct traces_event){.cycle = cycle,
                                 .kind = TRACES_EVENT_ARRAY_PRESENT,
                                 .a = item->length,
                                 .b = number_of(item)};
}

static struct traces_event token_event(const struct traces_present_item *item,
                                       uint64_t cycle)
{
    return (struct traces_event){.cycle = cycle,
                                 .kind = TRACES_EVENT_ENTERED,
                                 .how = (uint8_t)item->how,
                                 .to = item->to,
                                 .instr = item->name.instr,
                                 .port = item->name.port,
                                 .tag = item->name.tag};
}

static void emit_items(const struct traces_live_tokens *items, bool are_arrays,
                       uint64_t cycle, traces_event_vec *out)
{
    struct traces_present_item **order = lib_mem_resize(
        NULL, (traces_live_tokens_alive(items) + 1) * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++) {
        struct traces_present_item *item = traces_live_tokens_get(items, i);
        if (item)
            order[count++] = item;
    }
    qsort(order, count, sizeof *order, are_arrays ? compare_arrays : compare_tokens);
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(out) = are_arrays ? array_event(order[i], cycle)
                                        : token_event(order[i], cycle);
    lib_mem_free(order);
}

void traces_present_emit(struct traces_present *p, uint64_t cycle, traces_event_vec *out)
{
    emit_tags(&p->tags, cycle, out);
    emit_items(&p->arrays, true, cycle, out);
    emit_items(&p->queued, false, cycle, out);
}

void traces_present_emit_as_made(struct traces_present *p, uint64_t cycle,
                                 traces_event_vec *out)
{
    close_ranks(&p->tags);
    for (size_t i = 0; i < p->tags.made.count; i++)
        emit_tag(&p->tags.made.items[i], cycle, out);
    emit_items(&p->arrays, true, cycle, out);
    emit_items(&p->queued, false, cycle, out);
}
