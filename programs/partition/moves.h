/* Random changes of a partition, to search for a good one. A group is a set of graph nodes that
 * must be on one machine. */
#ifndef PROGRAMS_PARTITION_MOVES_H
#define PROGRAMS_PARTITION_MOVES_H

#include "isa/graph.h"

struct programs_partition_moves;

/* Prepares changes of partitions of an image, which is borrowed, on `machines` machines. */
struct programs_partition_moves *
programs_partition_moves_new(const struct isa_graph *image, uint32_t machines);
void programs_partition_moves_free(
    struct programs_partition_moves *moves); /* NULL is allowed */

/* Makes `count` random changes to `machine_of`, the machine of each graph node: moves a group to
 * another machine, or to the machine of a group with which it exchanges tokens; swaps the machines
 * of two groups; or moves all groups of a function to one machine. `seed` and `number` choose the
 * changes: equal ones make equal changes. */
void programs_partition_move(const struct programs_partition_moves *moves,
                             uint32_t *machine_of, uint64_t seed, uint64_t number,
                             uint32_t count);

#endif
