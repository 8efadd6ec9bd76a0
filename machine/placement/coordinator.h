/* The coordinator of copies (copy.placement=coordinator; doc/model.md, "Copies on clusters").
 * Every live APPLY that has its arguments asks it for a node:
 *
 *     PE of the APPLY --token--> coordinator --token and graph--> PE of the node: fires
 *
 * The token carries all data of the call. It has a node if its operand bit is set, which an APPLY
 * does not need otherwise. */
#ifndef MACHINE_PLACEMENT_COORDINATOR_H
#define MACHINE_PLACEMENT_COORDINATOR_H

#include "isa/exec/exec.h"
#include "lib/memory.h"
#include "machine/part.h"

struct machine_settings;
struct lib_diags;

/* A token before the coordinator, since the cycle `came`. */
struct machine_asking {
    struct isa_token token;
    uint64_t came;
};

struct machine_coordinator {
    uint32_t pe;    /* its PE */
    uint32_t nodes; /* number of nodes to choose from */
    LIB_VEC(struct machine_asking) asking;
    size_t first; /* first in `asking` that was not served yet */

    /* It serves a token, until a cycle. */
    bool is_busy;
    struct isa_token served;
    uint64_t until;

    uint64_t choices; /* number of choices so far */
    /* Graph nodes of copies that were sent but are not made, per node. */
    uint64_t *coming;
    uint32_t fires_at; /* PE of the APPLY whose copy was made last */
};

/* Returns true if copies can be placed on the nodes of a machine; else adds a diagnostic. */
bool machine_copies_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Returns true if the token of an APPLY has a node: it is at a PE there, or on its way. */
static inline bool machine_coordinator_chose(const struct isa_token *apply)
{
    return isa_token_port(apply);
}

/* Returns true for a token of an APPLY that has a node. */
bool machine_coordinator_ships(const struct machine *m, const struct isa_token *t);

/* Returns the bits of the message with the token of an APPLY to the coordinator, or from there to a
 * PE. */
uint64_t machine_coordinator_bits(const struct machine *m, const struct isa_token *apply);

/* Returns the graph nodes of the copies that a node has, or will have. */
uint64_t machine_coordinator_load(const struct machine *m, uint32_t node);

#endif
