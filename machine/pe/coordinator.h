/* The coordinator of copies (copy.placement=coordinator; doc/model.md, "Copies on clusters"). A PE
 * that chooses nodes (computers) of a cluster. Every live APPLY with its arguments asks this PE for
 * a cluster node, where the graph of the function is then copied:
 *
 *     PE of the APPLY --token--> coordinator --token and graph--> PE of the cluster node: fires
 *
 * The token carries all data of the call. Its operand bit, which an APPLY does not need otherwise,
 * says that the cluster node was chosen. */
#ifndef MACHINE_PE_COORDINATOR_H
#define MACHINE_PE_COORDINATOR_H

#include "machine/owner.h"

struct machine;
struct machine_settings;
struct lib_diags;

/* Returns true if the settings of copies on cluster nodes are consistent; else adds a
 * diagnostic. */
bool machine_copies_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Returns the PE of the coordinator, and the PE where the last APPLY that made a copy fired. */
uint32_t machine_coordinator_pe(const struct machine *m);
uint32_t machine_coordinator_fires_at(const struct machine *m);

static inline bool machine_coordinator_chose(const struct isa_token *apply)
{
    return isa_token_port(apply);
}

/* Whether a token is an operand of an APPLY for which the coordinator has chosen a cluster
 * node. */
bool machine_coordinator_ships(const struct machine *m, const struct isa_token *t);

/* Returns the bits of the message with an APPLY to the coordinator, or from there to a PE. */
uint64_t machine_coordinator_bits(const struct machine *m, const struct isa_token *apply);

#endif
