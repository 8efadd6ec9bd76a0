/* Partitions: assignments of instructions to machines, and the partitioned graphs that result
 * (isa/parts.h).
 *
 * A group is a set of instructions that must be on one machine: those that name a call site, the
 * WRITE and the READs of a cell, and those that use the constants of a loop, with the loop's
 * site. A group is assigned to the machine of its first instruction. */
#ifndef PROGRAMS_PARTITION_PARTITION_H
#define PROGRAMS_PARTITION_PARTITION_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/text.h"

enum programs_partition_by {
    PROGRAMS_PARTITION_NONE,
    PROGRAMS_PARTITION_FUNCTION, /* functions, with their loops, take machines in turn */
    PROGRAMS_PARTITION_RANDOM,   /* each group of instructions goes to a random machine */
    PROGRAMS_PARTITION_METIS,    /* few arcs between machines, and equal work on each */
    PROGRAMS_PARTITION_FILE,     /* a text file, the map, assigns machines */
    PROGRAMS_PARTITION_SOURCE,   /* lines `--# machine N` in the source assign machines */
};

struct programs_partition_choice {
    enum programs_partition_by by;
    uint32_t machines;               /* number of machines, at least 1 */
    uint64_t seed;                   /* seed of the methods RANDOM and METIS */
    const struct lib_source *map;    /* the map of machines, for method FILE */
    const struct lib_source *source; /* method SOURCE: source for diagnostics, or NULL */
    /* Method METIS: firings of instructions (programs/partition/weights.h), or NULL. */
    const struct lib_source *weights;
    /* Whether RECVs wait until tag tracking schedules them (programs/partition/track.h). */
    bool schedules;
};

/* Makes the partitioned graph of an image, which is not changed. Returns NULL and adds a
 * diagnostic on failure. */
struct isa_graph *programs_partition(const struct isa_graph *image,
                                     const struct programs_partition_choice *choice,
                                     struct lib_diags *diags);

/* Sets the machine of each node in machine_of[image->node_count], which is the same for all
 * nodes of a group. Returns false and adds a diagnostic on failure. */
bool programs_partition_choose(const struct isa_graph *image,
                               const struct programs_partition_choice *choice,
                               uint32_t *machine_of, struct lib_diags *diags);

/* Writes a partition as a map for PROGRAMS_PARTITION_FILE. */
void programs_partition_write_map(const struct isa_graph *image,
                                  const uint32_t *machine_of, uint32_t machines,
                                  struct lib_text *out);

bool programs_partition_has_metis(void);

/* Makes the partitioned graph with node i of the image on machine_of[i], which is the same for
 * all nodes of a group. `schedules`: RECVs wait for tag tracking. Returns NULL and adds a
 * diagnostic if RECVs cannot be scheduled. */
struct isa_graph *programs_partition_split(const struct isa_graph *image,
                                           const uint32_t *machine_of, uint32_t machines,
                                           bool schedules, struct lib_diags *diags);

#endif
