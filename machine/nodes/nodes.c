/* Messages between nodes: arrival, and faults that hold or lose them. */
#include "machine/nodes/nodes_internal.h"

#include "machine/events.h"
#include "machine/network/shape.h"
#include "machine/pe/tensor_memory.h"
#include "machine/verify.h"

/* --- setting up and taking down --------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    const struct machine_settings *s = &m->settings;
    LIB_TEXT_OWN why = {0};
    if (!machine_nodes_are_asked(s) || machine_network_nodes(s) == 0)
        return false;
    struct machine_nodes *n = state;
    *n = (struct machine_nodes){.count = machine_network_nodes(s),
                                .counts = machine_counts_messages(s),
                                .seed = s->fault_seed ? s->fault_seed : m->seed,
                                .unused = NODES_NOBODY,
                                .wrong = NODES_NOBODY};
    n->pes = m->pe_count / n->count;
    n->pairs = lib_mem_new((size_t)n->count * n->count * sizeof *n->pairs);
    n->nodes = lib_mem_new(n->count * sizeof *n->nodes);
    machine_fault_list_read(s->fault_list, n->count, &n->list, &why);
    n->latest = s->fault_delay_cycles;
    for (size_t i = 0; i < n->list.entries.count; i++)
        if (n->list.entries.items[i].cycles > n->latest)
            n->latest = n->list.entries.items[i].cycles;
    return true;
}

/* --- what is sent ----------------------------------------------------------------------------- */

uint64_t machine_nodes_bits(const struct machine *m)
{
    return m->nodes && m->nodes->counts ? MACHINE_NODES_NUMBER_BITS : 0;
}

