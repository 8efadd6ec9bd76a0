#include "machine/ports.h"

#include "lib/heap.h"
#include "machine/engine/cycle.h"
#include "machine/engine/engine.h"
#include "machine/engine/executor.h"
#include "machine/events.h"
#include "machine/pe/swap_room.h"
#include "machine/result.h"

/* --- what is given --------------------------------------------------------------------------- */

static struct machine_fed *copy_parts(const struct machine_fed *parts, uint32_t count)
{
    size_t bytes = count * sizeof *parts;
    for (uint32_t i = 0; i < count; i++)
        bytes += parts[i].is_tensor ? isa_shape_bytes(&parts[i].shape) : 0;
    struct machine_fed *copy = lib_mem_new(bytes + 1);
    char *data = (char *)(copy + count);
    memcpy(copy, parts, count * sizeof *parts);
    for (uint32_t i = 0; i < count; i++) {
        if (!copy[i].is_tensor)
            continue;
        const size_t length = isa_shape_bytes(&copy[i].shape);
        if (length)
            memcpy(data, parts[i].data, length);
        copy[i].data = data;
        data += length;
    }
    return copy;
}

static bool is_before(const struct machine_feed *a, const struct machine_feed *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle
           : a->port != b->port ? a->port < b->port
                                : a->number < b->number;
}

static void forget_sum(struct machine_ports *p)
{
    if (p->sum)
        machine_room_sum_free(p->sum);
    p->sum = NULL;
}

static void add_pending(struct machine_ports *p, struct machine_feed *feed)
{
    struct machine_pending *of = &p->of[feed->port];
    feed->number = p->number++;
    LIB_HEAP_PUT(&p->feeds, feed, is_before);
    of->feeds++;
    of->elements += feed->parts != NULL;
    of->closes |= !feed->parts;
    of->last = feed->cycle;
}

static struct machine_feed take_pending(struct machine_ports *p)
{
    struct machine_feed feed;
    LIB_HEAP_TAKE(&p->feeds, &feed, is_before);
    struct machine_pending *of = &p->of[feed.port];
    of->feeds--;
    of->elements -= feed.parts != NULL;
    of->closes &= feed.parts != NULL;
    forget_sum(p);
    return feed;
}

static void put(struct machine *m, struct machine_feed feed)
{
    struct machine_ports *p = m->ports;
    const uint64_t now = machine_now(m);
    if (__builtin_mul_overflow(feed.cycle, m->about.ticks, &feed.cycle))
        feed.cycle = MACHINE_LAST_CYCLE;
    if (feed.cycle > MACHINE_LAST_CYCLE)
        feed.cycle = now > MACHINE_LAST_CYCLE ? now : MACHINE_LAST_CYCLE;
    assert(m->run.running && feed.cycle >= now);
    if (p->sum && p->sum->cycle != now)
        forget_sum(p);
    if (p->sum && feed.cycle == now && feed.parts)
        machine_room_sum_add(m, p->sum, feed.port, feed.parts);
    add_pending(p, &feed);
}

void machine_feed(struct machine *m, uint32_t port, const struct machine_fed *parts,
                  uint64_t cycle)
{
    const uint32_t count = m->code->graph->ports[port].part_count;
    put(m, (struct machine_feed){
               .cycle = cycle, .port = port, .parts = copy_parts(parts, count)});
}

void machine_close(struct machine *m, uint32_t port, uint64_t cycle)
{
    put(m, (struct machine_feed){.cycle = cycle, .port = port});
}

struct machine_given machine_given(const struct machine *m, uint32_t port)
{
    const struct machine_ports *p = m->ports;
    const struct isa_port_state *state = &m->tokens.exec.structures.ports->all[port];
    const struct machine_pending *of = &p->of[port];
    return (struct machine_given){.elements = state->fed + of->elements,
                                  .last = of->feeds ? of->last : 0,
                                  .is_closed = state->is_closed || of->closes};
}

/* Whether memories have room for an element in the current cycle, after all earlier feeds for
 * it. */
