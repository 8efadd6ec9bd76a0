/* A crossbar with unlimited queues and bandwidth has a timetable (timetable.c), which does the same
 * faster while the machine advances. */
#include "machine/network/crossbar.h"

#include "isa/fire/fire.h"
#include "machine/events.h"
#include "machine/network/timetable.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"
#include "machine/verify.h"
#include "traces/links.h"

/* Counts what is counted apart, after the tables were read. */
static void crossbar_count(struct machine_crossbar *x)
{
    x->leaving_count = 0;
    for (uint32_t pe = 0; x->leaving && pe < x->pe_count; pe++)
        x->leaving_count += x->leaving[pe].when != 0;
}

MACHINE_TRANSIT_STATE
LIB_STATE(struct machine, machine_leaving, MACHINE_LEAVING_FIELDS)
LIB_STATE(struct machine, machine_link, MACHINE_LINK_FIELDS)
LIB_STATE(struct machine, machine_crossbar, MACHINE_CROSSBAR_FIELDS)

/* --- setting up and taking down --------------------------------------------------------------- */

static bool is_crossbar(const struct machine_settings *s)
{
    return s->network_topology == MACHINE_NETWORK_CROSSBAR && s->pe_count > 1 &&
           s->cluster_nodes == 0;
}

static uint32_t count_links(const struct machine_settings *s)
{
    return 2 * (uint32_t)s->pe_count;
}

static void describe(const struct machine_settings *s, struct traces_network *network)
{
    const uint32_t pes = (uint32_t)s->pe_count;
    network->link_count = count_links(s);
    network->is_flat = true;
    network->links = lib_mem_new(network->link_count * sizeof *network->links);
    for (uint32_t i = 0; i < network->link_count; i++) {
        struct traces_network_link *link = &network->links[i];
        const bool is_output = i < pes;
        link->from = is_output ? TRACES_NONE : 0;
        link->to = is_output ? 0 : TRACES_NONE;
        link->delay = !is_output ? 0 : s->network_latency ? s->network_latency : 1;
    }
}

/* A token takes at least a cycle between two ports. */
static bool raises_latency(const struct machine_settings *s)
{
    (void)s;
    return true;
}

static bool make(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    struct machine_network *n = &m->network;
    if (!is_crossbar(s))
        return false;
    struct machine_crossbar *x = n->crossbar;
    machine_network_begin(m, &machine_network_crossbar, count_links(s));
    x->pe_count = m->pe_count;
    x->bandwidth = s->network_bandwidth;
    x->pace = m->about.ticks;
    x->latency = s->network_latency > x->pace ? s->network_latency : x->pace;
    if (m->about.timing && x->bandwidth == 0)
        x->bandwidth = UINT64_MAX / 2;
    x->links = lib_mem_new(n->link_count * sizeof *x->links);
    x->rings = machine_rings_new(n->link_count);
    for (uint32_t i = 0; i < n->link_count; i++)
        machine_queue_init_in(&x->links[i].queue, x->rings, i);
    n->gone = (const char *)&x->links->stats.tokens;
    n->gone_step = sizeof *x->links;
    x->waiting = machine_set_new(n->link_count);
    x->transit = machine_transit_new(x->latency);
    if (m->code->has_tensors)
        x->leaving = lib_mem_new(x->pe_count * sizeof *x->leaving);
    x->timetable = machine_timetable_new(m);
    return true;
}

static void free_crossbar(struct machine *m, void *state)
{
    struct machine_crossbar *x = state;
    machine_crossbar_fields_free(m, x);
    machine_rings_free(x->rings);
    machine_timetable_free(x->timetable);
    machine_network_end(m);
}

