/* The nodes as parts of a machine; and stopped nodes, of which only the PEs stop. */
#include "machine/nodes/nodes_internal.h"

#include "machine/events.h"
#include "machine/network/shape.h"
#include "machine/state.h"
#include "machine/verify.h"

/* --- what the nodes need of the machine ------------------------------------------------------- */

/* Returns the network's functions for messages of several tokens; NULL if it sends single
 * tokens. */
static const struct machine_network_messages *messages_of(const struct machine *m)
{
    return m->network.kind ? m->network.kind->messages : NULL;
}

static void deliver(void *context, const struct machine_nodes_item *item)
{
    struct machine *m = context;
    const uint32_t pe = machine_token_pe(&item->token);
    if (messages_of(m)) {
        messages_of(m)->release(m, item->message);
        return;
    }
    machine_put_input(m, pe, &item->token);
    machine_emit_entered(m, TRACES_PLACE_INPUT, pe, &item->token);
}

static void lose(void *context, const struct isa_token *t)
{
    struct machine *m = context;
    if (m->has_queues)
        m->tokens.pes[machine_token_pe(t)].came--;
}

struct node_pes {
    uint32_t node, pes; /* number of the node, and of the PEs of a node */
};

static bool is_elsewhere(void *context, const struct isa_token *t,
                         enum machine_token_place place)
{
    const struct node_pes *node = context;
    (void)place;
    return machine_token_pe(t) / node->pes != node->node;
}

static bool is_passive(const void *context, uint32_t node)
{
    const struct machine *m = context;
    const struct machine_nodes *n = m->nodes;
    const uint32_t first = node * n->pes;
    struct node_pes pes = {node, n->pes};
    if (machine_nodes_stop(m, first))
        return false;
    for (uint32_t pe = first; pe < first + n->pes; pe++)
        if (machine_queue_count(&m->tokens.pes[pe].input))
            return false;
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->each &&
            !m->parts[i]->each(m, machine_part_state(m, m->parts[i]), is_elsewhere, &pes))
            return false;
    return true;
}

static void stop_faulted(void *context)
{
    machine_stop(context, ISA_END_FAULTED, NULL);
}

static void stop_quiet(void *context)
{
    machine_stop_quiet(context);
}

static void tell_held(void *context, const struct machine_nodes_item *item, uint32_t to,
                      enum traces_event_kind kind)
{
    struct machine *m = context;
    if (!m->watch.tells_queues)
        return;
    if (messages_of(m))
        messages_of(m)->tell(m, item->message, kind, TRACES_PLACE_FAULT, to);
    else
        machine_emit_queue(m, kind, TRACES_PLACE_FAULT, to, &item->token,
                           kind == TRACES_EVENT_LEFT ? m->run.cycle : 0);
}

static void tell_fault(void *context, const struct nodes_message *message,
                       enum machine_fault kind, uint64_t until)
{
    static const uint8_t words[] = {[MACHINE_FAULT_LOSS] = TRACES_OUTCOME_LOST,
                                    [MACHINE_FAULT_DUPLICATE] = TRACES_OUTCOME_DOUBLED,
                                    [MACHINE_FAULT_DELAY] = TRACES_OUTCOME_DELAYED,
                                    [MACHINE_FAULT_REORDER] = TRACES_OUTCOME_OVERTAKEN};
    struct machine *m = context;
    const struct isa_token t = {.key = message->key};
    if (!m->watch.events || !machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        return;
    struct traces_event *event = machine_emit_token(m, TRACES_EVENT_FAULT, message->from,
                                                    &t);
    event->how = words[kind];
    event->to = message->to;
    event->b = message->number;
    event->a = until;
}

static void tell_probe(void *context, uint32_t from, uint32_t to, uint64_t arrives)
{
    struct machine *m = context;
    if (!m->watch.tells_queues)
        return;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_NODE);
    event->how = TRACES_OUTCOME_PROBES;
    event->pe = from;
    event->to = to;
    event->b = arrives;
}

/* Returns the nodes, in the current cycle. */
static struct machine_nodes *nodes_now(struct machine *m)
{
    m->nodes->outside.now = m->run.cycle;
    return m->nodes;
}

/* --- stopped nodes ---------------------------------------------------------------------------- */

bool machine_nodes_stop(const struct machine *m, uint32_t pe)
{
    const struct machine_settings *s = &m->settings;
    return m->nodes && s->fault_stop_cycles && m->run.cycle >= s->fault_stop_start &&
           m->run.cycle - s->fault_stop_start < s->fault_stop_cycles &&
           nodes_of(m->nodes, pe) == s->fault_stop_node;
}

/* The end is included: its cycle has not begun, in which PEs with tokens join the set again. */
bool machine_nodes_hides(const struct machine *m, uint32_t pe)
{
    const struct machine_settings *s = &m->settings;
    return m->nodes && s->fault_stop_cycles && m->run.cycle >= s->fault_stop_start &&
           m->run.cycle - s->fault_stop_start <= s->fault_stop_cycles &&
           nodes_of(m->nodes, pe) == s->fault_stop_node;
}

