#include "machine/pe/resident.h"

#include "machine/pe/swap_room.h"
#include "machine/placement/policy.h"
#include "machine/state_table.h"
#include "machine/verify.h"

#define MACHINE_RESIDENT_FIELDS(F)                                                       \
    F(KEPT, uint32_t, memory_count)                                                      \
    F(ARRAY, uint64_t, bytes, s->memory_count) /* indexed by memory */
struct machine_resident {
    MACHINE_RESIDENT_FIELDS(LIB_STATE_MEMBER)
};

/* Adds bytes, modulo 2^64, to a memory. */
static void add(struct machine *m, struct machine_resident *r, uint32_t memory,
                uint64_t bytes)
{
    r->bytes[memory] += bytes;
    machine_resident_note(m, r->bytes[memory]);
}

/* Adds `bytes`, modulo 2^64, for each of the elements [first, end) of an array. Takes time
 * proportional to their number or that of the PEs, whichever is less. */
static void add_elements(struct machine *m, struct machine_resident *r, uint32_t home,
                         uint64_t first, uint64_t end, uint64_t bytes)
{
    const uint32_t pes = machine_element_pes(m->policies, 0, m->pe_count);
    const uint64_t rounds = m->policies->element_step ? (end - first) / pes : 0;
    if (m->policies->element_step == 0) {
        add(m, r, home / m->memory_pes, (end - first) * bytes);
        return;
    }
    for (uint32_t i = 0; rounds && i < r->memory_count; i++)
        add(m, r, i,
            rounds * bytes *
                machine_element_pes(m->policies, i * m->memory_pes,
                                    (i + 1) * m->memory_pes));
    for (uint64_t i = first + rounds * pes; i < end; i++)
        add(m, r, machine_place_element(m->policies, home, i) / m->memory_pes, bytes);
}

static void add_tensor(struct machine *m, struct machine_resident *r, uint32_t number,
                       uint64_t times)
{
    const struct isa_structure *s = &m->tokens.exec.structures.all.items[number];
    add(m, r, machine_maker_of(s) / m->memory_pes, times * s->tensor->bytes);
}

/* --- callbacks of structures ------------------------------------------------------------------ */

static void tensor_made(void *context, uint32_t number)
{
    struct machine *m = context;
    add_tensor(m, m->resident, number, 1);
}

static void tensor_gone(void *context, uint32_t number, uint64_t bytes)
{
    struct machine *m = context;
    (void)bytes;
    add_tensor(m, m->resident, number, UINT64_MAX);
}

static void array_made(void *context, uint32_t pe_number, uint64_t first, uint64_t end)
{
    struct machine *m = context;
    add_elements(m, m->resident, pe_number, first, end, sizeof(isa_value));
}

static void array_gone(void *context, uint32_t pe_number, uint64_t length)
{
    struct machine *m = context;
    add_elements(m, m->resident, pe_number, 0, length, -(uint64_t)sizeof(isa_value));
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_resident *r = state;
    struct isa_structures *s = &m->tokens.exec.structures;
    if (m->swap || machine_memory_excludes(&m->settings) || m->about.tensor_units ||
        m->about.has_batches) /* kernels at banks take room in finite memories alone */
        return false;
    r->memory_count = m->pe_count / m->memory_pes;
    r->bytes = lib_mem_new(r->memory_count * sizeof *r->bytes);
    s->tensor_made = tensor_made;
    s->tensor_gone = tensor_gone;
    s->array_made = array_made;
    s->array_gone = array_gone;
    s->context = m;
    return true;
}

LIB_STATE(struct machine, machine_resident, MACHINE_RESIDENT_FIELDS)

static void begin_part(struct machine *m, void *state)
{
    struct machine_resident *r = state;
    for (uint32_t i = 0; i < r->memory_count; i++)
        add(m, r, i, 0);
}

/* Computes the bytes of memories from the structures, if a checkpoint has been read. */
static void pack(struct lib_pack *pack, struct machine *m, void *state)
{
    const struct isa_structures *all = &m->tokens.exec.structures;
    if (!lib_pack_reads(pack))
        return;
    machine_resident_fields_clear(m, state);
    for (uint32_t i = 0; i < all->all.count; i++) {
        const struct isa_structure *s = &all->all.items[i];
        if (!s->is_alive || !lib_pack_expect(pack, machine_maker_of(s) < m->pe_count))
            continue;
        if (s->is_tensor)
            add_tensor(m, state, i, 1);
        else if (s->is_data)
            add(m, state, machine_maker_of(s) / m->memory_pes,
                s->length * sizeof(isa_value));
        else
            add_elements(m, state, machine_maker_of(s), 0, s->length, sizeof(isa_value));
    }
}

static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_resident *r = state;
    const struct isa_structures *all = &m->tokens.exec.structures;
    uint64_t bytes = all->elements * sizeof(isa_value);
    for (uint32_t i = 0; i < all->all.count; i++)
        if (all->all.items[i].is_alive && all->all.items[i].is_tensor)
            bytes += all->all.items[i].tensor->bytes;
    for (uint32_t i = 0; i < r->memory_count; i++)
        bytes -= r->bytes[i];
    machine_must(f, bytes == 0, "bytes in memories are counted");
}

const struct machine_part machine_resident_part = {
    MACHINE_PART_STATE(resident),
    .make = make,
    .free = machine_resident_fields_free,
    .reset = machine_resident_fields_clear,
    .begin_part = begin_part,
    .pack = pack,
    .check = check,
    .is_plain = true,
};
