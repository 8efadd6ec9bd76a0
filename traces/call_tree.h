/* The tree of calls of a run, merged by the path of functions, with the firings of each path. A
 * call of `f` from `g` is another place than one from `h`; calls from two sites of `g` are the same
 * place. All iterations of a loop are one place.
 *
 * Memory is bounded: a place TRACES_CALL_DEPTH deep also counts everything below it, and after
 * TRACES_CALL_PLACES places a new one is counted at the place that called it. */
#ifndef TRACES_CALL_TREE_H
#define TRACES_CALL_TREE_H

#include "lib/hash_index.h"
#include "traces/events.h"

enum { TRACES_CALL_DEPTH = 256, TRACES_CALL_PLACES = 1 << 16 };

struct traces_call_place {
    uint32_t function;
    uint32_t parent;      /* a place; TRACES_NONE for the root, place 0 */
    uint32_t first, next; /* first child and next sibling; 0 if none */
    uint32_t depth;
    uint64_t calls;       /* calls, or iterations of a loop */
    uint64_t firings;     /* its own firings, live and dead */
    uint64_t all_firings; /* firings with all places below; set by traces_call_tree_sum */
};

/* Start with traces_call_tree_start. */
struct traces_call_tree {
    const struct isa_graph *graph; /* borrowed */
    LIB_VEC(struct traces_call_place) places;
    struct lib_hash_index live; /* the place of each activation */
    bool is_cut;                /* a bound was reached */
};

void traces_call_tree_start(struct traces_call_tree *tree, const struct isa_graph *graph);
void traces_call_tree_free(struct traces_call_tree *tree); /* {0} is allowed */

/* Consumes an event. The tree needs all events of a run of level `firings` or above. */
void traces_call_tree_note(struct traces_call_tree *tree,
                           const struct traces_event *event);
struct traces_event_sink traces_call_tree_sink(struct traces_call_tree *tree);

/* Called after the last event: computes all_firings, and sorts the children of each place by it,
 * the greatest first, then by function. */
void traces_call_tree_sum(struct traces_call_tree *tree);

/* Calls `visit` for each place, callers before callees. `path` has the `count` places from the root
 * to it. Called after traces_call_tree_sum. */
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
