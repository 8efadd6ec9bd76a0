/* Trees to train on, as text in Penn brackets (isa/tensor/files/trees.h): generated from a seed, or
 * chosen from other trees. Also programs with a function per tree. */
#ifndef SIM_TRAINING_TREES_H
#define SIM_TRAINING_TREES_H

#include "isa/tensor/files/trees.h"
#include "lib/text.h"

/* Plan of trees to generate, whose labels follow a rule that can be learnt. Leaves are words `w0`,
 * `w1`, ...; the number gives a word its score -2, -1, 1 or 2. One in eight left leaves that have a
 * sister is `not`, of score 0: it negates the sister's score. Other inner nodes have the sum of the
 * scores of their children. A node has label 3 if its score is above 0, else label 1. */
struct sim_trees_plan {
    uint64_t count, words, seed;
    double mean; /* mean number of nodes per tree, met as closely as possible */
};

/* Generates trees and appends a line for each. */
void sim_trees_make(const struct sim_trees_plan *plan, struct lib_text *out);

/* Appends the `count` trees with the fewest leaves among those with root label 0, and as many with
 * root label 4; the two kinds alternate, short ones first. Returns false if there are fewer of one
 * kind, and sets `found` to their number. Paper 1 took 350. */
bool sim_trees_choose(const struct isa_trees *trees, uint64_t count, struct lib_text *out,
                      uint64_t *found);

/* Appends all trees in an order that is drawn from `seed`. */
void sim_trees_shuffle(const struct isa_trees *trees, uint64_t seed,
                       struct lib_text *out);

/* Appends a program without decisions: in place of the equation of `tree`, it has a function for
 * each tree, which calls leaf(n, x) and inner(n, left, right) of `program`. Returns false if no
 * equation of `tree` begins in column 1. */
bool sim_trees_unroll(const struct lib_source *program, const struct isa_trees *trees,
                      struct lib_text *out);

#endif
