/* Partitions: the assignment of the instructions of an image to machines, and the partitioned
 * graph that results (isa/parts.h).
 *
 * A group is a set of instructions that must be on one machine: those that name a site, the WRITE
 * and the READs of a cell, and those that use the constants of a loop, together with its site. A
 * group is assigned to the machine of its first instruction. */
#ifndef PROGRAMS_PARTITION_PARTITION_H
#define PROGRAMS_PARTITION_PARTITION_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/text.h"

enum programs_partition_by {
    PROGRAMS_PARTITION_NONE,
    PROGRAMS_PARTITION_FUNCTION, /* functions take machines in turn, with their loops */
    PROGRAMS_PARTITION_RANDOM,   /* each group goes to a random machine */
    PROGRAMS_PARTITION_METIS,    /* few arcs between machines, and equal work on each */
    PROGRAMS_PARTITION_FILE,     /* a file of text, the map, says where */
    PROGRAMS_PARTITION_SOURCE,   /* the source says where, by lines `--# machine N` */
};

/* Method and parameters of a partition. */
struct programs_partition_choice {
    enum programs_partition_by by;
    uint32_t machines;               /* at least 1 */
    uint64_t seed;                   /* seed of RANDOM and METIS */
    const struct lib_source *map;    /* map of FILE */
    const struct lib_source *source; /* source of SOURCE, for diagnostics; or NULL */
    /* METIS: firings of instructions (programs/partition/weights.h), or NULL */
    const struct lib_source *weights;
    /* RECVs wait until tag tracking schedules them (programs/partition/track.h) */
    bool schedules;
};

/* Makes the partitioned graph of an image, which is not changed. Returns NULL and adds a
 * diagnostic on failure. */
struct isa_graph *programs_partition(const struct isa_graph *image,
                                     const struct programs_partition_choice *choice,
                                     struct lib_diags *diags);

/* Computes only the machine of each node, into machine_of[image->node_count]. All nodes of a
 * group get one machine. Returns false and adds a diagnostic on failure. */
bool programs_partition_choose(const struct isa_graph *image,
                               const struct programs_partition_choice *choice,
                               uint32_t *machine_of, struct lib_diags *diags);

/* Adds the partition as a map for PROGRAMS_PARTITION_FILE, with an entry for each group. */
void programs_partition_write_map(const struct isa_graph *image,
                                  const uint32_t *machine_of, uint32_t machines,
                                  struct lib_text *out);

bool programs_partition_has_metis(void);

/* Divides an image: node i goes to machine_of[i], which is the same for all nodes of a group.
 * `schedules`: as in struct programs_partition_choice. Returns NULL and adds a diagnostic if
 * RECVs cannot be scheduled. */
struct isa_graph *programs_partition_split(const struct isa_graph *image,
                                           const uint32_t *machine_of, uint32_t machines,
                                           bool schedules, struct lib_diags *diags);

#endif
