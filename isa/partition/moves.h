/* Random changes of a partition, for who searches for a good one. */
#ifndef ISA_PARTITION_MOVES_H
#define ISA_PARTITION_MOVES_H

#include "isa/graph.h"

struct isa_partition_moves;

/* Of an image, which is borrowed, on so many machines. */
struct isa_partition_moves *isa_partition_moves_new(const struct isa_graph *image,
                                                    uint32_t machines);
void isa_partition_moves_free(struct isa_partition_moves *moves); /* NULL is allowed */

/* Makes `count` changes. Each moves a group to another machine, or to where a group is from which it gets something or
 * which gets something from it; or two groups change their machines; or all groups of a function go to one machine. The
 * same seed and number make the same changes. */
void isa_partition_move(const struct isa_partition_moves *moves, uint32_t *machine_of,
                        uint64_t seed, uint64_t number, uint32_t count);

#endif
