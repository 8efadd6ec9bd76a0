#include "machine/simgrid/grid.h"

#include "lib/heap.h"
#include "machine/events.h"
#include "machine/nodes.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"
#include "machine/pe/coordinator.h"

#include <math.h>

/* --- dates ------------------------------------------------------------------------------------ */

static double date_of(const struct machine_grid *g, uint64_t cycle)
{
    return (double)cycle / g->clock;
}

uint64_t grid_cycle_of(const struct machine_grid *g, double date)
{
    const double most = 9e18, guess = ceil(date * g->clock);
    if (!(guess < most))
        return MACHINE_NEVER;
    uint64_t cycle = (uint64_t)guess / g->pace * g->pace;
    while (cycle > 0 && date_of(g, cycle - g->pace) >= date)
        cycle -= g->pace;
    while (date_of(g, cycle) < date)
        cycle += g->pace;
    return cycle;
}

/* --- arrivals --------------------------------------------------------------------------------- */

static bool is_before(const struct grid_arrival *a, const struct grid_arrival *b)
{
    return a->cycle < b->cycle || (a->cycle == b->cycle && a->number < b->number);
}

static void reach(struct machine_grid *g, uint64_t cycle)
{
    size_t count;
    const struct machine_simgrid_done *done = g->carrier->advance(
        g->carrier, date_of(g, cycle), &count);
    g->reached = cycle;
    g->is_known = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = g->sent.items[done[i].number & (g->sent.capacity - 1)];
        const struct grid_message *message = &g->messages.items[at];
        const uint64_t comes = grid_cycle_of(g, done[i].date);
        const struct grid_arrival arrival = {
            comes > message->sent + g->pace ? comes : message->sent + g->pace,
            done[i].number, at};
        LIB_HEAP_PUT(&g->arrivals, &arrival, is_before);
    }
}

/* --- ports ------------------------------------------------------------------------------------ */

static void put_before(struct machine *m, struct machine_grid *g, uint32_t port,
                       const struct isa_token *t)
{
    g->ports[port].stats.waits -= m->run.cycle;
    machine_queue_put(&g->ports[port].queue, t);
    machine_set_add(&g->waiting, port);
    machine_emit_entered(m, TRACES_PLACE_LINK, port, t);
}

/* Returns the size of a token. Only a request or graph goes to another PE than that of its
 * activation. */
static uint64_t bits_of(const struct machine *m, const struct isa_token *t)
{
    const bool is_shipped = m->coordinator && machine_coordinator_ships(m, t);
    return machine_bits_on_way(
        m, t, machine_pe_of_token(m, t) != machine_token_pe(t) || is_shipped);
}

static void depart(struct machine *m, struct machine_grid *g)
{
    struct machine_wheel_slot *slot = machine_wheel_at(&m->network.departing,
                                                       m->run.cycle);
    for (size_t i = 0; i < slot->count; i++) {
        struct isa_token t = slot->tokens[i];
        const uint32_t from = machine_token_pe(&t);
        uint32_t to = machine_pe_of_token(m, &t);
        if (to == from)
            to = machine_request_pe(m, &t);
        machine_token_move_to(&t, to);
        put_before(m, g, from, &t);
        if (m->nodes)
            machine_nodes_inside(m, grid_node(g, from), 1);
    }
    g->count += slot->count;
    slot->count = 0;
}

void grid_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                 uint64_t bits)
{
    struct machine_grid *g = m->network.grid;
    (void)bits; /* messages count the bits of their tokens */
    put_before(m, g, from, t);
    g->count++;
    if (m->nodes)
        machine_nodes_inside(m, grid_node(g, from), 1);
}

static void deliver(struct machine *m, struct machine_grid *g, const struct isa_token *t)
{
    const uint32_t pe = machine_token_pe(t);
    g->count--;
    if (m->nodes)
        machine_nodes_inside(m, grid_node(g, pe), -1);
    machine_put_input(m, pe, t);
    machine_emit_entered(m, TRACES_PLACE_INPUT, pe, t);
}

/* Sends a token through a free port. Returns how many cycles it occupies the port. */
static uint64_t pass(struct machine *m, struct machine_grid *g, uint32_t at,
                     const struct isa_token *t)
{
    struct grid_port *port = &g->ports[at];
    uint64_t cycles = g->pace;
    if (g->bandwidth) {
        const uint64_t bits = bits_of(m, t);
        cycles = (bits + g->bandwidth - 1) / g->bandwidth * g->pace;
        port->stats.bits += bits;
        port->stats.busy += cycles;
    }
    port->stats.tokens++;
    port->stats.waits += m->run.cycle;
    port->free = m->run.cycle + cycles;
    if (m->watch.tells_queues)
        machine_emit_queue(m, TRACES_EVENT_LEFT, TRACES_PLACE_LINK, at, t, port->free);
    return cycles;
}

