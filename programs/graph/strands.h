/* Loops that make the elements of arrays. A chain is one loop, with an iteration for each element.
 * A tree makes strands, each of at most `array.strand` elements, by loops that run at once:
 *
 *     at the array         the loop of the first strand; if there are more, a call of the function
 *                          strand(strand, length, values from outside)
 *     strand(low, high)    the loop of the strand that begins with `low`; if `high` is further, two
 *                          calls of itself for both halves of what is left
 *
 * An array of at most one strand takes three firings more than as a chain: two that compute where
 * its first strand ends and whether there are more, and one for the array itself, which would enter
 * the call; and one for each other value that would. No more if its length is a literal.
 *
 * The calls return at once, as nothing waits for their results: the elements of an array are there
 * when they are stored. No strand needs an element of another one, as arrays that read themselves
 * are chains. So the iterations of a strand may be bounded (`array.bound`).
 *
 * Loops that join do not make elements of an array: each element answers with the int 0 when what
 * it does is done. Strand by strand the answers are joined to one, which the calls return.
 *
 * Nodes of elements are made twice: in the loop at the array, and in that of the function. The
 * function is made once, also if the nodes around the array are made twice. Everything is allocated
 * in the arena of struct strands. */
#ifndef PROGRAMS_GRAPH_STRANDS_H
#define PROGRAMS_GRAPH_STRANDS_H

#include "lib/arena.h"
#include "programs/graph/region.h"
#include "programs/settings/settings.h"

struct strands {
    struct lib_arena *arena;
    const struct programs_settings *settings;
};

struct strands_loop {
    struct region_loop *loop;
    struct region_place at;      /* where an element is made */
    struct region_value counter; /* its index */
    /* If the loop joins: the answers of the elements before this one, as one. */
    bool joins;
    struct region_value joined;
};

/* Opens the loop of all elements of an array of `length`; or, if `follows`, of as many as array
 * `length` of a port has. `name`: of the index, for drawings, or NULL. `joins`: it joins. */
struct strands_loop strands_chain(struct region_place p, const char *name, bool follows,
                                  bool joins, struct region_value length);

/* Ends a loop when its element is stored. */
void strands_close(const struct strands_loop *loop);

/* Returns the max number of elements of a strand; 0: there are no trees. */
int64_t strands_length(const struct strands *s);

/* Ends a loop that joins when `answer` of its element is made. Returns the answer of all. */
struct region_value strands_join(const struct strands_loop *loop,
                                 struct region_value answer);

/* Whether an array that does not read itself is made by a tree. `known`: its length plus 1 if that
 * is a literal, else 0. */
bool strands_are_tree(const struct strands *s, uint32_t known);

/* The function of a tree. */
struct strands_tree {
    struct strands_loop loop; /* of its strand */
    /* The values from outside, in the function, then the late ones; immediates are themselves. */
    struct region_value *outside;
    uint32_t function;
    struct region_place top;
    struct region_value further; /* if it joins: the answer of the calls */
};

/* Makes the function of a tree, whose loop the caller closes; if it `joins`, by strands_tree_join.
 * Only the types of `outside` matter, except of immediates. `late`: types of values that are passed
 * later (strands_root_add). */
struct strands_tree *strands_tree_new(const struct strands *s, struct region_place p,
                                      const char *name, bool joins,
                                      const struct region_value *outside, uint32_t count,
                                      const enum isa_type *late, uint32_t late_count);

void strands_tree_join(const struct strands_tree *tree, struct region_value answer);

/* An array that a tree makes. */
struct strands_root {
    struct strands_loop loop; /* of the first strand */
    struct region_place more; /* where the tree is called */
    /* Whether a condition in `at` tells if there are more strands: the length is no literal. Its
     * branches: for more, and for none. */
    bool is_guarded;
    struct region_place inner[2], at;
    uint32_t call, passed; /* `passed`: arguments of the call */
};

/* Opens the loop of the first strand of an array of `length`, which the caller closes, and calls a
 * tree for the others. `known` as above; `outside`: the values for strands_tree_new, the first of
 * which is the array. `scatters`: the array may have another length than the `length` elements that
 * are made, or there is none. If the loop joins, strands_root_join closes it. */
struct strands_root strands_root_open(const struct strands *s, struct region_place p,
                                      const char *name, uint32_t known,
                                      struct region_value length, bool scatters,
                                      const struct strands_tree *tree,
                                      const struct region_value *outside, uint32_t count);

/* Returns the answer of all elements; `answer` is that of one. */
struct region_value strands_root_join(const struct strands_root *root,
                                      struct region_value answer);

/* Passes the late values. */
void strands_root_add(const struct strands_root *root, const struct region_value *late,
                      uint32_t count);

#endif
