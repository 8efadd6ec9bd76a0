/* Random numbers without state: Philox 2x64-10 (Salmon, Moraes, Dror, Shaw, SC 2011).
 *
 * Each number is a function of the seed, the component that draws it and a counter, so it does not
 * depend on the order of draws. */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

/* Components of hiaton that draw random numbers. The values of these constants must never change
 * or be reused, because the results for a seed depend on them. */
enum lib_random_component {
    LIB_RANDOM_PLACEMENT = 1,
    LIB_RANDOM_ROUTING = 2,   /* intermediate router of Valiant routing */
    LIB_RANDOM_INJECTION = 3, /* traffic without a program: cycles in which a PE sends */
    LIB_RANDOM_DESTINATION = 4, /* traffic without a program: receivers of messages */
    LIB_RANDOM_PARAMETER = 5,   /* initial values of tensors (isa/tensor/initialise.h) */
    LIB_RANDOM_FAULT = 8, /* faults of messages between nodes (machine/nodes/faults.c) */
    LIB_RANDOM_LATENESS = 9, /* delays of late messages between nodes */
    /* Assignment of instructions to machines (programs/partition/partition.h). */
    LIB_RANDOM_PARTITION = 7,
    /* Random changes of a partition (programs/partition/moves.h). */
    LIB_RANDOM_SEARCH = 11,
    LIB_RANDOM_EXAMPLE = 12, /* order of training examples (sim/training/training.c) */
    LIB_RANDOM_TREE = 13,    /* shapes of generated trees (sim/training/trees.c) */
};

/* Computes the two words that Philox makes of a key and a counter of two words, `a` the first one,
 * as Random123's philox2x64 does. */
void lib_random_words(uint64_t key, uint64_t a, uint64_t b, uint64_t words[2]);

/* Returns the upper 53 bits of a random word, as a real in [0, 1). */
static inline double lib_random_real(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* Returns a random number that is a function of the four arguments; `a` and `b` form the counter.
 */
uint64_t lib_random_draw(uint64_t seed, enum lib_random_component component, uint64_t a,
                         uint64_t b);

/* Fills `order` with the integers from 0 to `count` - 1 in a random order (Fisher, Yates), drawn
 * by lib_random_draw with the counters from (a, 1) to (a, count - 1). */
void lib_random_shuffle(uint64_t seed, enum lib_random_component component, uint64_t a,
                        uint64_t *order, uint64_t count);

#endif
