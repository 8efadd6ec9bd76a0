#include "machine/pe/swap_room.h"
#include "machine/describe.h"
#include "machine/nodes.h"

#include "machine/placement/policy.h"

bool machine_room_for_bytes(const struct machine *m, const struct machine_memory *memory,
                            uint64_t bytes)
{
    const uint64_t capacity = m->settings.memory_capacity;
    return memory->resident <= capacity && bytes <= capacity - memory->resident;
}

/* Returns the number of elements of an array that are in a memory. */
static uint64_t elements_in(const struct machine *m, const struct machine_swap *swap,
                            const struct machine_memory *memory, uint32_t home,
                            uint64_t length)
{
    const uint32_t first = (uint32_t)(memory - swap->memories) * m->memory_pes;
    return machine_count_elements(m->policies, home, length, first, m->memory_pes);
}

/* Whether a memory has room for its elements of an array. */
static bool has_room_for_elements(const struct machine *m,
                                  const struct machine_swap *swap,
                                  const struct machine_memory *memory, uint32_t home,
                                  uint64_t length)
{
    const uint64_t elements = elements_in(m, swap, memory, home, length);
    const uint64_t capacity = m->settings.memory_capacity;
    return elements == 0 || (memory->resident <= capacity &&
                             elements <= (capacity - memory->resident) / 8);
}

bool machine_room_for_array(const struct machine *m, const struct machine_swap *swap,
                            uint32_t home, uint64_t length)
{
    for (uint32_t i = 0; i < swap->memory_count; i++)
        if (!has_room_for_elements(m, swap, &swap->memories[i], home, length))
            return false;
    return true;
}

uint64_t machine_room_made(const struct machine *m,
                           const struct machine_held_kernel *held)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&held->token)];
    return instr->op == ISA_OP_OPEN ? isa_ports_fed(&m->tokens.exec, instr->index)
                                    : held->bytes;
}

uint64_t machine_room_for_kernel(const struct machine *m, const struct machine_swap *swap,
                                 const struct machine_memory *memory,
                                 const struct machine_held_kernel *held)
{
    enum { MOST = 60 }; /* bits; above all capacities */
    const uint32_t pe = machine_token_pe(&held->token);
    if (isa_op_makes_array(m->code->instrs[isa_token_instr(&held->token)].op)) {
        const uint64_t elements = elements_in(m, swap, memory, pe,
                                              machine_room_made(m, held));
        return 8 * (elements >> MOST ? UINT64_C(1) << MOST : elements);
    }
    return memory == &swap->memories[pe / m->memory_pes] ? held->bytes : 0;
}

void machine_room_take_array(struct machine *m, struct machine_swap *swap, uint32_t home,
                             uint64_t length)
{
    for (uint32_t i = 0; i < swap->memory_count; i++)
        swap->memories[i].resident += 8 * elements_in(m, swap, &swap->memories[i], home,
                                                      length);
}

void machine_room_forget_array(void *context, uint32_t home, uint64_t length)
{
    struct machine *m = context;
    struct machine_swap *swap = m->swap;
    for (uint32_t i = 0; i < swap->memory_count; i++)
        swap->memories[i].resident -= 8 * elements_in(m, swap, &swap->memories[i], home,
                                                      length);
}

/* --- feeds ----------------------------------------------------------------------------------- */

static uint32_t memory_at(const struct machine *m, uint32_t pe)
{
    return pe / m->memory_pes;
}

/* Calls `give` for what an element that is fed after `ahead` others needs: bytes in a memory. */
static void each_of_feed(const struct machine *m, uint32_t port, uint64_t ahead,
                         const struct machine_fed *parts,
                         void (*give)(void *context, uint32_t memory, uint64_t bytes),
                         void *context)
{
    const struct isa_port_state *state = &m->tokens.exec.structures.ports->all[port];
    for (size_t i = 0; i < state->arrays.count; i++) {
        const struct isa_port_array *a = &state->arrays.items[i];
        const struct isa_structure *array =
            &m->tokens.exec.structures.all.items[a->structure];
        const uint32_t home = machine_maker_of(array);
        if (!isa_port_keeps(&m->tokens.exec, a))
            continue;
        give(
            context,
            memory_at(m, machine_place_element(m->policies, home, array->length + ahead)),
            sizeof(isa_value));
        if (a->part != ISA_PORT_NONE && parts[a->part].is_tensor)
            give(context, memory_at(m, home), isa_shape_bytes(&parts[a->part].shape));
    }
}

