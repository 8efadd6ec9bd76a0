/* Networks of finite buffers: behind each link but ejections there is one for each virtual channel. A packet goes
 * on with a credit, which stands for a place there. Credits start at network.capacity, and come back when a packet
 * has gone on from its place.
 *
 * In each cycle a router matches input links with output links, by separable allocation with pointers that
 * move on where they matched first: iSLIP (McKeown, IEEE/ACM Transactions on Networking 7(2), 1999). Routers do
 * not see each other within a cycle: what one sends comes to another in a later one. */
#include "machine/network/fabric_inside.h"

/* The first packet of a buffer asks for an output link, in a class there. */
struct request {
    uint32_t in, channel; /* place of the input link at its router; the virtual channel */
    uint32_t link;        /* output */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

struct fabric_channels {
    uint32_t per_link, speedup, iterations, capacity;
    bool is_oldest;
    uint32_t *first;             /* channel of each class; behind them all */
    struct fabric_list *buffers; /* of the channels of each link */
    uint32_t *credits;           /* likewise, at the near end */
    uint32_t *credit_delay;      /* per link */
    uint64_t *port_free; /* per link, of its ports into the switch behind: when each is */
    uint32_t *place_in;  /* of a link among those that come to its router, */
    uint32_t *place_out; /* and among those that leave it */
    uint32_t *grants_at; /* per output link: the input that is first */
    uint32_t *accepts_at, *channel_at; /* per input link: the output, the channel */
    struct machine_set active;         /* routers that have packets */
    uint32_t *words_first;             /* per router, of: */
    uint64_t *occupied;                /* bits of its channels, by input and channel */
    uint64_t waiting;                  /* packets in buffers */
    /* Of the router that is served. */
    LIB_VEC(struct request) requests;
    LIB_VEC(uint32_t) ins;        /* that ask, ascending */
    LIB_VEC(uint32_t) granted;    /* requests */
    uint32_t *ports_left;         /* per input */
    uint32_t *best_in, *best_out; /* requests, or NONE */
    uint32_t *asked;              /* per output: how many ask for it */
};

/* --- setting up and taking down ------------------------------------------------------------ */

/* Where each link stands at its routers, and the most that one has. */
static void place_links(struct machine_fabric *f, uint32_t *most_in, uint32_t *most_out)
{
    const struct machine_graph *g = f->graph;
    struct fabric_channels *c = f->channels;
    uint32_t words = 0;
    *most_in = *most_out = 1;
    for (uint32_t r = 0; r < g->router_count; r++) {
        const uint32_t ins = g->in_first[r + 1] - g->in_first[r];
        const uint32_t outs = g->out_first[r + 1] - g->out_first[r];
        for (uint32_t i = 0; i < ins; i++)
            c->place_in[g->in[g->in_first[r] + i]] = i;
        for (uint32_t i = 0; i < outs; i++)
            c->place_out[g->out[g->out_first[r] + i]] = i;
        c->words_first[r] = words;
        words += (ins * c->per_link + 63) / 64;
        *most_in = ins > *most_in ? ins : *most_in;
        *most_out = outs > *most_out ? outs : *most_out;
    }
    c->words_first[g->router_count] = words;
    c->occupied = lib_mem_new((words + 1) * sizeof *c->occupied);
}

static void make_scratch(struct fabric_channels *c, uint32_t most_in, uint32_t most_out)
{
    c->ports_left = lib_mem_new(most_in * sizeof *c->ports_left);
    c->best_in = lib_mem_new(most_in * sizeof *c->best_in);
    c->best_out = lib_mem_new(most_out * sizeof *c->best_out);
    c->asked = lib_mem_new(most_out * sizeof *c->asked);
    for (uint32_t i = 0; i < most_in; i++)
        c->best_in[i] = FABRIC_NONE;
    for (uint32_t i = 0; i < most_out; i++)
        c->best_out[i] = FABRIC_NONE;
}

static uint32_t credit_delay(const struct machine_fabric *f,
                             const struct machine_settings *s, uint32_t link)
{
    const uint64_t delay = f->links[link].delay;
    const uint64_t latency = delay > s->network_router ? delay - s->network_router : 0;
    const uint64_t all = latency + s->network_credit;
    return all ? (uint32_t)all : 1;
}

void fabric_channels_make(struct machine_fabric *f, const struct machine_settings *s)
{
    const struct machine_graph *g = f->graph;
    const size_t links = g->link_count;
    struct fabric_channels *c = f->channels = lib_mem_new(sizeof *c);
    uint32_t most_in, most_out;
    c->per_link = (uint32_t)s->network_channels;
    c->speedup = (uint32_t)s->network_speedup;
    c->iterations = (uint32_t)s->network_iterations;
    c->capacity = (uint32_t)s->network_capacity;
    c->is_oldest = s->network_arbitration == MACHINE_OLDEST_FIRST;
    assert(c->per_link >= g->channel_classes);
    c->first = lib_mem_new((g->channel_classes + 1) * sizeof *c->first);
    for (uint32_t k = 0; k < g->channel_classes; k++)
        c->first[k + 1] = c->first[k] + c->per_link / g->channel_classes +
                          (k < c->per_link % g->channel_classes);
    c->buffers = lib_mem_new(links * c->per_link * sizeof *c->buffers);
    c->credits = lib_mem_new(links * c->per_link * sizeof *c->credits);
    for (size_t i = 0; i < links * c->per_link; i++)
        c->credits[i] = c->capacity;
    c->credit_delay = lib_mem_new(links * sizeof *c->credit_delay);
    c->port_free = lib_mem_new(links * c->speedup * sizeof *c->port_free);
    c->place_in = lib_mem_new(links * sizeof *c->place_in);
    c->place_out = lib_mem_new(links * sizeof *c->place_out);
    c->grants_at = lib_mem_new(links * sizeof *c->grants_at);
    c->accepts_at = lib_mem_new(links * sizeof *c->accepts_at);
    c->channel_at = lib_mem_new(links * sizeof *c->channel_at);
    c->active = machine_set_new(g->router_count);
    c->words_first = lib_mem_new((g->router_count + 1) * sizeof *c->words_first);
    for (uint32_t i = 0; i < links; i++)
        c->credit_delay[i] = credit_delay(f, s, i);
    place_links(f, &most_in, &most_out);
    make_scratch(c, most_in, most_out);
}

void fabric_channels_free(struct machine_fabric *f)
{
    struct fabric_channels *c = f->channels;
    void *const owned[] = {c->first,      c->buffers,    c->credits,     c->credit_delay,
                           c->port_free,  c->place_in,   c->place_out,   c->grants_at,
                           c->accepts_at, c->channel_at, c->words_first, c->occupied,
                           c->ports_left, c->best_in,    c->best_out,   c->asked};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        lib_mem_free(owned[i]);
    machine_set_free(&c->active);
    LIB_VEC_FREE(&c->requests);
    LIB_VEC_FREE(&c->ins);
    LIB_VEC_FREE(&c->granted);
    lib_mem_free(c);
}

/* --- channels ---------------------------------------------------------------------------------- */

/* Of some channels of a link the one that has most credits, of equal ones the first; NONE: no credit. `sum`: of
 * all of them. */
static uint32_t most_credits(const struct fabric_channels *c, uint32_t link,
                             uint32_t first, uint32_t end, uint64_t *sum)
{
    const uint32_t *credits = c->credits + (size_t)link * c->per_link;
    uint32_t best = FABRIC_NONE;
    *sum = 0;
    for (uint32_t v = first; v < end; v++) {
        *sum += credits[v];
        if (credits[v] && (best == FABRIC_NONE || credits[v] > credits[best]))
            best = v;
    }
    return best;
}

/* A packet takes a place behind a link, and goes there. */
static void send(struct machine_fabric *f, uint64_t now, uint64_t delay, uint32_t packet,
                 uint32_t channel)
{
    struct fabric_channels *c = f->channels;
    struct fabric_packet *p = &f->packets[packet];
    p->channel = (uint16_t)channel;
    c->credits[(size_t)p->link * c->per_link + channel]--;
    fabric_send(f, now, delay, packet);
}

static uint64_t *word_of(const struct machine_fabric *f, uint32_t link, uint32_t channel,
                         uint64_t *bit)
{
    const struct fabric_channels *c = f->channels;
    const uint32_t local = c->place_in[link] * c->per_link + channel;
    *bit = UINT64_C(1) << (local % 64);
    return &c->occupied[c->words_first[f->graph->links[link].to] + local / 64];
}

/* Puts a packet into the buffer to which it came. */
static void put_into_buffer(struct machine_fabric *f, uint32_t packet)
{
    struct fabric_channels *c = f->channels;
    const struct fabric_packet *p = &f->packets[packet];
    uint64_t bit;
    fabric_list_put(f, &c->buffers[(size_t)p->link * c->per_link + p->channel], packet);
    c->waiting++;
    *word_of(f, p->link, p->channel, &bit) |= bit;
    machine_set_add(&c->active, f->graph->links[p->link].to);
}

static uint32_t take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel)
{
    struct fabric_channels *c = f->channels;
    struct fabric_list *buffer = &c->buffers[(size_t)link * c->per_link + channel];
    const uint32_t packet = fabric_list_take(f, buffer);
    uint64_t bit, *word = word_of(f, link, channel, &bit);
    c->waiting--;
    if (buffer->count == 0)
        *word &= ~bit;
    return packet;
}