/* Removes the PEs of a stopped node from the set of PEs with tokens, or adds them again. */
static void serve_stop(struct machine *m, struct machine_nodes *n)
{
    const struct machine_settings *s = &m->settings;
    const uint64_t end = s->fault_stop_start + s->fault_stop_cycles;
    const uint32_t first = (uint32_t)s->fault_stop_node * n->pes;
    if (s->fault_stop_cycles == 0 || m->run.cycle < s->fault_stop_start ||
        m->run.cycle > end)
        return;
    const bool stops = m->run.cycle < end;
    if (stops && m->watch.tells_queues && !n->told_stop) {
        struct traces_event *event = machine_emit(m, TRACES_EVENT_NODE);
        event->how = TRACES_OUTCOME_STOPPED;
        event->pe = event->to = (uint32_t)s->fault_stop_node;
        event->b = end;
    }
    n->told_stop = true;
    for (uint32_t pe = first; pe < first + n->pes; pe++)
        if (!stops && machine_queue_count(&m->tokens.pes[pe].input))
            machine_set_add(&m->tokens.with_input, pe);
        else if (stops)
            machine_set_remove_if(&m->tokens.with_input, pe, true);
}

/* Returns the cycle in which the stopped node continues, if it has tokens. */
static uint64_t next_of_stop(const struct machine *m, const struct machine_nodes *n)
{
    const struct machine_settings *s = &m->settings;
    const uint32_t first = (uint32_t)s->fault_stop_node * n->pes;
    if (s->fault_stop_cycles == 0 || !machine_nodes_stop(m, first))
        return MACHINE_NEVER;
    for (uint32_t pe = first; pe < first + n->pes; pe++)
        if (machine_queue_count(&m->tokens.pes[pe].input))
            return s->fault_stop_start + s->fault_stop_cycles;
    return MACHINE_NEVER;
}

uint64_t machine_nodes_next(struct machine *m, uint64_t next)
{
    struct machine_nodes *n = nodes_now(m);
    const struct machine_settings *s = &m->settings;
    const bool is_stopped = machine_nodes_stop(m, n->probe.at * n->pes);
    return nodes_next(n, next,
                      is_stopped ? s->fault_stop_start + s->fault_stop_cycles : 0);
}

/* --- state ------------------------------------------------------------------------------------ */

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
    n->outside = (struct nodes_outside){.settings = s,
                                        .about = &m->about,
                                        .counts = &m->watch.counts,
                                        .running = &m->run.running,
                                        .context = m,
                                        .deliver = deliver,
                                        .lose = lose,
                                        .is_passive = is_passive,
                                        .stop_faulted = stop_faulted,
                                        .stop_quiet = stop_quiet,
                                        .tell_held = tell_held,
                                        .tell_fault = tell_fault,
                                        .tell_probe = tell_probe};
    n->latest = s->fault_delay_cycles;
    for (size_t i = 0; i < n->list.entries.count; i++)
        if (n->list.entries.items[i].cycles > n->latest)
            n->latest = n->list.entries.items[i].cycles;
    return true;
}

static void machine_nodes_item_fields_pack(struct lib_pack *pack, struct machine *m,
                                           struct machine_nodes_item *item)
{
    if (messages_of(m)) {
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
    if (messages_of(m))
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

/* --- the parts -------------------------------------------------------------------------------- */

static void serve(struct machine *m, void *state)
{
    (void)state;
    nodes_serve(nodes_now(m));
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

static void make_ways(struct machine *m, struct machine_nodes *n)
{
    n->lone = lib_mem_new(n->count * sizeof *n->lone);
    if (n->count == 1)
        return;
    m->network.kind->time_round(m, n->count, MACHINE_NODES_PROBE_BITS, n->lone);
    for (uint32_t i = 0; i < n->count; i++)
        n->round += n->lone[i];
}

/* The part after the network, when it is known how long messages take. */
static bool make_probe(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    if (!n)
        return false;
    n->outside.has_tokens = !messages_of(m);
    if (n->counts)
        make_ways(m, n);
    return true;
}

static void serve_probe(struct machine *m, void *state)
{
    serve_stop(m, state);
    nodes_pass_probe(nodes_now(m));
}

static uint64_t next_probe(struct machine *m, void *state)
{
    return next_of_stop(m, state);
}

/* Checks that held messages exist in the network, which was read before. */
static void pack_probe(struct lib_pack *pack, struct machine *m, void *state)
{
    const struct machine_network_messages *messages = messages_of(m);
    const struct machine_nodes *n = state;
    for (size_t i = 0; messages && i < n->held.count; i++)
        lib_pack_expect(pack, messages->has(m, n->held.items[i].item.message));
}

const struct machine_part machine_probe_part = {
    MACHINE_PART_STATE_AT(nodes), .make = make_probe, .serve = serve_probe,
    .next = next_probe,           .pack = pack_probe, .is_plain = true,
};
