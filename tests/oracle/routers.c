/* "Networks of routers". */
#include "lib/random.h"
#include "tests/oracle/routers.h"

/* A request of the first token of a buffer. */
struct asks {
    unsigned in, channel; /* the buffer: link and channel */
    unsigned link, cls;
    bool gone;
};

/* --- routers and links --- */

void oracle_routers_make(struct oracle *o)
{
    const struct oracle_settings *s = o->s;
    const bool has_routers = s->topology > ORACLE_CROSSBAR || s->nodes > 0;
    if (!has_routers || s->pe_count == 1 || s->executor_workers)
        return;
    struct routers *n = o->routers = lib_mem_new(sizeof *n);
    n->s = s;
    n->sent = lib_mem_new(s->pe_count * sizeof *n->sent);
    oracle_shape_make(n);
    n->ins = lib_mem_new(n->router_count * sizeof *n->ins);
    n->outs = lib_mem_new(n->router_count * sizeof *n->outs);
    for (unsigned i = 0; i < n->links.count; i++) {
        if (n->links.items[i].to != NONE)
            *LIB_VEC_PUSH(&n->ins[n->links.items[i].to]) = i;
        if (n->links.items[i].from != NONE)
            *LIB_VEC_PUSH(&n->outs[n->links.items[i].from]) = i;
    }
    n->asks = lib_mem_new((n->links.count * s->network_channels + 1) * sizeof *n->asks);
    n->granted = lib_mem_new(n->links.count * s->network_channels + 1);
    for (size_t i = 0; i < n->links.count; i++) {
        struct link *link = &n->links.items[i];
        for (uint64_t v = 0; v < s->network_channels; v++)
            link->credits[v] = s->network_capacity;
        for (unsigned v = 0; v < MAX_CHANNELS; v++)
            link->left[v].place = NOWHERE;
        for (unsigned p = 0; p < MAX_PORTS; p++)
            link->users[p].place = NOWHERE;
        for (unsigned c = 0; c < MAX_CLASSES; c++)
            link->credited[c].place = NOWHERE;
    }
}

void oracle_routers_free(struct oracle *o)
{
    struct routers *n = o->routers;
    if (!n)
        return;
    for (size_t i = 0; i < n->links.count; i++) {
        LIB_VEC_FREE(&n->links.items[i].queue);
        for (unsigned v = 0; v < MAX_CHANNELS; v++)
            LIB_VEC_FREE(&n->links.items[i].buffers[v]);
    }
    LIB_VEC_FREE(&n->out);
    for (unsigned r = 0; r < n->router_count; r++) {
        LIB_VEC_FREE(&n->ins[r]);
        LIB_VEC_FREE(&n->outs[r]);
    }
    oracle_shape_free(n);
    lib_mem_free(n->ins);
    lib_mem_free(n->outs);
    LIB_VEC_FREE(&n->links);
    lib_mem_free(n->asks);
    lib_mem_free(n->granted);
    lib_mem_free(n->sent);
    lib_mem_free(n);
}

static bool is_injection(const struct routers *n, unsigned link)
{
    return link < n->s->pe_count;
}

static bool is_ejection(const struct routers *n, unsigned link)
{
    return link >= n->s->pe_count && link < 2 * n->s->pe_count;
}

bool oracle_routers_ejects(const struct oracle *o, unsigned link)
{
    return is_ejection(o->routers, link);
}

/* Number of links; of a crossbar, of ports. */
unsigned oracle_routers_links(const struct oracle *o)
{
    return o->routers ? (unsigned)o->routers->links.count : 2 * (unsigned)o->s->pe_count;
}

/* The queue before a link; before an injection, the output queue of the PE. */
static struct tokens *queue_before(struct oracle *o, unsigned link)
{
    return is_injection(o->routers, link) ? &o->pes[link].output
                                          : &o->routers->links.items[link].queue;
}

uint64_t oracle_cycle(const struct oracle *o)
{
    return o->s->scale && !oracle_wrong(o, CLOCK) ? o->s->scale : 1;
}

