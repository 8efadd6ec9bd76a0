/* "Ports": arrays that the host feeds, and what waits for feeds. */
#include "tests/oracle/state.h"

#include <stdlib.h>
#include <string.h>

/* --- the arrays of ports ------------------------------------------------------------------ */

/* The PORT of an array, by its number among those of all input ports, or NULL. */
static const struct instr *port_instr(const struct oracle *o, uint32_t number)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (o->graph->nodes[n].op == ISA_OP_PORT && o->graph->nodes[n].index == number)
            return &o->instrs[n];
    return NULL;
}

/* The port of an open array is stored plus 1. */
static void open_array(struct oracle *o, struct array *a, const struct instr *instr,
                       const struct activation *tag, uint32_t port)
{
    a->name = oracle_hash(instr, tag, oracle_wrong(o, UNNAMED) ? 1 : 0);
    a->port = port + 1;
}

/* Before cycle 0. */
void oracle_ports_make(struct oracle *o)
{
    const struct isa_graph *graph = o->graph;
    o->ports = lib_mem_new((graph->port_count + 1) * sizeof *o->ports);
    o->port_arrays = lib_mem_new((graph->array_count + 1) * sizeof *o->port_arrays);
    for (uint32_t p = 0; p < graph->port_count; p++) {
        const struct isa_port *port = &graph->ports[p];
        for (uint32_t k = 0; k < port->part_count && port->is_input; k++) {
            const struct instr *instr = port_instr(o, port->first + k);
            if (!instr)
                continue;
            const struct firing f = {.instr = instr,
                                     .tag = o->root,
                                     .pe = oracle_pe_on(o, instr, o->root->place)};
            struct array *a = oracle_alloc(o, &f, 0).array;
            open_array(o, a, instr, o->root, p);
            a->references = 2; /* the host's, and its PORT's */
            o->port_arrays[port->first + k] = a;
        }
    }
}

void oracle_ports_free(struct oracle *o)
{
    LIB_VEC_FREE(&o->askers);
    lib_mem_free(o->ports);
    lib_mem_free(o->port_arrays);
}

/* PORT. */
struct value oracle_port_value(const struct oracle *o, uint32_t number)
{
    struct array *a = o->port_arrays[number];
    return (struct value){oracle_reference_word(a->name, 0), a, 0};
}

static uint32_t port_of(const struct oracle *o, uint32_t number)
{
    for (uint32_t p = 0; p < o->graph->port_count; p++) {
        const struct isa_port *port = &o->graph->ports[p];
        if (port->is_input && number >= port->first &&
            number < port->first + port->part_count)
            return p;
    }
    abort();
}

uint64_t oracle_port_length(const struct oracle *o, uint32_t number)
{
    return o->ports[port_of(o, number)].fed;
}

/* OPEN. */
struct value oracle_follow_port(struct oracle *o, const struct firing *f, uint32_t number)
{
    const uint32_t port = port_of(o, number);
    struct value made = oracle_alloc(o, f, o->ports[port].fed);
    open_array(o, made.array, f->instr, f->tag, port);
    if (o->ports[port].closed || oracle_wrong(o, FOLLOWS))
        made.array->port = 0;
    made.word = oracle_reference_word(made.array->name, 0);
    return made;
}

/* --- what waits ------------------------------------------------------------------------------- */

void oracle_port_wait(struct oracle *o, const struct firing *f, struct value array,
                      uint64_t index)
{
    const struct deferred d = {f->instr, f->tag, f->depth, f->pe, array};
    *LIB_VEC_PUSH(&o->askers) = (struct asker){.d = d,
                                               .index = index,
                                               .port = array.array->port - 1,
                                               .place = oracle_why_firing(o)};
    f->tag->live++;
    oracle_share(o, f->tag, f->instr->node->machine, 1);
    oracle_refer(array);
    o->deferred++;
    o->outcome->stats.port_waits++;
}

