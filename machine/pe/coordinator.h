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

#include "machine/part.h"
#include "machine/state_table.h"

struct machine_settings;
struct lib_diags;

/* A token, of an APPLY, that came to the coordinator in cycle `came`, to have it choose the cluster
 * node where the call is made. */
#define MACHINE_ASKING_FIELDS(F)                                                         \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)                                                            \
    F(CHECK, s->came < m->run.cycle)
struct machine_asking {
    MACHINE_ASKING_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_COORDINATOR_FIELDS(F)                                                    \
    F(KEPT, uint32_t, pe)    /* PE of the coordinator */                                 \
    F(KEPT, uint32_t, nodes) /* number of cluster nodes */                               \
    F(CALL, forget_served(s))                                                            \
    F(EACH, machine_asking, asking)                                                      \
    F(SCRATCH, size_t, first) /* index in `asking` of the first waiting token */         \
    /* while is_busy: it chooses a node for `served`, until cycle `until` */             \
    F(BOOL, is_busy)                                                                     \
    F(SOME_TOKEN, served, s->is_busy)                                                    \
    F(NUMBER, uint64_t, until)                                                           \
    F(CHECK, !s->is_busy || s->until >= m->run.cycle)                                    \
    F(NUMBER, uint64_t, choices) /* number of cluster nodes chosen so far */             \
    /* for each node: instructions of the copies that were sent to it, not made yet */   \
    F(ARRAY, uint64_t, coming, s->nodes)                                                 \
    F(SCRATCH, uint32_t, fires_at) /* PE at which the last APPLY that made a copy fired */
struct machine_coordinator {
    MACHINE_COORDINATOR_FIELDS(LIB_STATE_MEMBER)
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

#endif
