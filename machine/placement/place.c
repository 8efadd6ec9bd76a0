#include "lib/random.h"
#include "machine/state.h"

static uint32_t place_of_path(const struct machine *m, uint64_t path)
{
    uint64_t hash = path;
    if (m->settings.placement_policy == MACHINE_PLACE_RANDOM)
        hash = lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, path, 0);
    /* The upper half of the hash, scaled to the number of PEs of a machine: no division. */
    return (uint32_t)(((hash >> 32) * m->machine_pes) >> 32);
}

/* Whether an activation of a function runs a copy of its graph. */
static bool is_copy(const struct machine *m, uint32_t function)
{
    return m->copy.nodes && function != 0 && !m->exec.tags.shapes[function].is_loop;
}

uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint64_t path,
                            uint32_t caller)
{
    const bool at_caller = is_copy(m, function) &&
                           m->settings.copy_placement == MACHINE_COPY_AT_CALLER;
    const uint32_t pe_number = at_caller ? caller : place_of_path(m, path);
    if (!m->match.is_frames)
        return pe_number;
    const uint32_t slots = m->exec.tags.shapes[function].slots;
    const uint32_t found = machine_match_find(&m->match, m->pe_count, pe_number, slots);
    return found < m->pe_count ? found : pe_number;
}

void machine_place_activation(struct machine *m, struct isa_activation *a)
{
    uint32_t caller = 0; /* of a copy */
    if (is_copy(m, a->function))
        caller = isa_activations_get(&m->exec.tags, a->parent)->pe_number;
    a->pe_number = machine_pe_of_call(m, a->function, a->path, caller);
    if (is_copy(m, a->function))
        m->copy.nodes[a->pe_number] += m->code->copy_nodes[a->function];
    if (!m->match.is_frames)
        return;
    m->match.slots[a->pe_number] += m->exec.tags.shapes[a->function].slots;
    if (m->match.slots[a->pe_number] > m->match.capacity)
        m->match.full = true;
}