/* "The link is then occupied for o cycles". */
static uint64_t occupation(const struct oracle *o, unsigned link, const struct token *t)
{
    const bool is_inside = o->s->nodes && link < 2 * o->s->pe_count;
    const uint64_t own = o->routers ? o->routers->links.items[link].bandwidth : 0;
    const uint64_t bandwidth = own         ? own
                               : is_inside ? o->s->inside_bandwidth
                                           : o->s->network_bandwidth;
    return (bandwidth ? (t->bits + bandwidth - 1) / bandwidth : 1) * oracle_cycle(o);
}

/* Whether a link has a bandwidth of its own. */
bool oracle_routers_have_bandwidth(const struct oracle *o)
{
    for (size_t i = 0; o->routers && i < o->routers->links.count; i++)
        if (o->routers->links.items[i].bandwidth)
            return true;
    return false;
}

static uint64_t at_least_1(const struct oracle *o, uint64_t n)
{
    return n ? n : oracle_cycle(o);
}

/* Delay of the router behind a link: `network.router.latency`, or 0. */
uint64_t oracle_routers_router(const struct oracle *o, unsigned link)
{
    const struct routers *n = o->routers;
    const bool is_crossbar = n->s->topology == ORACLE_CROSSBAR;
    return is_ejection(n, link) || n->links.items[link].to < n->first || is_crossbar
               ? 0
               : n->s->network_router;
}

/* The tables of delays, without the length of a token. */
static uint64_t delay_of(const struct oracle *o, unsigned link)
{
    const struct routers *n = o->routers;
    const struct oracle_settings *s = n->s;
    const struct link *l = &n->links.items[link];
    const bool is_crossbar = s->topology == ORACLE_CROSSBAR;
    const uint64_t router = oracle_routers_router(o, link);
    if (is_ejection(n, link))
        return s->nodes ? 0 : s->network_ejection;
    if (is_injection(n, link))
        return at_least_1(o,
                          (s->nodes ? s->inside_latency : s->network_injection) + router);
    if (l->is_up)
        return at_least_1(o, is_crossbar ? s->network_latency
                                         : s->network_injection + router);
    if (l->is_down)
        return at_least_1(o, is_crossbar ? 0 : s->network_ejection);
    if (l->latency && !oracle_wrong(o, OWN))
        return l->latency * oracle_cycle(o) + router;
    if (l->is_global && s->network_global)
        return at_least_1(o, s->network_global + router);
    return at_least_1(o, s->network_latency + router);
}

/* The time of a token of `bits` bits that meets no other, by the deterministic way, until its last
 * bits have passed each link. */
uint64_t oracle_routers_lone(struct oracle *o, unsigned from, unsigned to, uint64_t bits)
{
    struct oracle_settings s = *o->s;
    s.routing = ORACLE_DETERMINISTIC;
    struct routers n = {.s = &s};
    struct route routes[MAX_ROUTES];
    struct token t = {.link = from, .from = from, .to = to, .via = NONE, .bits = bits};
    uint64_t time = 0;
    oracle_shape_make(&n);
    for (;; t.link = routes[0].link, t.cls = routes[0].cls) {
        time += delay_of(o, t.link) + occupation(o, t.link, &t) - 1;
        if (is_ejection(&n, t.link))
            break;
        oracle_routes(&n, &t, routes);
    }
    oracle_shape_free(&n);
    LIB_VEC_FREE(&n.links);
    return time;
}

/* "a token waits at a switch for its last bits if it leaves its node, or comes into one" */
static bool crosses_border(const struct routers *n, unsigned link, const struct token *t)
{
    const bool leaves = n->node_pes && is_injection(n, link) &&
                        t->to / n->node_pes != link / n->node_pes;
    return leaves || n->links.items[link].is_down;
}

/* --- passing a link ------------------------------------------------------------------------- */