/* --- arrivals, and injections ------------------------------------------------------------------- */

static void arrive(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t what)
{
    if (what & FABRIC_CREDIT) {
        f->channels->credits[what & ~FABRIC_CREDIT]++;
        return;
    }
    struct fabric_packet *p = &f->packets[what];
    if (fabric_is_ejection(f, p->link)) {
        fabric_deliver(f, what);
        return;
    }
    f->sizes[what].since = now;
    put_into_buffer(f, what);
    if (outside->entered)
        outside->entered(outside->context, MACHINE_FABRIC_BUFFER, p->link, &p->token);
}

/* Nobody waits for credits where there are no packets: those of cycles that were skipped come now. */
static void arrive_all(struct machine_fabric *f,
                       const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t what;
    while (fabric_take_far(f, now, &what))
        arrive(f, outside, now, what);
    const uint64_t gone = now - f->stepped;
    uint64_t cycle = now - (gone < f->wave_mask ? gone : f->wave_mask);
    for (f->stepped = now; f->in_waves > 0 && cycle <= now; cycle++) {
        struct fabric_wave *wave = &f->waves[cycle & f->wave_mask];
        for (size_t i = 0; i < wave->items.count; i++)
            arrive(f, outside, now, wave->items.items[i]);
        f->in_waves -= wave->items.count;
        wave->items.count = 0;
    }
}

