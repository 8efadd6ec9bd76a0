#include "machine/simgrid/grid.h"

#include "lib/heap.h"
#include "machine/part.h"

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

static void tell_entered(const struct machine_grid *g, uint32_t link,
                         const struct isa_token *t)
{
    if (g->outside.tells)
        g->outside.token_entered(g->outside.context, link, t);
}

static void count_inside(const struct machine_grid *g, uint32_t node, int64_t tokens)
{
    if (g->outside.has_nodes)
        g->outside.inside(g->outside.context, node, tokens);
}

static void put_before(struct machine_grid *g, uint32_t port, const struct isa_token *t)
{
    g->ports[port].stats.waits -= g->outside.now;
    machine_queue_put(&g->ports[port].queue, t);
    machine_set_add(&g->waiting, port);
    tell_entered(g, port, t);
}

static void depart(struct machine_grid *g)
{
    struct machine_wheel_slot *slot = machine_wheel_at(g->outside.departing,
                                                       g->outside.now);
    for (size_t i = 0; i < slot->count; i++) {
        struct isa_token t = slot->tokens[i];
        const uint32_t from = machine_token_pe(&t);
        machine_token_move_to(&t, g->outside.destination(g->outside.context, &t));
        put_before(g, from, &t);
        count_inside(g, grid_node(g, from), 1);
    }
    g->count += slot->count;
    slot->count = 0;
}

void grid_inject(struct machine_grid *g, uint32_t from, const struct isa_token *t)
{
    put_before(g, from, t);
    g->count++;
    count_inside(g, grid_node(g, from), 1);
}

static void deliver(struct machine_grid *g, const struct isa_token *t)
{
    g->count--;
    count_inside(g, grid_node(g, machine_token_pe(t)), -1);
    g->outside.deliver(g->outside.context, t);
}

/* Sends a token through a free port. Returns how many cycles it occupies the port. */
static uint64_t pass(struct machine_grid *g, uint32_t at, const struct isa_token *t)
{
    struct grid_port *port = &g->ports[at];
    uint64_t cycles = g->pace;
    if (g->bandwidth) {
        const uint64_t bits = g->outside.bits(g->outside.context, t);
        cycles = (bits + g->bandwidth - 1) / g->bandwidth * g->pace;
        port->stats.bits += bits;
        port->stats.busy += cycles;
    }
    port->stats.tokens++;
    port->stats.waits += g->outside.now;
    port->free = g->outside.now + cycles;
    if (g->outside.tells)
        g->outside.token_left(g->outside.context, at, t, port->free);
    return cycles;
}

static void serve_port(struct machine_grid *g, uint32_t at)
{
    struct grid_port *port = &g->ports[at];
    if (port->leaves && port->leaves <= g->outside.now) {
        port->leaves = 0;
        deliver(g, &port->leaving);
    }
    if (port->free > g->outside.now || machine_queue_count(&port->queue) == 0)
        return;
    const struct isa_token t = *machine_queue_oldest(&port->queue);
    machine_queue_rewind(&port->queue);
    const uint64_t cycles = pass(g, at, &t);
    if (grid_is_ejection(g, at)) {
        if (cycles == g->pace) {
            deliver(g, &t);
        } else {
            port->leaving = t;
            port->leaves = g->outside.now + cycles - g->pace;
        }
    } else {
        const uint32_t to = machine_token_pe(&t), node = grid_node(g, at);
        const bool stays = grid_node(g, to) == node;
        struct machine_way *way = machine_transit_at(&g->transit,
                                                     g->outside.now + g->latency);
        *LIB_VEC_PUSH(&way->tokens) = (struct machine_on_way){
            .token = t, .link = stays ? g->pes + to : 2 * g->pes + node};
        g->transit.count++;
    }
}

