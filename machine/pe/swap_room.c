#include "machine/pe/swap_room.h"

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
    const uint64_t pes = m->pe_count, own = m->tensors.node_pes;
    const uint64_t first = (uint64_t)(memory - m->swap.memories) * own;
    uint64_t elements = own * (length / pes);
    if (m->settings.structure_placement == MACHINE_STRUCTURE_LOCAL)
        return home >= first && home < first + own ? length : 0;
    for (uint64_t i = 0; i < own; i++) /* those beyond as many for each PE */
        elements += (first + i + pes - home) % pes < length % pes;
    return elements;
}

bool machine_room_for_elements(const struct machine *m,
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
    for (uint32_t i = 0; i < m->swap.memory_count; i++)
        if (!machine_room_for_elements(m, &m->swap.memories[i], home, length))
            return false;
    return true;
}

void machine_room_take_array(struct machine *m, uint32_t home, uint64_t length)
{
    for (uint32_t i = 0; i < m->swap.memory_count; i++)
        m->swap.memories[i].resident += 8 * elements_in(m, &m->swap.memories[i], home,
                                                        length);
}

void machine_room_forget_array(void *context, uint32_t home, uint64_t length)
{
    struct machine *m = context;
    for (uint32_t i = 0; i < m->swap.memory_count; i++)
        m->swap.memories[i].resident -= 8 * elements_in(m, &m->swap.memories[i], home,
                                                        length);
}