/* Empties the queues. The timetable is closed; it reads the queues when opened. */
static void reset(struct machine *m, void *state)
{
    struct machine_crossbar *x = state;
    assert(!x->open);
    machine_crossbar_fields_clear(m, x);
    machine_network_clear(m);
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* Values that are the same for all tokens of a cycle; a copy, so that they can stay in
 * registers. */
struct now {
    struct machine *machine;
    struct machine_crossbar *crossbar;
    struct machine_link *links;
    uint64_t cycle;
    uint64_t capacity; /* max tokens of an input port; UINT64_MAX: unlimited */
    uint32_t pe_count;
    struct machine_set waiting;
    bool many;    /* the sets of links and of PEs may have a second level */
    bool is_long; /* a token may occupy a port for more than one cycle */
    bool tells;   /* emit events of queues */
    /* tokens that arrive at input ports in `latency` cycles */
    struct machine_way *soon;
};

/* `is_long` and `many`: constants, members of the result. */
ISA_FIRE_INLINE struct now begin(struct machine *m, const bool is_long, const bool many)
{
    struct machine_crossbar *x = m->network.crossbar;
    return (struct now){
        .machine = m,
        .crossbar = x,
        .links = x->links,
        .cycle = m->run.cycle,
        .capacity = m->output_room,
        .pe_count = x->pe_count,
        .waiting.words = x->waiting.words,
        .waiting.tops = many ? x->waiting.tops : NULL, /* so that nothing asks for it */
        .waiting.word_count = x->waiting.word_count,
        .many = many,
        .is_long = is_long,
        .soon = machine_transit_at(&x->transit, m->run.cycle + x->latency),
    };
}

/* Whether a token is a memory request, which alone goes to another PE than its activation's. */
static bool is_request(const struct machine *m, const struct isa_token *t)
{
    return machine_pe_of_token(m, t) != machine_token_pe(t);
}

/* Returns for how many cycles a token occupies a port of finite bandwidth, and adds them to the
 * link's statistics. */
static uint64_t occupy(const struct now *now, struct machine_link *link,
                       const struct isa_token *t)
{
    const struct machine_crossbar *x = now->crossbar;
    const uint64_t bits = machine_bits_on_way(now->machine, t,
                                              is_request(now->machine, t));
    const uint64_t cycles = machine_network_occupied(x->bandwidth, bits) * x->pace;
    link->stats.bits += bits;
    link->stats.busy += cycles;
    return cycles;
}

/* Whether a token with a tensor must stay in the input port of a PE until its last bits arrive. If
 * so, keeps it. */
static __attribute__((noinline)) bool keeps(const struct now *now,
                                            const struct machine_link *link, uint32_t pe,
                                            const struct isa_token *t)
{
    struct machine_crossbar *x = now->crossbar;
    struct machine_leaving *leaving = &x->leaving[pe];
    if (link->free <= now->cycle + x->pace ||
        machine_carried_bytes(now->machine, t, is_request(now->machine, t)) == 0)
        return false;
    assert(leaving->when == 0);
    *leaving = (struct machine_leaving){.token = *t, .when = link->free - x->pace};
    x->leaving_count++;
    return true;
}

static __attribute__((noinline)) void leave_ports(struct machine *m)
{
    struct machine_crossbar *x = m->network.crossbar;
    for (uint32_t pe = 0; pe < x->pe_count && x->leaving_count; pe++) {
        struct machine_leaving *leaving = &x->leaving[pe];
        if (leaving->when == 0 || leaving->when > m->run.cycle)
            continue;
        leaving->when = 0;
        x->leaving_count--;
        machine_put_input(m, pe, &leaving->token);
        machine_emit_entered(m, TRACES_PLACE_INPUT, pe, &leaving->token);
    }
}

/* Lets a token pass a port, which must be free. */
ISA_FIRE_INLINE void pass(const struct now *now, struct machine_link *link,
                          const struct isa_token *t)
{
    link->stats.tokens++;
    link->free = now->cycle + (now->is_long ? occupy(now, link, t) : 1);
    if (now->tells)
        machine_emit_queue(now->machine, TRACES_EVENT_LEFT, TRACES_PLACE_LINK,
                           (uint32_t)(link - now->links), t, link->free);
}

/* Adds a token to the queue before a link. */
ISA_FIRE_INLINE void put(const struct now *now, uint32_t at, const struct isa_token *t)
{
    struct machine_link *link = &now->links[at];
    link->stats.waits -= now->cycle;
    machine_set_add(&now->waiting, at);
    now->crossbar->some_wait = true;
    if (now->tells)
        machine_emit_entered(now->machine, TRACES_PLACE_LINK, at, t);
    machine_queue_put(&link->queue, t);
}

/* Delivers a token to the input queue of its PE. */
ISA_FIRE_INLINE void deliver(const struct now *now, struct machine_link *link,
                             uint32_t pe, const struct isa_token *t)
{
    pass(now, link, t);
    if (now->is_long && __builtin_expect(now->crossbar->leaving != NULL, 0) &&
        keeps(now, link, pe, t))
        return;
    machine_put_input_as(now->machine, pe, t, now->many);
    if (now->tells)
        machine_emit_entered(now->machine, TRACES_PLACE_INPUT, pe, t);
}

/* Whether a token may enter the input queue of a PE. If so, removes it from the count of the
 * link. */
ISA_FIRE_INLINE bool enter(const struct now *now, struct machine_link *link, uint32_t pe,
                           const bool unlimited)
{
    if (unlimited || !now->machine->has_queues)
        return true;
    if (!machine_backpressure_to_enter(now->machine, pe))
        return false;
    link->there--;
    return true;
}

/* Sends a token that has passed an output port in transit to its input port. Sorts it among those
 * that pass ports in this cycle, by the index of the output port. */
ISA_FIRE_INLINE void send(const struct now *now, uint32_t from, const struct isa_token *t,
                          uint32_t to)
{
    now->crossbar->transit.count++;
    struct machine_on_way *place = LIB_VEC_PUSH(&now->soon->tokens);
    for (; place > now->soon->tokens.items && place[-1].from > from; place--)
        *place = place[-1];
    *place = (struct machine_on_way){*t, to, from};
}

/* If at most this many tokens reach output ports in a cycle, each passes its port at once if it
 * can. If more do, all enter the queues before the ports, which are served in order of ports: that
 * is faster. */
enum { MAX_AT_ONCE = 16 };

/* Whether there is room for a token before an input port. If so, counts the token there. */
ISA_FIRE_INLINE bool move(const struct now *now, struct machine_link *to)
{
    if (to->there >= now->capacity) {
        now->machine->run.held_back = true;
        return false;
    }
    to->there++;
    now->machine->run.moved = true;
    return true;
}

/* Like `move`, but requires room for a token from every PE, so that the answer does not depend on
 * the order in which ports are served. `unlimited` is a constant: true if there is always room. */
ISA_FIRE_INLINE bool move_any(const struct now *now, uint32_t to, const bool unlimited)
{
    struct machine_link *link = &now->links[to];
    return unlimited ||
           (link->there + (uint64_t)now->pe_count <= now->capacity && move(now, link));
}

/* Moves tokens that PEs have sent to their output ports, and stores in each its destination: the PE
 * of its activation, or for a memory request (machine/pe/structure_memory.h) the PE of the element.
 * The last two parameters are constants. `at_once`: a token may pass a free port immediately. */
ISA_FIRE_INLINE void depart(const struct now *now, const bool unlimited,
                            const bool at_once)
{
    struct machine *m = now->machine;
    struct machine_wheel_slot *slot = machine_wheel_at(&m->network.departing, now->cycle);
    struct isa_token *t = slot->tokens;
    const bool few = at_once && slot->count <= MAX_AT_ONCE;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t from = machine_token_pe(t);
        struct machine_link *link = &now->links[from];
        uint32_t to = machine_pe_of_token(m, t);
        if (__builtin_expect(to == from, 0))
            to = machine_request_pe(m, t);
        machine_token_move_to(t, to);
        to += now->pe_count;
        if (few && machine_queue_count(&link->queue) == 0 && link->free <= now->cycle &&
            move_any(now, to, unlimited)) {
            pass(now, link, t);
            send(now, from, t, to);
        } else {
            put(now, from, t);
        }
    }
    slot->count = 0;
}

