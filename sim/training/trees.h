/* Trees to train on, as text in Penn brackets (isa/tensor/files/trees.h): generated from a seed, or
 * chosen from other trees. Also programs with a function per tree. */
#ifndef SIM_TRAINING_TREES_H
#define SIM_TRAINING_TREES_H

#include "isa/tensor/files/trees.h"
#include "lib/text.h"

/* Trees to generate, whose labels follow a rule that can be learnt: each node has a score, and
 * label 3 if the score is above 0, else label 1. A leaf is a word `w0`, `w1`, ... with a score of
 * -2, -1, 1 or 2 that depends on its number; or `not`, with score 0. An inner node has the sum of
 * the scores of its children; or, if the left one is `not` (1 in 8 of left children that are
 * leaves), the negated score of the right one. */
struct sim_trees_plan {
    uint64_t count, words, seed;
    double mean; /* mean number of nodes per tree, met as closely as possible */
};

/* Generates trees and appends a line for each. */
void sim_trees_make(const struct sim_trees_plan *plan, struct lib_text *out);

/* Appends the `count` trees with the fewest leaves among those whose root has label 0, and as many
 * with label 4, alternately, short ones first. Sets `found` to the number of trees of the rarer
 * label; returns false and appends nothing if this number is below `count`. Paper 1
 * (doc/studies/treernn.md) took 350. */
bool sim_trees_choose(const struct isa_trees *trees, uint64_t count, struct lib_text *out,
                      uint64_t *found);

/* Appends all trees in an order that is drawn from `seed`. */
void sim_trees_shuffle(const struct isa_trees *trees, uint64_t seed,
                       struct lib_text *out);

/* Appends a variant of `program` that decides nothing within a tree: the equation of `tree` is
 * replaced by one that only chooses a function by tree; the function of a tree has all its calls
 * leaf(n, x) and inner(n, left, right) written out. Returns false if no equation of `tree` begins
 * in column 1. */
bool sim_trees_unroll(const struct lib_source *program, const struct isa_trees *trees,
                      struct lib_text *out);

#endif