static bool has_room(const struct machine *m, uint32_t port,
                     const struct machine_fed *parts)
{
    struct machine_ports *p = m->ports;
    const uint64_t now = machine_now(m);
    if (p->sum && p->sum->cycle != now)
        forget_sum(p);
    if (!p->sum) {
        p->sum = machine_room_sum_new(m, now);
        for (size_t i = 0; i < p->feeds.count; i++)
            if (p->feeds.items[i].cycle == now && p->feeds.items[i].parts)
                machine_room_sum_add(m, p->sum, p->feeds.items[i].port,
                                     p->feeds.items[i].parts);
    }
    return machine_room_sum_needs(m, p->sum, port, parts) == 0;
}

bool machine_takes_feed(const struct machine *m, uint32_t port,
                        const struct machine_fed *parts, uint64_t cycle)
{
    if (machine_port_room(m, port) == 0)
        return false;
    return !m->swap || cycle > machine_now(m) || has_room(m, port, parts);
}

uint64_t machine_port_room(const struct machine *m, uint32_t port)
{
    const uint64_t most = m->settings.port_capacity;
    const uint64_t given = machine_given(m, port).elements;
    const uint64_t wanted = m->tokens.exec.structures.ports->all[port].wanted;
    if (most == 0)
        return UINT64_MAX;
    return wanted + most > given ? wanted + most - given : 0;
}

/* --- what is taken --------------------------------------------------------------------------- */

static void tell_feed(struct machine *m, const struct machine_feed *f, uint32_t part,
                      uint64_t element, uint64_t value)
{
    struct traces_event *event = machine_emit(m, f->parts ? TRACES_EVENT_FEED
                                                          : TRACES_EVENT_CLOSE);
    event->port = f->port;
    event->to = part;
    event->a = value;
    event->b = element;
}

static struct isa_tensor *make_tensor(struct isa_tensor_memory *memory,
                                      const struct machine_fed *part)
{
    struct isa_tensor *tensor = isa_tensor_new(memory, &part->shape);
    if (!tensor)
        return NULL;
    if (tensor->bytes)
        memcpy(tensor->data, part->data, tensor->bytes);
    isa_tensor_seal(tensor, true);
    return tensor;
}

void machine_fed_free(struct isa_exec *exec, const struct isa_port_value *values,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        isa_tensor_free(&exec->structures.tensors, values[i].tensor);
}

bool machine_fed_make(struct isa_exec *exec, const struct machine_fed *parts,
                      uint32_t count, struct isa_port_value *values)
{
    struct isa_tensor_memory *memory = &exec->structures.tensors;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = (struct isa_port_value){.value = parts[i].value};
        if (!parts[i].is_tensor)
            continue;
        values[i].tensor = make_tensor(memory, &parts[i]);
        if (values[i].tensor)
            continue;
        machine_fed_free(exec, values, i);
        return false;
    }
    return true;
}

static void note_written(struct machine *m, const struct isa_port_state *state)
{
    for (size_t i = 0; i < state->arrays.count; i++) {
        const struct isa_port_array *array = &state->arrays.items[i];
        if (array->part != ISA_PORT_NONE)
            machine_result_fed(m, array->structure);
    }
}

/* Feeds an element and emits an event. Returns NULL, or the limit that prevents it; then nothing
 * has changed. */
static const char *feed_element(struct machine *m, const struct machine_feed *f,
                                struct isa_port_value *values)
{
    const uint32_t count = m->code->graph->ports[f->port].part_count;
    const struct isa_port_state *state = &m->tokens.exec.structures.ports->all[f->port];
    const uint64_t most = m->settings.port_capacity, element = state->fed;
    if (most && element >= state->wanted + most)
        return "port.capacity";
    m->ports->needed = m->swap ? machine_room_feed_needs(m, f->port, f->parts) : 0;
    if (m->ports->needed)
        return "memory.capacity";
    if (!machine_fed_make(&m->tokens.exec, f->parts, count, values))
        return "limits.memory";
    for (uint32_t i = 0; i < count; i++)
        values[i].value = values[i].tensor ? values[i].tensor->word : values[i].value;
    if (!isa_ports_fit(&m->tokens.exec, f->port, values)) {
        machine_fed_free(&m->tokens.exec, values, count);
        return "limits.memory";
    }
    for (uint32_t i = 0; m->watch.events && i < count; i++)
        tell_feed(m, f, i, element, values[i].value);
    if (m->swap)
        machine_room_take_element(m, f->port, f->parts);
    (void)isa_ports_feed(&m->tokens.exec, f->port, values);
    note_written(m, state);
    return NULL;
}

