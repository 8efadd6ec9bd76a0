#include "machine/network/timetable.h"

#include "isa/fire/fire.h"
#include "machine/network/crossbar.h"

enum { FIRST_CAPACITY = 64 };

/* Links all entries from `from` on into the list of unused ones. */
static void chain(struct machine_timetable *t, uint32_t from)
{
    for (uint32_t i = from; i < t->capacity; i++)
        t->entries[i].next = i + 1 < t->capacity ? i + 1 : 0;
    t->unused = from;
}

static __attribute__((cold, noinline)) void grow(struct machine_timetable *t)
{
    const uint32_t before = t->capacity;
    t->capacity *= 2;
    t->entries = lib_mem_resize(t->entries, t->capacity * sizeof *t->entries);
    chain(t, before);
}

/* Makes room for a cycle that is `ahead` cycles after the current one. */
static __attribute__((cold, noinline)) void lengthen(struct machine_timetable *t,
                                                     uint64_t now, uint64_t ahead)
{
    const uint64_t before = t->mask;
    struct machine_due *const dues = t->dues;
    while (t->mask < ahead)
        t->mask = 2 * t->mask + 1;
    t->dues = lib_mem_new((t->mask + 1) * sizeof *t->dues);
    for (uint64_t d = 0; d <= before; d++)
        t->dues[(now + d) & t->mask] = dues[(now + d) & before];
    lib_mem_free(dues);
}

struct machine_timetable *machine_timetable_new(uint32_t pe_count, uint64_t latency)
{
    struct machine_timetable *t = lib_mem_new(sizeof *t);
    t->latency = latency;
    t->mask = FIRST_CAPACITY - 1;
    while (t->mask < t->latency)
        t->mask = 2 * t->mask + 1;
    t->dues = lib_mem_new((t->mask + 1) * sizeof *t->dues);
    t->capacity = FIRST_CAPACITY;
    t->entries = lib_mem_new(t->capacity * sizeof *t->entries);
    chain(t, 1);
    t->outputs = lib_mem_new(2 * (size_t)pe_count * sizeof *t->outputs);
    t->inputs = t->outputs + pe_count;
    t->present = machine_set_new(pe_count);
    t->entry_of = lib_mem_new(pe_count * sizeof *t->entry_of);
    return t;
}

LIB_STATE(void, machine_timetable, MACHINE_TIMETABLE_FIELDS)

void machine_timetable_free(struct machine_timetable *t)
{
    if (t)
        machine_timetable_fields_free(NULL, t);
    lib_mem_free(t);
}

/* Values that are the same for all tokens of a cycle; a copy, so that they can stay in
 * registers. */
struct now {
    const struct machine_crossbar_outside *out;
    struct machine_timetable *table;
    uint64_t cycle;
    struct machine_timed *entries;
    uint32_t unused;
};

/* Lets a token arrive at a port. Returns the cycle in which the token passes. */
ISA_FIRE_INLINE uint64_t pass(struct machine_timed_port *port, uint64_t now)
{
    const uint64_t when = port->free > now ? port->free : now;
    port->free = when + 1;
    port->tokens++;
    port->waits += when - now;
    return when;
}

ISA_FIRE_INLINE void enter(struct now *now, uint32_t *list, uint32_t entry)
{
    now->entries[entry].next = *list;
    *list = entry;
}

ISA_FIRE_INLINE uint32_t take_unused(struct now *now)
{
    if (__builtin_expect(now->unused == 0, 0)) {
        grow(now->table);
        now->entries = now->table->entries;
        now->unused = now->table->unused;
    }
    const uint32_t entry = now->unused;
    now->unused = now->entries[entry].next;
    return entry;
}

/* Lets tokens that PEs have sent arrive at their output ports. Each token extends the occupation of
 * a port by at most one cycle. */