void oracle_port_ask(struct oracle *o, struct value array, uint64_t index)
{
    if (array.array->port == 0)
        return;
    struct port *port = &o->ports[array.array->port - 1];
    const bool is_there = index < array.array->length;
    if (index >= port->asked && !(is_there && oracle_wrong(o, TAKEN)))
        port->asked = index + 1;
}

/* Without the time of a tensor unit. */
static uint64_t plain_delay(const struct oracle *o, const struct instr *instr,
                            unsigned pe)
{
    const struct token none = {.instr = instr};
    if (o->s->executor_workers)
        return 0;
    return oracle_firing(o, &none, pe).delay;
}

static void answer(struct oracle *o, const struct asker *a)
{
    const struct deferred *d = &a->d;
    const struct array *array = d->address.array;
    struct value sent = {0};
    struct firing f = {d->instr, d->tag, d->pe, plain_delay(o, d->instr, d->pe),
                       d->depth, false,  0};
    if (d->instr->node->op == ISA_OP_INDEX)
        sent = (struct value){oracle_reference_word(array->name, a->index),
                              d->address.array, a->index};
    else if (d->instr->node->op == ISA_OP_MORE)
        sent.word = a->index < array->length;
    else
        sent.word = array->length;
    f.depth += oracle_wrong(o, DEEPER);
    f.delay = oracle_wrong(o, INSTANT) ? 1 : f.delay;
    o->sender = d->pe;
    oracle_why_hosted(o, a, o->now + f.delay);
    oracle_account_value(o, &f, sent);
    oracle_send_list(o, &f, 0, d->tag, sent, false);
    if (o->now + f.delay > o->outcome->stats.cycles)
        o->outcome->stats.cycles = o->now + f.delay;
    o->deferred--;
    oracle_unrefer(o, d->address);
    oracle_release(o, d->tag, d->instr->node->machine);
}

static bool is_answered(const struct oracle *o, const struct asker *a, uint32_t port)
{
    const struct array *array = a->d.address.array;
    if (a->port != port)
        return false;
    return o->ports[port].closed ||
           (a->d.instr->node->op != ISA_OP_LENGTH && a->index < array->length);
}

/* In the order of waiting. */
static void answer_all(struct oracle *o, uint32_t port)
{
    for (size_t i = 0; i < o->askers.count;) {
        const size_t at = oracle_wrong(o, RECENT) ? o->askers.count - 1 - i : i;
        const struct asker a = o->askers.items[at];
        if (!is_answered(o, &a, port)) {
            i++;
            continue;
        }
        memmove(&o->askers.items[at], &o->askers.items[at + 1],
                (o->askers.count - at - 1) * sizeof a);
        o->askers.count--;
        answer(o, &a);
    }
}

/* --- feeds ---------------------------------------------------------------------------- */

static void add_element(struct array *a, struct oracle *o)
{
    a->elements = lib_mem_resize(a->elements, (a->length + 2) * sizeof *a->elements);
    a->elements[a->length] = (struct element){0};
    a->length++;
    o->elements++;
    oracle_note_room(o, a, false);
}

static struct isa_tensor *copy_of(struct oracle *o, const struct isa_tensor *from)
{
    struct isa_tensor *t = isa_tensor_new(&o->tensors, &from->shape);
    if (from->bytes)
        memcpy(t->data, from->data, from->bytes);
    isa_tensor_seal(t, true);
    return t;
}

static struct value fed_value(struct oracle *o, const struct array *a, uint32_t number,
                              const struct oracle_fed *fed)
{
    struct value v = {.word = fed->word};
    if (!fed->tensor)
        return v;
    const struct firing f = {.instr = port_instr(o, number), .tag = o->root, .pe = a->pe};
    v = oracle_alloc(o, &f, 0);
    v.array->tensor = copy_of(o, fed->tensor);
    oracle_note_room(o, v.array, false);
    v.word = v.array->tensor->word;
    return v;
}

