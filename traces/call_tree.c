#include "traces/call_tree.h"

#include <stdlib.h>

void traces_call_tree_start(struct traces_call_tree *tree, const struct isa_graph *graph)
{
    *tree = (struct traces_call_tree){.graph = graph};
    lib_hash_index_start(&tree->live);
    *LIB_VEC_PUSH(&tree->places) = (struct traces_call_place){.parent = TRACES_NONE};
}

void traces_call_tree_free(struct traces_call_tree *tree)
{
    LIB_VEC_FREE(&tree->places);
    lib_hash_index_free(&tree->live);
    *tree = (struct traces_call_tree){0};
}

static uint32_t place_below(struct traces_call_tree *tree, uint32_t parent,
                            uint32_t function)
{
    const struct traces_call_place *above = &tree->places.items[parent];
    uint32_t child = above->first;
    if (above->function == function && tree->graph->functions[function].is_loop)
        return parent; /* the next iteration */
    while (child && tree->places.items[child].function != function)
        child = tree->places.items[child].next;
    if (child)
        return child;
    if (above->depth + 1 == TRACES_CALL_DEPTH ||
        tree->places.count == TRACES_CALL_PLACES) {
        tree->is_cut = true;
        return parent;
    }
    const struct traces_call_place place = {
        .function = function,
        .parent = parent,
        .next = above->first,
        .depth = above->depth + 1,
    };
    child = (uint32_t)tree->places.count;
    *LIB_VEC_PUSH(&tree->places) = place;
    tree->places.items[parent].first = child;
    return child;
}

/* Counts a call. An activation that already lives, or has no live parent, is ignored. */
static void begin_call(struct traces_call_tree *tree, const struct traces_event *e)
{
    uint32_t place = 0;
    if (e->tag == TRACES_NONE || lib_hash_index_find(&tree->live, e->tag) != TRACES_NONE)
        return;
    if (e->parent != TRACES_NONE) {
        const uint32_t parent = lib_hash_index_find(&tree->live, e->parent);
        if (parent == TRACES_NONE || e->site >= tree->graph->site_count)
            return;
        place = place_below(tree, parent, tree->graph->sites[e->site].callee);
    }
    lib_hash_index_put(&tree->live, e->tag, place);
    tree->places.items[place].calls++;
}

void traces_call_tree_note(struct traces_call_tree *tree,
                           const struct traces_event *event)
{
    uint32_t place;
    switch (event->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        begin_call(tree, event);
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        place = lib_hash_index_find(&tree->live, event->tag);
        if (place != TRACES_NONE)
            tree->places.items[place].firings++;
        break;
    case TRACES_EVENT_GONE:
        lib_hash_index_remove(&tree->live, event->tag);
        break;
    default:
        break;
    }
}

static void call_tree_take(void *context, const struct traces_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        traces_call_tree_note(context, &events[i]);
}

struct traces_event_sink traces_call_tree_sink(struct traces_call_tree *tree)
{
    return (struct traces_event_sink){TRACES_LEVEL_FIRINGS, call_tree_take, tree};
}

static int compare_places(const void *a, const void *b, void *context)
{
    const struct traces_call_tree *tree = context;
    const struct traces_call_place *x = &tree->places.items[*(const uint32_t *)a],
                                   *y = &tree->places.items[*(const uint32_t *)b];
    if (x->all_firings != y->all_firings)
        return x->all_firings < y->all_firings ? 1 : -1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static void sort_children(struct traces_call_tree *tree, uint32_t place, uint32_t *room)
{
    struct traces_call_place *places = tree->places.items;
    size_t count = 0;
    for (uint32_t c = places[place].first; c; c = places[c].next)
        room[count++] = c;
    if (count < 2)
        return;
    qsort_r(room, count, sizeof *room, compare_places, tree);
    places[place].first = room[0];
    for (size_t i = 0; i < count; i++)
        places[room[i]].next = i + 1 < count ? room[i + 1] : 0;
}

/* Callers come before callees in `places`, so a backward pass suffices. */
void traces_call_tree_sum(struct traces_call_tree *tree)
{
    struct traces_call_place *places = tree->places.items;
    uint32_t *room = lib_mem_new(tree->places.count * sizeof *room);
    for (size_t i = 0; i < tree->places.count; i++)
        places[i].all_firings = places[i].firings;
    for (size_t i = tree->places.count; i-- > 1;)
        places[places[i].parent].all_firings += places[i].all_firings;
    for (uint32_t i = 0; i < tree->places.count; i++)
        sort_children(tree, i, room);
    lib_mem_free(room);
}

void traces_call_tree_walk(const struct traces_call_tree *tree,
                           void (*visit)(void *context, const uint32_t *path,
                                         size_t count),
                           void *context)
{
    const struct traces_call_place *places = tree->places.items;
    uint32_t path[TRACES_CALL_DEPTH] = {0};
    uint32_t place = 0;
    for (;;) {
        path[places[place].depth] = place;
        visit(context, path, places[place].depth + 1);
        uint32_t next = places[place].first;
        while (!next && place) {
            next = places[place].next;
            place = places[place].parent;
        }
        if (!next)
            return;
        place = next;
    }
}