static void pass_link(struct oracle *o, unsigned at, struct token t)
{
    struct routers *n = o->routers;
    const uint64_t cycles = occupation(o, at, &t);
    uint64_t delay = delay_of(o, at);
    if (is_ejection(n, at) || (o->s->stored && !oracle_wrong(o, STORED)) ||
        (crosses_border(n, at, &t) && !oracle_wrong(o, BORDER)))
        delay += cycles - oracle_cycle(o);
    n->links.items[at].free = o->now + cycles;
    oracle_use(o, &n->links.items[at].used, &t, cycles);
    o->moved = true;
    t.link = at;
    if (!is_injection(n, at) && !is_ejection(n, at))
        o->outcome->stats.hops++;
    if (is_ejection(n, at))
        o->pes[t.to].coming++;
    if (delay > 0) {
        oracle_put_event(o, ARRIVING, o->now + delay, &t);
        return;
    }
    oracle_put(&n->out, &t);
}

static bool has_room(const struct oracle *o, unsigned link)
{
    return oracle_room_in_queue(o, link - (unsigned)o->s->pe_count);
}

/* --- unlimited queues ------------------------------------------------------------------------- */

/* "It takes the one with the shortest queue, of equal ones the first." */
static void join_queue(struct oracle *o, struct token t)
{
    struct route routes[MAX_ROUTES];
    const unsigned count = oracle_routes(o->routers, &t, routes);
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++) {
        const size_t here = queue_before(o, routes[i].link)->count;
        const size_t there = queue_before(o, routes[best].link)->count;
        if (here < there || (here == there && i == 1 && oracle_wrong(o, SHORTEST)))
            best = i;
    }
    t.cls = routes[best].cls;
    oracle_stand(o, queue_before(o, routes[best].link), &t);
}

static void pass_queues(struct oracle *o)
{
    struct routers *n = o->routers;
    for (unsigned i = 0; i < n->links.count; i++) {
        if (queue_before(o, i)->count == 0 || n->links.items[i].free > o->now)
            continue;
        if (is_ejection(n, i) && !has_room(o, i)) {
            o->held_back = true;
            continue;
        }
        struct token t = oracle_take(queue_before(o, i), 0);
        oracle_why_port(o, &t, i, n->links.items[i].free);
        pass_link(o, i, t);
    }
}

/* --- finite buffers ------------------------------------------------------------------- */

/* The channels of a class: from `first` to before `end`. */
static void channels_of(const struct routers *n, unsigned link, unsigned cls,
                        unsigned *first, unsigned *end)
{
    const unsigned all = (unsigned)n->s->network_channels, classes = n->all_classes;
    *first = 0;
    *end = all;
    if (n->links.items[link].is_up || n->links.items[link].is_down)
        return;
    *end = 0;
    for (unsigned c = 0; c <= cls; c++) {
        *first = *end;
        *end += all / classes + (c < all % classes);
    }
}

/* Credits of some channels; `best`: the channel with the most, or NONE. */
static uint64_t credits_of(const struct link *link, unsigned first, unsigned end,
                           unsigned *best)
{
    uint64_t sum = 0;
    *best = NONE;
    for (unsigned v = first; v < end; v++) {
        sum += link->credits[v];
        if (link->credits[v] &&
            (*best == NONE || link->credits[v] > link->credits[*best]))
            *best = v;
    }
    return sum;
}

static void pass_to(struct oracle *o, unsigned at, unsigned channel, struct token t)
{
    o->routers->links.items[at].credits[channel]--;
    t.channel = channel;
    pass_link(o, at, t);
}

static void pass_injections(struct oracle *o)
{
    struct routers *n = o->routers;
    for (unsigned i = 0; i < n->s->pe_count; i++) {
        unsigned channel;
        if (queue_before(o, i)->count == 0 || n->links.items[i].free > o->now)
            continue;
        credits_of(&n->links.items[i], 0, (unsigned)n->s->network_channels, &channel);
        if (channel == NONE) {
            o->held_back = true;
            continue;
        }
        struct token t = oracle_take(queue_before(o, i), 0);
        oracle_why_injects(o, &t, i);
        pass_to(o, i, channel, t);
    }
}