/* An injection, if it is free, passes on its oldest packet, in any channel. */
static void inject(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t at)
{
    struct fabric_link *link = &f->links[at];
    uint64_t sum;
    if (link->free > now)
        return;
    const uint32_t channel = most_credits(f->channels, at, 0, f->channels->per_link,
                                          &sum);
    if (channel == FABRIC_NONE) {
        f->held_back = true;
        return;
    }
    const uint32_t packet = fabric_list_take(f, &link->queue);
    struct fabric_packet *p = &f->packets[packet];
    link->stats.waited += now;
    machine_set_remove_if(&f->waiting, at, link->queue.count == 0);
    const uint64_t delay = fabric_pass(f, at, packet, now);
    f->moved = true;
    if (outside->left)
        outside->left(outside->context, MACHINE_FABRIC_QUEUE, at, &p->token, link->free);
    send(f, now, delay, packet, channel);
}

/* --- what is asked for ----------------------------------------------------------------------------- */

/* Whether a packet can take a way in this cycle; `room`: how much there is. A link that is free and has no room
 * holds it back. */
static bool is_open(const struct machine_fabric *f,
                    const struct machine_fabric_outside *outside, uint64_t now,
                    const struct machine_route *route, uint64_t *room, bool *lacks)
{
    const struct fabric_channels *c = f->channels;
    *room = 0;
    if (f->links[route->link].free > now)
        return false;
    if (fabric_is_ejection(f, route->link))
        *room = !outside->has_room ||
                outside->has_room(outside->context, route->link - f->graph->pe_count);
    else
        most_credits(c, route->link, c->first[route->channel_class],
                     c->first[route->channel_class + 1], room);
    *lacks |= *room == 0;
    return *room > 0;
}

/* The way that a packet asks for: of those that are open the one that has most room, less what asks for it already,
 * so that they do not all ask for the same; of equal ones the first; a way of escape only if no other is open. false: none
 * is. */
