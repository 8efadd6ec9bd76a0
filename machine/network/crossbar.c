/* The crossbar, cycle by cycle. With unlimited queues and bandwidth it has a timetable
 * (timetable.c), which does the same faster while the machine advances. crossbar_part.c connects it
 * to a machine. */
#include "machine/network/crossbar.h"

#include "isa/fire/fire.h"

/* Values that are the same for all tokens of a cycle; a copy, so that they can stay in
 * registers. */
struct now {
    const struct machine_crossbar_outside *out;
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
ISA_FIRE_INLINE struct now begin(struct machine_crossbar *x, uint64_t cycle,
                                 const bool is_long, const bool many)
{
    return (struct now){
        .out = &x->outside,
        .crossbar = x,
        .links = x->links,
        .cycle = cycle,
        .capacity = x->outside.port_room,
        .pe_count = x->pe_count,
        .waiting.words = x->waiting.words,
        .waiting.tops = many ? x->waiting.tops : NULL, /* so that nothing asks for it */
        .waiting.word_count = x->waiting.word_count,
        .many = many,
        .is_long = is_long,
        .soon = machine_transit_at(&x->transit, cycle + x->latency),
    };
}

/* Whether a token is a memory request, which alone goes to another PE than its activation's. */
static bool is_request(const struct machine_crossbar_outside *out,
                       const struct isa_token *t)
{
    return machine_crossbar_home(&out->places, t) != machine_token_pe(t);
}

static inline uint64_t bits_of(const struct machine_crossbar *x,
                               const struct isa_token *t)
{
    const struct machine_crossbar_outside *out = &x->outside;
    const bool asks = is_request(out, t);
    if (__builtin_expect(asks || x->leaving, 0))
        return out->bits(out->context, t, asks);
    return out->token_bits +
           (uint64_t)isa_activations_get(out->places.activations, isa_token_tag(t))
                   ->depth *
               out->label_bits;
}

/* Returns for how many cycles a token occupies a port of finite bandwidth, and adds them to the
 * link's statistics. */
static uint64_t occupy(const struct machine_crossbar *x, struct machine_link *link,
                       const struct isa_token *t)
{
    const uint64_t bits = bits_of(x, t);
    const uint64_t cycles = (bits + x->bandwidth - 1) / x->bandwidth * x->pace;
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
    const struct machine_crossbar_outside *out = now->out;
    if (link->free <= now->cycle + x->pace ||
        out->tensor_bytes(out->context, t, is_request(out, t)) == 0)
        return false;
    assert(leaving->when == 0);
    *leaving = (struct machine_leaving){.token = *t, .when = link->free - x->pace};
    x->leaving_count++;
    return true;
}

static __attribute__((noinline)) void leave_ports(struct machine_crossbar *x,
                                                  uint64_t now, bool tells)
{
    const struct machine_crossbar_outside *out = &x->outside;
    for (uint32_t pe = 0; pe < x->pe_count && x->leaving_count; pe++) {
        struct machine_leaving *leaving = &x->leaving[pe];
        if (leaving->when == 0 || leaving->when > now)
            continue;
        leaving->when = 0;
        x->leaving_count--;
        machine_crossbar_deliver(out, pe, &leaving->token, true);
        if (tells)
            out->token_entered(out->context, TRACES_PLACE_INPUT, pe, &leaving->token);
    }
}

/* Lets a token pass a port, which must be free. */
ISA_FIRE_INLINE void pass(const struct now *now, struct machine_link *link,
                          const struct isa_token *t)
{
    link->stats.tokens++;
    link->free = now->cycle + (now->is_long ? occupy(now->crossbar, link, t) : 1);
    if (now->tells)
        now->out->token_left(now->out->context, (uint32_t)(link - now->links), t,
                             link->free);
}

/* Adds a token to the queue before a link. */
ISA_FIRE_INLINE void put(const struct now *now, uint32_t at, const struct isa_token *t)
{
    struct machine_link *link = &now->links[at];
    link->stats.waits -= now->cycle;
    machine_set_add(&now->waiting, at);
    now->crossbar->some_wait = true;
    if (now->tells)
        now->out->token_entered(now->out->context, TRACES_PLACE_LINK, at, t);
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
    machine_crossbar_deliver(now->out, pe, t, now->many);
    if (now->tells)
        now->out->token_entered(now->out->context, TRACES_PLACE_INPUT, pe, t);
}

/* Whether a token may enter the input queue of a PE. If so, removes it from the count of the
 * link. */
ISA_FIRE_INLINE bool enter(const struct now *now, struct machine_link *link, uint32_t pe,
                           const bool unlimited)
{
    if (unlimited || !now->out->has_queues)
        return true;
    struct machine_pe *const p = &now->out->pes[pe];
    if (!machine_pe_has_entry(p, &now->out->rooms[pe])) {
        now->crossbar->held_back = true;
        return false;
    }
    now->crossbar->moved = true;
    p->came++;
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
        now->crossbar->held_back = true;
        return false;
    }
    to->there++;
    now->crossbar->moved = true;
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
    const struct machine_crossbar_places places = now->out->places;
    struct machine_wheel_slot *slot = machine_wheel_at(now->out->departing, now->cycle);
    struct isa_token *t = slot->tokens;
    const bool few = at_once && slot->count <= MAX_AT_ONCE;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t from = machine_token_pe(t);
        struct machine_link *link = &now->links[from];
        uint32_t pe = machine_crossbar_home(&places, t);
        if (__builtin_expect(pe == from, 0))
            pe = now->out->request_pe(now->out->context, t);
        const uint32_t to = now->pe_count + pe;
        machine_token_move_to(t, pe);
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
        if (!unlimited && now->out->has_queues && !move(now, &now->links[to]))
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
ISA_FIRE_INLINE void serve_unlimited(struct machine_crossbar *x, uint64_t cycle,
                                     const bool many)
{
    const struct now now = begin(x, cycle, true, many);
    depart(&now, true, true);
    arrive(&now, true, true);
    serve_links(&now, 0, UINT32_MAX, true);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

/* Simulates a cycle with finite queues. Tokens that pass output ports see the input ports as they
 * were at the start of the cycle. */
ISA_FIRE_INLINE void serve_finite(struct machine_crossbar *x, uint64_t cycle,
                                  const bool is_long)
{
    const struct now now = begin(x, cycle, is_long, false);
    depart(&now, false, true);
    serve_links(&now, 0, now.pe_count, false);
    arrive(&now, false, true);
    serve_links(&now, now.pe_count, UINT32_MAX, false);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

/* Simulates a cycle with events, or of any other crossbar. */
static __attribute__((noinline)) void serve_any(struct machine_crossbar *x,
                                                uint64_t cycle, bool tells)
{
    struct now now = begin(x, cycle, x->bandwidth > 0, true);
    now.tells = tells;
    depart(&now, false, false);
    arrive(&now, false, false);
    serve_links(&now, 0, UINT32_MAX, false);
    now.crossbar->some_wait = !machine_set_is_empty(&now.waiting);
}

/* The above, each compiled by itself, so that it keeps its values in registers. */
static __attribute__((noinline)) void serve_long(struct machine_crossbar *x,
                                                 uint64_t cycle)
{
    serve_finite(x, cycle, true);
}

static __attribute__((noinline)) void serve_short(struct machine_crossbar *x,
                                                  uint64_t cycle)
{
    serve_finite(x, cycle, false);
}

static __attribute__((noinline)) void serve_many(struct machine_crossbar *x,
                                                 uint64_t cycle)
{
    serve_unlimited(x, cycle, true);
}

static __attribute__((noinline)) void serve_few(struct machine_crossbar *x,
                                                uint64_t cycle)
{
    serve_unlimited(x, cycle, false);
}

void machine_crossbar_step(struct machine_crossbar *x, uint64_t now, bool tells)
{
    const bool many = x->waiting.tops != NULL, has_queues = x->outside.has_queues;
    x->moved = x->held_back = false;
    if (x->leaving_count)
        leave_ports(x, now, tells);
    if (tells || x->timetable || (has_queues && many))
        serve_any(x, now, tells);
    else if (has_queues && x->bandwidth)
        serve_long(x, now);
    else if (has_queues)
        serve_short(x, now);
    else if (many)
        serve_many(x, now);
    else
        serve_few(x, now);
}

/* --- when next -------------------------------------------------------------------------------- */

/* Returns when an occupied link becomes free. With finite queues, free links wait for room. */
static uint64_t next_free(const struct machine_crossbar *x, uint64_t now)
{
    uint64_t first = MACHINE_NEVER;
    uint32_t i;
    MACHINE_SET_EACH(&x->waiting, i)
    {
        uint64_t when = x->links[i].free;
        if (when <= now)
            when = x->outside.has_queues ? MACHINE_NEVER : now + 1;
        first = when < first ? when : first;
    }
    return first;
}

static uint64_t next_leaving(const struct machine_crossbar *x)
{
    uint64_t first = MACHINE_NEVER;
    for (uint32_t pe = 0; x->leaving_count && pe < x->pe_count; pe++)
        if (x->leaving[pe].when && x->leaving[pe].when < first)
            first = x->leaving[pe].when;
    return first;
}

/* Returns the first of `arrival` and the cycles in which an occupied link becomes free or a token
 * leaves an input port. */
static __attribute__((noinline)) uint64_t next_of_ports(const struct machine_crossbar *x,
                                                        uint64_t now, uint64_t arrival)
{
    const uint64_t free = x->some_wait ? next_free(x, now) : MACHINE_NEVER;
    const uint64_t leaving = next_leaving(x);
    const uint64_t first = free < arrival ? free : arrival;
    return leaving < first ? leaving : first;
}

uint64_t machine_crossbar_next(const struct machine_crossbar *x, uint64_t now,
                               uint64_t end, bool is_stuck)
{
    if (x->some_wait && (x->outside.has_queues ? !is_stuck : x->bandwidth == 0))
        return now + 1;
    const uint64_t arrival = machine_transit_next(&x->transit, now, end);
    return x->some_wait || x->leaving_count ? next_of_ports(x, now, arrival) : arrival;
}