/* What "a token asks for". Returns false if it asks for nothing. */
static bool ask(struct oracle *o, const struct token *t, const struct asks *before,
                unsigned others, struct asks *asks)
{
    const struct routers *n = o->routers;
    struct route routes[MAX_ROUTES];
    const unsigned count = oracle_routes(n, t, routes);
    long most = 0;
    bool lacks = false, escapes = false, any = false;
    for (unsigned i = 0; i < count; i++) {
        const struct route *r = &routes[i];
        unsigned first, end, best;
        if (n->links.items[r->link].free > o->now)
            continue;
        channels_of(n, r->link, r->cls, &first, &end);
        const uint64_t room = is_ejection(n, r->link)
                                  ? has_room(o, r->link)
                                  : credits_of(&n->links.items[r->link], first, end,
                                               &best);
        lacks |= room == 0;
        if (room == 0 && is_ejection(n, r->link))
            oracle_why_no_room(o, r->link - (unsigned)n->s->pe_count);
        if (room == 0 || (any && r->escapes && !escapes))
            continue;
        long left = (long)room;
        for (unsigned k = 0; k < others && !oracle_wrong(o, HERD); k++)
            left -= before[k].link == r->link;
        if (!any || left > most) {
            any = true;
            most = left;
            escapes = r->escapes;
            asks->link = r->link;
            asks->cls = r->cls;
        }
    }
    o->held_back |= !any && lacks;
    return any;
}

static unsigned free_ports(const struct oracle *o, unsigned link)
{
    unsigned count = 0;
    for (unsigned i = 0; i < o->s->network_speedup; i++)
        count += o->routers->links.items[link].ports[i] <= o->now;
    return count;
}

/* The index of a link among those into, or out of, its router; and their number. */
static unsigned place_of(const struct routers *n, unsigned link, bool comes,
                         unsigned *all)
{
    const struct link *l = &n->links.items[link];
    const struct numbers *links = comes ? &n->ins[l->to] : &n->outs[l->from];
    unsigned place = 0;
    while (links->items[place] != link)
        place++;
    *all = (unsigned)links->count;
    return place;
}

static unsigned around(unsigned from, unsigned to, unsigned all)
{
    return (to + all - from) % all;
}

static const struct token *token_of(const struct oracle *o, const struct asks *a)
{
    return &o->routers->links.items[a->in].buffers[a->channel].items[0];
}

/* Whether the output prefers `a` to `b`, which comes before it. */
static bool grants(const struct oracle *o, const struct asks *a, const struct asks *b)
{
    const struct routers *n = o->routers;
    unsigned all = 1;
    if (o->s->oldest)
        return token_of(o, a)->born < token_of(o, b)->born;
    const unsigned at = n->links.items[a->link].grants_at;
    const unsigned of_a = place_of(n, a->in, true, &all);
    const unsigned of_b = place_of(n, b->in, true, &all);
    if (a->in != b->in)
        return around(at, of_a, all) < around(at, of_b, all);
    const unsigned v = n->links.items[a->in].channel_at;
    return around(v, a->channel, (unsigned)o->s->network_channels) <
           around(v, b->channel, (unsigned)o->s->network_channels);
}

/* Whether the input prefers `a` to `b`. */
static bool accepts(const struct oracle *o, const struct asks *a, const struct asks *b)
{
    const struct routers *n = o->routers;
    unsigned all = 1;
    if (o->s->oldest && token_of(o, a)->born != token_of(o, b)->born)
        return token_of(o, a)->born < token_of(o, b)->born;
    const unsigned of_a = place_of(n, a->link, false, &all);
    const unsigned of_b = place_of(n, b->link, false, &all);
    const unsigned at = o->s->oldest ? 0 : n->links.items[a->in].accepts_at;
    return around(at, of_a, all) < around(at, of_b, all);
}

