/* The switch of a router with finite buffers: matches input links with output links by separable
 * allocation, with pointers that advance after a match in the first iteration (iSLIP: McKeown,
 * IEEE/ACM Transactions on Networking 7(2), 1999). */
#include "machine/network/fabric_channels.h"

/* Whether a packet can take a route in this cycle. Sets *room to the room there, and *lacks if the
 * link is free but has none. */
static bool is_open(const struct machine_fabric *f,
                    const struct machine_fabric_outside *outside, uint64_t now,
                    const struct machine_route *route, uint64_t *room, bool *lacks)
{
    *room = 0;
    if (f->links[route->link].free > now)
        return false;
    if (fabric_is_ejection(f, route->link))
        *room = !outside->has_room ||
                outside->has_room(outside->context, route->link - f->graph->pe_count);
    else
        fabric_most_of_class(f, route->link, route->channel_class, room);
    *lacks |= *room == 0;
    return *room > 0;
}

/* Chooses the route that a packet requests: the open one with the most room minus requests, the
 * first of equal ones; an escape route only if no other is open. Returns false if none is open. */
static bool choose(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, const struct fabric_packet *p,
                   struct machine_route *chosen)
{
    const struct fabric_channels *c = f->channels;
    struct machine_route routes[MACHINE_MAX_ROUTES];
    const unsigned count = machine_route(f->graph, p->link, p->cls,
                                         machine_token_pe(&p->token), p->via, routes);
    const struct machine_route *lacking = NULL; /* last route without room */
    int64_t most = 0;
    uint64_t room;
    bool is_any = false;
    for (unsigned i = 0; i < count; i++) {
        if (is_any && routes[i].is_escape && !chosen->is_escape)
            break;
        bool lacks = false;
        if (!is_open(f, outside, now, &routes[i], &room, &lacks)) {
            lacking = lacks ? &routes[i] : lacking;
            continue;
        }
        const int64_t left = (int64_t)room - c->asked[c->place_out[routes[i].link]];
        if (is_any && left <= most)
            continue;
        is_any = true;
        most = left;
        *chosen = routes[i];
    }
    if (!is_any && lacking) {
        f->seen.held_back = true;
        if (outside->blocked)
            outside->blocked(outside->context, lacking->link,
                             c->first[lacking->channel_class], &p->token);
    }
    return is_any;
}

static uint32_t count_ports(const struct fabric_channels *c, uint32_t link, uint64_t now)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->speedup; i++)
        count += c->port_free[(size_t)link * c->speedup + i] <= now;
    return count;
}

/* Collects the requests of a router's packets, by input link and virtual channel. */
static void gather(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t router)
{
    struct fabric_channels *c = f->channels;
    const uint32_t *in = f->graph->in + f->graph->in_first[router];
    const uint32_t first = c->words_first[router], end = c->words_first[router + 1];
    for (uint32_t i = 0; i < c->requests.count; i++)
        c->asked[c->place_out[c->requests.items[i].link]] = 0;
    c->requests.count = c->ins.count = 0;
    for (uint32_t word = first; word < end; word++)
        for (uint64_t bits = c->occupied[word]; bits; bits &= bits - 1) {
            const uint32_t local = 64 * (word - first) + (uint32_t)__builtin_ctzll(bits);
            const uint32_t at = local / c->per_link, channel = local % c->per_link;
            if (c->ins.count == 0 || c->ins.items[c->ins.count - 1] != at) {
                *LIB_VEC_PUSH(&c->ins) = at;
                c->ports_left[at] = count_ports(c, in[at], now);
            }
            if (c->ports_left[at] == 0)
                continue;
            const uint32_t packet =
                c->buffers[(size_t)in[at] * c->per_link + channel].first;
            struct machine_route chosen = {0};
            if (!choose(f, outside, now, &f->packets[packet], &chosen))
                continue;
            c->asked[c->place_out[chosen.link]]++;
            *LIB_VEC_PUSH(&c->requests) = (struct request){
                at, channel, chosen.link, packet, chosen.channel_class, false};
        }
}

/* Returns the distance from one index to another, modulo `count`. */
static uint32_t distance(uint32_t from, uint32_t to, uint32_t count)
{
    return to >= from ? to - from : to + count - from;
}

/* Whether an output grants request `a` rather than `b`. */
static bool grants_rather(const struct machine_fabric *f, uint32_t router,
                          const struct request *a, const struct request *b)
{
    const struct fabric_channels *c = f->channels;
    if (c->is_oldest)
        return f->sizes[a->packet].born < f->sizes[b->packet].born;
    const uint32_t ins = f->graph->in_first[router + 1] - f->graph->in_first[router];
    const uint32_t at = c->grants_at[a->link];
    const uint32_t of_a = distance(at, a->in, ins), of_b = distance(at, b->in, ins);
    if (of_a != of_b)
        return of_a < of_b;
    const uint32_t v = c->channel_at[f->graph->in[f->graph->in_first[router] + a->in]];
    return distance(v, a->channel, c->per_link) < distance(v, b->channel, c->per_link);
}

