/* Messages between nodes: arrival, and faults that hold or lose them. */
#include "machine/nodes/nodes_internal.h"

#include "machine/owner.h"

/* --- what is sent ----------------------------------------------------------------------------- */

uint64_t machine_nodes_bits(const struct machine_nodes *n)
{
    return n && n->counts ? MACHINE_NODES_NUMBER_BITS : 0;
}

uint32_t machine_nodes_send(struct machine_nodes *n, uint32_t from, uint32_t to,
                            const struct isa_token *first, uint64_t tokens, uint64_t bits)
{
    uint32_t at = n->unused;
    if (at == NODES_NOBODY) {
        (void)LIB_VEC_PUSH(&n->messages);
        at = (uint32_t)n->messages.count - 1;
    } else {
        n->unused = n->messages.items[at].next;
    }
    n->messages.items[at] = (struct nodes_message){
        .key = first->key,
        .is_release = machine_token_mark(first) == MACHINE_MARK_RELEASE,
        .tokens = tokens,
        .from = from,
        .to = to,
        .number = nodes_pair(n, from, to)->sent++,
        .is_used = true};
    n->nodes[from].surplus++;
    n->most_bits = bits > n->most_bits ? bits : n->most_bits;
    return at;
}

void machine_nodes_inside(struct machine_nodes *n, uint32_t node, int64_t tokens)
{
    n->nodes[node].inside += (uint64_t)tokens;
}

size_t machine_nodes_messages(const struct machine_nodes *n)
{
    return n->messages.count;
}

/* The other node becomes active, as if it had received a message. */
void machine_nodes_wake(struct machine_nodes *n, uint32_t by, uint32_t pe)
{
    if (nodes_of(n, by) != nodes_of(n, pe))
        n->nodes[nodes_of(n, pe)].is_black = true;
}

/* --- what comes ------------------------------------------------------------------------------- */

static uint32_t word_of(const struct nodes_pair *pair, uint32_t number)
{
    return (number - pair->base) / 64;
}

static bool has_come(const struct nodes_pair *pair, uint32_t number)
{
    const uint32_t word = word_of(pair, number);
    return number < pair->base ||
           (word < pair->came.count && pair->came.items[word] >> number % 64 & 1);
}

bool nodes_receive(struct nodes_pair *pair, uint32_t number)
{
    if (has_come(pair, number))
        return true;
    const uint32_t word = word_of(pair, number);
    while (pair->came.count <= word)
        *LIB_VEC_PUSH(&pair->came) = 0;
    pair->came.items[word] |= UINT64_C(1) << number % 64;
    uint32_t full = 0;
    while (full < pair->came.count && pair->came.items[full] == UINT64_MAX)
        full++;
    if (full) {
        pair->came.count -= full;
        memmove(pair->came.items, pair->came.items + full,
                pair->came.count * sizeof *pair->came.items);
        pair->base += 64 * full;
    }
    return false;
}

/* Receives a message at its node. Returns false, and ends the run, if it had arrived before. */
static bool receive(struct machine_nodes *n, uint32_t at,
                    const struct machine_nodes_item *item)
{
    const struct nodes_message *message = &n->messages.items[at];
    struct nodes_node *node = &n->nodes[message->to];
    if (n->counts &&
        nodes_receive(nodes_pair(n, message->from, message->to), message->number)) {
        n->wrong = at;
        n->came_twice = true;
        if (*n->outside.running)
            n->outside.stop_faulted(n->outside.context);
        return false;
    }
    node->surplus--;
    node->is_black = true;
    n->outside.deliver(n->outside.context, item);
    return true;
}

static void forget(struct machine_nodes *n, uint32_t at)
{
    n->messages.items[at] = (struct nodes_message){.next = n->unused};
    n->unused = at;
}

static struct nodes_held take_held(struct machine_nodes *n, size_t at)
{
    const struct nodes_held held = n->held.items[at];
    n->held.count--;
    memmove(n->held.items + at, n->held.items + at + 1,
            (n->held.count - at) * sizeof *n->held.items);
    return held;
}

