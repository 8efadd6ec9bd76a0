#include "machine/placement/policy.h"

#include "lib/random.h"
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

static uint32_t choose_caller(const struct machine *m, const struct machine_placing *what)
{
    (void)m;
    return what->caller;
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

struct machine_policies *machine_policies_make(const struct machine_settings *s)
{
    struct machine_policies *policies = lib_mem_new(sizeof *policies);
    *policies = (struct machine_policies){
        &activations[s->placement_policy], &copies[s->copy_placement],
        &nodes[s->coordinator_choice], &elements[s->structure_placement]};
    return policies;
}

bool machine_policies_know_seed(const struct machine_settings *s)
{
    return activations[s->placement_policy].knows & SEED;
}