static void take_element(struct machine *m, const struct machine_feed *f)
{
    const uint32_t count = m->code->graph->ports[f->port].part_count;
    struct isa_port_value *values = lib_mem_new((count + 1) * sizeof *values);
    const char *const limit = feed_element(m, f, values);
    if (limit)
        machine_stop(m, ISA_END_LIMIT, limit);
    lib_mem_free(values);
}

static void take_close(struct machine *m, const struct machine_feed *f)
{
    if (m->watch.events)
        tell_feed(m, f, 0, m->tokens.exec.structures.ports->all[f->port].fed, 0);
    if (!isa_ports_close(&m->tokens.exec, f->port))
        machine_stop(m, ISA_END_TRAPPED, NULL);
}

void machine_ports_take(struct machine *m)
{
    struct machine_ports *p = m->ports;
    while (m->run.running && machine_ports_next(p) == m->run.cycle) {
        const struct machine_feed f = take_pending(p);
        p->taken++;
        if (f.parts)
            take_element(m, &f);
        else
            take_close(m, &f);
        lib_mem_free(f.parts);
        if (m->run.running)
            (m->executor ? machine_executor_answer_ports
                         : machine_general_answer_ports)(m);
    }
}

/* --- time ------------------------------------------------------------------------------------- */

uint64_t machine_now(const struct machine *m)
{
    if (m->executor)
        return m->ports ? m->ports->now : 0;
    return m->run.cycle;
}

bool machine_waits(const struct machine *m)
{
    return m->run.running && m->ports && m->ports->waits;
}

uint64_t machine_due(const struct machine *m)
{
    const struct machine_ports *p = m->ports;
    if (!p)
        return machine_next(m);
    const uint64_t fed = machine_ports_next(p);
    uint64_t due = p->due;
    if (m->executor)
        due = m->executor->started ? machine_executor_due(m->executor) : 0;
    return due < fed ? due : fed;
}

bool machine_lapse(struct machine *m, uint64_t cycle)
{
    const uint64_t limit = m->settings.limit_cycles;
    assert(machine_waits(m));
    if (limit && cycle > limit)
        cycle = limit;
    assert(cycle <= MACHINE_LAST_CYCLE);
    const bool passes = !m->executor || (limit && cycle == limit);
    if (passes && cycle > m->run.cycle)
        machine_pass(m, cycle - m->run.cycle);
    if (m->executor && cycle > m->ports->now)
        m->ports->now = cycle;
    if (m->watch.events)
        machine_events_flush(m);
    return m->run.running;
}

/* --- checkpoints ------------------------------------------------------------------------------ */

/* Packs the elements of a tensor, whose shape is packed already. */
static void pack_data(struct lib_pack *pack, struct machine_fed *part,
                      struct lib_arena *arena)
{
    const bool is_legal = part->shape.element < ISA_ELEMENT_COUNT &&
                          part->shape.rank <= ISA_RANK_MAX &&
                          isa_shape_is_known(&part->shape) &&
                          isa_shape_is_legal(&part->shape);
    const uint64_t bytes = is_legal ? isa_shape_bytes(&part->shape) : 0;
    if (!lib_pack_expect(pack, is_legal && (!lib_pack_reads(pack) ||
                                            bytes <= pack->length - pack->at)))
        return;
    if (lib_pack_reads(pack))
        part->data = LIB_ARENA_ARRAY(arena, uint64_t, bytes / 8 + 1);
    if (bytes)
        lib_pack_bytes(pack, (void *)part->data, bytes);
    const uint8_t *bools = part->data;
    for (uint64_t i = 0; part->shape.element == ISA_ELEMENT_BOOL && i < bytes; i++)
        lib_pack_expect(pack, bools[i] <= 1);
}

static void pack_part(struct lib_pack *pack, const struct isa_port_part *of,
                      struct machine_fed *part, struct lib_arena *arena)
{
    lib_pack_bool(pack, &part->is_tensor);
    if (!lib_pack_expect(pack, part->is_tensor == (of->type == ISA_TENSOR)))
        return;
    if (!part->is_tensor) {
        LIB_PACK(pack, part->value);
        lib_pack_expect(pack, of->type != ISA_BOOL || part->value <= 1);
        return;
    }
    LIB_PACK(pack, part->shape.element, part->shape.rank, part->shape.extents);
    if (lib_pack_expect(pack, part->shape.element == of->element &&
                                  part->shape.rank == of->rank))
        pack_data(pack, part, arena);
}

