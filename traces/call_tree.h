/* Calling-context tree of a run, as profilers show it. A tree node is a path of functions from the
 * root, with the firings in the last one. So `f` called from `g` and from `h` are different nodes,
 * but calls from two sites of `g` share a node, as do all iterations of a loop.
 *
 * Memory is bounded: a node TRACES_CALL_DEPTH deep includes all calls below it; after
 * TRACES_CALL_PLACES nodes, calls that need a new one count at their caller's. */
#ifndef TRACES_CALL_TREE_H
#define TRACES_CALL_TREE_H

#include "lib/hash_index.h"
#include "traces/events.h"

enum { TRACES_CALL_DEPTH = 256, TRACES_CALL_PLACES = 1 << 16 };

struct traces_call_place {
    uint32_t function;
    uint32_t parent; /* index of the caller's tree node; TRACES_NONE for the root */
    /* indexes of the first child and the next sibling in the tree; 0: none */
    uint32_t first, next;
    uint32_t depth;
    uint64_t calls;   /* calls of the function, or iterations of the loop */
    uint64_t firings; /* firings in the function itself, live and dead */
    /* `firings` plus the firings of all functions called from here; set by traces_call_tree_sum */
    uint64_t all_firings;
};

struct traces_call_tree {
    const struct isa_graph *graph; /* borrowed */
    LIB_VEC(struct traces_call_place) places;
    struct lib_hash_index live; /* activation -> index in `places` */
    bool is_cut; /* a bound of memory was reached, so the tree is incomplete */
};

void traces_call_tree_start(struct traces_call_tree *tree, const struct isa_graph *graph);
/* Frees a call tree, which may be zeroed. */
void traces_call_tree_free(struct traces_call_tree *tree);

/* Updates the tree by the next event of a run. The stream of events needs level `firings` or
 * above. */
void traces_call_tree_note(struct traces_call_tree *tree,
                           const struct traces_event *event);
struct traces_event_sink traces_call_tree_sink(struct traces_call_tree *tree);

/* Computes all_firings after the last event, and sorts the children of each tree node by
 * all_firings, largest first, then by function. */
void traces_call_tree_sum(struct traces_call_tree *tree);

/* Calls visit(context, path, count) for each node of the tree, callers first. `path` has the
 * indexes of the `count` nodes from the root to that node. Call traces_call_tree_sum before. */
void traces_call_tree_walk(const struct traces_call_tree *tree,
                           void (*visit)(void *context, const uint32_t *path,
                                         size_t count),
                           void *context);

static inline const char *traces_call_place_name(const struct traces_call_tree *tree,
                                                 uint32_t place)
{
    return tree->graph->functions[tree->places.items[place].function].name;
}

#endif
