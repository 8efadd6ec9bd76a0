#include "machine/engine/executor_network.h"

#include "lib/heap.h"
#include "machine/events.h"
#include "machine/pe/tensor_memory.h"

static bool comes_before(const struct machine_traveller *a,
                         const struct machine_traveller *b)
{
    return a->comes < b->comes || (a->comes == b->comes && a->order < b->order);
}

/* Returns the time for which a token occupies a link. */
static uint64_t occupation(const struct machine *m, const struct isa_token *t)
{
    const uint64_t bandwidth = m->about.bandwidth;
    const uint64_t bits = machine_token_bits(m, isa_token_tag(t)) +
                          8 * machine_carried_bytes(m, t, false);
    return (bandwidth ? bits / bandwidth + (bits % bandwidth > 0) : 1) * m->about.ticks;
}

void machine_executor_network_send(struct machine *m, struct machine_executor_network *n,
                                   uint32_t from, uint32_t worker,
                                   const struct isa_token *t)
{
    const uint64_t now = m->run.cycle;
    const uint64_t leaves = n->link_free[from] > now ? n->link_free[from] : now;
    const uint64_t occupied = occupation(m, t);
    const struct machine_traveller traveller = {
        .comes = leaves + machine_executor_network_latency(m) + occupied - m->about.ticks,
        .order = n->sent++,
        .token = *t};
    n->link_free[from] = leaves + occupied;
    LIB_HEAP_PUT(&n->travellers, &traveller, comes_before);
    if (!m->watch.tells_queues)
        return;
    struct traces_event *event = machine_emit_token(m, TRACES_EVENT_TRAVELS, worker, t);
    event->to = m->machine_of[isa_token_instr(t)] * m->machine_pes;
    event->a = leaves;
    event->b = traveller.comes;
}

struct isa_token machine_executor_network_take(struct machine_executor_network *n)
{
    struct machine_traveller first;
    LIB_HEAP_TAKE(&n->travellers, &first, comes_before);
    return first.token;
}

void machine_executor_network_check(struct lib_pack *pack, const struct machine *m,
                                    const struct machine_executor_network *n)
{
    for (size_t i = 0; i < n->travellers.count; i++) {
        const struct machine_traveller *t = &n->travellers.items[i];
        lib_pack_expect(
            pack, t->order < n->sent && t->comes >= m->run.cycle &&
                      (i == 0 || comes_before(&n->travellers.items[(i - 1) / 2], t)));
    }
}
