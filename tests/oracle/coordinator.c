/* "Copies on clusters": APPLYs that ask for a node, and graphs that are shipped. */
#include "tests/oracle/state.h"

static uint64_t nodes_of_copy(const struct oracle *o, const struct token *t)
{
    return oracle_copy_nodes(o, o->graph->sites[t->instr->node->site].callee);
}

static unsigned node_of(const struct oracle *o, unsigned pe)
{
    return (unsigned)(pe / o->s->node_pes);
}

/* K */
unsigned oracle_coordinator_at(const struct oracle *o)
{
    return (unsigned)(o->s->coordinator_node * o->s->node_pes);
}

bool oracle_has_coordinator(const struct oracle *o)
{
    return o->graph->stage == ISA_STAGE_EXPANDING && !o->s->executor_workers &&
           o->s->copy_placement == ORACLE_COORDINATED;
}

/* --- asking --------------------------------------------------------------------------------- */

static void put_before(struct oracle *o, const struct token *t)
{
    struct token asking = *t;
    asking.asks = true;
    asking.came = o->now;
    o->outcome->stats.copy_requests++;
    oracle_put(&o->asking, &asking);
}

void oracle_ask(struct oracle *o, unsigned pe, const struct token *t)
{
    const uint64_t delay = oracle_stages(o, pe);
    struct token request = *t;
    oracle_why_asks(o);
    request.asks = true;
    request.served = request.numbered = request.issued = false;
    request.later = 0;
    request.from = pe;
    request.to = oracle_coordinator_at(o);
    if (request.to == pe) {
        put_before(o, &request);
        return;
    }
    o->outcome->stats.copy_messages++;
    oracle_route(o, &request, o->now + (delay ? delay : oracle_cycle(o)), false);
}

/* The turn of a request that has come to the coordinator. */
bool oracle_asks_here(struct oracle *o, const struct token *t)
{
    if (!t->asks)
        return false;
    put_before(o, t);
    return true;
}

static uint64_t graph_bytes(const struct oracle *o, const struct token *t)
{
    if (!t->chosen || (node_of(o, t->to) == node_of(o, oracle_coordinator_at(o)) &&
                       !oracle_wrong(o, SHIPPED)))
        return 0;
    return o->s->copy_node_bytes * nodes_of_copy(o, t);
}

uint64_t oracle_asking_bits(const struct oracle *o, const struct token *t)
{
    const unsigned more = t->instr->tokens > 1 ? t->instr->tokens - 1 : 0;
    return t->asks || t->chosen ? 64 * (uint64_t)more + 8 * graph_bytes(o, t) : 0;
}

/* --- its step ------------------------------------------------------------------------------- */

static uint64_t load(const struct oracle *o, unsigned node)
{
    uint64_t nodes = o->coming[node];
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        nodes += node_of(o, pe) == node ? o->pes[pe].nodes : 0;
    return nodes;
}

static unsigned choose(struct oracle *o)
{
    unsigned least = 0;
    const uint64_t number = o->choices++;
    if (!o->s->coordinator_loaded)
        return (unsigned)(number % o->s->nodes);
    for (unsigned node = 1; node < o->s->nodes; node++)
        if (load(o, node) < load(o, least))
            least = node;
    return least;
}

static void serve_request(struct oracle *o)
{
    struct oracle_stats *stats = &o->outcome->stats;
    struct token t = o->asked;
    const unsigned node = choose(o), here = oracle_coordinator_at(o);
    o->coordinator_busy = false;
    o->coming[node] += nodes_of_copy(o, &t);
    o->moved = true;
    oracle_why_coordinated(o, &t);
    t.asks = false;
    t.chosen = true;
    t.from = here;
    t.to = oracle_place_in_node(o, node, o->graph->sites[t.instr->node->site].callee,
                                oracle_path(t.tag->path, t.instr->node->site));
    stats->graph_bytes += graph_bytes(o, &t);
    stats->copy_messages++;
    oracle_why_came(o, &t);
    if (t.to == here) {
        stats->local_tokens++;
        o->pes[here].stats.local_tokens++;
        oracle_put(&o->pes[here].input, &t);
        return;
    }
    t.bytes = oracle_bytes(o, &t);
    t.bits = oracle_bits(o, &t);
    stats->tensor_network_bytes += t.bytes;
    stats->network_tokens++;
    stats->network_bits += t.bits;
    o->pes[here].stats.network_tokens++;
    oracle_routers_depart(o, t);
}

static void begin_request(struct oracle *o)
{
    o->asked = oracle_take(&o->asking, 0);
    o->coordinator_busy = true;
    o->coordinator_until = o->now + o->s->coordinator_latency -
                           (oracle_wrong(o, SERVED) && o->s->coordinator_latency > 1);
    if (o->now > o->asked.came + oracle_cycle(o))
        o->outcome->stats.copy_request_waits += o->now - o->asked.came - oracle_cycle(o);
}

void oracle_coordinator(struct oracle *o)
{
    if (o->now % oracle_cycle(o))
        return;
    if (o->coordinator_busy && o->coordinator_until <= o->now)
        serve_request(o);
    if (!o->coordinator_busy && o->asking.count)
        begin_request(o);
}

void oracle_next_coordinator(const struct oracle *o, uint64_t *cycle)
{
    const uint64_t soon = (o->now / oracle_cycle(o) + 1) * oracle_cycle(o);
    uint64_t next = UINT64_MAX;
    if (o->coordinator_busy)
        next = o->coordinator_until > soon ? o->coordinator_until : soon;
    else if (o->asking.count)
        next = soon;
    *cycle = next < *cycle ? next : *cycle;
}

/* --- copies --------------------------------------------------------------------------------- */

void oracle_coordinator_made(struct oracle *o, const struct token *t, unsigned pe)
{
    if (t->chosen)
        o->coming[node_of(o, pe)] -= nodes_of_copy(o, t);
}

void oracle_count_remote(struct oracle *o, const struct activation *copy)
{
    if (o->s->nodes)
        o->outcome->stats.remote_copies += node_of(o, copy->place) !=
                                           node_of(o, copy->parent->place);
}