static void serve_port(struct machine *m, struct machine_grid *g, uint32_t at)
{
    struct grid_port *port = &g->ports[at];
    if (port->leaves && port->leaves <= m->run.cycle) {
        port->leaves = 0;
        deliver(m, g, &port->leaving);
    }
    if (port->free > m->run.cycle || machine_queue_count(&port->queue) == 0)
        return;
    const struct isa_token t = *machine_queue_oldest(&port->queue);
    machine_queue_rewind(&port->queue);
    const uint64_t cycles = pass(m, g, at, &t);
    if (grid_is_ejection(g, at)) {
        if (cycles == g->pace) {
            deliver(m, g, &t);
        } else {
            port->leaving = t;
            port->leaves = m->run.cycle + cycles - g->pace;
        }
    } else {
        const uint32_t to = machine_token_pe(&t), node = grid_node(g, at);
        const bool stays = grid_node(g, to) == node;
        struct machine_way *way = machine_transit_at(&g->transit,
                                                     m->run.cycle + g->latency);
        *LIB_VEC_PUSH(&way->tokens) = (struct machine_on_way){
            .token = t, .link = stays ? g->pes + to : 2 * g->pes + node};
        g->transit.count++;
    }
}

static void serve_ports(struct machine *m, struct machine_grid *g)
{
    uint32_t at;
    MACHINE_SET_EACH(&g->waiting, at)
    {
        serve_port(m, g, at);
        machine_set_remove_if(&g->waiting, at,
                              machine_queue_count(&g->ports[at].queue) == 0 &&
                                  g->ports[at].leaves == 0);
    }
}

/* --- interfaces ------------------------------------------------------------------------------- */

static uint32_t new_message(struct machine_grid *g)
{
    const uint32_t at = g->unused;
    if (at != GRID_NOBODY) {
        g->unused = g->messages.items[at].next;
        return at;
    }
    *LIB_VEC_PUSH(&g->messages) = (struct grid_message){0};
    return (uint32_t)g->messages.count - 1;
}

static uint32_t begin_message(struct machine_grid *g, uint32_t from, uint32_t to,
                              uint64_t now)
{
    const uint32_t at = new_message(g);
    struct grid_message *message = &g->messages.items[at];
    struct grid_nic *nic = &g->nics[from];
    message->tokens.count = 0;
    message->bits = 0;
    message->from = from;
    message->to = to;
    message->ready = now + (g->window ? g->window - g->pace : 0);
    message->next = GRID_NOBODY;
    if (nic->first == GRID_NOBODY)
        nic->first = at;
    else
        g->messages.items[nic->last].next = at;
    nic->last = at;
    machine_set_add(&g->talking, from);
    return at;
}

static void gather(struct machine *m, struct machine_grid *g, uint32_t from,
                   const struct isa_token *t)
{
    const uint32_t to = grid_node(g, machine_token_pe(t));
    uint32_t *open = g->open ? &g->open[(size_t)from * g->nodes + to] : NULL;
    uint32_t at = open ? *open : GRID_NOBODY;
    if (at == GRID_NOBODY) {
        at = begin_message(g, from, to, m->run.cycle);
        if (open)
            *open = at;
    }
    struct grid_message *message = &g->messages.items[at];
    *LIB_VEC_PUSH(&message->tokens) = *t;
    message->bits += bits_of(m, t);
    g->nics[from].stats.waits -= m->run.cycle;
    machine_emit_entered(m, TRACES_PLACE_LINK, 2 * g->pes + from, t);
}

/* Numbers a message in the order of sending; the last bits of the number are its index in the
 * ring. */
static void give_number(struct machine_grid *g, uint32_t at)
{
    const uint64_t size = g->sent.capacity;
    if (g->sendings - g->oldest >= size) {
        const uint64_t more = size ? 2 * size : 64;
        uint32_t *ring = lib_mem_new(more * sizeof *ring);
        for (uint64_t i = g->oldest; i < g->sendings; i++)
            ring[i & (more - 1)] = g->sent.items[i & (size - 1)];
        lib_mem_free(g->sent.items);
        g->sent.items = ring;
        g->sent.count = g->sent.capacity = more;
    }
    g->sent.items[g->sendings & (g->sent.capacity - 1)] = at;
    g->messages.items[at].number = g->sendings++;
}

