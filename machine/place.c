#include "lib/random.h"
#include "machine/state.h"

static uint32_t place_of_path(const struct machine *m, uint64_t path)
{
    uint64_t hash = path;
    if (m->settings.placement_policy == MACHINE_PLACE_RANDOM)
        hash = lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, path, 0);
    /* The upper half of the hash, scaled to the number of PEs: no division. */
    return (uint32_t)(((hash >> 32) * m->pe_count) >> 32);
}

/* Whether activations of a function run a copy of its graph where their caller is. */
static bool is_at_caller(const struct machine *m, uint32_t function)
{
    return m->code->expands && m->settings.copy_placement == MACHINE_COPY_AT_CALLER &&
           !m->exec.tags.shapes[function].is_loop;
}

uint32_t machine_place_of_call(const struct machine *m, uint32_t function, uint64_t path,
                               uint32_t caller)
{
    const uint32_t place = is_at_caller(m, function) ? caller : place_of_path(m, path);
    if (!m->match.is_frames)
        return place;
    const uint32_t slots = m->exec.tags.shapes[function].slots;
    const uint32_t found = machine_match_find(&m->match, m->pe_count, place, slots);
    return found < m->pe_count ? found : place;
}

void machine_place_new(struct machine *m, struct isa_activation *a)
{
    const uint32_t caller = a->site == ISA_SITE_NONE
                                ? ISA_PLACE_NONE
                                : isa_tags_get(&m->exec.tags, a->parent)->place;
    const bool is_root = caller == ISA_PLACE_NONE;
    a->place = is_root ? place_of_path(m, a->path)
                       : machine_place_of_call(m, a->function, a->path, caller);
    if (m->copy.nodes && !is_root && !m->exec.tags.shapes[a->function].is_loop)
        m->copy.nodes[a->place] += m->code->copy_nodes[a->function];
    if (!m->match.is_frames)
        return;
    m->match.slots[a->place] += m->exec.tags.shapes[a->function].slots;
    if (m->match.slots[a->place] > m->match.capacity)
        m->match.full = true;
}
