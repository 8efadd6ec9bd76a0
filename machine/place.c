#include "lib/random.h"
#include "machine/state.h"

uint32_t machine_place_of_path(const struct machine *m, uint64_t path)
{
    uint64_t hash = path;
    if (m->settings.placement_policy == MACHINE_PLACE_RANDOM)
        hash = lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, path, 0);
    /* The upper half of the hash, scaled to the number of PEs: no division. */
    return (uint32_t)(((hash >> 32) * m->pe_count) >> 32);
}

void machine_place_new(const struct machine *m, struct isa_activation *a)
{
    a->place = machine_place_of_path(m, a->path);
    if (!m->match.is_frames)
        return;
    uint32_t slots = m->exec.tags.shapes[a->function].slots;
    uint32_t place = machine_match_find(&m->match, m->pe_count, a->place, slots);
    if (place < m->pe_count)
        a->place = place;
    else
        *m->match.full = true;
    m->match.slots[a->place] += slots;
}
