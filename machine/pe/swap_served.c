#include "machine/pe/swap_served.h"

#include "machine/pe/swap_room.h"
#include "machine/pe/tensor_memory.h"

/* Returns the tensor that is operand 0 or 1 of a waiting kernel, if this reference ends when the
 * kernel fires; else ISA_STRUCTURE_NONE. */
static uint32_t operand_of(const struct machine *m, const struct machine_held_kernel *k,
                           unsigned operand)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&k->token)];
    unsigned own = instr->form == ISA_FORM_SECOND;
    isa_value tensors[2];
    if (instr->form == ISA_FORM_TWO)
        own = operand;
    else if (instr->form == ISA_FORM_HELD)
        own = isa_token_port(&k->token);
    if (operand != own || operand >= machine_tensor_read(m, &k->token, instr, tensors))
        return ISA_STRUCTURE_NONE;
    return isa_reference_structure(tensors[operand]);
}

static uint32_t count_operands(const struct machine *m,
                               const struct machine_held_kernel *k, uint32_t number)
{
    return (operand_of(m, k, 0) == number) + (operand_of(m, k, 1) == number);
}

uint32_t machine_swap_held(const struct machine *m, const struct machine_swap *swap,
                           uint32_t number)
{
    uint32_t count = 0;
    for (size_t i = 0; i < swap->held.count; i++)
        count += count_operands(m, &swap->held.items[i], number);
    return count;
}

/* Returns machine_swap_held of all structures, owned by the caller. */
static uint32_t *count_held(const struct machine *m, const struct machine_swap *swap)
{
    uint32_t *held = lib_mem_new((m->tokens.exec.structures.all.count + 1) *
                                 sizeof *held);
    for (size_t i = 0; i < swap->held.count; i++)
        for (unsigned operand = 0; operand < 2; operand++) {
            const uint32_t number = operand_of(m, &swap->held.items[i], operand);
            if (number != ISA_STRUCTURE_NONE)
                held[number]++;
        }
    return held;
}

static struct machine_swapped swapped_of(const struct machine_swap *swap, uint32_t number)
{
    const struct machine_swapped none = {0};
    return number < swap->of.count ? swap->of.items[number] : none;
}

/* Whether a tensor may move out of a memory. `held`: operands of waiting kernels that are this
 * tensor. */
static bool is_movable(const struct machine *m, const struct machine_swap *swap,
                       const struct machine_memory *memory, uint32_t number,
                       uint32_t held)
{
    const struct isa_structure *t = machine_swap_tensor(m, number);
    const struct machine_swapped s = swapped_of(swap, number);
    return m->settings.swap_threshold > 0 && t->is_alive && t->is_tensor &&
           machine_memory_of(m, swap, number) == memory && s.where == MACHINE_SWAP_HERE &&
           t->references == s.waiting + held &&
           t->tensor->bytes >= m->settings.swap_smallest;
}

/* Returns the bytes that a memory needs for a kernel, besides its tensors that are there
 * already. */
static uint64_t bytes_lacking(const struct machine *m, const struct machine_swap *swap,
                              const struct machine_memory *memory,
                              const struct machine_held_kernel *k)
{
    const uint32_t first = operand_of(m, k, 0);
    uint64_t bytes = machine_room_for_kernel(m, swap, memory, k);
    for (unsigned operand = 0; operand < 2; operand++) {
        const uint32_t number = operand_of(m, k, operand);
        if (number != ISA_STRUCTURE_NONE && (operand == 0 || number != first) &&
            machine_memory_of(m, swap, number) == memory &&
            swapped_of(swap, number).where == MACHINE_SWAP_OUT)
            bytes += machine_swap_bytes(m, number);
    }
    return bytes;
}

/* Returns the capacity with which a memory can serve a kernel, if nothing moves. */
static uint64_t capacity_for(const struct machine *m, const struct machine_swap *swap,
                             const struct machine_memory *memory,
                             const struct machine_held_kernel *k, const uint32_t *held)
{
    uint64_t bytes = memory->resident + bytes_lacking(m, swap, memory, k);
    for (uint32_t i = 0; i < m->tokens.exec.structures.all.count; i++)
        if (is_movable(m, swap, memory, i, held[i]) && count_operands(m, k, i) == 0)
            bytes -= machine_swap_bytes(m, i);
    return bytes;
}