/* Counts a message on the links of its route. Its time is attributed to the link with the most
 * messages; of equal ones, with the least bandwidth. */
static void load_links(struct machine_grid *g, struct grid_message *message,
                       uint64_t bytes)
{
    const struct machine_platform_way way = machine_platform_way(
        g->platform, message->from, message->to);
    uint32_t fullest = way.links[0];
    for (uint32_t i = 0; i < way.count; i++) {
        struct grid_link *link = &g->links[way.links[i]];
        const double bandwidth = g->platform->links[way.links[i]].bandwidth;
        link->tokens += message->tokens.count;
        link->bits += 8 * bytes;
        link->busy += (double)bytes / bandwidth * g->clock;
        link->messages++;
        if (link->load > g->links[fullest].load ||
            (link->load == g->links[fullest].load &&
             bandwidth < g->platform->links[fullest].bandwidth))
            fullest = way.links[i];
    }
    for (uint32_t i = 0; i < way.count; i++)
        g->links[way.links[i]].load++;
    message->link = fullest;
    g->hops += way.count * message->tokens.count;
}

static void tell_sent(struct machine *m, const struct machine_grid *g,
                      const struct grid_message *message)
{
    const uint32_t nic = 2 * g->pes + message->from,
                   link = 2 * g->pes + g->nodes + message->link;
    for (size_t i = 0; i < message->tokens.count; i++) {
        const struct isa_token *t = &message->tokens.items[i];
        machine_emit_left(m, TRACES_PLACE_LINK, nic, t);
        machine_emit_entered(m, TRACES_PLACE_LINK, link, t);
        machine_emit_left(m, TRACES_PLACE_LINK, link, t);
    }
}

static void send(struct machine *m, struct machine_grid *g, struct grid_nic *nic)
{
    const uint32_t at = nic->first;
    struct grid_message *message = &g->messages.items[at];
    const uint64_t bits = message->bits + machine_nodes_bits(m);
    const uint64_t bytes = g->header + (bits + 7) / 8;
    if (g->reached < m->run.cycle)
        reach(g, m->run.cycle);
    nic->first = message->next;
    nic->inside++;
    nic->stats.tokens += message->tokens.count;
    nic->stats.waits += message->tokens.count * m->run.cycle;
    nic->stats.bits += 8 * bytes;
    message->sent = m->run.cycle;
    if (g->open)
        g->open[(size_t)message->from * g->nodes + message->to] = GRID_NOBODY;
    give_number(g, at);
    load_links(g, message, bytes);
    g->carrier->send(g->carrier, message->number, message->from, message->to, bytes);
    g->is_known = false;
    if (m->nodes) {
        machine_nodes_inside(m, message->from, -(int64_t)message->tokens.count);
        message->mark = machine_nodes_send(m, message->from, message->to,
                                           message->tokens.items, message->tokens.count,
                                           8 * bytes);
    }
    if (m->watch.tells_queues)
        tell_sent(m, g, message);
}

static void serve_interfaces(struct machine *m, struct machine_grid *g)
{
    uint32_t node;
    MACHINE_SET_EACH(&g->talking, node)
    {
        struct grid_nic *nic = &g->nics[node];
        while (nic->first != GRID_NOBODY && nic->inside < nic->most &&
               g->messages.items[nic->first].ready <= m->run.cycle)
            send(m, g, nic);
        machine_set_remove_if(&g->talking, node, nic->first == GRID_NOBODY);
    }
}

/* --- one cycle -------------------------------------------------------------------------------- */

static void release(struct machine *m, uint32_t at)
{
    struct machine_grid *g = m->network.grid;
    struct grid_message *message = &g->messages.items[at];
    if (m->nodes)
        machine_nodes_inside(m, message->to, (int64_t)message->tokens.count);
    for (size_t i = 0; i < message->tokens.count; i++)
        put_before(m, g, g->pes + machine_token_pe(&message->tokens.items[i]),
                   &message->tokens.items[i]);
    message->tokens.count = 0;
    message->next = g->unused;
    g->unused = at;
}

static bool has_message(const struct machine *m, uint32_t at)
{
    return at < m->network.grid->messages.count;
}

