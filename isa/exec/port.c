#include "isa/exec/port.h"

#include "isa/exec/exec.h"

#include <stdlib.h>

static struct isa_ports *ports_of(const struct isa_exec *exec)
{
    return exec->structures.ports;
}

static struct isa_structure *structure_of(const struct isa_exec *exec, uint32_t number)
{
    return isa_structures_get(&exec->structures, isa_reference(number, 0));
}

struct isa_ports *isa_ports_new(const struct isa_code *code)
{
    const uint32_t count = code->graph->port_count;
    if (count == 0)
        return NULL;
    struct isa_ports *ports = lib_mem_new(sizeof *ports);
    ports->graph = code->graph;
    ports->count = count;
    ports->array_count = code->graph->array_count;
    ports->all = lib_mem_new(count * sizeof *ports->all);
    ports->pending = lib_mem_new(ports->array_count * sizeof *ports->pending);
    isa_ports_reset(ports);
    return ports;
}

static void add_array(struct isa_exec *exec, uint32_t port, uint32_t number,
                      uint32_t part)
{
    *LIB_VEC_PUSH(&ports_of(exec)->all[port].arrays) = (struct isa_port_array){number,
                                                                               part};
}

/* Makes the array of a PORT, with one reference of the host and one of the PORT. */
static bool start_array(struct isa_exec *exec, uint32_t node)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_node *n = &graph->nodes[node];
    const struct isa_port *port = isa_graph_port_of_array(graph, n->index);
    const struct isa_activation *root = isa_activations_get(&exec->tags, ISA_TAG_ROOT);
    if (exec->tags.shares)
        exec->tags.shares->at = exec->code->machine_of[node];
    const struct isa_structure made = {
        .hash = isa_exec_hash(&exec->code->instrs[node], root->path, 0),
        .instr = node,
        .owner = isa_activations_owner(&exec->tags, root),
        .holds_references = isa_type_is_reference(n->type),
        .is_open = true,
    };
    const uint32_t number = isa_structures_make(&exec->structures, 0, &made);
    exec->out_of_memory |= number == ISA_STRUCTURE_NONE;
    if (number == ISA_STRUCTURE_NONE)
        return false;
    isa_structures_hold(&exec->structures, isa_reference(number, 0), 1);
    ports_of(exec)->pending[n->index] = number;
    add_array(exec, (uint32_t)(port - graph->ports), number, n->index - port->first);
    return true;
}

bool isa_ports_start(struct isa_exec *exec)
{
    const struct isa_graph *graph = exec->code->graph;
    for (uint32_t i = 0; ports_of(exec) && i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_PORT && !start_array(exec, i))
            return false;
    return true;
}

isa_value isa_ports_take_array(struct isa_exec *exec, uint32_t array)
{
    uint32_t *const pending = &ports_of(exec)->pending[array];
    const isa_value taken = isa_reference(*pending, 0);
    assert(*pending != ISA_STRUCTURE_NONE); /* a PORT fires once */
    *pending = ISA_STRUCTURE_NONE;
    return taken;
}

static uint32_t port_of_array(const struct isa_exec *exec, uint32_t array)
{
    const struct isa_graph *graph = exec->code->graph;
    return (uint32_t)(isa_graph_port_of_array(graph, array) - graph->ports);
}

uint64_t isa_ports_fed(const struct isa_exec *exec, uint32_t array)
{
    return ports_of(exec)->all[port_of_array(exec, array)].fed;
}

uint32_t isa_ports_open(struct isa_exec *exec, uint32_t array,
                        const struct isa_structure *made)
{
    const uint32_t port = port_of_array(exec, array);
    struct isa_structure follows = *made;
    follows.is_open = !ports_of(exec)->all[port].is_closed;
    const uint32_t number = isa_structures_make(&exec->structures,
                                                isa_ports_fed(exec, array), &follows);
    if (number != ISA_STRUCTURE_NONE && follows.is_open)
        add_array(exec, port, number, ISA_PORT_NONE);
    return number;
}

void isa_ports_forget(struct isa_ports *ports, uint32_t port, uint32_t structure)
{
    struct isa_port_state *state = &ports->all[port];
    size_t left = 0;
    for (size_t i = 0; i < state->arrays.count; i++)
        if (state->arrays.items[i].structure != structure)
            state->arrays.items[left++] = state->arrays.items[i];
    state->arrays.count = left;
}

static uint64_t queue_key(uint64_t index)
{
    return index == ISA_PORT_LENGTH ? index : index + 1;
}

static uint32_t queue_first(uint64_t queue)
{
    return (uint32_t)(queue >> 32);
}

static uint64_t queue_of(uint32_t first, uint32_t last)
{
    return (uint64_t)first << 32 | last;
}

