#include "machine/placement/policy.h"

#include "lib/random.h"
#include "machine/placement/capability.h"
#include "machine/state.h"

/* Scales the upper half of a hash to a number of PEs, without division. */
static uint32_t scale(uint64_t hash, const struct machine_placing *what)
{
    return what->first + (uint32_t)(((hash >> 32) * what->count) >> 32);
}

static uint32_t choose_by_path(const struct machine *m,
                               const struct machine_placing *what)
{
    (void)m;
    return scale(what->path, what);
}

static uint32_t choose_at_random(const struct machine *m,
                                 const struct machine_placing *what)
{
    return scale(lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, what->path, 0), what);
}

/* Or the next PE, in the order of their numbers and around, that can do what the copy fires. */
static uint32_t choose_caller(const struct machine *m, const struct machine_placing *what)
{
    (void)m;
    if (!what->places)
        return what->caller;
    for (uint32_t i = what->first; i < what->first + what->count; i++)
        if (what->places[i] >= what->caller)
            return i;
    return what->first;
}

static uint32_t choose_as_activation(const struct machine *m,
                                     const struct machine_placing *what)
{
    return m->policies->activations->choose(m, what);
}

static uint32_t choose_next(const struct machine *m, const struct machine_placing *what)
{
    (void)m;
    return (uint32_t)(what->choices % what->count);
}

/* Returns the node whose copies have the fewest instructions, the first of equal ones. */
static uint32_t choose_least_loaded(const struct machine *m,
                                    const struct machine_placing *what)
{
    uint32_t found = 0;
    uint64_t least = what->load(m, 0);
    for (uint32_t node = 1; node < what->count; node++) {
        const uint64_t load = what->load(m, node);
        found = load < least ? node : found;
        least = load < least ? load : least;
    }
    return found;
}

enum { PATH = MACHINE_KNOWS_PATH, SEED = MACHINE_KNOWS_SEED };

static const struct machine_policy activations[] = {
    [MACHINE_PLACE_BY_TAG] = {choose_by_path, PATH, false},
    [MACHINE_PLACE_RANDOM] = {choose_at_random, PATH | SEED, false},
};

static const struct machine_policy copies[] = {
    [MACHINE_COPY_AT_CALLER] = {choose_caller, MACHINE_KNOWS_CALLER, false},
    [MACHINE_COPY_PLACED] = {choose_as_activation, PATH | SEED, false},
    [MACHINE_COPY_IN_NODE] = {choose_as_activation, PATH | SEED, true},
    [MACHINE_COPY_COORDINATED] = {choose_as_activation, PATH | SEED, true},
};

static const struct machine_policy nodes[] = {
    [MACHINE_COPY_ROUND_ROBIN] = {choose_next, MACHINE_KNOWS_CHOICES, false},
    [MACHINE_COPY_LEAST_LOADED] = {choose_least_loaded, MACHINE_KNOWS_COPIES, false},
};

static uint64_t count_interleaved(uint32_t home, uint64_t length, uint64_t pes,
                                  uint64_t first, uint64_t own)
{
    uint64_t count = own * (length / pes);
    /* elements that remain if each PE has equally many */
    for (uint64_t i = 0; i < own; i++)
        count += (first + i + pes - home) % pes < length % pes;
    return count;
}

static uint64_t count_local(uint32_t home, uint64_t length, uint64_t pes, uint64_t first,
                            uint64_t own)
{
    (void)pes;
    return home >= first && home < first + own ? length : 0;
}

static const struct machine_element_policy elements[] = {
    [MACHINE_STRUCTURE_INTERLEAVED] = {1, count_interleaved},
    [MACHINE_STRUCTURE_LOCAL] = {0, count_local},
};

struct machine_policies *
machine_policies_make(const struct machine_settings *s, uint32_t pe_count,
                      const struct machine_capability *capability)
{
    struct machine_policies *policies = lib_mem_new(sizeof *policies);
    const bool is_masked = !capability && (pe_count & (pe_count - 1)) == 0;
    *policies = (struct machine_policies){
        .activations = &activations[s->placement_policy],
        .copies = &copies[s->copy_placement],
        .nodes = &nodes[s->coordinator_choice],
        .elements = &elements[s->structure_placement],
        .element_step = elements[s->structure_placement].step,
        .element_mask = is_masked ? pe_count - 1 : MACHINE_NO_MASK,
        .pe_count = pe_count,
        .capability = capability};
    return policies;
}

uint32_t machine_place_element_at(const struct machine_policies *policies, uint32_t home,
                                  uint64_t element)
{
    const struct machine_capability *capability = policies->capability;
    const uint64_t distance = element * policies->element_step;
    if (!capability)
        return (uint32_t)((home + distance) % policies->pe_count);
    const uint64_t rank = capability->memory_below[home] + distance;
    return capability->memory.items[rank % capability->memory.count];
}

uint32_t machine_element_pes(const struct machine_policies *policies, uint32_t first,
                             uint32_t end)
{
    const uint32_t *below = policies->capability ? policies->capability->memory_below
                                                 : NULL;
    return below ? below[end] - below[first] : end - first;
}

uint64_t machine_count_elements(const struct machine_policies *policies, uint32_t home,
                                uint64_t length, uint32_t first, uint32_t own)
{
    const uint32_t pes = policies->pe_count;
    return policies->elements->count(machine_element_pes(policies, 0, home), length,
                                     machine_element_pes(policies, 0, pes),
                                     machine_element_pes(policies, 0, first),
                                     machine_element_pes(policies, first, first + own));
}

bool machine_policies_know_seed(const struct machine_settings *s)
{
    return activations[s->placement_policy].knows & SEED;
}
