#include "machine/pe/swap_room.h"
#include "machine/nodes/nodes.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes)
{
    const uint64_t capacity = m->settings.memory_capacity;
    return memory->resident <= capacity && bytes <= capacity - memory->resident;
}

/* How many elements of an array lie in a memory. */
static uint64_t elements_in(const struct machine *m, const struct machine_memory *memory,
                            uint32_t home, uint64_t length)
{
    const uint64_t own = m->memory_pes;
    const uint64_t first = (uint64_t)(memory - m->swap->memories) * own;
    return machine_place_elements(&m->settings, home, length, m->pe_count, first, own);
}

/* For those elements of an array that lie in a memory. */
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

uint64_t machine_room_for_kernel(const struct machine *m,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held)
{
    enum { MOST = 60 }; /* bits; above all capacities */
    const uint32_t pe = isa_token_pe(&held->token);
    if (isa_op_makes_array(m->code->instrs[isa_token_instr(&held->token)].op)) {
        const uint64_t elements = elements_in(m, memory, pe, held->bytes);
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

bool machine_memory_fits(const struct machine_settings *s, struct lib_diags *diags)
{
    const char *why = NULL;
    if (s->memory_capacity == 0)
        return true;
    if (s->executor_workers)
        why = "an executor has none (executor.workers)";
    else if (s->tensor_transport == MACHINE_TRANSPORT_REFERENCE)
        why = "tensors by reference have none (tensor.transport)";
    else if (machine_nodes_are_asked(s))
        why = "there is none with faults, or with cluster.termination=counted";
    else if (s->tensor_units || s->batch_until != MACHINE_BATCH_NONE)
        why = "tensor units that are counted, and batches, have none (tensor.unit.count, "
              "tensor.batch.until)";
    if (why)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, (struct lib_pos){0},
                       "memory.capacity asks for finite memory: %s", why);
    return !why;
}