static void tell_message(struct machine *m, uint32_t at, enum traces_event_kind kind,
                         enum traces_place place, uint32_t number)
{
    const struct grid_message *message = &m->network.grid->messages.items[at];
    for (size_t i = 0; i < message->tokens.count; i++)
        machine_emit_queue(m, kind, place, number, &message->tokens.items[i],
                           kind == TRACES_EVENT_LEFT ? m->run.cycle : 0);
}

const struct machine_network_messages grid_messages = {release, has_message,
                                                       tell_message};

static void end_message(struct machine *m, struct machine_grid *g, uint32_t at)
{
    struct grid_message *message = &g->messages.items[at];
    const struct machine_platform_way way = machine_platform_way(
        g->platform, message->from, message->to);
    for (uint32_t i = 0; i < way.count; i++)
        g->links[way.links[i]].load--;
    g->nics[message->from].inside--;
    g->sent.items[message->number & (g->sent.capacity - 1)] = GRID_NOBODY;
    while (g->oldest < g->sendings &&
           g->sent.items[g->oldest & (g->sent.capacity - 1)] == GRID_NOBODY)
        g->oldest++;
    if (__builtin_expect(m->nodes != NULL, 0)) {
        const struct machine_nodes_item item = {.message = at};
        machine_nodes_arrive(m, message->mark, &item);
    } else {
        release(m, at);
    }
}

static void come_behind(struct machine *m, struct machine_grid *g)
{
    struct machine_way *way = machine_transit_at(&g->transit, m->run.cycle);
    for (size_t i = 0; i < way->tokens.count; i++) {
        const struct machine_on_way t = way->tokens.items[i];
        if (t.link >= 2 * g->pes)
            gather(m, g, t.link - 2 * g->pes, &t.token);
        else
            put_before(m, g, t.link, &t.token);
    }
    g->transit.count -= way->tokens.count;
    way->tokens.count = 0;
}

static uint64_t known(struct machine_grid *g)
{
    if (!g->is_known)
        g->known = grid_cycle_of(g, g->carrier->next(g->carrier));
    g->is_known = true;
    return g->known;
}

void grid_serve(struct machine *m, void *state)
{
    struct machine_grid *g = state;
    if (g->count == 0 &&
        machine_wheel_at(&m->network.departing, m->run.cycle)->count == 0)
        return;
    if (g->oldest < g->sendings && g->reached < m->run.cycle && known(g) <= m->run.cycle)
        reach(g, m->run.cycle);
    while (g->arrivals.count && g->arrivals.items[0].cycle <= m->run.cycle) {
        struct grid_arrival arrival;
        LIB_HEAP_TAKE(&g->arrivals, &arrival, is_before);
        end_message(m, g, arrival.message);
    }
    come_behind(m, g);
    depart(m, g);
    serve_ports(m, g);
    serve_interfaces(m, g);
}

/* --- when next -------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_of_ports(const struct machine *m, const struct machine_grid *g)
{
    const uint64_t soon = m->run.cycle + 1;
    uint64_t first = MACHINE_NEVER;
    uint32_t at;
    if (g->bandwidth == 0 && g->pace == 1)
        return machine_set_is_empty(&g->waiting) ? MACHINE_NEVER : soon;
    MACHINE_SET_EACH(&g->waiting, at)
    {
        const struct grid_port *port = &g->ports[at];
        if (port->leaves)
            first = least(first, port->leaves);
        if (machine_queue_count(&port->queue))
            first = least(first, port->free > soon ? port->free : soon);
    }
    return first;
}

static uint64_t next_of_interfaces(const struct machine_grid *g)
{
    uint64_t first = MACHINE_NEVER;
    uint32_t node;
    MACHINE_SET_EACH(&g->talking, node)
    {
        const struct grid_nic *nic = &g->nics[node];
        if (nic->inside < nic->most)
            first = least(first, g->messages.items[nic->first].ready);
    }
    return first;
}

uint64_t grid_next(struct machine *m, void *state)
{
    struct machine_grid *g = state;
    if (g->count == 0)
        return MACHINE_NEVER;
    uint64_t first = next_of_ports(m, g);
    first = least(first, machine_transit_next(&g->transit, m->run.cycle, first));
    first = least(first, next_of_interfaces(g));
    if (g->arrivals.count)
        first = least(first, g->arrivals.items[0].cycle);
    if (g->oldest < g->sendings && first > m->run.cycle + 1)
        first = least(first, known(g));
    return first > m->run.cycle ? first : m->run.cycle + 1;
}