static uint64_t capacity_in_all(const struct machine *m, const struct machine_swap *swap,
                                const struct machine_held_kernel *k, const uint32_t *held)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < swap->memory_count; i++) {
        const uint64_t bytes = capacity_for(m, swap, &swap->memories[i], k, held);
        most = bytes > most ? bytes : most;
    }
    return most;
}

uint64_t machine_served_least(const struct machine *m)
{
    const struct machine_swap *swap = m->swap;
    if (!swap)
        return 0;
    uint32_t *held = count_held(m, swap);
    uint64_t least = 0;
    for (size_t i = 0; i < swap->held.count; i++) {
        const uint64_t bytes = capacity_in_all(m, swap, &swap->held.items[i], held);
        least = i == 0 || bytes < least ? bytes : least;
    }
    lib_mem_free(held);
    return least;
}

bool machine_served_choose(struct machine *m, void *state)
{
    struct machine_swap *swap = state;
    uint32_t *held;
    size_t i = 0;
    if (swap->held.count == 0 || m->settings.swap_threshold == 0)
        return false;
    held = count_held(m, swap);
    while (i < swap->held.count && capacity_in_all(m, swap, &swap->held.items[i], held) >
                                       m->settings.memory_capacity)
        i++;
    lib_mem_free(held);
    if (i == swap->held.count)
        return false;
    assert(swap->served != i + 1); /* a kernel that can be served is not stuck */
    swap->served = i + 1;
    return true;
}

uint32_t machine_served_back(const struct machine *m, const struct machine_swap *swap,
                             const struct machine_memory *memory)
{
    const struct machine_held_kernel *k = &swap->held.items[swap->served - 1];
    for (unsigned operand = 0; operand < 2; operand++) {
        const uint32_t number = operand_of(m, k, operand);
        if (number != ISA_STRUCTURE_NONE &&
            machine_memory_of(m, swap, number) == memory &&
            swapped_of(swap, number).where == MACHINE_SWAP_OUT)
            return machine_room_for_bytes(m, memory, machine_swap_bytes(m, number))
                       ? number
                       : ISA_STRUCTURE_NONE;
    }
    return ISA_STRUCTURE_NONE;
}

/* Returns the tensor at rest whose operands began to wait first. */
static uint32_t find_resting(const struct machine *m, const struct machine_swap *swap,
                             const struct machine_memory *memory, const uint32_t *held)
{
    uint32_t found = ISA_STRUCTURE_NONE;
    for (uint32_t i = 0; i < swap->of.count; i++)
        if (held[i] == 0 && swap->of.items[i].waiting > 0 &&
            is_movable(m, swap, memory, i, 0) &&
            (found == ISA_STRUCTURE_NONE ||
             swap->of.items[i].since < swap->of.items[found].since))
            found = i;
    return found;
}

/* Returns a movable operand of the newest waiting kernel that has one; none of the kernel that is
 * served. */
static uint32_t find_operand(const struct machine *m, const struct machine_swap *swap,
                             const struct machine_memory *memory, const uint32_t *held)
{
    const struct machine_held_kernel *served = &swap->held.items[swap->served - 1];
    for (size_t i = swap->held.count; i-- > 0;)
        for (unsigned operand = 0; operand < 2; operand++) {
            const uint32_t number = operand_of(m, &swap->held.items[i], operand);
            if (number != ISA_STRUCTURE_NONE &&
                is_movable(m, swap, memory, number, held[number]) &&
                count_operands(m, served, number) == 0)
                return number;
        }
    return ISA_STRUCTURE_NONE;
}

uint32_t machine_served_out(const struct machine *m, const struct machine_swap *swap,
                            const struct machine_memory *memory)
{
    const uint64_t taken = memory->resident - memory->leaving;
    const struct machine_held_kernel *k = &swap->held.items[swap->served - 1];
    if (taken + bytes_lacking(m, swap, memory, k) <= m->settings.memory_capacity)
        return ISA_STRUCTURE_NONE;
    uint32_t *held = count_held(m, swap);
    uint32_t found = find_resting(m, swap, memory, held);
    if (found == ISA_STRUCTURE_NONE)
        found = find_operand(m, swap, memory, held);
    lib_mem_free(held);
    return found;
}