ISA_FIRE_INLINE void depart(struct now *now, struct machine_wheel_slot *slot)
{
    const struct machine_crossbar_outside *const out = now->out;
    struct machine_timetable *const t = now->table;
    const uint64_t cycle = now->cycle, latency = t->latency;
    uint64_t last = t->last > cycle ? t->last : cycle;
    if (__builtin_expect(last - cycle + slot->count + latency > t->mask, 0))
        lengthen(t, cycle, last - cycle + slot->count + latency);
    struct machine_due *const dues = t->dues;
    const uint64_t mask = t->mask;
    struct machine_timed_port *const outputs = t->outputs;
    const struct isa_token *token = slot->tokens;
    for (size_t left = slot->count; left > 0; left--, token++) {
        const uint32_t from = machine_token_pe(token);
        uint32_t to = machine_crossbar_home(&out->places, token);
        if (__builtin_expect(to == from, 0))
            to = out->request_pe(out->context, token);
        const uint64_t when = pass(&outputs[from], cycle);
        last = when > last ? when : last;
        const uint32_t entry = take_unused(now);
        struct machine_timed *e = &now->entries[entry];
        e->token = *token;
        machine_token_move_to(&e->token, to);
        e->from = from;
        enter(now, &dues[(when + latency) & mask].coming, entry);
    }
    t->last = last;
    slot->count = 0;
}

/* `many` here and below: a constant, as for machine_crossbar_deliver. */
ISA_FIRE_INLINE void deliver(struct now *now, uint32_t entry, uint32_t pe,
                             const bool many)
{
    machine_crossbar_deliver(now->out, pe, &now->entries[entry].token, many);
    enter(now, &now->unused, entry);
}

ISA_FIRE_INLINE void leave(struct now *now, uint32_t list, const bool many)
{
    for (uint32_t entry = list, next; entry; entry = next) {
        const uint32_t pe = machine_token_pe(&now->entries[entry].token);
        next = now->entries[entry].next;
        now->table->inputs[pe].from = 0;
        deliver(now, entry, pe, many);
    }
}

/* Sorts a list by output ports, each of which has at most one token in it. */
static uint32_t sorted(struct machine_timetable *t, uint32_t list)
{
    uint32_t at, first = 0;
    if (list == 0 || t->entries[list].next == 0)
        return list;
    for (uint32_t entry = list; entry; entry = t->entries[entry].next) {
        t->entry_of[t->entries[entry].from] = entry;
        machine_set_add(&t->present, t->entries[entry].from);
    }
    MACHINE_SET_EACH_DOWN(&t->present, at)
    {
        const uint32_t entry = t->entry_of[at];
        t->entries[entry].next = first;
        first = entry;
        machine_set_remove(&t->present, at);
    }
    return first;
}

/* Puts tokens that found their input ports occupied in the lists of the cycles in which they will
 * pass. */
static __attribute__((noinline)) void put_off(struct machine_timetable *t, uint64_t now,
                                              uint32_t list)
{
    for (uint32_t entry = sorted(t, list), next; entry; entry = next) {
        struct machine_timed *e = &t->entries[entry];
        const uint64_t when = pass(&t->inputs[machine_token_pe(&e->token)], now);
        next = e->next;
        if (when - now > t->mask)
            lengthen(t, now, when - now);
        t->last_leaving = when > t->last_leaving ? when : t->last_leaving;
        uint32_t *const leaving = &t->dues[when & t->mask].leaving;
        e->next = *leaving;
        *leaving = entry;
    }
}

/* Handles a token `e` if another token, from a later output port, has already passed the input port
 * in this cycle: `e` passes instead, and the other one, the newest in the input queue, waits. */
static __attribute__((noinline)) void give_way(struct now *now, struct machine_timed *e)
{
    const uint32_t pe = machine_token_pe(&e->token);
    struct machine_queue *const queue = &now->out->pes[pe].input;
    struct machine_timed_port *const port = &now->table->inputs[pe];
    const struct machine_timed before = {.token = *machine_queue_newest(queue),
                                         .from = port->from};
    machine_queue_put(queue, &e->token);
    port->from = e->from;
    e->token = before.token;
    e->from = before.from;
}

/* Handles tokens that arrive at input ports; the order matters only among those for one port.
 * Returns a list of those that found their port occupied. */
