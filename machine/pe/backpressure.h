/* Back-pressure: queues of finite size. A PE issues a token only if all that the token can send has
 * room, and a network port forwards a token only if there is room behind the port. So no token is
 * lost. If all tokens wait for room, the run ends with "store full".
 *
 * An empty queue accepts all tokens of one firing, however many. doc/model.md, "Room", lists the
 * other exceptions. */
#ifndef MACHINE_PE_BACKPRESSURE_H
#define MACHINE_PE_BACKPRESSURE_H

#include "machine/state.h"

/* Whether all that a token can send if issued now has room, which is then reserved until the end of
 * the cycle. `queued`: the token is in the input queue of its PE, and leaves it. */
bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued);

/* Returns how many tokens a PE has sent, or reserved room for, that have not left for the network
 * yet, by output port or injection. Only for networks with links. */
static inline uint64_t machine_backpressure_leaving(const struct machine *m, uint32_t pe)
{
    const struct machine_network *n = &m->network;
    const struct machine_promise *last = &n->promises[pe];
    const uint64_t promised = last->promised_at == m->run.cycle ? last->promised : 0;
    return m->tokens.pes[pe].stats.network_tokens - machine_network_gone(n, pe) +
           promised;
}

/* Whether there is certainly room for what any `count` tokens of the input queue of a PE send when
 * issued. Usually there is; then tokens need not be examined, nor room reserved, one by one. */
static inline bool machine_backpressure_has_plenty(const struct machine *m, uint32_t pe,
                                                   uint32_t count)
{
    const struct machine_pe *p = &m->tokens.pes[pe];
    const uint64_t made = count * m->most_made;
    const uint64_t promised = p->promised_at == m->run.cycle ? p->promised : 0;
    return m->most_made &&
           machine_pe_held(p) + promised + made <= m->rooms[pe].capacity &&
           machine_backpressure_leaving(m, pe) + made <= m->output_room;
}

/* Returns the PE of the activation that a live CALL, APPLY, ENTER or NEXT sends to, even if that
 * activation is not made yet. */
uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t);

/* Called when all tokens to be issued in this cycle were chosen. Resets what the predictions of
 * machine_backpressure_for noted in slots (m->tokens.coming). */
void machine_backpressure_chosen(struct machine *m);

/* Whether `more` tokens fit in a queue that has `there` tokens. An empty queue accepts any
 * number. */
static inline bool machine_backpressure_fits(uint64_t there, uint32_t more,
                                             uint64_t capacity)
{
    return capacity == 0 || there == 0 || more == 0 || there + more <= capacity;
}

/* Returns the key of the setting that limits queues. */
static inline const char *machine_backpressure_setting(const struct machine *m)
{
    return m->about.has_input_bounds ? "queue.capacity" : "network.capacity";
}

/* Counts `count` tokens that left the input queue of a PE. */
static inline void machine_backpressure_taken(struct machine *m, struct machine_pe *pe,
                                              uint32_t count)
{
    m->run.moved |= count > 0;
    pe->came -= count;
}

/* Counts `count` tokens that PE `from` sends to PE `to`, for machine_pe_held. Does nothing on a
 * network with links, where tokens are counted when they enter the input queue, or if `from` is
 * `to`: the statistics of a PE count tokens to itself. */
static inline void machine_backpressure_sent(struct machine *m, uint32_t from,
                                             uint32_t to, uint32_t count)
{
    if (from != to && !m->network.has_links)
        m->tokens.pes[to].came += count;
}

/* Whether the input queue of a PE has room for a token from the network. */
static inline bool machine_backpressure_has_entry(const struct machine *m, uint32_t pe)
{
    return machine_pe_has_entry(&m->tokens.pes[pe], &m->rooms[pe]);
}

#endif
