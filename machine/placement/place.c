#include "lib/random.h"
#include "machine/state.h"

static uint64_t hash_of(const struct machine *m, uint64_t path)
{
    if (m->settings.placement_policy == MACHINE_PLACE_RANDOM)
        return lib_random_draw(m->seed, LIB_RANDOM_PLACEMENT, path, 0);
    return path;
}

/* The upper half of a hash, scaled to a number of PEs: no division. */
static uint32_t scale(uint64_t hash, uint32_t pes)
{
    return (uint32_t)(((hash >> 32) * pes) >> 32);
}

uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint64_t path)
{
    return node * m->node_pes + scale(hash_of(m, path), m->node_pes);
}

/* Whether an activation of a function runs a copy of its graph. */
static bool is_copy(const struct machine *m, uint32_t function)
{
    return m->copy.nodes && function != 0 && !m->exec.tags.shapes[function].is_loop;
}

/* Whether it is in the node of who made it, or that was chosen for it: all but the top level. */
static bool stays_in_node(const struct machine *m, uint32_t function)
{
    return m->copy.nodes && function != 0 &&
           m->settings.copy_placement > MACHINE_COPY_PLACED;
}

/* Whether each machine has room for its part of a frame, at a place. */
static bool has_room(const struct machine *m, uint32_t function, uint32_t site,
                     uint32_t place)
{
    const struct isa_shares *s = m->exec.tags.shares;
    for (uint32_t i = 0; i < s->machines; i++)
        if (m->match.slots[i * s->machine_pes + place] +
                isa_shares_slots(s, function, site, i) >
            m->match.capacity)
            return false;
    return true;
}

/* The place from this one on, around, where there is; this one, if there is none. */
static uint32_t find_place(const struct machine *m, uint32_t function, uint32_t site,
                           uint32_t place)
{
    for (uint32_t i = 0; i < m->machine_pes; i++) {
        const uint32_t at = (place + i) % m->machine_pes;
        if (has_room(m, function, site, at))
            return at;
    }
    return place;
}

/* A frame is taken where its activation was placed. */
static void take_slots(struct machine *m, const struct isa_activation *a)
{
    const struct isa_shares *s = m->match.slots_on ? m->exec.tags.shares : NULL;
    m->match.full |= s && !has_room(m, a->function, a->site, a->pe_number);
    for (uint32_t i = 0; s && i < s->machines; i++)
        m->match.slots[i * s->machine_pes + a->pe_number] += isa_shares_slots(
            s, a->function, a->site, i);
    if (s)
        return;
    m->match.slots[a->pe_number] += m->exec.tags.shapes[a->function].slots;
    if (m->match.slots[a->pe_number] > m->match.capacity)
        m->match.full = true;
}

uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller)
{
    const bool in_node = stays_in_node(m, function);
    const bool at_caller = is_copy(m, function) &&
                           m->settings.copy_placement == MACHINE_COPY_AT_CALLER;
    const uint32_t node = in_node ? caller / m->node_pes : 0;
    uint32_t pe_number = caller;
    if (in_node)
        pe_number = machine_pe_in_node(m, node, path);
    else if (!at_caller)
        pe_number = scale(hash_of(m, path), m->machine_pes);
    if (!m->match.is_frames)
        return pe_number;
    if (m->match.slots_on)
        return find_place(m, function, site, pe_number);
    const uint32_t first = node * m->node_pes,
                   count = in_node ? m->node_pes : m->pe_count;
    const uint32_t slots = m->exec.tags.shapes[function].slots;
    return machine_match_find(&m->match, first, count, pe_number, slots);
}

/* Where its path alone does not say it. */
static __attribute__((noinline)) void place(struct machine *m, struct isa_activation *a)
{
    const bool copy = is_copy(m, a->function);
    uint32_t caller = 0;
    if (copy || stays_in_node(m, a->function))
        caller = isa_activations_get(&m->exec.tags, a->parent)->pe_number;
    const uint32_t from = copy && m->coordinator.is_there ? m->coordinator.fires_at
                                                          : caller;
    a->pe_number = machine_pe_of_call(m, a->function, a->site, a->path, from);
    if (copy)
        m->copy.nodes[a->pe_number] += m->code->copy_nodes[a->function];
    if (copy && m->node_pes)
        m->copy.remote += a->pe_number / m->node_pes != caller / m->node_pes;
    if (m->match.is_frames)
        take_slots(m, a);
}

void machine_place_activation(struct machine *m, struct isa_activation *a)
{
    if (m->copy.nodes || m->match.is_frames)
        place(m, a);
    else
        a->pe_number = scale(hash_of(m, a->path), m->machine_pes);
}