/* Whether feeds to an array are dropped, as only the host refers to it. */
static bool is_dropped(const struct array *a)
{
    return a->references == 1;
}

static void write_parts(struct oracle *o, const struct oracle_feed *feed)
{
    const struct isa_port *port = &o->graph->ports[feed->port];
    for (uint32_t k = 0; k < port->part_count; k++) {
        struct array *a = o->port_arrays[port->first + k];
        if (!a || is_dropped(a))
            continue;
        const struct value v = fed_value(o, a, port->first + k, &feed->parts[k]);
        add_element(a, o);
        struct element *e = &a->elements[a->length - 1];
        e->written = true;
        e->value = v;
        if (a->written.number == 0 || o->now > a->written.time)
            a->written = (struct written){o->now, UINT64_MAX, 0};
    }
    for (struct array *a = o->arrays; a; a = a->next) {
        bool is_own = false;
        for (uint32_t k = 0; k < port->part_count; k++)
            is_own = is_own || a == o->port_arrays[port->first + k];
        if (a->port == feed->port + 1 && !is_own)
            add_element(a, o);
    }
}

/* Whether an INDEX waits at a closed port: a trap. */
static bool index_waits(const struct oracle *o, uint32_t port)
{
    for (size_t i = 0; i < o->askers.count; i++)
        if (o->askers.items[i].port == port &&
            o->askers.items[i].d.instr->node->op == ISA_OP_INDEX)
            return true;
    return false;
}

static void close_port(struct oracle *o, uint32_t number)
{
    const struct isa_port *port = &o->graph->ports[number];
    if (index_waits(o, number)) {
        oracle_trap(o);
        return;
    }
    o->ports[number].closed = true;
    answer_all(o, number);
    for (struct array *a = o->arrays; a; a = a->next)
        a->port = a->port == number + 1 ? 0 : a->port;
    for (uint32_t k = 0; k < port->part_count; k++) {
        struct array *a = o->port_arrays[port->first + k];
        if (a)
            oracle_unrefer(o, (struct value){0, a, 0});
    }
}

static uint64_t bytes_of(const struct oracle *o, const struct oracle_feed *feed)
{
    const struct isa_port *port = &o->graph->ports[feed->port];
    uint64_t arrays = o->structures, elements = o->elements, bytes = o->tensors.used;
    for (const struct array *a = o->arrays; a; a = a->next)
        elements += a->port == feed->port + 1;
    for (uint32_t k = 0; k < port->part_count; k++) {
        const struct array *a = o->port_arrays[port->first + k];
        elements -= a && is_dropped(a);
        if (!a || is_dropped(a) || !feed->parts[k].tensor)
            continue;
        arrays++;
        bytes += feed->parts[k].tensor->bytes;
    }
    return oracle_array_bytes(arrays, elements) + bytes;
}

/* Whether an element has no room, which ends the run. */
static bool is_refused(struct oracle *o, const struct oracle_feed *feed)
{
    const struct port *port = &o->ports[feed->port];
    const uint64_t capacity = o->s->port_capacity;
    if (capacity && port->fed >= port->asked + capacity) {
        oracle_end(o, ORACLE_LIMIT, "port.capacity");
        return true;
    }
    if (oracle_memory_refuses(o, feed)) {
        oracle_end(o, ORACLE_LIMIT, "memory.capacity");
        return true;
    }
    if (o->s->limit_memory && bytes_of(o, feed) > o->s->limit_memory) {
        oracle_end(o, ORACLE_LIMIT, "limits.memory");
        return true;
    }
    return false;
}

static void apply(struct oracle *o, const struct oracle_feed *feed)
{
    if (!feed->closes && is_refused(o, feed))
        return;
    o->fed_at = o->now;
    if (feed->closes) {
        close_port(o, feed->port);
        return;
    }
    o->ports[feed->port].fed++;
    o->outcome->stats.feeds++;
    write_parts(o, feed);
    answer_all(o, feed->port);
}