struct adding {
    const struct machine *m;
    uint64_t *bytes,
        *other; /* bytes to change, and those to add to them; `other` may be NULL */
    uint64_t needed;
};

static void add_bytes(void *context, uint32_t memory, uint64_t bytes)
{
    struct adding *a = context;
    a->bytes[memory] += bytes;
    const uint64_t with = a->m->swap->memories[memory].resident + a->bytes[memory] +
                          (a->other ? a->other[memory] : 0);
    a->needed = bytes && with > a->needed ? with : a->needed;
}

static void clear_bytes(void *context, uint32_t memory, uint64_t bytes)
{
    (void)bytes;
    ((uint64_t *)context)[memory] = 0;
}

static void take_bytes(void *context, uint32_t memory, uint64_t bytes)
{
    ((struct machine *)context)->swap->memories[memory].resident += bytes;
}

struct machine_room_sum *machine_room_sum_new(const struct machine *m, uint64_t cycle)
{
    struct machine_room_sum *sum = lib_mem_new(sizeof *sum);
    const size_t memories = m->swap->memory_count;
    sum->cycle = cycle;
    sum->bytes = lib_mem_new(memories * sizeof *sum->bytes);
    sum->own = lib_mem_new(memories * sizeof *sum->own);
    sum->ahead = lib_mem_new(m->code->graph->port_count * sizeof *sum->ahead);
    return sum;
}

void machine_room_sum_free(struct machine_room_sum *sum)
{
    LIB_MEM_FREE(sum->bytes, sum->own, sum->ahead, sum);
}

void machine_room_sum_add(const struct machine *m, struct machine_room_sum *sum,
                          uint32_t port, const struct machine_fed *parts)
{
    struct adding a = {m, sum->bytes, NULL, sum->needed};
    each_of_feed(m, port, sum->ahead[port]++, parts, add_bytes, &a);
    sum->needed = a.needed;
}

uint64_t machine_room_sum_needs(const struct machine *m, struct machine_room_sum *sum,
                                uint32_t port, const struct machine_fed *parts)
{
    struct adding a = {m, sum->own, sum->bytes, sum->needed};
    each_of_feed(m, port, sum->ahead[port], parts, add_bytes, &a);
    each_of_feed(m, port, sum->ahead[port], parts, clear_bytes, sum->own);
    return a.needed > m->settings.memory_capacity ? a.needed : 0;
}

uint64_t machine_room_feed_needs(const struct machine *m, uint32_t port,
                                 const struct machine_fed *parts)
{
    struct machine_room_sum *sum = machine_room_sum_new(m, 0);
    const uint64_t needed = machine_room_sum_needs(m, sum, port, parts);
    machine_room_sum_free(sum);
    return needed;
}

void machine_room_take_element(struct machine *m, uint32_t port,
                               const struct machine_fed *parts)
{
    each_of_feed(m, port, 0, parts, take_bytes, m);
}

/* Returns the setting that excludes finite memories, and the reason in `without`; or NULL. */
static const char *excluded_by(const struct machine_settings *s, const char **without)
{
    const struct traces_machine about = machine_describe(s, NULL, NULL);
    if (about.has_workers) {
        *without = "an executor has no finite memory";
        return "executor.workers";
    }
    if (about.by_reference) {
        *without = "tensors by reference have no finite memory";
        return "tensor.transport=reference";
    }
    if (machine_nodes_are_asked(s)) {
        *without = "nodes that count messages or have faults have no finite memory";
        return machine_nodes_asked_by(s);
    }
    return NULL;
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
