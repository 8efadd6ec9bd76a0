/* Detection of termination: Safra's probe (EWD 998), after Dijkstra, Feijen and van Gasteren
 * (EWD 840). The probe goes from node 0 to the last node, and from each node to the previous
 * one. A node passes it on when it has no work. */
#include "machine/nodes/nodes_internal.h"

#include "machine/events.h"

#include <assert.h>

static void make_ways(struct machine *m, struct machine_nodes *n)
{
    n->lone = lib_mem_new(n->count * sizeof *n->lone);
    if (n->count == 1)
        return;
    m->network.kind->time_round(m, n->count, MACHINE_NODES_PROBE_BITS, n->lone);
    for (uint32_t i = 0; i < n->count; i++)
        n->round += n->lone[i];
}

/* --- whether a node is passive ---------------------------------------------------------------- */

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

/* Whether a node has no work: all its tokens wait for others. */
static bool is_passive(const struct machine *m, const struct machine_nodes *n,
                       uint32_t node)
{
    const uint32_t first = node * n->pes;
    struct node_pes pes = {node, n->pes};
    if (n->nodes[node].inside || machine_nodes_stop(m, first))
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

/* --- the probe -------------------------------------------------------------------------------- */

uint32_t nodes_missing(const struct machine_nodes *n, bool only_lost, uint64_t *others)
{
    uint32_t first = NODES_NOBODY;
    uint64_t count = 0;
    for (uint32_t i = 0; i < n->messages.count; i++) {
        const struct nodes_message *a = &n->messages.items[i];
        const struct nodes_message *b = first == NODES_NOBODY ? a
                                                              : &n->messages.items[first];
        if (!a->is_used || (only_lost && !a->is_lost))
            continue;
        count++;
        if (first == NODES_NOBODY || a->from < b->from ||
            (a->from == b->from &&
             (a->to < b->to || (a->to == b->to && a->number < b->number))))
            first = i;
    }
    *others = count ? count - 1 : 0;
    return first;
}

static void end_missing(struct machine *m, struct machine_nodes *n, bool only_lost)
{
    n->wrong = nodes_missing(n, only_lost, &n->others);
    machine_stop(m, ISA_END_FAULTED, NULL);
}

bool machine_nodes_miss(struct machine *m)
{
    struct machine_nodes *n = m->nodes;
    uint64_t others;
    if (!n->counts || nodes_missing(n, true, &others) == NODES_NOBODY)
        return false;
    end_missing(m, n, true);
    return true;
}

/* Returns for how many cycles messages may be missing that are not lost. */
static uint64_t timeout(const struct machine *m, const struct machine_nodes *n,
                        uint64_t missing)
{
    const struct machine_settings *s = &m->settings;
    if (s->message_timeout)
        return s->message_timeout;
    const uint64_t longer = machine_network_occupied(MACHINE_NODES_PROBE_BITS,
                                                     n->most_bits);
    return n->latest + 2 * (missing + 1) * n->round * longer * (1 + m->about.credit);
}

/* Decides after a round of the probe whether all work has ended. Returns true if the run ended. */
static bool judge(struct machine *m, struct machine_nodes *n)
{
    struct nodes_probe *p = &n->probe;
    const int64_t missing = p->sum + n->nodes[0].surplus;
    const bool is_clean = !p->is_black && !n->nodes[0].is_black;
    if (is_clean && missing == 0) {
        assert(n->is_quiet && n->held.count == 0);
        m->watch.counts.detection_cycles = m->run.cycle - n->quiet;
        machine_stop_quiet(m);
        return true;
    }
    if (!is_clean || !p->waits || p->missing != missing) {
        p->waits = is_clean;
        p->missing = missing;
        p->since = m->run.cycle;
    } else if (m->run.cycle - p->since >= timeout(m, n, (uint64_t)missing)) {
        assert(m->settings.message_timeout || n->is_quiet);
        end_missing(m, n, false);
        return true;
    }
    return false;
}

static void pass(struct machine *m, struct machine_nodes *n)
{
    struct nodes_probe *p = &n->probe;
    struct nodes_node *node = &n->nodes[p->at];
    if (p->at == 0) {
        p->sum = 0;
        p->is_black = false;
        p->is_round = true;
    } else {
        p->sum += node->surplus;
        p->is_black |= node->is_black;
    }
    node->is_black = false;
    p->arrives = m->run.cycle + n->lone[p->at];
    const uint32_t from = p->at;
    p->at = from ? from - 1 : n->count - 1;
    m->watch.counts.probes++;
    if (m->watch.tells_queues) {
        struct traces_event *event = machine_emit(m, TRACES_EVENT_NODE);
        event->how = TRACES_OUTCOME_PROBES;
        event->pe = from;
        event->to = p->at;
        event->b = p->arrives;
    }
}

static void serve(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    const struct nodes_probe *p = &n->probe;
    serve_stop(m, n);
    if (!n->counts || !m->run.running || p->arrives > m->run.cycle ||
        !is_passive(m, n, p->at))
        return;
    if (p->at == 0 && (p->is_round || n->count == 1) && judge(m, n))
        return;
    if (n->count > 1)
        pass(m, n);
}

uint64_t machine_nodes_next(struct machine *m, uint64_t next)
{
    struct machine_nodes *n = m->nodes;
    const struct nodes_probe *p = &n->probe;
    if (!n->counts)
        return next;
    if (next != MACHINE_NEVER)
        n->is_quiet = false;
    else if (!n->is_quiet)
        n->quiet = m->run.cycle;
    n->is_quiet |= next == MACHINE_NEVER;
    if (next == m->run.cycle + 1)
        return next;
    uint64_t of_probe = p->arrives;
    if (p->arrives <= m->run.cycle)
        of_probe = is_passive(m, n, p->at) ? m->run.cycle + 1 : MACHINE_NEVER;
    if (machine_nodes_stop(m, p->at * n->pes)) {
        const uint64_t end = m->settings.fault_stop_start + m->settings.fault_stop_cycles;
        of_probe = of_probe == MACHINE_NEVER || of_probe < end ? end : of_probe;
    }
    return of_probe < next ? of_probe : next;
}

/* --- a part ----------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_nodes *n = state;
    if (!n)
        return false;
    if (n->counts)
        make_ways(m, n);
    return true;
}

static uint64_t next(struct machine *m, void *state)
{
    return next_of_stop(m, state);
}

/* Checks that held messages exist in the network, which was read before. */
static void pack_probe(struct lib_pack *pack, struct machine *m, void *state)
{
    const struct machine_network_messages *messages = nodes_messages(m);
    const struct machine_nodes *n = state;
    for (size_t i = 0; messages && i < n->held.count; i++)
        lib_pack_expect(pack, messages->has(m, n->held.items[i].item.message));
}

const struct machine_part machine_probe_part = {
    MACHINE_PART_STATE_AT(nodes), .make = make,     .serve = serve, .next = next,
    .pack = pack_probe,           .is_plain = true,
};
