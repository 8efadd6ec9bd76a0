#include "machine/pe/swap_room.h"
#include "machine/nodes/nodes.h"

#include "machine/placement/policy.h"
#include "machine/ports.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes)
{
    const uint64_t capacity = m->settings.memory_capacity;
    return memory->resident <= capacity && bytes <= capacity - memory->resident;
}

/* Returns the number of elements of an array that are in a memory. */
static uint64_t elements_in(const struct machine *m, const struct machine_memory *memory,
                            uint32_t home, uint64_t length)
{
    const uint64_t own = m->memory_pes;
    const uint64_t first = (uint64_t)(memory - m->swap->memories) * own;
    return m->policies->elements->count(home, length, m->pe_count, first, own);
}

/* Whether a memory has room for its elements of an array. */
static bool has_room_for_elements(const struct machine *m,
                                  const struct machine_memory *memory, uint32_t home,
                                  uint64_t length)
{
    const uint64_t elements = elements_in(m, memory, home, length);
    const uint64_t capacity = m->settings.memory_capacity;
    return elements == 0 || (memory->resident <= capacity &&
                             elements <= (capacity - memory->resident) / 8);
}

bool machine_room_for_array(const struct machine *m, uint32_t home, uint64_t length)
{
    for (uint32_t i = 0; i < m->swap->memory_count; i++)
        if (!has_room_for_elements(m, &m->swap->memories[i], home, length))
            return false;
    return true;
}

uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&held->token)];
    return instr->op == ISA_OP_OPEN ? isa_ports_fed(&m->exec, instr->index) : held->bytes;
}

uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held)
{
    enum { MOST = 60 }; /* bits; above all capacities */
    const uint32_t pe = isa_token_pe(&held->token);
    if (isa_op_makes_array(m->code->instrs[isa_token_instr(&held->token)].op)) {
        const uint64_t elements = elements_in(m, memory, pe, machine_room_made(m, held));
        return 8 * (elements >> MOST ? UINT64_C(1) << MOST : elements);
    }
    return memory == &m->swap->memories[pe / m->memory_pes] ? held->bytes : 0;
}

void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length)
{
    for (uint32_t i = 0; i < m->swap->memory_count; i++)
        m->swap->memories[i].resident += 8 * elements_in(m, &m->swap->memories[i], home,
                                                         length);
}

void machine_room_forget_array(void *context, uint32_t home, uint64_t length)
{
    struct machine *m = context;
    for (uint32_t i = 0; i < m->swap->memory_count; i++)
        m->swap->memories[i].resident -= 8 * elements_in(m, &m->swap->memories[i], home,
                                                         length);
}

/* --- feeds ----------------------------------------------------------------------------------- */

static uint32_t memory_at(const struct machine *m, uint32_t pe)
{
    return pe / m->memory_pes;
}

/* Adds what a feed needs in each memory to `bytes`, indexed by memory. */
static void add_feed(const struct machine *m, const struct machine_room_feed *f,
                     uint64_t *bytes)
{
    const struct isa_port_state *state = &m->exec.structures.ports->all[f->port];
    for (size_t i = 0; i < state->arrays.count; i++) {
        const struct isa_port_array *a = &state->arrays.items[i];
        const struct isa_structure *array = &m->exec.structures.all.items[a->structure];
        const uint32_t home = array->pe_number;
        if (!isa_port_keeps(&m->exec, a))
            continue;
        bytes[memory_at(m, machine_place_element(m->policies->elements, home,
                                                 array->length + f->ahead,
                                                 m->pe_count))] += 8;
        if (a->part != ISA_PORT_NONE && f->parts[a->part].is_tensor)
            bytes[memory_at(m, home)] += isa_shape_bytes(&f->parts[a->part].shape);
    }
}

uint64_t machine_room_feeds_need(const struct machine *m,
                                 const struct machine_room_feed *feeds, size_t count)
{
    uint64_t *bytes = lib_mem_new(m->swap->memory_count * sizeof *bytes);
    uint64_t needed = 0;
    for (size_t i = 0; i < count; i++)
        add_feed(m, &feeds[i], bytes);
    for (uint32_t i = 0; i < m->swap->memory_count; i++) {
        const uint64_t with = bytes[i] ? m->swap->memories[i].resident + bytes[i] : 0;
        needed = with > needed ? with : needed;
    }
    lib_mem_free(bytes);
    return needed > m->settings.memory_capacity ? needed : 0;
}

void machine_room_take_element(struct machine *m, const struct machine_room_feed *feed)
{
    uint64_t *bytes = lib_mem_new(m->swap->memory_count * sizeof *bytes);
    add_feed(m, feed, bytes);
    for (uint32_t i = 0; i < m->swap->memory_count; i++)
        m->swap->memories[i].resident += bytes[i];
    lib_mem_free(bytes);
}

/* Returns the setting that excludes finite memories, and the reason in `without`; or NULL. */
static const char *excluded_by(const struct machine_settings *s, const char **without)
{
    if (s->executor_workers) {
        *without = "an executor has no finite memory";
        return "executor.workers";
    }
    if (s->tensor_transport == MACHINE_TRANSPORT_REFERENCE) {
        *without = "tensors by reference have no finite memory";
        return "tensor.transport=reference";
    }
    if (machine_nodes_are_asked(s)) {
        *without = "nodes that count messages or have faults have no finite memory";
        return machine_nodes_asked_by(s);
    }
    if (s->tensor_units) {
        *without = "counted tensor units have no finite memory";
        return "tensor.unit.count";
    }
    *without = "batches have no finite memory";
    return s->batch_until != MACHINE_BATCH_NONE ? "tensor.batch.until" : NULL;
}

bool machine_memory_excludes(const struct machine_settings *s)
{
    const char *without;
    return excluded_by(s, &without) != NULL;
}

bool machine_memory_fits(const struct machine_settings *s, struct lib_diags *diags)
{
    const char *without;
    const char *const other = s->memory_capacity ? excluded_by(s, &without) : NULL;
    if (other)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "memory.capacity and %s exclude each other: %s", other, without);
    return !other;
}
