/* Connects a machine with a crossbar (machine/network/crossbar.h): its part, state and audit. */
#include "machine/network/crossbar.h"

#include "machine/describe.h"
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

static bool make(struct machine *m, void *state)
{
    const struct machine_settings *s = &m->settings;
    struct machine_network *n = &m->network;
    if (!is_crossbar(s))
        return false;
    struct machine_crossbar *x = state;
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
    if (x->bandwidth == 0 && !m->about.has_input_bounds && !m->about.network_capacity)
        x->timetable = machine_timetable_new(x->pe_count, x->latency);
    return true;
}

static void free_crossbar(struct machine *m, void *state)
{
    struct machine_crossbar *x = state;
    machine_crossbar_fields_free(m, x);
    machine_rings_free(x->rings);
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

/* --- what it needs of the machine ------------------------------------------------------------- */

static uint32_t request_pe(const void *context, const struct isa_token *t)
{
    return machine_request_pe(context, t);
}

static uint64_t bits_of(const void *context, const struct isa_token *t, bool is_request)
{
    return machine_bits_on_way(context, t, is_request);
}

static uint64_t tensor_bytes_of(const void *context, const struct isa_token *t,
                                bool is_request)
{
    return machine_carried_bytes(context, t, is_request);
}

static void tell_entered(void *context, enum traces_place place, uint32_t number,
                         const struct isa_token *t)
{
    machine_emit_entered(context, place, number, t);
}

static void tell_left(void *context, uint32_t link, const struct isa_token *t,
                      uint64_t until)
{
    machine_emit_queue(context, TRACES_EVENT_LEFT, TRACES_PLACE_LINK, link, t, until);
}

static void join(struct machine *m)
{
    m->network.crossbar->outside = (struct machine_crossbar_outside){
        .places = {&m->tokens.exec.tags, m->machine_of, m->machine_pes},
        .departing = &m->network.departing,
        .pes = m->tokens.pes,
        .with_input = m->tokens.with_input,
        .has_queues = m->has_queues,
        .rooms = m->rooms,
        .port_room = m->output_room,
        .context = m,
        .request_pe = request_pe,
        .token_bits = m->token_bits,
        .label_bits = m->label_bits,
        .bits = bits_of,
        .tensor_bytes = tensor_bytes_of,
        .token_entered = tell_entered,
        .token_left = tell_left,
    };
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* `serve` without an open timetable. Not inlined: a machine with one would save registers. */
static __attribute__((noinline)) void serve_queues(struct machine *m,
                                                   struct machine_crossbar *x)
{
    machine_crossbar_step(x, m->run.cycle, m->watch.tells_queues);
    m->run.moved |= x->moved;
    m->run.held_back |= x->held_back;
}

static void serve(struct machine *m, void *state)
{
    struct machine_crossbar *const x = state;
    if (x->open)
        machine_timetable_serve(x->open, &x->outside, m->run.cycle);
    else if (!machine_crossbar_is_idle(x, m->run.cycle))
        serve_queues(m, x);
}

static uint64_t next(struct machine *m, void *state)
{
    const struct machine_crossbar *const x = state;
    if (x->open)
        return machine_timetable_next(x->open, m->run.cycle, m->run.soonest);
    return machine_crossbar_next(x, m->run.cycle, m->run.soonest, !m->run.moved);
}

/* Does nothing for a few cycles only, as that is not worth while. */
void machine_network_open(struct machine *m, uint64_t cycle)
{
    struct machine_crossbar *x = m->network.crossbar;
    if (x && x->timetable && m->run.running && !m->watch.tells_queues &&
        cycle - m->run.cycle > m->pe_count)
        machine_timetable_open(x, m->run.cycle);
}

bool machine_network_close(struct machine *m)
{
    struct machine_crossbar *x = m->network.crossbar;
    const bool is_open = x && x->open;
    if (is_open)
        machine_timetable_close(x);
    return is_open;
}

void machine_network_reopen(struct machine *m)
{
    machine_timetable_open(m->network.crossbar, m->network.crossbar->timetable->done);
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    const struct machine_crossbar *x = state;
    if (!x->some_wait)
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static bool show_token(struct machine_audit *f, const struct isa_token *t)
{
    return machine_audit_token(f, t) && machine_audit_at_its_place(f, t);
}

static void show_queue(const struct machine_crossbar *x, struct machine_audit *f,
                       uint32_t at)
{
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

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_crossbar *x = state;
    (void)m;
    for (uint64_t i = 0; i <= x->transit.mask; i++)
        for (size_t k = 0; k < x->transit.ways[i].tokens.count; k++)
            if (!show_token(f, &x->transit.ways[i].tokens.items[k].token))
                return;
    for (uint32_t i = 0; i < 2 * x->pe_count; i++)
        show_queue(x, f, i);
    for (uint32_t pe = 0; x->leaving_count && pe < x->pe_count; pe++) {
        const struct machine_leaving *leaving = &x->leaving[pe];
        if (leaving->when && show_token(f, &leaving->token) &&
            machine_must(f, machine_token_pe(&leaving->token) == pe,
                         "a token goes through the input port of its PE"))
            machine_audit_coming(f, pe);
    }
}

/* Counts for each link the tokens before it and on their way to it. */
static void count_there(const struct machine *m, const struct machine_crossbar *x,
                        struct machine_audit *f, uint64_t *there)
{
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

static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_crossbar *x = state;
    uint64_t *there = lib_mem_new(2 * (size_t)x->pe_count * sizeof *there);
    uint64_t from = 0, to = 0; /* tokens that went between links */
    machine_audit_set(f, &x->waiting, 2 * x->pe_count);
    count_there(m, x, f, there);
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
    .join = join,
};
