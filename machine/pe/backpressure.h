/* Room in queues of finite size, and back-pressure. A PE issues a token only if there is room for
 * all that it can make. A port passes a token on only if there is room behind it. So no token is
 * ever lost. A machine in which all wait for room ends with "store full".
 *
 * An empty queue takes all tokens of one firing, however many. doc/model.md, "Room", lists the
 * other tokens that are not held back. */
#ifndef MACHINE_PE_BACKPRESSURE_H
#define MACHINE_PE_BACKPRESSURE_H

#include "machine/state.h"

/* Returns true if there is room for all that a token can make if it is issued now, and then
 * promises it until the end of the cycle. `queued` if the token is in the input queue of its PE,
 * and leaves it. */
bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued);

/* Returns the tokens before the output port or injection of a PE, formed for it, or promised: all
 * that it has sent, less those that left. Only with links. */
static inline uint64_t machine_backpressure_leaving(const struct machine *m, uint32_t pe)
{
    const struct machine_network *n = &m->network;
    const struct machine_promise *last = &n->promises[pe];
    const uint64_t promised = last->promised_at == m->cycle ? last->promised : 0;
    return m->pes[pe].stats.network_tokens - machine_network_gone(n, pe) + promised;
}

/* Returns true if there is room for all that any `count` tokens of the input queue of a PE can make
 * if they are issued now, which is most often so. Then they need not be examined one by one, and
 * need no promises, as tokens of other PEs go through other ports. */
static inline bool machine_backpressure_has_plenty(const struct machine *m, uint32_t pe,
                                                   uint32_t count)
{
    const struct machine_pe *p = &m->pes[pe];
    const uint64_t made = count * m->most_made;
    const uint64_t promised = p->promised_at == m->cycle ? p->promised : 0;
    return m->most_made && machine_pe_held(p) + promised + made <= m->input_room &&
           machine_backpressure_leaving(m, pe) + made <= m->output_room;
}

/* Returns the PE where the activation of a live CALL, APPLY, ENTER or NEXT is, or would be. */
uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t);

/* Notes that all tokens to be issued in this cycle were chosen. */
void machine_backpressure_chosen(struct machine *m);

/* Returns true if `more` tokens fit where `there` are. An empty queue takes any number. */
static inline bool machine_backpressure_fits(uint64_t there, uint32_t more,
                                             uint64_t capacity)
{
    return capacity == 0 || there == 0 || more == 0 || there + more <= capacity;
}

/* Returns the name of the setting that bounds queues. */
static inline const char *machine_backpressure_setting(const struct machine *m)
{
    return m->settings.queue_capacity ? "queue.capacity" : "network.capacity";
}

/* Accounts for tokens that a PE took from its input queue. */
static inline void machine_backpressure_taken(struct machine *m, struct machine_pe *pe,
                                              uint32_t count)
{
    m->moved |= count > 0;
    pe->came -= count;
}

/* Accounts for tokens that a PE sends on an ideal network, where its statistics do not. */
static inline void machine_backpressure_sent(struct machine *m, uint32_t from,
                                             uint32_t to, uint32_t count)
{
    if (from != to && !m->network.has_links)
        m->pes[to].came += count;
}

/* Returns true if an input queue has room for a token from the network, in addition to the room for
 * the tokens of one firing at its PE: otherwise other PEs could fill the queue and stop the PE. */
static inline bool machine_backpressure_has_entry(const struct machine *m, uint32_t pe)
{
    const uint64_t held = machine_pe_held(&m->pes[pe]);
    return held == 0 || held + 1 + m->kept_room <= m->input_room;
}

/* Returns true if a token can enter an input queue from the network, and then accounts for it. */
static inline bool machine_backpressure_to_enter(struct machine *m, uint32_t pe)
{
    const bool has_entry = machine_backpressure_has_entry(m, pe);
    m->held_back |= !has_entry;
    m->moved |= has_entry;
    m->pes[pe].came += has_entry;
    return has_entry;
}

#endif