void machine_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                       struct machine_feed *feed, struct lib_arena *arena)
{
    bool closes = feed->parts == NULL;
    LIB_PACK(pack, feed->cycle, feed->port);
    lib_pack_bool(pack, &closes);
    if (!lib_pack_expect(pack, feed->port < graph->port_count &&
                                   graph->ports[feed->port].is_input) ||
        closes)
        return;
    const struct isa_port *port = &graph->ports[feed->port];
    if (lib_pack_reads(pack))
        feed->parts = LIB_ARENA_ARRAY(arena, struct machine_fed, port->part_count);
    for (uint32_t i = 0; i < port->part_count && !pack->failed; i++)
        pack_part(pack, &port->parts[i], &feed->parts[i], arena);
}

static void pack_own(struct lib_pack *pack, const struct isa_graph *graph,
                     struct machine_feed *f)
{
    struct lib_arena *arena = lib_arena_new();
    machine_feed_pack(pack, graph, f, arena);
    if (lib_pack_reads(pack) && f->parts)
        f->parts = pack->failed ? NULL
                                : copy_parts(f->parts, graph->ports[f->port].part_count);
    lib_arena_free(arena);
}

/* Removes feeds that the packed state has already applied. */
static void skip_taken(struct lib_pack *pack, struct machine_ports *p)
{
    if (!lib_pack_expect(pack, p->taken <= p->feeds.count))
        return;
    for (uint64_t i = 0; i < p->taken; i++)
        lib_mem_free(take_pending(p).parts);
}

MACHINE_PACKS_ALL(machine_ports, 88);

void machine_ports_pack(struct lib_pack *pack, struct machine *m)
{
    struct machine_ports *p = m->ports;
    LIB_VEC(struct machine_feed) heap = {0}, sorted = {0};
    if (!p)
        return;
    for (size_t i = 0; i < p->feeds.count && !lib_pack_reads(pack); i++)
        *LIB_VEC_PUSH(&heap) = p->feeds.items[i];
    while (heap.count) {
        struct machine_feed first;
        LIB_HEAP_TAKE(&heap, &first, is_before);
        *LIB_VEC_PUSH(&sorted) = first;
    }
    LIB_PACK(pack, p->due, p->now, p->taken);
    LIB_PACK_EACH(pack, &sorted, f, { pack_own(pack, m->code->graph, f); });
    if (lib_pack_reads(pack)) {
        const bool is_known = p->feeds.count > 0;
        if (is_known)
            skip_taken(pack, p);
        for (size_t i = 0; i < sorted.count; i++) {
            struct machine_feed *f = &sorted.items[i];
            f->number = i;
            if (is_known || pack->failed ||
                !lib_pack_expect(pack, i == 0 || is_before(f - 1, f)))
                lib_mem_free(f->parts);
            else
                add_pending(p, f);
        }
        lib_pack_expect(pack, (m->executor || p->due >= m->run.cycle) &&
                                  machine_ports_next(p) >= machine_now(m));
    }
    LIB_VEC_FREE(&heap, &sorted);
}

/* --- beginning and end ------------------------------------------------------------------------ */

void machine_ports_start(struct machine *m)
{
    if (!m->tokens.exec.structures.ports)
        return;
    m->ports = lib_mem_new(sizeof *m->ports);
    m->ports->of = lib_mem_new(m->code->graph->port_count * sizeof *m->ports->of);
    m->has_limits = true; /* for limits.memory, which includes what waits at ports */
    if (!m->executor)
        machine_pe_of(m, ISA_TAG_ROOT);
    m->tokens.exec.structures.ports->counts_wanted = m->settings.port_capacity > 0;
    if (!isa_ports_start(&m->tokens.exec))
        machine_stop(m, ISA_END_LIMIT, "limits.memory");
    for (uint32_t i = 0; i < m->tokens.exec.structures.all.count; i++)
        machine_result_clear(m, i);
}

void machine_ports_free(struct machine *m)
{
    struct machine_ports *p = m->ports;
    if (!p)
        return;
    for (size_t i = 0; i < p->feeds.count; i++)
        lib_mem_free(p->feeds.items[i].parts);
    forget_sum(p);
    LIB_VEC_FREE(&p->feeds);
    LIB_MEM_FREE(p->of, p);
    m->ports = NULL;
}
