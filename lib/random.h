/* Random numbers without state: Philox 2x64-10 (Salmon, Moraes, Dror, Shaw, SC 2011),
 * keyed by (seed, component), so that no draw depends on the order of others. */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

/* Who draws. A number is never reused: it is part of the meaning of a seed. When one draws is
 * said in machine_settings_draw (machine/settings.h). */
enum lib_random_component {
    LIB_RANDOM_PLACEMENT = 1,
    LIB_RANDOM_ROUTING = 2,     /* Valiant: the router between */
    LIB_RANDOM_INJECTION = 3,   /* traffic alone: in which cycles a PE sends, */
    LIB_RANDOM_DESTINATION = 4, /* and to whom */
    LIB_RANDOM_PARAMETER = 5,   /* initial values of tensors (isa/tensor/initialise.h) */
    LIB_RANDOM_FAULT = 8,       /* of a message between nodes (machine/nodes/faults.c), */
    LIB_RANDOM_LATENESS = 9,    /* and for how long it is delayed */
    LIB_RANDOM_PARTITION = 7,   /* machines of instructions (isa/partition/partition.h) */
    LIB_RANDOM_SEARCH = 11,     /* changes of a partition (isa/partition/moves.h) */
    LIB_RANDOM_EXAMPLE =
        12,               /* training: the order of examples (sim/training/training.c), */
    LIB_RANDOM_TREE = 13, /* and trees that are made (sim/training/trees.c) */
};

/* The number with counter (a, b) in the stream of (seed, component). */
uint64_t lib_random_draw(uint64_t seed, enum lib_random_component component, uint64_t a,
                         uint64_t b);

/* The numbers from 0 to `count` - 1 in a random order (Fisher, Yates). */
void lib_random_shuffle(uint64_t seed, enum lib_random_component component, uint64_t a,
                        uint64_t *order, uint64_t count);

#endif