/* Moves tokens that arrive in this cycle to their input ports. With `at_once`, a token passes a
 * free port immediately if no token waits before it. That changes no order, as no other link leads
 * to the same input queue. */
ISA_FIRE_INLINE void arrive(const struct now *now, const bool unlimited,
                            const bool at_once)
{
    struct machine_transit *transit = &now->crossbar->transit;
    struct machine_way *way = machine_transit_at(transit, now->cycle);
    const struct machine_on_way *t = way->tokens.items;
    for (size_t left = way->tokens.count; left > 0; left--, t++) {
        struct machine_link *link = &now->links[t->link];
        const uint32_t pe = t->link - now->pe_count;
        if (at_once && machine_queue_count(&link->queue) == 0 &&
            link->free <= now->cycle && enter(now, link, pe, unlimited))
            deliver(now, link, pe, &t->token);
        else
            put(now, t->link, &t->token);
    }
    transit->count -= way->tokens.count;
    way->tokens.count = 0;
}

/* Removes and returns the oldest token before a link. */
ISA_FIRE_INLINE const struct isa_token *take(const struct now *now,
                                             struct machine_link *link)
{
    link->stats.waits += now->cycle;
    return machine_queue_oldest(&link->queue);
}

/* Serves a link: its oldest token passes if it can. `unlimited`: a constant. */
ISA_FIRE_INLINE void serve_link(const struct now *now, uint32_t at, const bool unlimited)
{
    struct machine_link *link = &now->links[at];
    if (link->free > now->cycle)
        return;
    if (at >= now->pe_count) {
        const uint32_t pe = at - now->pe_count;
        if (!enter(now, link, pe, unlimited))
            return;
        deliver(now, link, pe, take(now, link));
    } else {
        const struct isa_token *t = machine_queue_next(&link->queue, false);
        const uint32_t to = now->pe_count + machine_token_pe(t);
        if (!unlimited && now->machine->has_queues && !move(now, &now->links[to]))
            return;
        take(now, link);
        pass(now, link, t);
        send(now, at, t, to);
    }
    machine_queue_rewind(&link->queue);
    machine_set_remove_if(&now->waiting, at, machine_queue_count(&link->queue) == 0);
}