static bool choose(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, const struct fabric_packet *p,
                   struct machine_route *chosen)
{
    const struct fabric_channels *c = f->channels;
    struct machine_route routes[MACHINE_MOST_ROUTES];
    const unsigned count = machine_route(f->graph, p->link, p->cls,
                                         isa_token_pe(&p->token), p->via, routes);
    int64_t most = 0;
    uint64_t room;
    bool lacks = false, is_any = false;
    for (unsigned i = 0; i < count; i++) {
        if (is_any && routes[i].is_escape && !chosen->is_escape)
            break;
        if (!is_open(f, outside, now, &routes[i], &room, &lacks))
            continue;
        const int64_t left = (int64_t)room - c->asked[c->place_out[routes[i].link]];
        if (is_any && left <= most)
            continue;
        is_any = true;
        most = left;
        *chosen = routes[i];
    }
    f->held_back |= !is_any && lacks;
    return is_any;
}

static uint32_t count_ports(const struct fabric_channels *c, uint32_t link, uint64_t now)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->speedup; i++)
        count += c->port_free[(size_t)link * c->speedup + i] <= now;
    return count;
}

/* What the packets at a router ask for, by input link and channel. */
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

/* --- allocation --------------------------------------------------------------------------------- */

/* How far it is from one place to another, going round. */
static uint32_t distance(uint32_t from, uint32_t to, uint32_t count)
{
    return to >= from ? to - from : to + count - from;
}

/* Whether an output grants `a` rather than `b`. */
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

/* Whether an input accepts `a` rather than `b`, from another output. */
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

/* Each output that is free grants one request of an input that is. */
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

/* A request has an input and an output: its packet goes on. */
static void go(struct machine_fabric *f, const struct machine_fabric_outside *outside,
               uint64_t now, uint32_t router, struct request *r)
{
    struct fabric_channels *c = f->channels;
    const uint32_t in = f->graph->in[f->graph->in_first[router] + r->in];
    const uint32_t packet = take_from_buffer(f, in, r->channel);
    struct fabric_packet *p = &f->packets[packet];
    struct fabric_link *link = &f->links[r->link];
    uint64_t *ports = c->port_free + (size_t)in * c->speedup;
    const bool is_ejected = fabric_is_ejection(f, r->link);
    const uint64_t cycles = f->bandwidth ? f->sizes[packet].cycles : 1;
    uint64_t sum;
    if (is_ejected && outside->keep_room)
        outside->keep_room(outside->context, r->link - f->graph->pe_count);
    const uint32_t channel = is_ejected ? 0
                                        : most_credits(c, r->link, c->first[r->cls],
                                                       c->first[r->cls + 1], &sum);
    while (*ports > now)
        ports++;
    *ports = now + cycles;
    c->ports_left[r->in]--;
    r->is_gone = true;
    fabric_send(f, now, c->credit_delay[in] + cycles - 1,
                FABRIC_CREDIT | (in * c->per_link + r->channel));
    link->stats.waited += now - f->sizes[packet].since;
    p->cls = r->cls;
    const uint64_t delay = fabric_pass(f, r->link, packet, now);
    f->moved = true;
    if (outside->left)
        outside->left(outside->context, MACHINE_FABRIC_BUFFER, in, &p->token, link->free);
    if (!is_ejected)
        send(f, now, delay, packet, channel);
    else if (delay == 0)
        fabric_deliver(f, packet);
    else
        fabric_send(f, now, delay, packet);
}

/* Each input that has a free port accepts a grant; false: no one did. `moves`: the pointers go on. */
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

static void serve(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                  uint64_t now, uint32_t router)
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
    machine_set_remove_if(&c->active, router, is_empty);
}

void fabric_channels_step(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t at;
    arrive_all(f, outside, now);
    MACHINE_SET_EACH(&f->waiting, at)
    {
        inject(f, outside, now, at);
    }
    MACHINE_SET_EACH(&f->channels->active, at)
    {
        serve(f, outside, now, at);
    }
}

/* --- state ---------------------------------------------------------------------------------------- */

bool fabric_channels_wait(const struct machine_fabric *f)
{
    return f->channels->waiting > 0;
}

bool fabric_has_channel(const struct machine_fabric *f, uint16_t channel)
{
    return f->is_tight ? channel < f->channels->per_link : channel == 0;
}

