/* Room in queues of finite size, and back-pressure. A PE issues a token only if there is room for
 * all that it can make. A port passes a token on only if there is room behind it. So no token is
 * ever lost. A machine in which everybody waits for room ends with "store full".
 *
 * A queue that is empty takes what one firing makes, however much that is. doc/model.md, "Room",
 * lists what else is not held back. */
#ifndef MACHINE_PE_BACKPRESSURE_H
#define MACHINE_PE_BACKPRESSURE_H

#include "machine/state.h"

/* Whether there is room for what a token can make if it is issued now; promises it
 * until the end of the cycle. `queued`: it is in the input queue of its PE, and leaves it. */
bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued);

/* Where there are links: tokens before the output port or injection of a PE, formed for it, or
 * promised: all that it has sent, less what has gone through. */
static inline uint64_t machine_backpressure_leaving(const struct machine *m, uint32_t pe)
{
    const struct machine_network *n = &m->network;
    const struct machine_promise *promise = &n->promises[pe];
    const uint64_t promised = promise->promised_at == m->cycle ? promise->promised : 0;
    return m->pes[pe].stats.network_tokens - machine_network_gone(n, pe) + promised;
}

/* Whether there is room for all that `count` tokens of the input queue of a PE can make if they
 * are issued now, whatever they are: then they need not be asked one by one, nor promised
 * anything, as what others make goes through other ports. Most often there is. */
static inline bool machine_backpressure_has_plenty(const struct machine *m, uint32_t pe,
                                                   uint32_t count)
{
    const struct machine_pe *p = &m->pes[pe];
    const uint64_t made = count * m->most_made;
    const uint64_t promised = p->promised_at == m->cycle ? p->promised : 0;
    return m->most_made && machine_pe_held(p) + promised + made <= m->input_room &&
           machine_backpressure_leaving(m, pe) + made <= m->output_room;
}

/* Where the activation that a live CALL, APPLY, ENTER or NEXT goes to is, or would be. */
uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t);

/* Whether there is room for the copy of the i-th APPLY that waits
 * (machine/pe/graph_copy.h). One for which there is none holds back those after it that
 * wait at the same PE, for the rest of a walk over all, which has a number of its own. */
bool machine_backpressure_for_copy(struct machine *m, size_t i, uint64_t walk);

/* All have been chosen that are issued in this cycle. */
void machine_backpressure_chosen(struct machine *m);

/* Whether `more` fit where so many are; what is empty takes any number. */
static inline bool machine_backpressure_fits(uint64_t there, uint32_t more,
                                             uint64_t capacity)
{
    return capacity == 0 || there == 0 || more == 0 || there + more <= capacity;
}

/* The setting that bounds queues. */
static inline const char *machine_backpressure_setting(const struct machine *m)
{
    return m->settings.queue_capacity ? "queue.capacity" : "network.capacity";
}

/* Accounts for tokens that a PE has taken from its input queue, */
static inline void machine_backpressure_taken(struct machine *m, struct machine_pe *pe,
                                              uint32_t count)
{
    m->moved |= count > 0;
    pe->came -= count;
}

/* for tokens that a PE sends, where its stats do not: on an ideal network. */
static inline void machine_backpressure_sent(struct machine *m, uint32_t from,
                                             uint32_t to, uint32_t count)
{
    if (from != to && !m->network.has_links)
        m->pes[to].came += count;
}

/* Whether an input queue has room for a token that comes out of the network, when it leaves room
 * for what one firing at home makes: a PE that lets others fill its queue could not go on
 * itself. */
static inline bool machine_backpressure_has_entry(const struct machine *m, uint32_t pe)
{
    const uint64_t held = machine_pe_held(&m->pes[pe]);
    return held == 0 || held + 1 + m->kept_room <= m->input_room;
}

/* Whether a token may come out of the network into an input queue; accounts for it if so. */
static inline bool machine_backpressure_to_enter(struct machine *m, uint32_t pe)
{
    const bool has_entry = machine_backpressure_has_entry(m, pe);
    m->held_back |= !has_entry;
    m->moved |= has_entry;
    m->pes[pe].came += has_entry;
    return has_entry;
}

#endif