static void put_wait(struct isa_ports *ports, struct isa_port_state *state, uint32_t at)
{
    struct isa_port_wait *wait = &ports->waits.items[at];
    const uint64_t key = queue_key(wait->index);
    uint64_t *queue = lib_key_map_find(&state->queues, key);
    wait->next = ISA_PORT_END;
    if (!queue) {
        lib_key_map_put(&state->queues, key, queue_of(at, at));
        return;
    }
    ports->waits.items[(uint32_t)*queue].next = at;
    *queue = queue_of(queue_first(*queue), at);
}

void isa_ports_ask(struct isa_exec *exec, isa_value array, uint64_t index)
{
    struct isa_ports *ports = ports_of(exec);
    struct isa_structure *s = isa_structures_get(&exec->structures, array);
    if (!isa_ports_count(ports))
        return;
    struct isa_port_state *state = &ports->all[isa_structure_port(ports, s)];
    if (index >= state->wanted)
        state->wanted = index + 1;
    s->reach = state->wanted < s->length ? (uint32_t)state->wanted : s->length;
}

void isa_ports_wait(struct isa_exec *exec, const struct isa_port_wait *wait)
{
    struct isa_ports *ports = ports_of(exec);
    struct isa_port_state *state =
        &ports->all[isa_structure_port(ports, structure_of(exec, wait->structure))];
    uint32_t at = ports->free;
    if (at == ISA_PORT_END) {
        (void)LIB_VEC_PUSH(&ports->waits);
        at = (uint32_t)ports->waits.count - 1;
    } else {
        ports->free = ports->waits.items[at].next;
    }
    ports->waits.items[at] = *wait;
    ports->waits.items[at].order = ports->waited++;
    ports->waiting++;
    state->waiting++;
    put_wait(ports, state, at);
}

static enum isa_op op_of(const struct isa_exec *exec, const struct isa_port_wait *wait)
{
    return (enum isa_op)exec->code->instrs[wait->instr].op;
}

bool isa_ports_pull(struct isa_exec *exec, struct isa_port_wait *wait, isa_value *value)
{
    struct isa_ports *ports = ports_of(exec);
    if (!ports || ports->released == ISA_PORT_END)
        return false;
    const uint32_t at = ports->released;
    *wait = ports->waits.items[at];
    ports->released = wait->next;
    ports->waits.items[at] = (struct isa_port_wait){.next = ports->free};
    ports->free = at;
    ports->waiting--;
    switch (op_of(exec, wait)) {
    case ISA_OP_INDEX:
        *value = isa_reference(wait->structure, (uint32_t)wait->index);
        break;
    case ISA_OP_LENGTH:
        *value = structure_of(exec, wait->structure)->length;
        break;
    default:
        *value = !ports->closes;
    }
    return true;
}

bool isa_port_keeps(const struct isa_exec *exec, const struct isa_port_array *array)
{
    return array->part == ISA_PORT_NONE ||
           structure_of(exec, array->structure)->references > 1;
}

static uint64_t feed_bytes(const struct isa_exec *exec, uint32_t port,
                           const struct isa_port_value *values)
{
    const struct isa_port_state *state = &ports_of(exec)->all[port];
    uint64_t bytes = 0;
    for (size_t i = 0; i < state->arrays.count; i++) {
        const struct isa_port_array *a = &state->arrays.items[i];
        if (!isa_port_keeps(exec, a))
            continue;
        bytes += sizeof(struct isa_element);
        if (a->part != ISA_PORT_NONE && values[a->part].tensor)
            bytes += sizeof(struct isa_structure) + values[a->part].tensor->bytes;
    }
    return bytes;
}

bool isa_ports_fit(const struct isa_exec *exec, uint32_t port,
                   const struct isa_port_value *values)
{
    const struct isa_structures *s = &exec->structures;
    const uint64_t bytes = feed_bytes(exec, port, values);
    return s->bytes <= s->limit_bytes && bytes <= s->limit_bytes - s->bytes &&
           ports_of(exec)->all[port].fed < UINT32_MAX - 1;
}

/* Writes the last element of an array. */
static void write_element(struct isa_exec *exec, uint32_t number,
                          const struct isa_port_value *value)
{
    struct isa_structures *s = &exec->structures;
    isa_value written = value->value;
    if (value->tensor) {
        const struct isa_structure made = {
            .instr = structure_of(exec, number)->instr,
            .owner = structure_of(exec, number)->owner,
        };
        written = isa_reference(isa_structures_make_tensor(s, value->tensor, &made), 0);
    }
    struct isa_structure *array = structure_of(exec, number);
    array->elements[array->length - 1] = (struct isa_element){written,
                                                              ISA_ELEMENT_WRITTEN};
}