bool fabric_is_channel(const struct machine_fabric *f, uint32_t credit)
{
    return (credit & ~FABRIC_CREDIT) / f->channels->per_link < f->graph->link_count;
}

/* A buffer; one that is read is filled as if its packets came. */
static void pack_buffer(struct lib_pack *pack, struct machine_fabric *f,
                        const struct fabric_packing *with, uint32_t link, uint32_t v)
{
    struct fabric_channels *c = f->channels;
    struct fabric_list *buffer = &c->buffers[(size_t)link * c->per_link + v];
    fabric_pack_list(pack, f, with, buffer);
    if (!lib_pack_reads(pack) || buffer->count == 0)
        return;
    if (!lib_pack_expect(pack, !fabric_is_ejection(f, link)))
        return;
    uint64_t bit;
    c->waiting += buffer->count;
    *word_of(f, link, v, &bit) |= bit;
    machine_set_add(&c->active, f->graph->links[link].to);
}

void fabric_channels_pack(struct lib_pack *pack, struct machine_fabric *f,
                          const struct fabric_packing *with)
{
    const struct machine_graph *g = f->graph;
    struct fabric_channels *c = f->channels;
    const size_t links = g->link_count;
    lib_pack_bytes(pack, c->credits, links * c->per_link * sizeof *c->credits);
    lib_pack_bytes(pack, c->port_free, links * c->speedup * sizeof *c->port_free);
    lib_pack_bytes(pack, c->grants_at, links * sizeof *c->grants_at);
    lib_pack_bytes(pack, c->accepts_at, links * sizeof *c->accepts_at);
    lib_pack_bytes(pack, c->channel_at, links * sizeof *c->channel_at);
    for (uint32_t i = 0; i < links && !pack->failed; i++)
        for (uint32_t v = 0; v < c->per_link; v++)
            pack_buffer(pack, f, with, i, v);
}

void fabric_channels_each(const struct machine_fabric *f, machine_fabric_visit *visit,
                          void *context)
{
    const struct fabric_channels *c = f->channels;
    for (uint32_t i = 0; i < f->graph->link_count; i++)
        for (uint32_t v = 0; v < c->per_link; v++)
            fabric_list_each(f, &c->buffers[(size_t)i * c->per_link + v],
                             MACHINE_FABRIC_WAITS_BEHIND, i, visit, context);
}

/* What has a place of a channel, or gives it back. */
static void count_what(const struct machine_fabric *f, uint32_t what, uint64_t *taken)
{
    const struct fabric_channels *c = f->channels;
    if (what & FABRIC_CREDIT) {
        taken[what & ~FABRIC_CREDIT]++;
        return;
    }
    const struct fabric_packet *p = &f->packets[what];
    if (!fabric_is_ejection(f, p->link))
        taken[(size_t)p->link * c->per_link + p->channel]++;
}

const char *fabric_channels_check(const struct machine_fabric *f)
{
    const struct fabric_channels *c = f->channels;
    const size_t count = (size_t)f->graph->link_count * c->per_link;
    uint64_t *taken = lib_mem_new(count * sizeof *taken), waiting = 0;
    const char *wrong = NULL;
    for (uint64_t i = 0; i <= f->wave_mask; i++)
        for (size_t k = 0; k < f->waves[i].items.count; k++)
            count_what(f, f->waves[i].items.items[k], taken);
    for (size_t k = 0; k < f->far.count; k++)
        count_what(f, f->far.items[k].what, taken);
    for (size_t i = 0; i < count; i++) {
        uint64_t bit = 0;
        const uint32_t link = (uint32_t)(i / c->per_link);
        const bool is_listed = !fabric_is_ejection(f, link) &&
                               *word_of(f, link, i % c->per_link, &bit) & bit;
        if (taken[i] + c->buffers[i].count + c->credits[i] != c->capacity)
            wrong =
                "credits, tokens behind a link and what is on its way are its capacity";
        if (is_listed != (c->buffers[i].count > 0))
            wrong = "a buffer is listed if tokens wait in it";
        waiting += c->buffers[i].count;
    }
    if (waiting != c->waiting)
        wrong = "tokens in buffers are counted";
    lib_mem_free(taken);
    return wrong;
}
