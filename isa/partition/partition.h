/* Partitions: which machine each instruction of an image is on, and the graph that this makes (isa/parts.h).
 *
 * What must be on one machine is a *group*: what names a site, the WRITE and the READs of a cell, and what
 * uses the constants of a loop, with its site. A group goes where its first instruction would. */
#ifndef ISA_PARTITION_PARTITION_H
#define ISA_PARTITION_PARTITION_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/text.h"

enum isa_partition_by {
    ISA_PARTITION_NONE,
    ISA_PARTITION_FUNCTION, /* functions in turn, each with its loops */
    ISA_PARTITION_RANDOM,   /* each group by itself */
    ISA_PARTITION_METIS,    /* few arcs between machines, and as much work on each */
    ISA_PARTITION_FILE,     /* as a map says */
    ISA_PARTITION_SOURCE,   /* as the source says of its lines: `--# machine N` */
};

struct isa_partition_choice {
    enum isa_partition_by by;
    uint32_t machines;            /* at least 1 */
    uint64_t seed;                /* of RANDOM and METIS */
    const struct lib_source *map; /* of FILE */
    /* Of SOURCE, for diagnostics; NULL: it is not there. */
    const struct lib_source *source;
    bool schedules; /* RECVs are scheduled per tag: see track.h */
    const struct lib_source
        *weights; /* of METIS: firings of instructions; NULL: each is one */
};

/* The partitioned graph of an image, which stays as it is; NULL: it cannot be, and why is in `diags`. */
struct isa_graph *isa_partition(const struct isa_graph *image,
                                const struct isa_partition_choice *choice,
                                struct lib_diags *diags);

/* The same, but only the machine of each node; nodes of one group are on one. There is room for all nodes. */
bool isa_partition_choose(const struct isa_graph *image,
                          const struct isa_partition_choice *choice, uint32_t *machine_of,
                          struct lib_diags *diags);

/* Adds the map of machines that says so (ISA_PARTITION_FILE), an entry per group. */
void isa_partition_write_map(const struct isa_graph *image, const uint32_t *machine_of,
                             uint32_t machines, struct lib_text *out);

/* Whether METIS was there when this was built. */
bool isa_partition_has_metis(void);

/* For who has chosen otherwise: the same for the machine of each node, with RECVs that are scheduled per tag, or not.
 * Nodes of one group are on one machine. NULL: it cannot be scheduled, and why is in `diags`. */
struct isa_graph *isa_partition_split(const struct isa_graph *image,
                                      const uint32_t *machine_of, uint32_t machines,
                                      bool schedules, struct lib_diags *diags);

#endif