static void release_queue(struct isa_ports *ports, struct isa_port_state *state,
                          uint64_t index)
{
    const uint64_t *queue = lib_key_map_find(&state->queues, queue_key(index));
    ports->released = queue ? queue_first(*queue) : ISA_PORT_END;
    ports->closes = false;
    if (!queue)
        return;
    for (uint32_t at = ports->released; at != ISA_PORT_END;
         at = ports->waits.items[at].next)
        state->waiting--;
    lib_key_map_remove(&state->queues, queue_key(index));
}

enum isa_feed isa_ports_feed(struct isa_exec *exec, uint32_t port,
                             const struct isa_port_value *values)
{
    struct isa_ports *ports = ports_of(exec);
    struct isa_structures *s = &exec->structures;
    struct isa_port_state *state = &ports->all[port];
    const uint32_t parts = exec->code->graph->ports[port].part_count;
    if (state->is_closed)
        return ISA_FEED_CLOSED;
    if (!isa_ports_fit(exec, port, values))
        return ISA_FEED_NO_ROOM;
    assert(ports->released == ISA_PORT_END);
    bool *const kept = lib_mem_new(parts);
    for (size_t i = 0; i < state->arrays.count; i++) {
        const struct isa_port_array a = state->arrays.items[i];
        if (!isa_port_keeps(exec, &a))
            continue;
        isa_structures_grow(s, a.structure);
        if (a.part == ISA_PORT_NONE)
            continue;
        write_element(exec, a.structure, &values[a.part]);
        kept[a.part] = true;
    }
    for (uint32_t k = 0; k < parts; k++)
        if (!kept[k])
            isa_tensor_free(&s->tensors, values[k].tensor);
    lib_mem_free(kept);
    release_queue(ports, state, state->fed++);
    ports->feeds++;
    return ISA_FEED_DONE;
}

struct ordered {
    uint64_t order;
    uint32_t at;
};

static int compare_order(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Returns the instructions that wait at a port, in the order in which they began to. The caller
 * frees the list. */
static struct ordered *list_waits(const struct isa_ports *ports,
                                  const struct isa_port_state *state)
{
    struct ordered *list = lib_mem_new((size_t)state->waiting * sizeof *list);
    size_t count = 0;
    size_t next = 0;
    for (const uint64_t *queue; (queue = lib_key_map_next(&state->queues, &next));)
        for (uint32_t at = queue_first(queue[1]); at != ISA_PORT_END;
             at = ports->waits.items[at].next)
            list[count++] = (struct ordered){ports->waits.items[at].order, at};
    assert(count == state->waiting);
    if (count)
        qsort(list, count, sizeof *list, compare_order);
    return list;
}

/* Traps the earliest INDEX of a list. Returns whether there is one. */
static bool trap_index(struct isa_exec *exec, const struct ordered *list, uint64_t count,
                       uint64_t length)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct isa_port_wait *wait = &ports_of(exec)->waits.items[list[i].at];
        if (op_of(exec, wait) != ISA_OP_INDEX)
            continue;
        exec->trap_number = (int64_t)wait->index;
        exec->trap_length = (int64_t)length;
        isa_exec_trap(exec, ISA_TRAP_INDEX, wait->instr, wait->tag);
        return true;
    }
    return false;
}

/* Makes the arrays of a port ordinary ones, and drops the references of the host. */
static void close_arrays(struct isa_exec *exec, struct isa_port_state *state)
{
    for (size_t i = 0; i < state->arrays.count; i++) {
        struct isa_structure *s = structure_of(exec, state->arrays.items[i].structure);
        s->is_open = false;
        s->reach = s->length;
    }
    for (size_t i = 0; i < state->arrays.count; i++)
        if (state->arrays.items[i].part != ISA_PORT_NONE)
            isa_structures_drop(&exec->structures,
                                isa_reference(state->arrays.items[i].structure, 0));
    LIB_VEC_FREE(&state->arrays);
}

bool isa_ports_close(struct isa_exec *exec, uint32_t port)
{
    struct isa_ports *ports = ports_of(exec);
    struct isa_port_state *state = &ports->all[port];
    if (state->is_closed)
        return true;
    state->is_closed = true;
    assert(ports->released == ISA_PORT_END);
    struct ordered *list = list_waits(ports, state);
    const uint64_t count = state->waiting;
    const bool traps = trap_index(exec, list, count, state->fed);
    for (uint64_t i = 0; i < count && !traps; i++)
        ports->waits.items[list[i].at].next = i + 1 < count ? list[i + 1].at
                                                            : ISA_PORT_END;
    if (!traps) {
        ports->released = count ? list[0].at : ISA_PORT_END;
        ports->closes = true;
        state->waiting = 0;
        lib_key_map_free(&state->queues);
        close_arrays(exec, state);
    }
    lib_mem_free(list);
    return !traps;
}

