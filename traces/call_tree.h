/* The tree of calls of a run, as a profiler shows it: a place of the tree is a path of functions
 * from the root, with the firings in it. A call of `f` from `g` is another place than one from `h`;
 * calls from two sites of `g` share a place, and so do all iterations of a loop.
 *
 * Memory is bounded: a place TRACES_CALL_DEPTH deep includes everything below it. Once there are
 * TRACES_CALL_PLACES places, calls that need a new one count at the place of their caller. */
#ifndef TRACES_CALL_TREE_H
#define TRACES_CALL_TREE_H

#include "lib/hash_index.h"
#include "traces/events.h"

enum { TRACES_CALL_DEPTH = 256, TRACES_CALL_PLACES = 1 << 16 };

struct traces_call_place {
    uint32_t function;
    uint32_t parent;      /* index of the caller; TRACES_NONE for the root */
    uint32_t first, next; /* first child and next sibling in the tree; 0 if none */
    uint32_t depth;
    uint64_t calls;   /* number of calls, or of iterations of a loop */
    uint64_t firings; /* firings in this place alone, live and dead */
    /* `firings` plus those of all places below; set by traces_call_tree_sum */
    uint64_t all_firings;
};

struct traces_call_tree {
    const struct isa_graph *graph; /* borrowed */
    LIB_VEC(struct traces_call_place) places;
    struct lib_hash_index live; /* activation -> place */
    bool is_cut; /* the tree is incomplete: a bound of memory was reached */
};

void traces_call_tree_start(struct traces_call_tree *tree, const struct isa_graph *graph);
/* A zeroed `tree` is allowed. */
void traces_call_tree_free(struct traces_call_tree *tree);

/* Updates the tree by the next event of a run. All events of level `firings` or above are
 * needed. */
void traces_call_tree_note(struct traces_call_tree *tree,
                           const struct traces_event *event);
struct traces_event_sink traces_call_tree_sink(struct traces_call_tree *tree);

/* Called after the last event: computes all_firings, and sorts the children of each place by
 * all_firings, largest first, then by function. */
void traces_call_tree_sum(struct traces_call_tree *tree);

/* Calls `visit` for each place, callers before callees. `path` has the `count` places from the root
 * to the visited one. Called after traces_call_tree_sum. */
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