ISA_FIRE_INLINE uint32_t arrive(struct now *now, uint32_t list, const bool many)
{
    struct machine_timed_port *const inputs = now->table->inputs;
    uint32_t others = 0;
    for (uint32_t entry = list, next; entry; entry = next) {
        struct machine_timed *const e = &now->entries[entry];
        const uint32_t pe = machine_token_pe(&e->token);
        struct machine_timed_port *const port = &inputs[pe];
        next = e->next;
        if (port->free <= now->cycle) {
            port->free = now->cycle + 1;
            port->tokens++;
            port->from = e->from;
            deliver(now, entry, pe, many);
        } else {
            if (e->from < port->from)
                give_way(now, e);
            enter(now, &others, entry);
        }
    }
    return others;
}

ISA_FIRE_INLINE void serve(struct machine_timetable *t,
                           const struct machine_crossbar_outside *out, uint64_t cycle,
                           struct machine_wheel_slot *slot, struct machine_due due,
                           const bool many)
{
    struct now now = {out, t, cycle, t->entries, t->unused};
    if (slot->count)
        depart(&now, slot);
    leave(&now, due.leaving, many);
    const uint32_t others = arrive(&now, due.coming, many);
    t->unused = now.unused;
    if (others)
        put_off(t, now.cycle, others);
}

static __attribute__((noinline)) void
serve_few(struct machine_timetable *t, const struct machine_crossbar_outside *out,
          uint64_t cycle, struct machine_wheel_slot *slot, struct machine_due due)
{
    serve(t, out, cycle, slot, due, false);
}

static __attribute__((noinline)) void
serve_many(struct machine_timetable *t, const struct machine_crossbar_outside *out,
           uint64_t cycle, struct machine_wheel_slot *slot, struct machine_due due)
{
    serve(t, out, cycle, slot, due, true);
}

void machine_timetable_serve(struct machine_timetable *t,
                             const struct machine_crossbar_outside *out, uint64_t now)
{
    struct machine_wheel_slot *slot = machine_wheel_at(out->departing, now);
    struct machine_due *const at = &t->dues[now & t->mask];
    const struct machine_due due = *at;
    t->done = now + 1;
    if (slot->count | due.coming | due.leaving) {
        *at = (struct machine_due){0, 0};
        if (__builtin_expect(out->with_input.tops != NULL, 0))
            serve_many(t, out, now, slot, due);
        else
            serve_few(t, out, now, slot, due);
    }
}

uint64_t machine_timetable_next(const struct machine_timetable *t, uint64_t now,
                                uint64_t end)
{
    if (t->last > now)
        return now + 1;
    if (t->last + t->latency <= now && t->last_leaving <= now)
        return MACHINE_NEVER;
    for (uint64_t d = 1; d <= t->mask && now + d < end; d++) {
        const struct machine_due *due = &t->dues[(now + d) & t->mask];
        if (due->coming | due->leaving)
            return now + d;
    }
    return MACHINE_NEVER;
}

/* Puts a token in the list of a cycle that is not over yet. */
static void enter_at(struct machine_timetable *t, const struct isa_token *token,
                     uint32_t from, uint64_t when, bool is_leaving)
{
    if (t->unused == 0)
        grow(t);
    if (when - t->done > t->mask)
        lengthen(t, t->done, when - t->done);
    struct machine_due *due = &t->dues[when & t->mask];
    uint32_t *const list = is_leaving ? &due->leaving : &due->coming;
    const uint32_t entry = t->unused;
    struct machine_timed *e = &t->entries[entry];
    t->unused = e->next;
    *e = (struct machine_timed){.token = *token, .from = from, .next = *list};
    *list = entry;
}

static struct machine_timed_port timed(const struct machine_link *link)
{
    return (struct machine_timed_port){
        .free = link->free, .waits = link->stats.waits, .tokens = link->stats.tokens};
}

