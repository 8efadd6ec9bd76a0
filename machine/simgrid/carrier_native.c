#include "machine/simgrid/carrier.h"

#include "lib/heap.h"

#include <math.h>

struct message {
    const uint32_t *way; /* links that the head of the message has not reached */
    uint32_t left;
    uint32_t from, to;
    double bytes;
    double tail; /* date when the last byte has passed the last link */
    uint64_t number;
};

/* Arrival of the head of a message at a link. */
struct event {
    double date;
    uint64_t number;
    uint32_t message;
};

struct link {
    double free;
    double second_per_byte, latency;
    bool is_shared;
};

struct carrier {
    struct machine_carrier base;
    const struct machine_platform *platform;
    struct link *links;
    double now;
    LIB_VEC(struct message) messages;
    LIB_VEC(uint32_t) unused;
    LIB_VEC(struct event) events; /* heap by date */
    LIB_VEC(struct machine_simgrid_done) done;
    bool was_told; /* `done` was returned to the caller */
};

/* --- the heap --------------------------------------------------------------------------------- */

static inline bool is_before(const struct event *a, const struct event *b)
{
    return a->date < b->date || (a->date == b->date && a->number < b->number);
}

/* --- links ------------------------------------------------------------------------------------ */

static void has_come(struct carrier *c, uint32_t place)
{
    const struct message *m = &c->messages.items[place];
    if (c->was_told)
        c->done.count = 0;
    c->was_told = false;
    *LIB_VEC_PUSH(&c->done) = (struct machine_simgrid_done){m->tail, m->number};
    *LIB_VEC_PUSH(&c->unused) = place;
}

/* Moves the head of a message to the next link of its route. */
static void pass(struct carrier *c, uint32_t place, double date)
{
    struct message *m = &c->messages.items[place];
    struct link *link = &c->links[*m->way];
    const double busy = m->bytes * link->second_per_byte;
    double begins = date;
    if (link->is_shared) {
        begins = link->free > date ? link->free : date;
        link->free = begins + busy;
    }
    const double head = begins + link->latency, tail = head + busy;
    m->tail = m->tail + link->latency > tail ? m->tail + link->latency : tail;
    m->way++;
    if (--m->left == 0) {
        has_come(c, place);
    } else {
        const struct event e = {head, m->number, place};
        LIB_HEAP_PUT(&c->events, &e, is_before);
    }
}

static uint32_t place_of_new(struct carrier *c)
{
    if (c->unused.count)
        return c->unused.items[--c->unused.count];
    (void)LIB_VEC_PUSH(&c->messages);
    return (uint32_t)c->messages.count - 1;
}

static void send(struct machine_carrier *base, uint64_t number, uint32_t from,
                 uint32_t to, uint64_t bytes)
{
    struct carrier *c = (struct carrier *)base;
    const struct machine_platform_way way = machine_platform_way(c->platform, from, to);
    const uint32_t place = place_of_new(c);
    c->messages.items[place] = (struct message){.way = way.links,
                                                .left = way.count,
                                                .from = from,
                                                .to = to,
                                                .bytes = (double)bytes,
                                                .number = number};
    pass(c, place, c->now); /* the last event of this date */
}

static const struct machine_simgrid_done *advance(struct machine_carrier *base,
                                                  double date, size_t *count)
{
    struct carrier *c = (struct carrier *)base;
    if (c->was_told)
        c->done.count = 0;
    while (c->events.count && c->events.items[0].date <= date) {
        struct event e;
        LIB_HEAP_TAKE(&c->events, &e, is_before);
        pass(c, e.message, e.date);
    }
    c->now = date;
    c->was_told = true;
    *count = c->done.count;
    return c->done.items;
}

static double next(struct machine_carrier *base)
{
    const struct carrier *c = (const struct carrier *)base;
    if (!c->was_told && c->done.count)
        return c->now;
    return c->events.count ? c->events.items[0].date : INFINITY;
}

/* --- all of it -------------------------------------------------------------------------------- */

static void pack_message(struct lib_pack *pack, struct carrier *c, struct message *m)
{
    LIB_PACK(pack, m->left, m->from, m->to, m->bytes, m->tail, m->number);
    if (!lib_pack_reads(pack) ||
        !lib_pack_expect(pack, m->from < c->platform->node_count &&
                                   m->to < c->platform->node_count))
        return;
    const struct machine_platform_way way = machine_platform_way(c->platform, m->from,
                                                                 m->to);
    if (lib_pack_expect(pack, m->left <= way.count))
        m->way = way.links + (way.count - m->left);
}

static void pack_carrier(struct lib_pack *pack, struct machine_carrier *base)
{
    struct carrier *c = (struct carrier *)base;
    LIB_PACK(pack, c->now);
    for (uint32_t i = 0; i < c->platform->link_count; i++)
        LIB_PACK(pack, c->links[i].free);
    LIB_PACK_EACH(pack, &c->messages, m, { pack_message(pack, c, m); });
    LIB_PACK_VEC(pack, &c->unused);
    lib_pack_bool(pack, &c->was_told);
    LIB_PACK_EACH(pack, &c->done, d, { LIB_PACK(pack, d->date, d->number); });
    LIB_PACK_EACH(pack, &c->events, e, {
        LIB_PACK(pack, e->date, e->number, e->message);
        lib_pack_expect(pack, e->message < c->messages.count);
    });
    for (size_t i = 0; i < c->unused.count; i++)
        lib_pack_expect(pack, c->unused.items[i] < c->messages.count);
}

static void free_carrier(struct machine_carrier *base)
{
    struct carrier *c = (struct carrier *)base;
    LIB_VEC_FREE(&c->messages, &c->unused, &c->events, &c->done);
    LIB_MEM_FREE(c->links, c);
}

struct machine_carrier *machine_carrier_native(const struct machine_platform *p)
{
    struct carrier *c = lib_mem_new(sizeof *c);
    c->base = (struct machine_carrier){send, advance, next, pack_carrier, free_carrier};
    c->platform = p;
    c->links = lib_mem_new((p->link_count + 1) * sizeof *c->links);
    for (uint32_t i = 0; i < p->link_count; i++)
        c->links[i] = (struct link){
            .second_per_byte = 1 / (p->links[i].bandwidth * p->bandwidth_factor),
            .latency = p->links[i].latency * p->latency_factor,
            .is_shared = p->links[i].is_shared};
    return &c->base;
}
