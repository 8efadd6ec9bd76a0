/* Partitions' inside: what the ways to choose share. */
#ifndef ISA_PARTITION_PARTITION_INSIDE_H
#define ISA_PARTITION_PARTITION_INSIDE_H

#include "isa/partition/partition.h"

/* Of each node the first of its group. The array is the caller's. */
uint32_t *isa_partition_groups(const struct isa_graph *image);

/* Of each function the one in which it stands: of a loop, however deep, that which it is written in. The array is the
 * caller's. */
uint32_t *isa_partition_homes(const struct isa_graph *image);

struct isa_partition_ends {
    struct isa_dest *items;
    size_t count, capacity;
};

/* Where the arcs of an output list lead: `return` stands for the RETURNs of all calls of the function.
 * The destinations are added to `out`. */
void isa_partition_dests(const struct isa_graph *image, uint32_t node, uint32_t output,
                         struct isa_partition_ends *out);

/* Sets the machine of each group's first node, as a map says. */
bool isa_partition_read_map(const struct isa_graph *image, const uint32_t *group_of,
                            const struct lib_source *map, uint32_t machines,
                            uint32_t *machine_of, struct lib_diags *diags);

/* The same by METIS. */
bool isa_partition_by_metis(const struct isa_graph *image, const uint32_t *group_of,
                            const struct isa_partition_choice *choice,
                            uint32_t *machine_of, struct lib_diags *diags);

struct isa_tracker;

/* The partitioned graph, for the machine of each node. Nodes of one group are on one machine. With a tracker of the
 * same image, which then is `image`, RECVs are scheduled. */
struct isa_graph *isa_partition_split_as(const struct isa_graph *image,
                                         const uint32_t *machine_of, uint32_t machines,
                                         const struct isa_tracker *tracker);

#endif