static void open_queue(struct machine_timetable *t, struct machine_queue *queue,
                       uint32_t pe, bool is_input)
{
    struct machine_timed_port *port = is_input ? &t->inputs[pe] : &t->outputs[pe];
    while (machine_queue_count(queue)) {
        const uint64_t when = pass(port, t->done);
        port->waits += t->done;
        enter_at(t, machine_queue_oldest(queue), pe, is_input ? when : when + t->latency,
                 is_input);
        uint64_t *const last = is_input ? &t->last_leaving : &t->last;
        *last = when > *last ? when : *last;
    }
    machine_queue_rewind(queue);
}

/* Puts the tokens between ports in lists. To keep their order, indexes serve as output ports, which
 * are not known any more. */
static void open_ways(struct machine_timetable *t, struct machine_crossbar *x)
{
    for (uint64_t d = 0; d <= x->transit.mask; d++) {
        struct machine_way *way = machine_transit_at(&x->transit, t->done + d);
        for (size_t i = 0; i < way->tokens.count; i++)
            enter_at(t, &way->tokens.items[i].token, (uint32_t)i, t->done + d, false);
        way->tokens.count = 0;
    }
    x->transit.count = 0;
}

void machine_timetable_open(struct machine_crossbar *x, uint64_t done)
{
    struct machine_timetable *t = x->timetable;
    uint32_t link;
    t->done = done;
    t->last = done ? done - 1 : 0;
    t->last_leaving = 0;
    for (uint32_t pe = 0; pe < x->pe_count; pe++) {
        t->outputs[pe] = timed(&x->links[pe]);
        t->inputs[pe] = timed(&x->links[machine_link_input(x, pe)]);
    }
    open_ways(t, x);
    MACHINE_SET_EACH(&x->waiting, link)
    {
        const bool is_input = machine_link_is_input(x, link);
        open_queue(t, &x->links[link].queue, is_input ? link - x->pe_count : link,
                   is_input);
        machine_set_remove(&x->waiting, link);
    }
    x->some_wait = false;
    x->open = t;
}

/* Puts a token back in the queue before a link, after those that arrived earlier. */
static void close_queue(struct machine_crossbar *x, uint32_t at,
                        const struct isa_token *token, uint64_t when)
{
    struct machine_link *link = &x->links[at];
    link->stats.tokens--;
    link->stats.waits -= when;
    machine_queue_put(&link->queue, token);
    machine_set_add(&x->waiting, at);
    x->some_wait = true;
}

static void close_cycle(struct machine_crossbar *x, uint64_t when)
{
    struct machine_timetable *t = x->open;
    struct machine_due *due = &t->dues[when & t->mask];
    struct machine_way *way = machine_transit_at(&x->transit, when);
    const bool is_sent = when < t->done + t->latency;
    for (uint32_t i = sorted(t, due->coming); i; i = t->entries[i].next) {
        const struct machine_timed *e = &t->entries[i];
        const uint32_t to = machine_link_input(x, machine_token_pe(&e->token));
        if (is_sent)
            *LIB_VEC_PUSH(&way->tokens) = (struct machine_on_way){e->token, to, e->from};
        else
            close_queue(x, e->from, &e->token, when - t->latency);
        x->transit.count += is_sent;
    }
    for (uint32_t i = due->leaving; i; i = t->entries[i].next) {
        const struct isa_token *token = &t->entries[i].token;
        close_queue(x, machine_link_input(x, machine_token_pe(token)), token, when);
    }
    *due = (struct machine_due){0, 0};
}

static void close_port(struct machine_link *link, const struct machine_timed_port *port,
                       uint64_t done)
{
    link->free = port->free < done ? port->free : done;
    link->stats.tokens = port->tokens;
    link->stats.waits = port->waits;
}

void machine_timetable_close(struct machine_crossbar *x)
{
    struct machine_timetable *t = x->open;
    for (uint32_t pe = 0; pe < x->pe_count; pe++) {
        close_port(&x->links[pe], &t->outputs[pe], t->done);
        close_port(&x->links[machine_link_input(x, pe)], &t->inputs[pe], t->done);
    }
    for (uint64_t d = 0; d <= t->mask; d++)
        close_cycle(x, t->done + d);
    chain(t, 1);
    x->open = NULL;
}