static void pass_accepted(struct oracle *o, struct asks *a, bool moves)
{
    struct routers *n = o->routers;
    struct link *in = &n->links.items[a->in];
    in->count--;
    struct token t = oracle_take(&in->buffers[a->channel], 0);
    oracle_why_leaves(o, &t, a->in, a->link, a->cls);
    const uint64_t cycles = occupation(o, a->link, &t);
    const uint64_t delay = delay_of(o, a->in), router = oracle_routers_router(o, a->in);
    uint64_t back = delay > router ? delay - router : 0;
    unsigned port = 0, first, end, channel, all = 1;
    back += o->s->network_credit;
    while (in->ports[port] > o->now)
        port++;
    in->ports[port] = o->now + cycles;
    const struct token credit = {.link = a->in, .channel = a->channel, .place = t.place};
    if (!oracle_wrong(o, CREDIT))
        oracle_put_event(o, CREDIT, o->now + cycles - 1 + (back ? back : 1), &credit);
    a->gone = true;
    if (moves && !o->s->oldest && !oracle_wrong(o, POINTERS)) {
        n->links.items[a->link].grants_at = place_of(n, a->in, true, &all) + 1;
        n->links.items[a->link].grants_at %= all;
        in->accepts_at = place_of(n, a->link, false, &all) + 1;
        in->accepts_at %= all;
        in->channel_at = (a->channel + 1) % (unsigned)o->s->network_channels;
    }
    t.cls = a->cls;
    if (is_ejection(n, a->link)) {
        pass_link(o, a->link, t);
        return;
    }
    channels_of(n, a->link, a->cls, &first, &end);
    credits_of(&n->links.items[a->link], first, end, &channel);
    pass_to(o, a->link, channel, t);
}

static unsigned gather(struct oracle *o, unsigned router, struct asks *asks)
{
    struct routers *n = o->routers;
    unsigned count = 0;
    for (unsigned k = 0; k < n->ins[router].count; k++) {
        const unsigned i = n->ins[router].items[k];
        if (n->links.items[i].count == 0 || free_ports(o, i) == 0)
            continue;
        for (unsigned v = 0; v < n->s->network_channels; v++) {
            const struct tokens *buffer = &n->links.items[i].buffers[v];
            asks[count] = (struct asks){.in = i, .channel = v};
            count += buffer->count &&
                     ask(o, &buffer->items[0], asks, count, &asks[count]);
        }
    }
    return count;
}

/* Step 1 of a round: marks what is granted. Returns whether anything is. */
static bool grant_round(const struct oracle *o, const struct asks *asks, unsigned count,
                        bool *granted)
{
    const struct routers *n = o->routers;
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        granted[i] = !asks[i].gone && n->links.items[asks[i].link].free <= o->now &&
                     free_ports(o, asks[i].in) > 0;
        for (unsigned k = 0; k < i && granted[i]; k++) {
            if (!granted[k] || asks[k].link != asks[i].link)
                continue;
            granted[k] = !grants(o, &asks[i], &asks[k]);
            granted[i] = !granted[k];
        }
        any |= granted[i];
    }
    return any;
}

/* A pass of step 2. Returns whether any input accepts. */
static bool accept_pass(struct oracle *o, unsigned router, struct asks *asks,
                        unsigned count, const bool *granted, bool moves)
{
    bool any = false;
    const struct numbers *ins = &o->routers->ins[router];
    for (size_t k = 0; k < ins->count; k++) {
        const unsigned in = ins->items[k];
        struct asks *best = NULL;
        for (unsigned i = 0; i < count; i++)
            if (granted[i] && !asks[i].gone && asks[i].in == in &&
                free_ports(o, in) > 0 && (!best || accepts(o, &asks[i], best)))
                best = &asks[i];
        if (best)
            pass_accepted(o, best, moves);
        any |= best != NULL;
    }
    return any;
}

static void serve_router(struct oracle *o, unsigned router)
{
    struct asks *asks = o->routers->asks;
    bool *granted = o->routers->granted;
    const unsigned count = gather(o, router, asks);
    for (unsigned round = 0; round < o->s->network_iterations; round++) {
        if (!grant_round(o, asks, count, granted))
            return;
        for (unsigned i = 0; i < o->s->network_speedup; i++)
            if (!accept_pass(o, router, asks, count, granted, round == 0))
                break;
    }
}