static void tell_held(const struct machine_nodes *n, const struct nodes_held *held,
                      enum traces_event_kind kind)
{
    n->outside.tell_held(n->outside.context, &held->item,
                         n->messages.items[held->message].to, kind);
}

/* Delivers a message, and then the messages that it has overtaken. Returns true if there were
 * any. */
static bool come(struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item)
{
    const struct nodes_message message = n->messages.items[at];
    bool were_any = false;
    if (!receive(n, at, item))
        return false;
    forget(n, at);
    for (size_t i = 0; i < n->held.count;) {
        const struct nodes_message *other = &n->messages.items[n->held.items[i].message];
        if (!n->held.items[i].is_overtaken || other->from != message.from ||
            other->to != message.to) {
            i++;
            continue;
        }
        const struct nodes_held held = take_held(n, i);
        tell_held(n, &held, TRACES_EVENT_LEFT);
        if (receive(n, held.message, &held.item))
            forget(n, held.message);
        were_any = true;
    }
    return were_any;
}

void machine_nodes_tell_queued(const struct machine_nodes *n)
{
    for (uint32_t node = 0; n->held.count && node < n->count; node++)
        for (size_t i = 0; i < n->held.count; i++)
            if (n->messages.items[n->held.items[i].message].to == node)
                tell_held(n, &n->held.items[i], TRACES_EVENT_ENTERED);
}

static void hold(struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item, enum machine_fault kind,
                 uint64_t cycles)
{
    const struct nodes_held held = {.item = *item,
                                    .until = cycles ? n->outside.now + cycles
                                                    : MACHINE_NEVER,
                                    .message = at,
                                    .is_overtaken = kind == MACHINE_FAULT_REORDER};
    *LIB_VEC_PUSH(&n->held) = held;
    tell_held(n, &held, TRACES_EVENT_ENTERED);
}

static void lose(struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item)
{
    n->messages.items[at].is_lost = true;
    if (!n->outside.has_tokens)
        return;
    *LIB_VEC_PUSH(&n->lost) = *item;
    n->outside.lose(n->outside.context, &item->token);
}

void machine_nodes_arrive(struct machine_nodes *n, uint64_t now, uint32_t at,
                          const struct machine_nodes_item *item)
{
    const struct nodes_outside *out = &n->outside;
    uint64_t cycles;
    n->outside.now = now;
    if (at == MACHINE_NODES_INSIDE || at >= n->messages.count) {
        machine_nodes_inside(n, nodes_of(n, machine_token_pe(&item->token)), -1);
        out->deliver(out->context, item);
        return;
    }
    const enum machine_fault kind = nodes_fault(n, &n->messages.items[at], &cycles);
    if (kind != MACHINE_FAULT_NONE) {
        out->counts->faults++;
        out->tell_fault(out->context, &n->messages.items[at], kind,
                        cycles ? out->now + cycles : 0);
    }
    switch (kind) {
    case MACHINE_FAULT_LOSS:
        lose(n, at, item);
        break;
    case MACHINE_FAULT_DELAY:
    case MACHINE_FAULT_REORDER:
        hold(n, at, item, kind, cycles);
        break;
    case MACHINE_FAULT_DUPLICATE:
        if (receive(n, at, item))
            receive(n, at, item);
        break;
    default:
        come(n, at, item);
        break;
    }
}

/* --- what faults hold ------------------------------------------------------------------------- */

void nodes_serve(struct machine_nodes *n)
{
    bool forced = n->forced;
    n->forced = false;
    for (size_t i = 0; i < n->held.count && *n->outside.running;) {
        const uint64_t until = n->held.items[i].until;
        if (until > n->outside.now && !(forced && until == MACHINE_NEVER)) {
            i++;
            continue;
        }
        forced &= until != MACHINE_NEVER;
        const struct nodes_held held = take_held(n, i);
        tell_held(n, &held, TRACES_EVENT_LEFT);
        if (come(n, held.message, &held.item))
            i = 0; /* the loop has removed other messages, too */
    }
}