static uint64_t ticks(const struct oracle *o)
{
    return o->s->scale ? o->s->scale : 1;
}

/* The cycle of the next feed; NOWHERE: none, or when the run waits. */
uint64_t oracle_next_feed(const struct oracle *o)
{
    const uint64_t limit = o->s->limit_cycles;
    if (o->given >= o->host->count ||
        o->host->items[o->given].cycle == ORACLE_WHEN_WAITING)
        return NOWHERE;
    const uint64_t cycle = o->host->items[o->given].cycle * ticks(o);
    if (limit && cycle >= limit && !o->s->executor_workers)
        return NOWHERE; /* the run ends before */
    return cycle;
}

/* Applies the feeds of this cycle, and with `waits` the first one that comes when the run waits. */
void oracle_take_feeds(struct oracle *o, bool waits)
{
    const struct oracle_host *host = o->host;
    while (o->given < host->count && !o->ended &&
           (oracle_next_feed(o) == o->now || waits)) {
        waits = false;
        apply(o, &host->items[o->given++]);
    }
}

/* --- a quiet machine ------------------------------------------------------------------ */

static bool holds_open(const struct value *v)
{
    if (!v->array)
        return false;
    if (v->array->port)
        return true;
    for (uint64_t i = 0; i < v->array->length; i++)
        if (v->array->elements[i].written && holds_open(&v->array->elements[i].value))
            return true;
    return false;
}

bool oracle_waits_for_host(const struct oracle *o)
{
    if (o->askers.count)
        return true;
    for (uint32_t p = 0; p < o->graph->functions[0].result_count; p++)
        if (o->results[p].here && holds_open(&o->results[p].value))
            return true;
    return false;
}

/* The cycle in which a waiting run continues; `waits`: with the feed for a waiting run. Returns
 * false if no feed is left. */
bool oracle_host_goes_on(struct oracle *o, uint64_t *next, bool *waits)
{
    *waits = false;
    if (o->given >= o->host->count)
        return false;
    *waits = o->host->items[o->given].cycle == ORACLE_WHEN_WAITING;
    *next = *waits ? o->now + !!o->s->executor_workers + oracle_wrong(o, TARRIES)
                   : oracle_next_feed(o);
    return true;
}

/* --- output ports: elements that the host can take --- */

static void write_element(const struct oracle *o, enum isa_type type,
                          const struct element *e, struct lib_text *out)
{
    (void)o;
    if (e->value.array && e->value.array->tensor)
        isa_tensor_write(out, e->value.array->tensor);
    else
        isa_value_write(out, type, e->value.word);
}

/* The parts of output ports follow those of the result. */
void oracle_write_taken(const struct oracle *o, struct lib_text *out)
{
    const struct isa_function *top = &o->graph->functions[0];
    const uint32_t own = oracle_result_parts(o);
    for (uint32_t p = 0; p < o->graph->port_count; p++) {
        const struct isa_port *port = &o->graph->ports[p];
        bool all = !port->is_input;
        for (uint64_t i = 0; all; i++) {
            for (uint32_t k = 0; k < port->part_count && all; k++) {
                const struct constant *part = &o->results[own + port->first + k];
                all = part->here && i < part->value.array->length &&
                      part->value.array->elements[i].written;
            }
            for (uint32_t k = 0; k < port->part_count && all; k++) {
                const uint32_t r = own + port->first + k;
                lib_text_puts(out, k ? ", " : "");
                write_element(o, isa_type_leaf(top->results[r]),
                              &o->results[r].value.array->elements[i], out);
            }
            lib_text_puts(out, all ? "; " : "| ");
        }
    }
}

uint32_t oracle_result_parts(const struct oracle *o)
{
    uint32_t parts = 0;
    for (const char *p = o->graph->shape; *p; p++)
        parts += *p == '_';
    return parts;
}