uint32_t machine_nodes_send(struct machine *m, uint32_t from, uint32_t to,
                            const struct isa_token *first, uint64_t tokens, uint64_t bits)
{
    struct machine_nodes *n = m->nodes;
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

size_t machine_nodes_messages(const struct machine *m)
{
    return m->nodes->messages.count;
}

void machine_nodes_inside(struct machine *m, uint32_t node, int64_t tokens)
{
    m->nodes->nodes[node].inside += (uint64_t)tokens;
}

/* The other node becomes active, as if it had received a message. */
void machine_nodes_wake(struct machine *m, uint32_t by, uint32_t pe)
{
    struct machine_nodes *n = m->nodes;
    if (nodes_of(n, by) != nodes_of(n, pe))
        n->nodes[nodes_of(n, pe)].is_black = true;
}

/* --- what comes ------------------------------------------------------------------------------- */

const struct machine_network_messages *nodes_messages(const struct machine *m)
{
    return m->network.kind ? m->network.kind->messages : NULL;
}

static void deliver(struct machine *m, const struct machine_nodes_item *item)
{
    const uint32_t pe = machine_token_pe(&item->token);
    if (nodes_messages(m)) {
        nodes_messages(m)->release(m, item->message);
        return;
    }
    machine_put_input(m, pe, &item->token);
    machine_emit_entered(m, TRACES_PLACE_INPUT, pe, &item->token);
}

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
static bool receive(struct machine *m, struct machine_nodes *n, uint32_t at,
                    const struct machine_nodes_item *item)
{
    const struct nodes_message *message = &n->messages.items[at];
    struct nodes_node *node = &n->nodes[message->to];
    if (n->counts &&
        nodes_receive(nodes_pair(n, message->from, message->to), message->number)) {
        n->wrong = at;
        n->came_twice = true;
        if (m->run.running)
            machine_stop(m, ISA_END_FAULTED, NULL);
        return false;
    }
    node->surplus--;
    node->is_black = true;
    deliver(m, item);
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

static void tell_held(struct machine *m, const struct machine_nodes *n,
                      const struct nodes_held *held, enum traces_event_kind kind)
{
    const uint32_t node = n->messages.items[held->message].to;
    if (!m->watch.tells_queues)
        return;
    if (nodes_messages(m))
        nodes_messages(m)->tell(m, held->item.message, kind, TRACES_PLACE_FAULT, node);
    else
        machine_emit_queue(m, kind, TRACES_PLACE_FAULT, node, &held->item.token,
                           kind == TRACES_EVENT_LEFT ? m->run.cycle : 0);
}

/* Delivers a message, and then the messages that it has overtaken. Returns true if there were
 * any. */
static bool come(struct machine *m, struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item)
{
    const struct nodes_message message = n->messages.items[at];
    bool were_any = false;
    if (!receive(m, n, at, item))
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
        tell_held(m, n, &held, TRACES_EVENT_LEFT);
        if (receive(m, n, held.message, &held.item))
            forget(n, held.message);
        were_any = true;
    }
    return were_any;
}

void machine_nodes_tell_queued(struct machine *m)
{
    const struct machine_nodes *n = m->nodes;
    for (uint32_t node = 0; n->held.count && node < n->count; node++)
        for (size_t i = 0; i < n->held.count; i++)
            if (n->messages.items[n->held.items[i].message].to == node)
                tell_held(m, n, &n->held.items[i], TRACES_EVENT_ENTERED);
}

static void hold(struct machine *m, struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item, enum machine_fault kind,
                 uint64_t cycles)
{
    const struct nodes_held held = {.item = *item,
                                    .until = cycles ? m->run.cycle + cycles
                                                    : MACHINE_NEVER,
                                    .message = at,
                                    .is_overtaken = kind == MACHINE_FAULT_REORDER};
    *LIB_VEC_PUSH(&n->held) = held;
    tell_held(m, n, &held, TRACES_EVENT_ENTERED);
}

static void lose(struct machine *m, struct machine_nodes *n, uint32_t at,
                 const struct machine_nodes_item *item)
{
    n->messages.items[at].is_lost = true;
    if (nodes_messages(m))
        return;
    *LIB_VEC_PUSH(&n->lost) = *item;
    if (m->has_queues)
        m->tokens.pes[machine_token_pe(&item->token)].came--;
}

static void tell_fault(struct machine *m, const struct nodes_message *message,
                       enum machine_fault kind, uint64_t cycles)
{
    static const uint8_t words[] = {[MACHINE_FAULT_LOSS] = TRACES_OUTCOME_LOST,
                                    [MACHINE_FAULT_DUPLICATE] = TRACES_OUTCOME_DOUBLED,
                                    [MACHINE_FAULT_DELAY] = TRACES_OUTCOME_DELAYED,
                                    [MACHINE_FAULT_REORDER] = TRACES_OUTCOME_OVERTAKEN};
    const struct isa_token t = {.key = message->key};
    if (!m->watch.events || !machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        return;
    struct traces_event *event = machine_emit_token(m, TRACES_EVENT_FAULT, message->from,
                                                    &t);
    event->how = words[kind];
    event->to = message->to;
    event->b = message->number;
    event->a = cycles ? m->run.cycle + cycles : 0;
}

void machine_nodes_arrive(struct machine *m, uint32_t at,
                          const struct machine_nodes_item *item)
{
    struct machine_nodes *n = m->nodes;
    uint64_t cycles;
    if (at == MACHINE_NODES_INSIDE || at >= n->messages.count) {
        machine_nodes_inside(m, nodes_of(n, machine_token_pe(&item->token)), -1);
        deliver(m, item);
        return;
    }
    const enum machine_fault kind = nodes_fault(m, &n->messages.items[at], &cycles);
    if (kind != MACHINE_FAULT_NONE) {
        m->watch.counts.faults++;
        tell_fault(m, &n->messages.items[at], kind, cycles);
    }
    switch (kind) {
    case MACHINE_FAULT_LOSS:
        lose(m, n, at, item);
        break;
    case MACHINE_FAULT_DELAY:
    case MACHINE_FAULT_REORDER:
        hold(m, n, at, item, kind, cycles);
        break;
    case MACHINE_FAULT_DUPLICATE:
        if (receive(m, n, at, item))
            receive(m, n, at, item);
        break;
    default:
        come(m, n, at, item);
        break;
    }
}

/* --- what faults hold ------------------------------------------------------------------------- */

static void serve(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    bool forced = n->forced;
    n->forced = false;
    for (size_t i = 0; i < n->held.count && m->run.running;) {
        const uint64_t until = n->held.items[i].until;
        if (until > m->run.cycle && !(forced && until == MACHINE_NEVER)) {
            i++;
            continue;
        }
        forced &= until != MACHINE_NEVER;
        const struct nodes_held held = take_held(n, i);
        tell_held(m, n, &held, TRACES_EVENT_LEFT);
        if (come(m, n, held.message, &held.item))
            i = 0; /* the loop has removed other messages, too */
    }
}

static uint64_t next(struct machine *m, void *state)
{
    const struct machine_nodes *n = state;
    (void)m;
    uint64_t first = MACHINE_NEVER;
    for (size_t i = 0; i < n->held.count; i++)
        if (n->held.items[i].until < first)
            first = n->held.items[i].until;
    return first;
}

/* Lets messages arrive that are held until nothing else can proceed. */
static bool insist(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    (void)m;
    n->forced = n->held.count > 0;
    return n->forced;
}

/* --- state ------------------------------------------------------------------------------------ */

static void machine_nodes_item_fields_pack(struct lib_pack *pack, struct machine *m,
                                           struct machine_nodes_item *item)
{
    if (nodes_messages(m)) {
        /* Checked when the network has been read (probe.c). */
        LIB_PACK(pack, item->message);
        return;
    }
    isa_exec_pack_tokens(pack, &m->tokens.exec, &item->token, 1);
    lib_pack_expect(pack, machine_token_pe(&item->token) < m->pe_count);
}
#define machine_nodes_item_fields_clear(m, item)                                         \
    (*(item) = (struct machine_nodes_item){0})
#define machine_nodes_item_fields_free(m, item) ((void)(item))

/* Whether the list of unused messages has only existing ones. */
static bool nodes_are_listed(const struct machine_nodes *n)
{
    for (size_t i = 0; i < n->messages.count; i++)
        if (n->messages.items[i].next != NODES_NOBODY &&
            n->messages.items[i].next >= n->messages.count)
            return false;
    return n->unused == NODES_NOBODY || n->unused < n->messages.count;
}

LIB_STATE(struct machine, nodes_message, NODES_MESSAGE_FIELDS)
LIB_STATE(struct machine, nodes_held, NODES_HELD_FIELDS)
LIB_STATE(struct machine, nodes_pair, NODES_PAIR_FIELDS)
LIB_STATE(struct machine, nodes_probe, NODES_PROBE_FIELDS)
LIB_STATE(struct machine, nodes_node, NODES_NODE_FIELDS)
LIB_STATE(struct machine, machine_nodes, MACHINE_NODES_FIELDS)

static void free_nodes(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    machine_nodes_fields_free(m, n);
    machine_fault_list_free(&n->list);
}

/* --- invariants ------------------------------------------------------------------------------- */

/* A network with messages of several tokens shows the tokens itself. */
static void show(const struct machine *m, const void *state, struct machine_audit *found)
{
    const struct machine_nodes *n = state;
    if (nodes_messages(m))
        return;
    for (size_t i = 0; i < n->held.count; i++)
        if (machine_audit_token(found, &n->held.items[i].item.token) &&
            machine_audit_at_its_place(found, &n->held.items[i].item.token))
            machine_audit_coming(found, machine_token_pe(&n->held.items[i].item.token));
    for (size_t i = 0; i < n->lost.count; i++)
        machine_audit_token(found, &n->lost.items[i].token);
}

static void check(const struct machine *m, const void *state, struct machine_audit *found)
{
    const struct machine_nodes *n = state;
    (void)m;
    int64_t surplus = 0, used = 0;
    for (uint32_t i = 0; i < n->count; i++)
        surplus += n->nodes[i].surplus;
    for (size_t i = 0; i < n->messages.count; i++)
        used += n->messages.items[i].is_used;
    machine_must(found, surplus == used,
                 "messages sent have been received, or are on their way, or are lost");
    for (size_t i = 0; i < n->held.count; i++)
        machine_must(found, n->messages.items[n->held.items[i].message].is_used,
                     "what a fault holds is a message");
}

const struct machine_part machine_nodes_part = {
    MACHINE_PART_STATE(nodes),
    .make = make,
    .free = free_nodes,
    .serve = serve,
    .next = next,
    .insist = insist,
    .pack = machine_nodes_fields_pack,
    .show = show,
    .check = check,
    .is_plain = true,
};
