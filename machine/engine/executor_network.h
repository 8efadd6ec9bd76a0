/* The network between the executors of a divided program: tokens on their way from the workers of
 * one machine to another machine. Each machine has one link that leads out of it; nothing limits
 * how many tokens are on their way. doc/model/executor.md, "Executors of a divided program", has
 * the times. */
#ifndef MACHINE_ENGINE_EXECUTOR_NETWORK_H
#define MACHINE_ENGINE_EXECUTOR_NETWORK_H

#include "machine/state.h"
#include "machine/state_table.h"

#define MACHINE_TRAVELLER_FIELDS(F)                                                      \
    F(NUMBER, uint64_t, comes) /* time when the token comes */                           \
    F(NUMBER, uint64_t, order) /* rank among all tokens that went to a link */           \
    F(TOKEN, token)
struct machine_traveller {
    MACHINE_TRAVELLER_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_EXECUTOR_NETWORK_FIELDS(F)                                               \
    F(KEPT, uint32_t, machine_count)                                                     \
    /* for each machine: time when the link out of it is free */                         \
    F(ARRAY, uint64_t, link_free, s->machine_count)                                      \
    F(NUMBER, uint64_t, sent) /* number of tokens that went to a link so far */          \
    /* tokens on their way: a heap by `comes`, then `order` */                           \
    F(EACH, machine_traveller, travellers)                                               \
    F(CALL, machine_executor_network_check(pack, m, s))
struct machine_executor_network {
    MACHINE_EXECUTOR_NETWORK_FIELDS(LIB_STATE_MEMBER)
};

/* Puts token `t`, which worker `worker` of machine `from` has sent to another machine, on the link
 * out of `from`. */
void machine_executor_network_send(struct machine *m, struct machine_executor_network *n,
                                   uint32_t from, uint32_t worker,
                                   const struct isa_token *t);

/* Takes the token that comes first. There must be one. */
struct isa_token machine_executor_network_take(struct machine_executor_network *n);

/* Checks what was read from a checkpoint. */
void machine_executor_network_check(struct lib_pack *pack, const struct machine *m,
                                    const struct machine_executor_network *n);

/* Returns the time when the next token comes; MACHINE_NEVER: none is on its way. */
static inline uint64_t
machine_executor_network_next(const struct machine_executor_network *n)
{
    return n && n->travellers.count ? n->travellers.items[0].comes : MACHINE_NEVER;
}

/* Returns the time from a machine to another. */
static inline uint64_t machine_executor_network_latency(const struct machine *m)
{
    const uint64_t latency = m->about.network_latency;
    return latency ? latency : m->about.ticks;
}

#endif
