/* Trees to train on, as text in Penn brackets (isa/tensor/files/trees.h): made from a seed, or
 * chosen from others; and programs in which trees are unrolled. */
#ifndef SIM_TRAINING_TREES_H
#define SIM_TRAINING_TREES_H

#include "isa/tensor/files/trees.h"
#include "lib/text.h"

/* Trees that are made follow a rule that can be learnt. A word has a score of -2, -1, 1 or 2, by
 * its number: `w0`, `w1` ... One in eight left leaves that have a sister is `not`, of score 0: it
 * turns the sister's score around. Other inner nodes have the sum of the scores of their
 * children. A node is labelled 3 if its score is above 0, else 1. */
struct sim_trees_plan {
    uint64_t count, words, seed;
    double mean; /* nodes of a tree: met as exactly as whole trees can */
};

/* Adds a line for each tree. */
void sim_trees_make(const struct sim_trees_plan *plan, struct lib_text *out);

/* Adds, of the trees whose root has the label 0 or 4, the `count` shortest of each, by leaves: a
 * negative one and a positive one in turn, short ones first, as the authors of paper 1 chose
 * theirs (they took 350). false: there are fewer, so many as `found` says. */
bool sim_trees_choose(const struct isa_trees *trees, uint64_t count, struct lib_text *out,
                      uint64_t *found);

/* Adds all trees, in an order that is drawn from the seed. */
void sim_trees_shuffle(const struct isa_trees *trees, uint64_t seed,
                       struct lib_text *out);

/* Adds a program whose equation of the function `tree` is another one: a graph for each tree of
 * its own, in which nothing is decided. It calls leaf(n, x) and inner(n, left, right) of the
 * program, and takes from tree(n, x, base) the same. false: the program has no equation of `tree`
 * in column 1. */
bool sim_trees_unroll(const struct lib_source *program, const struct isa_trees *trees,
                      struct lib_text *out);

#endif