/* Whether an array read from a checkpoint can belong to a port. */
static bool array_is_sound(const struct isa_exec *exec, uint32_t port,
                           const struct isa_port_array *a)
{
    const struct isa_structures *s = &exec->structures;
    if (a->structure >= s->all.count || !s->all.items[a->structure].is_alive)
        return false;
    const struct isa_structure *structure = &s->all.items[a->structure];
    return structure->is_open && isa_structure_port(ports_of(exec), structure) == port &&
           (a->part == ISA_PORT_NONE ||
            a->part < exec->code->graph->ports[port].part_count);
}

static bool wait_is_sound(const struct isa_exec *exec, const struct isa_port_wait *wait)
{
    const struct isa_structures *s = &exec->structures;
    return wait->instr < exec->code->instr_count && wait->tag < exec->tags.used &&
           wait->structure < s->all.count && s->all.items[wait->structure].is_alive &&
           s->all.items[wait->structure].is_open &&
           isa_structure_port(ports_of(exec), &s->all.items[wait->structure]) <
               ports_of(exec)->count &&
           (wait->index == ISA_PORT_LENGTH || wait->index < UINT64_MAX / 2);
}

/* Whether the open structures read from a checkpoint are exactly the arrays of the ports. */
static bool arrays_are_all(const struct isa_exec *exec)
{
    const struct isa_structures *s = &exec->structures;
    size_t open = 0, listed = 0;
    for (size_t i = 0; i < s->all.count; i++)
        open += s->all.items[i].is_open;
    for (uint32_t i = 0; i < ports_of(exec)->count; i++)
        listed += ports_of(exec)->all[i].arrays.count;
    return open == listed;
}

/* Puts the waits read from a checkpoint into their queues, in order. */
static void rebuild_queues(struct lib_pack *pack, struct isa_exec *exec)
{
    struct isa_ports *ports = ports_of(exec);
    struct ordered *list = lib_mem_new(ports->waits.count * sizeof *list);
    size_t count = 0;
    for (uint32_t i = 0; i < ports->waits.count; i++)
        if (ports->waits.items[i].tag != ISA_TAG_NONE)
            list[count++] = (struct ordered){ports->waits.items[i].order, i};
    if (count)
        qsort(list, count, sizeof *list, compare_order);
    for (size_t i = 0; i < count; i++) {
        const struct isa_port_wait *wait = &ports->waits.items[list[i].at];
        if (!lib_pack_expect(pack, wait_is_sound(exec, wait)))
            break;
        struct isa_port_state *state =
            &ports->all[isa_structure_port(ports, structure_of(exec, wait->structure))];
        state->waiting++;
        put_wait(ports, state, list[i].at);
    }
    lib_pack_expect(pack, count == ports->waiting);
    lib_mem_free(list);
}

/* Whether the arrays of a port that was read are. */
static bool arrays_are_sound(const struct isa_exec *exec,
                             const struct isa_port_state *state)
{
    const uint32_t port = (uint32_t)(state - ports_of(exec)->all);
    for (size_t i = 0; i < state->arrays.count; i++)
        if (!array_is_sound(exec, port, &state->arrays.items[i]))
            return false;
    return true;
}

static void pack_pending(struct lib_pack *pack, const struct isa_exec *exec,
                         struct isa_ports *ports)
{
    const struct isa_structures *s = &exec->structures;
    for (uint32_t i = 0; i < ports->array_count; i++) {
        LIB_PACK(pack, ports->pending[i]);
        lib_pack_expect(pack, ports->pending[i] == ISA_STRUCTURE_NONE ||
                                  (ports->pending[i] < s->all.count &&
                                   s->all.items[ports->pending[i]].is_alive));
    }
}

static void clear_pending(struct isa_ports *ports)
{
    for (uint32_t i = 0; i < ports->array_count; i++)
        ports->pending[i] = ISA_STRUCTURE_NONE;
}

LIB_STATE(const struct isa_exec, isa_port_state, ISA_PORT_STATE_FIELDS)
LIB_STATE(const struct isa_exec, isa_ports, ISA_PORTS_FIELDS)

void isa_ports_reset(struct isa_ports *ports)
{
    if (ports)
        isa_ports_fields_clear(NULL, ports);
}

void isa_ports_free(struct isa_ports *ports)
{
    if (ports)
        isa_ports_fields_free(NULL, ports);
    lib_mem_free(ports);
}

void isa_ports_pack(struct lib_pack *pack, struct isa_exec *exec)
{
    struct isa_ports *ports = ports_of(exec);
    if (!ports)
        return;
    if (lib_pack_reads(pack))
        isa_ports_reset(ports);
    isa_ports_fields_pack(pack, exec, ports);
    if (!lib_pack_reads(pack) || pack->failed)
        return;
    if (lib_pack_expect(pack, arrays_are_all(exec)))
        rebuild_queues(pack, exec);
}
