#ifndef PROGRAMS_PARTITION_PARTITION_INTERNAL_H
#define PROGRAMS_PARTITION_PARTITION_INTERNAL_H

#include "programs/partition/partition.h"

/* Returns, for each node, the first node of its group, which must be on one machine. The caller
 * frees the array. */
uint32_t *programs_partition_groups(const struct isa_graph *image);

/* Returns, for each loop, the function whose text contains it; for other functions, the function
 * itself. The caller frees the array. */
uint32_t *programs_partition_homes(const struct isa_graph *image);

struct programs_partition_ends {
    struct isa_dest *items;
    size_t count, capacity;
};

/* Adds to `out` the destinations of output list `output` of `node`. A destination ISA_TO_RETURN is
 * replaced by the RETURNs of all calls of the function. */
void programs_partition_dests(const struct isa_graph *image, uint32_t node,
                              uint32_t output, struct programs_partition_ends *out);

/* Sets the machine of the first node of each group by a map. Returns false and adds a diagnostic
 * if the map is invalid. */
bool programs_partition_read_map(const struct isa_graph *image, const uint32_t *group_of,
                                 const struct lib_source *map, uint32_t machines,
                                 uint32_t *machine_of, struct lib_diags *diags);

/* Sets the machine of the first node of each group by the library METIS. Returns false and adds
 * a diagnostic on failure. */
bool programs_partition_by_metis(const struct isa_graph *image, const uint32_t *group_of,
                                 const struct programs_partition_choice *choice,
                                 uint32_t *machine_of, struct lib_diags *diags);

struct programs_tracker;

/* Makes the partitioned graph with node i of the image on machine_of[i], which is the same for
 * all nodes of a group. If `tracker` is not NULL, RECVs wait for tag tracking, and `image` must be
 * the tracker's graph. */
struct isa_graph *programs_partition_split_as(const struct isa_graph *image,
                                              const uint32_t *machine_of,
                                              uint32_t machines,
                                              const struct programs_tracker *tracker);

#endif