/* Serves links `first` to `end` - 1 before which tokens wait. */
ISA_FIRE_INLINE void serve_links(const struct now *now, uint32_t first, uint32_t end,
                                 const bool unlimited)
{
    uint32_t link;
    if (!now->crossbar->some_wait)
        return;
    MACHINE_SET_EACH(&now->waiting, link)
    {
        if (link >= first && link < end)
            serve_link(now, link, unlimited);
    }
}

/* Simulates a cycle with unlimited queues and finite bandwidth. `many`: a constant, whether the set
 * of waiting links may have a second level. */
ISA_FIRE_INLINE void serve_unlimited(struct machine *m, const bool many)
{
    const struct now now = begin(m, true, many);
    depart(&now, true, true);
    arrive(&now, true, true);
    serve_links(&now, 0, UINT32_MAX, true);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

/* Simulates a cycle with finite queues. Tokens that pass output ports see the input ports as they
 * were at the start of the cycle. */
ISA_FIRE_INLINE void serve_finite(struct machine *m, const bool is_long)
{
    const struct now now = begin(m, is_long, false);
    depart(&now, false, true);
    serve_links(&now, 0, now.pe_count, false);
    arrive(&now, false, true);
    serve_links(&now, now.pe_count, UINT32_MAX, false);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

/* Simulates a cycle with events, or of any other crossbar. */
static __attribute__((noinline)) void serve_any(struct machine *m)
{
    struct now now = begin(m, m->network.crossbar->bandwidth > 0, true);
    now.tells = m->watch.tells_queues;
    depart(&now, false, false);
    arrive(&now, false, false);
    serve_links(&now, 0, UINT32_MAX, false);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

static bool has_nothing_to_do(const struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    return x->leaving_count == 0 &&
           m->network.departing.slots[m->run.cycle & m->network.departing.mask].count ==
               0 &&
           machine_transit_at(&x->transit, m->run.cycle)->tokens.count == 0 &&
           !x->some_wait;
}

/* `serve` without an open timetable. Not inlined: a machine with one would save registers. */
static __attribute__((noinline)) void serve_queues(struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    if (has_nothing_to_do(m))
        return;
    const bool many = x->waiting.tops != NULL;
    if (x->leaving_count)
        leave_ports(m);
    if (m->watch.tells_queues || x->timetable || (m->has_queues && many))
        serve_any(m);
    else if (m->has_queues && x->bandwidth)
        serve_finite(m, true);
    else if (m->has_queues)
        serve_finite(m, false);
    else if (many)
        serve_unlimited(m, true);
    else
        serve_unlimited(m, false);
}

static void serve(struct machine *m)
{
    struct machine_timetable *const open = m->network.crossbar->open;
    if (open)
        machine_timetable_serve(m, open);
    else
        serve_queues(m);
}

/* Returns when an occupied link becomes free. With finite queues, free links wait for room. */
static __attribute__((noinline)) uint64_t next_free(const struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    uint64_t first = MACHINE_NEVER;
    uint32_t i;
    MACHINE_SET_EACH(&x->waiting, i)
    {
        uint64_t when = x->links[i].free;
        if (when <= m->run.cycle)
            when = m->has_queues ? MACHINE_NEVER : m->run.cycle + 1;
        first = when < first ? when : first;
    }
    return first;
}

static uint64_t next_leaving(const struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    uint64_t first = MACHINE_NEVER;
    for (uint32_t pe = 0; x->leaving_count && pe < x->pe_count; pe++)
        if (x->leaving[pe].when && x->leaving[pe].when < first)
            first = x->leaving[pe].when;
    return first;
}

/* `next` without an open timetable, not inlined either. */
static __attribute__((noinline)) uint64_t next_of_queues(const struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    if (x->some_wait && (m->has_queues ? m->run.moved : x->bandwidth == 0))
        return m->run.cycle + 1;
    const uint64_t free = x->some_wait ? next_free(m) : MACHINE_NEVER;
    const uint64_t arrival = machine_transit_next(&x->transit, m->run.cycle,
                                                  m->run.soonest);
    const uint64_t leaving = next_leaving(m);
    const uint64_t first = free < arrival ? free : arrival;
    return leaving < first ? leaving : first;
}

static uint64_t next(struct machine *m)
{
    const struct machine_timetable *const open = m->network.crossbar->open;
    return open ? machine_timetable_next(m, open) : next_of_queues(m);
}

static struct machine_wait waits(const struct machine *m)
{
    if (!m->network.crossbar->some_wait)
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static bool show_token(struct machine_audit *f, const struct isa_token *t)
{
    return machine_audit_token(f, t) && machine_audit_at_its_place(f, t);
}

static void show_queue(const struct machine *m, struct machine_audit *f, uint32_t at)
{
    const struct machine_crossbar *x = m->network.crossbar;
    const struct machine_queue *q = &x->links[at].queue;
    for (uint32_t i = q->head; i != q->tail; i++) {
        const struct isa_token *t = &q->tokens[i & q->mask];
        if (!show_token(f, t) ||
            !machine_must(f,
                          !machine_link_is_input(x, at) ||
                              at == machine_link_input(x, machine_token_pe(t)),
                          "a token goes through the input port of its PE"))
            return;
    }
}

static void show(const struct machine *m, struct machine_audit *f)
{
    const struct machine_crossbar *x = m->network.crossbar;
    for (uint64_t i = 0; i <= m->network.departing.mask; i++)
        machine_audit_leaving(f, &m->network.departing.slots[i]);
    for (uint64_t i = 0; i <= x->transit.mask; i++)
        for (size_t k = 0; k < x->transit.ways[i].tokens.count; k++)
            if (!show_token(f, &x->transit.ways[i].tokens.items[k].token))
                return;
    for (uint32_t i = 0; i < 2 * x->pe_count; i++)
        show_queue(m, f, i);
    for (uint32_t pe = 0; x->leaving_count && pe < x->pe_count; pe++) {
        const struct machine_leaving *leaving = &x->leaving[pe];
        if (leaving->when && show_token(f, &leaving->token) &&
            machine_must(f, machine_token_pe(&leaving->token) == pe,
                         "a token goes through the input port of its PE"))
            machine_audit_coming(f, pe);
    }
}

/* Counts for each link the tokens before it and on their way to it. */
static void count_there(const struct machine *m, struct machine_audit *f, uint64_t *there)
{
    const struct machine_crossbar *x = m->network.crossbar;
    for (uint64_t i = 0; i <= x->transit.mask; i++) {
        const size_t count = x->transit.ways[i].tokens.count;
        if (!machine_must(
                f,
                count <= x->pe_count &&
                    (count == 0 || ((i - m->run.cycle) & x->transit.mask) <= x->latency),
                "an output port lets one token through in a cycle"))
            return;
        for (size_t k = 0; k < count; k++) {
            const struct machine_on_way *t = &x->transit.ways[i].tokens.items[k];
            if (!machine_must(
                    f, t->link == machine_link_input(x, machine_token_pe(&t->token)),
                    "a token is on its way to a link"))
                return;
            there[t->link]++;
        }
    }
    for (uint32_t i = 0; i < 2 * x->pe_count; i++)
        there[i] += machine_queue_count(&x->links[i].queue);
    for (uint32_t pe = 0; pe < x->pe_count; pe++)
        there[pe] += machine_audit_left(f, pe);
}

static void check(const struct machine *m, struct machine_audit *f)
{
    const struct machine_crossbar *x = m->network.crossbar;
    uint64_t *there = lib_mem_new(2 * (size_t)x->pe_count * sizeof *there);
    uint64_t from = 0, to = 0; /* tokens that went between links */
    machine_audit_set(f, &x->waiting, 2 * x->pe_count);
    count_there(m, f, there);
    for (uint32_t i = 0; i < 2 * x->pe_count; i++) {
        const struct machine_link *link = &x->links[i];
        const bool is_output = i < x->pe_count;
        machine_must(
            f, machine_set_has(&x->waiting, i) == (machine_queue_count(&link->queue) > 0),
            "a link is listed if tokens wait before it");
        machine_must(f, x->bandwidth || link->free <= m->run.cycle + 1,
                     "a port is occupied for one cycle");
        machine_must(f, !m->has_queues || is_output || link->there == there[i],
                     "tokens before a link and on their way there are counted");
        machine_must(f,
                     !is_output || link->stats.tokens + there[i] ==
                                       m->tokens.pes[i].stats.network_tokens,
                     "what a PE sends goes through its output port");
        from += machine_link_is_input(x, i) ? 0 : link->stats.tokens;
        to += is_output ? 0 : link->stats.tokens + there[i];
    }
    machine_must(f, from == to, "tokens go from link to link");
    lib_mem_free(there);
}

static struct traces_link_stats measure(const struct machine *m, uint32_t at,
                                        uint64_t time)
{
    const struct machine_crossbar *x = m->network.crossbar;
    const struct machine_link *link = &x->links[at];
    struct traces_link_stats stats = link->stats;
    stats.waits += machine_queue_count(&link->queue) * time;
    stats.busy = x->bandwidth ? stats.busy : stats.tokens;
    return stats;
}

static void tell_queued(struct machine *m)
{
    const struct machine_crossbar *x = m->network.crossbar;
    for (uint32_t i = 0; i < m->network.link_count; i++)
        machine_emit_queue_entered(m, TRACES_PLACE_LINK, i, &x->links[i].queue);
}

const struct machine_network_kind machine_network_crossbar = {
    .part = {MACHINE_PART_STATE(network.crossbar), .make = make, .free = free_crossbar,
             .reset = reset, .serve = serve, .next = next, .waits = waits,
             .pack = machine_crossbar_fields_pack, .show = show, .check = check,
             .is_plain = true},
    .is = is_crossbar,
    .count_links = count_links,
    .describe = describe,
    .raises_latency = raises_latency,
    .measure = measure,
    .tell_queued = tell_queued,
};
