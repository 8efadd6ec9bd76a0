/* Trees to train on, as text in Penn brackets (isa/tensor/files/trees.h): generated from a seed, or
 * chosen from other trees; and programs with unrolled trees. */
#ifndef SIM_TRAINING_TREES_H
#define SIM_TRAINING_TREES_H

#include "isa/tensor/files/trees.h"
#include "lib/text.h"

/* Generated trees follow a rule that can be learnt. A word has a score of -2, -1, 1 or 2, by its
 * number: `w0`, `w1` ... One in eight left leaves that have a sister is `not`, of score 0: it
 * negates the sister's score. Other inner nodes have the sum of the scores of their children. A
 * node is labelled 3 if its score is above 0, else 1. */
struct sim_trees_plan {
    uint64_t count, words, seed;
    double mean; /* mean number of nodes of a tree, met as closely as possible */
};

/* Adds a line for each tree. */
void sim_trees_make(const struct sim_trees_plan *plan, struct lib_text *out);

/* Adds the `count` shortest trees, by leaves, of those with root label 0, and of those with 4:
 * negative and positive ones alternate, short ones first, as in paper 1, which took 350. Returns
 * false, and sets `found` to how many there are, if there are fewer. */
bool sim_trees_choose(const struct isa_trees *trees, uint64_t count, struct lib_text *out,
                      uint64_t *found);

/* Adds all trees, in an order that is drawn from the seed. */
void sim_trees_shuffle(const struct isa_trees *trees, uint64_t seed,
                       struct lib_text *out);

/* Adds a program in which the equation of `tree` is replaced: by a function for each tree, a graph
 * without decisions. These call leaf(n, x) and inner(n, left, right) of the program. Returns false
 * if the program has no equation of `tree` in column 1. */
bool sim_trees_unroll(const struct lib_source *program, const struct isa_trees *trees,
                      struct lib_text *out);

#endif
