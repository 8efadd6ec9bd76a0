#include "machine/pe/coordinator.h"
#include "machine/pe/graph_copy.h"
#include "machine/pe/match.h"
#include "machine/placement/policy.h"
#include "machine/state.h"

uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint64_t path)
{
    const struct machine_placing what = {
        .path = path, .first = node * m->node_pes, .count = m->node_pes};
    return m->policies->activations->choose(m, &what);
}

static bool is_copy(const struct machine *m, uint32_t function)
{
    return m->copy && function != 0 && !m->tokens.exec.tags.shapes[function].is_loop;
}

/* Whether an activation is placed in the node of the caller, or in the node chosen for it. */
static bool stays_in_node(const struct machine *m, uint32_t function)
{
    return m->copy && function != 0 && m->policies->copies->in_node;
}

/* Whether matching stores hold a limited number of frames. */
static bool has_frames(const struct machine *m)
{
    return m->match && m->match->is_frames;
}

/* Whether each machine has room for its part of a frame at its PE `place`. */
static bool has_room(const struct machine *m, uint32_t function, uint32_t site,
                     uint32_t place)
{
    const struct isa_shares *s = m->tokens.exec.tags.shares;
    for (uint32_t i = 0; i < s->machines; i++)
        if (m->match->slots[i * s->owners + place] +
                isa_shares_slots(s, function, site, i) >
            m->match->capacity)
            return false;
    return true;
}

/* Returns the first place with room, cyclically from `place` on; or `place`. */
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

static bool knows_caller(const struct machine *m, uint32_t function)
{
    return function != 0 &&
           (m->copy || m->policies->activations->knows & MACHINE_KNOWS_CALLER);
}

static void take_slots(struct machine *m, const struct isa_activation *a)
{
    const struct isa_shares *s = m->match->slots_on ? m->tokens.exec.tags.shares : NULL;
    m->run.is_match_full |= s && !has_room(m, a->function, a->site, a->owner);
    for (uint32_t i = 0; s && i < s->machines; i++)
        m->match->slots[i * s->owners + a->owner] += isa_shares_slots(s, a->function,
                                                                      a->site, i);
    if (s)
        return;
    m->match->slots[a->owner] += m->tokens.exec.tags.shapes[a->function].slots;
    if (m->match->slots[a->owner] > m->match->capacity)
        m->run.is_match_full = true;
}

uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller)
{
    const bool in_node = stays_in_node(m, function);
    const uint32_t first = in_node ? caller / m->node_pes * m->node_pes : 0;
    const struct machine_placing what = {.path = path,
                                         .caller = caller,
                                         .first = first,
                                         .count = in_node ? m->node_pes : m->machine_pes};
    const struct machine_policy *policy = is_copy(m, function) ? m->policies->copies
                                                               : m->policies->activations;
    const uint32_t pe_number = policy->choose(m, &what);
    if (!has_frames(m))
        return pe_number;
    if (m->match->slots_on)
        return find_place(m, function, site, pe_number);
    const uint32_t slots = m->tokens.exec.tags.shapes[function].slots;
    return machine_match_find(m->match, first, in_node ? m->node_pes : m->pe_count,
                              pe_number, slots);
}

/* Places an activation whose PE depends on more than its path. */
static __attribute__((noinline)) void place(struct machine *m, struct isa_activation *a)
{
    const bool copy = is_copy(m, a->function);
    uint32_t caller = 0;
    if (knows_caller(m, a->function))
        caller = isa_activations_get(&m->tokens.exec.tags, a->parent)->owner;
    const uint32_t from = copy && m->coordinator ? m->coordinator->fires_at : caller;
    a->owner = machine_pe_of_call(m, a->function, a->site, a->path, from);
    if (copy)
        m->copy->nodes[a->owner] += m->code->copy_nodes[a->function];
    if (copy && m->node_pes)
        m->watch.counts.remote_copies += a->owner / m->node_pes != caller / m->node_pes;
    if (has_frames(m))
        take_slots(m, a);
}

void machine_place_activation(struct machine *m, struct isa_activation *a)
{
    const struct machine_placing what = {.path = a->path, .count = m->machine_pes};
    if (has_frames(m) || knows_caller(m, a->function))
        place(m, a);
    else
        a->owner = m->policies->activations->choose(m, &what);
}
