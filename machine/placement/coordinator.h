/* The coordinator of copies (copy.placement=coordinator; doc/model.md, "Copies on clusters").
 * Every live APPLY that has its arguments asks it for a node: its token goes to the PE of the
 * coordinator, waits there, and is sent on to a PE of the node, with the graph of the callee.
 * There the APPLY fires. So the token carries all that is known of the call, and needs no memory
 * elsewhere: it has a node if its bit of the operand is set, which an APPLY has no use for. */
#ifndef MACHINE_PLACEMENT_COORDINATOR_H
#define MACHINE_PLACEMENT_COORDINATOR_H

#include "isa/exec/exec.h"
#include "lib/memory.h"
#include "machine/part.h"

struct machine_settings;
struct lib_diags;

/* A token before the coordinator, since a cycle. */
struct machine_asking {
    struct isa_token token;
    uint64_t came;
};

struct machine_coordinator {
    uint32_t pe;    /* where it is */
    uint32_t nodes; /* that it chooses from */
    LIB_VEC(struct machine_asking) asking;
    size_t first; /* those before have been served */
    bool is_busy; /* with this token, until that cycle: */
    struct isa_token served;
    uint64_t until;
    uint64_t choices; /* that it has made */
    uint64_t
        *coming; /* per node: nodes of copies that were sent there, and are not made */
    uint32_t fires_at; /* the PE of the APPLY whose copy is made last */
    uint64_t requests, messages, waits, graph_bytes;
};

/* Whether the nodes of a machine are such that its copies can be placed; else `diags` has why
 * not. */
bool machine_copies_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Whether the token of an APPLY has a node: it stands at a PE there, or is on its way. */
static inline bool machine_coordinator_chose(const struct isa_token *apply)
{
    return isa_token_port(apply);
}

/* Whether a token is one of an APPLY that has a node. */
bool machine_coordinator_ships(const struct machine *m, const struct isa_token *t);

/* The APPLY fires at the PE where its token is: its copy is made. */
void machine_coordinator_made(struct machine *m, const struct isa_token *apply);

/* Bits of the message by which the token of an APPLY goes to the coordinator, or from there to a
 * PE. */
uint64_t machine_coordinator_bits(const struct machine *m, const struct isa_token *apply);

/* Nodes of copies that a node has, or will have. */
uint64_t machine_coordinator_load(const struct machine *m, uint32_t node);

/* Nodes of the copy that an APPLY makes. */
uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply);

#endif
