/* The coordinator of copies (copy.placement=coordinator; doc/model.md, "Copies on clusters"). A PE
 * that chooses nodes (computers) of a cluster. Every live APPLY with its arguments asks this PE for
 * a cluster node, where the graph of the function is then copied:
 *
 *     PE of the APPLY --token--> coordinator --token and graph--> PE of the cluster node: fires
 *
 * The token carries all data of the call. Its operand bit, which an APPLY does not need otherwise,
 * says that the cluster node was chosen. */
#ifndef MACHINE_PLACEMENT_COORDINATOR_H
#define MACHINE_PLACEMENT_COORDINATOR_H

#include "isa/exec/exec.h"
#include "lib/memory.h"
#include "machine/part.h"

struct machine_settings;
struct lib_diags;

/* A token, of an APPLY, that came to the coordinator in cycle `came`, to have it choose the cluster
 * node where the call is made. */
struct machine_asking {
    struct isa_token token;
    uint64_t came;
};

struct machine_coordinator {
    uint32_t pe;    /* PE of the coordinator */
    uint32_t nodes; /* number of cluster nodes */
    LIB_VEC(struct machine_asking) asking;
    size_t first; /* index in `asking` of the first waiting token */

    /* While is_busy, the coordinator chooses a cluster node for `served`, until cycle `until`. */
    bool is_busy;
    struct isa_token served;
    uint64_t until;

    uint64_t choices; /* number of cluster nodes chosen so far */
    /* For each cluster node: number of instructions in the copies of graphs that were sent to it
     * but are not made yet. */
    uint64_t *coming;
    uint32_t fires_at; /* PE at which the last APPLY that made a copy fired */
};

/* Returns true if the settings of copies on cluster nodes are consistent; else adds a
 * diagnostic. */
bool machine_copies_fit(const struct machine_settings *settings, struct lib_diags *diags);

static inline bool machine_coordinator_chose(const struct isa_token *apply)
{
    return isa_token_port(apply);
}

/* Whether a token is an operand of an APPLY for which the coordinator has chosen a cluster
 * node. */
bool machine_coordinator_ships(const struct machine *m, const struct isa_token *t);

/* Returns the bits of the message with an APPLY to the coordinator, or from there to a PE. */
uint64_t machine_coordinator_bits(const struct machine *m, const struct isa_token *apply);

/* Returns the number of instructions in the copies of graphs at a cluster node or in transit to
 * it. */
uint64_t machine_coordinator_load(const struct machine *m, uint32_t node);

#endif