/* Whether an input accepts request `a` rather than `b`, which is for another output. */
static bool accepts_rather(const struct machine_fabric *f, uint32_t router,
                           const struct request *a, const struct request *b)
{
    const struct fabric_channels *c = f->channels;
    if (c->is_oldest && f->sizes[a->packet].born != f->sizes[b->packet].born)
        return f->sizes[a->packet].born < f->sizes[b->packet].born;
    const uint32_t outs = f->graph->out_first[router + 1] - f->graph->out_first[router];
    const uint32_t in = f->graph->in[f->graph->in_first[router] + a->in];
    const uint32_t at = c->is_oldest ? 0 : c->accepts_at[in];
    return distance(at, c->place_out[a->link], outs) <
           distance(at, c->place_out[b->link], outs);
}

/* Makes each free output grant one request of a free input. */
static void grant(struct machine_fabric *f, uint32_t router, uint64_t now)
{
    struct fabric_channels *c = f->channels;
    c->granted.count = 0;
    for (uint32_t i = 0; i < c->requests.count; i++) {
        const struct request *r = &c->requests.items[i];
        if (r->is_gone || c->ports_left[r->in] == 0 || f->links[r->link].free > now)
            continue;
        uint32_t *best = &c->best_out[c->place_out[r->link]];
        if (*best == FABRIC_NONE ||
            grants_rather(f, router, r, &c->requests.items[*best]))
            *best = i;
    }
    for (uint32_t i = 0; i < c->requests.count; i++) {
        uint32_t *best = &c->best_out[c->place_out[c->requests.items[i].link]];
        if (*best == i) {
            *LIB_VEC_PUSH(&c->granted) = i;
            *best = FABRIC_NONE;
        }
    }
}

static void go(struct machine_fabric *f, const struct machine_fabric_outside *outside,
               uint64_t now, uint32_t router, struct request *r)
{
    struct fabric_channels *c = f->channels;
    const uint32_t in = f->graph->in[f->graph->in_first[router] + r->in];
    const uint32_t packet = fabric_take_from_buffer(f, in, r->channel);
    struct fabric_packet *p = &f->packets[packet];
    struct fabric_link *link = &f->links[r->link];
    uint64_t *ports = c->port_free + (size_t)in * c->speedup;
    const bool is_ejected = fabric_is_ejection(f, r->link);
    const uint64_t cycles = fabric_cycles(f, r->link, packet);
    uint64_t sum;
    if (is_ejected && outside->keep_room)
        outside->keep_room(outside->context, r->link - f->graph->pe_count);
    const uint32_t channel = is_ejected ? 0
                                        : fabric_most_of_class(f, r->link, r->cls, &sum);
    while (*ports > now)
        ports++;
    *ports = now + cycles;
    c->ports_left[r->in]--;
    r->is_gone = true;
    fabric_send(f, now, c->credit_delay[in] + cycles - 1,
                FABRIC_CREDIT | (in * c->per_link + r->channel));
    link->stats.waits += now - f->sizes[packet].since;
    p->cls = r->cls;
    const uint64_t delay = fabric_pass(f, r->link, packet, now);
    f->seen.moved = true;
    if (outside->passes)
        outside->passes(outside->context, r->link, channel, r->channel, &p->token,
                        link->free);
    if (outside->left)
        outside->left(outside->context, MACHINE_FABRIC_BUFFER, in, &p->token, link->free);
    if (!is_ejected)
        fabric_take_place(f, now, delay, packet, channel);
    else if (delay == 0)
        fabric_deliver(f, packet);
    else
        fabric_send(f, now, delay, packet);
}

/* Makes each input with a free port accept a grant. Returns false if none did. With `moves` the
 * round-robin pointers advance. */
static bool accept(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t router, bool moves)
{
    struct fabric_channels *c = f->channels;
    const uint32_t *in = f->graph->in + f->graph->in_first[router];
    const uint32_t ins = f->graph->in_first[router + 1] - f->graph->in_first[router];
    const uint32_t outs = f->graph->out_first[router + 1] - f->graph->out_first[router];
    bool some = false;
    for (uint32_t i = 0; i < c->granted.count; i++) {
        struct request *r = &c->requests.items[c->granted.items[i]];
        uint32_t *best = &c->best_in[r->in];
        if (!r->is_gone && c->ports_left[r->in] > 0 &&
            (*best == FABRIC_NONE ||
             accepts_rather(f, router, r, &c->requests.items[*best])))
            *best = c->granted.items[i];
    }
    for (uint32_t i = 0; i < c->ins.count; i++) {
        uint32_t *best = &c->best_in[c->ins.items[i]];
        if (*best == FABRIC_NONE)
            continue;
        struct request *r = &c->requests.items[*best];
        *best = FABRIC_NONE;
        some = true;
        go(f, outside, now, router, r);
        if (!moves)
            continue;
        c->grants_at[r->link] = (r->in + 1) % ins;
        c->accepts_at[in[r->in]] = (c->place_out[r->link] + 1) % outs;
        c->channel_at[in[r->in]] = (r->channel + 1) % c->per_link;
    }
    return some;
}

void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router)
{
    struct fabric_channels *c = f->channels;
    gather(f, outside, now, router);
    for (uint32_t i = 0; i < c->iterations && c->requests.count > 0; i++) {
        grant(f, router, now);
        if (c->granted.count == 0)
            break;
        for (uint32_t s = 0; s < c->speedup; s++)
            if (!accept(f, outside, now, router, i == 0))
                break;
    }
    bool is_empty = true;
    for (uint32_t w = c->words_first[router]; w < c->words_first[router + 1]; w++)
        is_empty = is_empty && c->occupied[w] == 0;
    fabric_set_remove_if(&c->active, router, is_empty);
}
