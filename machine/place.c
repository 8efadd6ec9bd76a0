#include "lib/random.h"
#include "machine/state.h"

void machine_place_new(const struct machine *m, struct isa_activation *a)
{
    uint64_t hash = a->path;
    if (m->settings.placement_policy == MACHINE_PLACE_RANDOM)
        hash = lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, a->path, 0);
    /* The upper half of the hash, scaled to the number of PEs: no division. */
    a->place = (uint32_t)(((hash >> 32) * m->pe_count) >> 32);
}
