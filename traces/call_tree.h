/* The tree of calls of a run: who called whom, merged by the path of functions, and what was done
 * under each path. A call of `f` from `g` is another place than one from `h`; calls from two
 * sites of `g` are the same place. Iterations of a loop are one place, as are bodies that a loop
 * starts again.
 *
 * What is kept has a bound whatever the run: places TRACES_CALL_DEPTH deep take what is deeper,
 * and when there are TRACES_CALL_PLACES, what would be a new one belongs to the place that called
 * it. */
#ifndef TRACES_CALL_TREE_H
#define TRACES_CALL_TREE_H

#include "lib/hash_index.h"
#include "traces/events.h"

enum { TRACES_CALL_DEPTH = 256, TRACES_CALL_PLACES = 1 << 16 };

struct traces_call_place {
    uint32_t function;
    uint32_t parent;      /* a place; TRACES_NONE: it is the root, place 0 */
    uint32_t first, next; /* its first child, and its next sibling; 0: there is none */
    uint32_t depth;
    uint64_t calls;       /* or, of a loop, iterations */
    uint64_t firings;     /* its own: live ones and hiatons passed on */
    uint64_t all_firings; /* with all below it; after traces_call_tree_sum */
};

/* Start with traces_call_tree_start. */
struct traces_call_tree {
    const struct isa_graph *graph; /* borrowed */
    LIB_VEC(struct traces_call_place) places;
    struct lib_hash_index live; /* the place of each activation */
    bool is_cut;                /* a bound was reached */
};

void traces_call_tree_start(struct traces_call_tree *tree, const struct isa_graph *graph);
void traces_call_tree_free(struct traces_call_tree *tree); /* one that is all zero, too */

/* Takes all events of a run, of the level `firings` at least. */
void traces_call_tree_note(struct traces_call_tree *tree,
                           const struct traces_event *event);
struct traces_event_sink traces_call_tree_sink(struct traces_call_tree *tree);

/* After the last event: sums up, and puts the children of each place in order: the greatest
 * first, then by function. */
void traces_call_tree_sum(struct traces_call_tree *tree);

/* Calls back for each place, callers before what they call, in order; `path` are the places from
 * the root to it, `count` of them. After traces_call_tree_sum. */
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
