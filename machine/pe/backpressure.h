/* Back-pressure: queues of finite size. A PE issues a token only if all that the token can send has
 * room, and a port passes a token on only if there is room after the port. So no token is ever
 * lost. If all tokens wait for room, the run ends with "store full".
 *
 * An empty queue accepts all tokens of one firing, however many. doc/model.md, "Room", lists the
 * other exceptions. */
#ifndef MACHINE_PE_BACKPRESSURE_H
#define MACHINE_PE_BACKPRESSURE_H

#include "machine/state.h"

/* Returns true if all that a token can send if it is issued now has room, which is then reserved
 * until the end of the cycle. `queued`: the token is in the input queue of its PE, and leaves
 * it. */
bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued);

/* Returns how many tokens a PE has sent or reserved room for that have not left through its output
 * port or injection. Only for networks with links. */
static inline uint64_t machine_backpressure_leaving(const struct machine *m, uint32_t pe)
{
    const struct machine_network *n = &m->network;
    const struct machine_promise *last = &n->promises[pe];
    const uint64_t promised = last->promised_at == m->cycle ? last->promised : 0;
    return m->pes[pe].stats.network_tokens - machine_network_gone(n, pe) + promised;
}

/* Returns true if there is room for all that any `count` tokens of the input queue of a PE can
 * send. This is usual, and then they need not be examined one by one or reserve room. */
static inline bool machine_backpressure_has_plenty(const struct machine *m, uint32_t pe,
                                                   uint32_t count)
{
    const struct machine_pe *p = &m->pes[pe];
    const uint64_t made = count * m->most_made;
    const uint64_t promised = p->promised_at == m->cycle ? p->promised : 0;
    return m->most_made && machine_pe_held(p) + promised + made <= m->input_room &&
           machine_backpressure_leaving(m, pe) + made <= m->output_room;
}

/* Returns the PE of the activation that a live CALL, APPLY, ENTER or NEXT sends to, even if it is
 * not made yet. */
uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t);

/* Called when all tokens to be issued in this cycle were chosen. */
void machine_backpressure_chosen(struct machine *m);

/* Returns true if `more` tokens fit in a queue that has `there` tokens. An empty queue accepts any
 * number. */
static inline bool machine_backpressure_fits(uint64_t there, uint32_t more,
                                             uint64_t capacity)
{
    return capacity == 0 || there == 0 || more == 0 || there + more <= capacity;
}

/* Returns the key of the setting that limits queues. */
static inline const char *machine_backpressure_setting(const struct machine *m)
{
    return m->settings.queue_capacity ? "queue.capacity" : "network.capacity";
}

/* Counts `count` tokens that a PE took from its input queue. */
static inline void machine_backpressure_taken(struct machine *m, struct machine_pe *pe,
                                              uint32_t count)
{
    m->moved |= count > 0;
    pe->came -= count;
}

/* Counts tokens that a PE sends on an ideal network, unless its statistics count them. */
static inline void machine_backpressure_sent(struct machine *m, uint32_t from,
                                             uint32_t to, uint32_t count)
{
    if (from != to && !m->network.has_links)
        m->pes[to].came += count;
}

/* Returns true if an input queue has room for a token from the network, besides room for one firing
 * at its PE: otherwise other PEs could fill the queue and stop the PE. */
static inline bool machine_backpressure_has_entry(const struct machine *m, uint32_t pe)
{
    const uint64_t held = machine_pe_held(&m->pes[pe]);
    return held == 0 || held + 1 + m->kept_room <= m->input_room;
}

/* Returns true, and counts the token, if it can enter an input queue from the network. */
static inline bool machine_backpressure_to_enter(struct machine *m, uint32_t pe)
{
    const bool has_entry = machine_backpressure_has_entry(m, pe);
    m->held_back |= !has_entry;
    m->moved |= has_entry;
    m->pes[pe].came += has_entry;
    return has_entry;
}

#endif