/* --- steps ---------------------------------------------------------------------------------- */

void oracle_routers_depart(struct oracle *o, struct token t)
{
    struct routers *n = o->routers;
    oracle_nodes_send(o, &t);
    t.via = NONE;
    t.cls = t.channel = 0;
    t.born = o->now;
    if (o->s->routing == ORACLE_VALIANT && o->s->topology != ORACLE_CROSSBAR) {
        const uint64_t w = lib_random_draw(o->seed, LIB_RANDOM_ROUTING, t.from,
                                           n->sent[t.from]++);
        const unsigned between = n->router_count - n->first;
        t.via = n->first + (unsigned)(((unsigned __int128)w * between) >> 64);
    }
    oracle_stand(o, &o->pes[t.from].output, &t);
}

void oracle_routers_arrive(struct oracle *o, const struct token *t)
{
    struct routers *n = o->routers;
    if (is_ejection(n, t->link)) {
        oracle_put(&n->out, t);
    } else if (o->s->network_capacity) {
        oracle_stand(o, &n->links.items[t->link].buffers[t->channel], t);
        n->links.items[t->link].count++;
    } else {
        join_queue(o, *t);
    }
}

/* An injection has one class. */
void oracle_routers_credit(struct oracle *o, const struct token *t, uint64_t cycle)
{
    const struct routers *n = o->routers;
    const struct link *link = &n->links.items[t->link];
    unsigned first = 0, end = (unsigned)n->s->network_channels, cls = 0, best;
    if (!is_injection(n, t->link))
        for (channels_of(n, t->link, cls, &first, &end); t->channel >= end;)
            channels_of(n, t->link, ++cls, &first, &end);
    if (credits_of(link, first, end, &best) == 0)
        oracle_why_credit(o, t->link, cls, t->place, cycle);
    o->routers->links.items[t->link].credits[t->channel]++;
}

static void pass_buffers(struct oracle *o)
{
    struct routers *n = o->routers;
    pass_injections(o);
    for (unsigned r = 0; r < n->router_count; r++)
        serve_router(o, r);
}

/* Steps 2 and 3. */
void oracle_routers_pass(struct oracle *o)
{
    struct routers *n = o->routers;
    if (o->s->network_capacity)
        pass_buffers(o);
    else
        pass_queues(o);
    for (size_t i = 0; i < n->out.count; i++)
        oracle_nodes_come(o, &n->out.items[i]);
    n->out.count = 0;
}

/* --- "How time goes on" --------------------------------------------------------------- */

uint64_t oracle_routers_add(struct oracle *o, oracle_add_link *add_up, uint64_t *most)
{
    const struct routers *n = o->routers;
    for (unsigned i = 0; i < n->links.count; i++)
        add_up(o, &n->links.items[i].used, queue_before(o, i), most);
    return n->links.count;
}

bool oracle_routers_have_tokens(const struct oracle *o)
{
    const struct routers *n = o->routers;
    for (size_t i = 0; n && i < n->links.count; i++) {
        if (n->links.items[i].queue.count || n->links.items[i].count)
            return true;
    }
    return false;
}

void oracle_routers_next(struct oracle *o, uint64_t *cycle)
{
    struct routers *n = o->routers;
    bool waits = oracle_routers_have_tokens(o);
    for (unsigned pe = 0; pe < n->s->pe_count; pe++)
        waits |= o->pes[pe].output.count > 0;
    for (unsigned i = 0; i < n->links.count; i++) {
        const uint64_t free = n->links.items[i].free;
        const bool counts = o->s->network_capacity ? waits
                                                   : queue_before(o, i)->count > 0;
        if (counts && free > o->now && free < *cycle)
            *cycle = free;
    }
    for (size_t i = 0; waits && i < o->events.count; i++)
        if (o->events.items[i].list == CREDIT && o->events.items[i].cycle < *cycle)
            *cycle = o->events.items[i].cycle;
}