static void serve_ports(struct machine_grid *g)
{
    uint32_t at;
    MACHINE_SET_EACH(&g->waiting, at)
    {
        serve_port(g, at);
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

static void gather(struct machine_grid *g, uint32_t from, const struct isa_token *t)
{
    const uint32_t to = grid_node(g, machine_token_pe(t));
    uint32_t *open = g->open ? &g->open[(size_t)from * g->nodes + to] : NULL;
    uint32_t at = open ? *open : GRID_NOBODY;
    if (at == GRID_NOBODY) {
        at = begin_message(g, from, to, g->outside.now);
        if (open)
            *open = at;
    }
    struct grid_message *message = &g->messages.items[at];
    *LIB_VEC_PUSH(&message->tokens) = *t;
    message->bits += g->outside.bits(g->outside.context, t);
    g->nics[from].stats.waits -= g->outside.now;
    tell_entered(g, 2 * g->pes + from, t);
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

static void tell_sent(const struct machine_grid *g, const struct grid_message *message)
{
    const uint32_t nic = 2 * g->pes + message->from,
                   link = 2 * g->pes + g->nodes + message->link;
    for (size_t i = 0; i < message->tokens.count; i++) {
        const struct isa_token *t = &message->tokens.items[i];
        g->outside.token_left(g->outside.context, nic, t, g->outside.now);
        tell_entered(g, link, t);
        g->outside.token_left(g->outside.context, link, t, g->outside.now);
    }
}

static void send(struct machine_grid *g, struct grid_nic *nic)
{
    const uint32_t at = nic->first;
    struct grid_message *message = &g->messages.items[at];
    const uint64_t bits = message->bits + g->outside.number_bits;
    const uint64_t bytes = g->header + (bits + 7) / 8;
    if (g->reached < g->outside.now)
        reach(g, g->outside.now);
    nic->first = message->next;
    nic->inside++;
    nic->stats.tokens += message->tokens.count;
    nic->stats.waits += message->tokens.count * g->outside.now;
    nic->stats.bits += 8 * bytes;
    message->sent = g->outside.now;
    if (g->open)
        g->open[(size_t)message->from * g->nodes + message->to] = GRID_NOBODY;
    give_number(g, at);
    load_links(g, message, bytes);
    g->carrier->send(g->carrier, message->number, message->from, message->to, bytes);
    g->is_known = false;
    if (g->outside.has_nodes) {
        count_inside(g, message->from, -(int64_t)message->tokens.count);
        message->mark = g->outside.message_sent(g->outside.context, message, 8 * bytes);
    }
    if (g->outside.tells)
        tell_sent(g, message);
}

static void serve_interfaces(struct machine_grid *g)
{
    uint32_t node;
    MACHINE_SET_EACH(&g->talking, node)
    {
        struct grid_nic *nic = &g->nics[node];
        while (nic->first != GRID_NOBODY && nic->inside < nic->most &&
               g->messages.items[nic->first].ready <= g->outside.now)
            send(g, nic);
        machine_set_remove_if(&g->talking, node, nic->first == GRID_NOBODY);
    }
}

/* --- one cycle -------------------------------------------------------------------------------- */

void grid_release(struct machine_grid *g, uint32_t at)
{
    struct grid_message *message = &g->messages.items[at];
    count_inside(g, message->to, (int64_t)message->tokens.count);
    for (size_t i = 0; i < message->tokens.count; i++)
        put_before(g, g->pes + machine_token_pe(&message->tokens.items[i]),
                   &message->tokens.items[i]);
    message->tokens.count = 0;
    message->next = g->unused;
    g->unused = at;
}

static void end_message(struct machine_grid *g, uint32_t at)
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
    if (__builtin_expect(g->outside.has_nodes, 0))
        g->outside.message_came(g->outside.context, message, at);
    else
        grid_release(g, at);
}

static void come_behind(struct machine_grid *g)
{
    struct machine_way *way = machine_transit_at(&g->transit, g->outside.now);
    for (size_t i = 0; i < way->tokens.count; i++) {
        const struct machine_on_way t = way->tokens.items[i];
        if (t.link >= 2 * g->pes)
            gather(g, t.link - 2 * g->pes, &t.token);
        else
            put_before(g, t.link, &t.token);
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

void grid_serve(struct machine_grid *g)
{
    if (g->count == 0 &&
        machine_wheel_at(g->outside.departing, g->outside.now)->count == 0)
        return;
    if (g->oldest < g->sendings && g->reached < g->outside.now &&
        known(g) <= g->outside.now)
        reach(g, g->outside.now);
    while (g->arrivals.count && g->arrivals.items[0].cycle <= g->outside.now) {
        struct grid_arrival arrival;
        LIB_HEAP_TAKE(&g->arrivals, &arrival, is_before);
        end_message(g, arrival.message);
    }
    come_behind(g);
    depart(g);
    serve_ports(g);
    serve_interfaces(g);
}

/* --- when next -------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_of_ports(const struct machine_grid *g)
{
    const uint64_t soon = g->outside.now + 1;
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

uint64_t grid_next(struct machine_grid *g)
{
    if (g->count == 0)
        return MACHINE_NEVER;
    uint64_t first = next_of_ports(g);
    first = least(first, machine_transit_next(&g->transit, g->outside.now, first));
    first = least(first, next_of_interfaces(g));
    if (g->arrivals.count)
        first = least(first, g->arrivals.items[0].cycle);
    if (g->oldest < g->sendings && first > g->outside.now + 1)
        first = least(first, known(g));
    return first > g->outside.now ? first : g->outside.now + 1;
}
