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
    PROGRAMS_PARTITION_FUNCTION, /* functions in turn, each with its loops */
    PROGRAMS_PARTITION_RANDOM,   /* each group by itself */
    PROGRAMS_PARTITION_METIS,    /* few arcs between machines, and equal work on each */
    PROGRAMS_PARTITION_FILE,     /* given by a map */
    PROGRAMS_PARTITION_SOURCE,   /* given by the source for its lines: `--# machine N` */
};

/* Method and parameters of a partition. */
struct programs_partition_choice {
    enum programs_partition_by by;
    uint32_t machines;                /* at least 1 */
    uint64_t seed;                    /* for RANDOM and METIS */
    const struct lib_source *map;     /* for FILE */
    const struct lib_source *source;  /* for SOURCE: position of diagnostics; or NULL */
    const struct lib_source *weights; /* for METIS: firings of instructions, or NULL */
    bool schedules; /* RECVs are scheduled per tag (programs/partition/track.h) */
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

/* Whether hiaton was built with METIS. */
bool programs_partition_has_metis(void);

/* Makes the partitioned graph for given machines of the nodes. All nodes of a group must be on
 * one machine. `schedules`: RECVs are scheduled per tag. Returns NULL and adds a diagnostic if
 * they cannot be. */
struct isa_graph *programs_partition_split(const struct isa_graph *image,
                                           const uint32_t *machine_of, uint32_t machines,
                                           bool schedules, struct lib_diags *diags);

#endif
