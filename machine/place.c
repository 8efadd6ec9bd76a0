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

uint32_t machine_place_of_call(const struct machine *m, uint32_t function, uint64_t path)
{
    const uint32_t place = place_of_path(m, path);
    if (!m->match.is_frames)
        return place;
    const uint32_t slots = m->exec.tags.shapes[function].slots;
    const uint32_t found = machine_match_find(&m->match, m->pe_count, place, slots);
    return found < m->pe_count ? found : place;
}

void machine_place_new(struct machine *m, struct isa_activation *a)
{
    a->place = machine_place_of_call(m, a->function, a->path);
    if (!m->match.is_frames)
        return;
    m->match.slots[a->place] += m->exec.tags.shapes[a->function].slots;
    if (m->match.slots[a->place] > m->match.capacity)
        m->match.full = true;
}
