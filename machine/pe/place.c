#include "machine/pe/coordinator.h"
#include "machine/pe/match.h"
#include "machine/placement/capability.h"
#include "machine/placement/policy.h"
#include "machine/state.h"

/* Restricts `what` to the PEs that can do what an activation of `function` fires. */
static __attribute__((noinline)) void
keep_able(const struct machine *m, struct machine_placing *what, uint32_t function)
{
    const struct machine_places *able = machine_capability_of(m->capability, function);
    const uint32_t first = machine_places_from(able, what->first);
    what->count = machine_places_from(able, what->first + what->count) - first;
    what->first = first;
    what->places = able->items;
}

/* Returns the place that a policy chose. */
static uint32_t chosen_place(const struct machine_placing *what, uint32_t chosen)
{
    return what->places ? what->places[chosen] : chosen;
}

uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint32_t function,
                            uint64_t path)
{
    struct machine_placing what = {
        .path = path, .first = node * m->node_pes, .count = m->node_pes};
    if (m->capability)
        keep_able(m, &what, function);
    return chosen_place(&what, m->policies->activations->choose(m, &what));
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

static bool has_room(const struct machine *m, uint32_t function, uint32_t site,
                     uint32_t place)
{
    return machine_match_has_room(m->match, &m->tokens.exec.tags, function, site, place);
}

/* Returns the index of `place` among the places of `what`. */
static uint32_t index_of(const struct machine_placing *what, uint32_t place)
{
    uint32_t index = 0;
    while (what->places[what->first + index] != place)
        index++;
    return index;
}

/* Returns the first place with room among those of `what`, cyclically from `place` on, which has
 * none; or `place`. */
static __attribute__((noinline)) uint32_t find_place(const struct machine *m,
                                                     const struct machine_placing *what,
                                                     uint32_t function, uint32_t site,
                                                     uint32_t place)
{
    const uint32_t start = what->places ? index_of(what, place) : place - what->first;
    for (uint32_t i = 1; i < what->count; i++) {
        const uint32_t next = what->first + (start + i) % what->count;
        const uint32_t at = what->places ? what->places[next] : next;
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

uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller)
{
    const bool in_node = stays_in_node(m, function);
    struct machine_placing what = {.path = path,
                                   .caller = caller,
                                   .first = in_node ? caller / m->node_pes * m->node_pes
                                                    : 0,
                                   .count = in_node ? m->node_pes : m->machine_pes};
    if (m->capability)
        keep_able(m, &what, function);
    const struct machine_policy *policy = is_copy(m, function) ? m->policies->copies
                                                               : m->policies->activations;
    const uint32_t place = chosen_place(&what, policy->choose(m, &what));
    return !machine_match_has_frames(m->match) || has_room(m, function, site, place)
               ? place
               : find_place(m, &what, function, site, place);
}

/* Places an activation whose PE depends on more than its path. */
static __attribute__((noinline)) void place(struct machine *m, struct isa_activation *a)
{
    const bool copy = is_copy(m, a->function);
    uint32_t caller = 0;
    if (knows_caller(m, a->function))
        caller = machine_place_of_tag(&m->tokens.exec.tags, a->parent);
    const uint32_t from = copy && m->coordinator ? machine_coordinator_fires_at(m)
                                                 : caller;
    a->owner = machine_pe_of_call(m, a->function, a->site, a->path, from);
    if (copy)
        m->tokens.exec.tags.copies_at[a->owner] += m->code->copy_nodes[a->function];
    if (copy && m->node_pes)
        m->watch.counts.remote_copies += a->owner / m->node_pes != caller / m->node_pes;
    if (machine_match_has_frames(m->match) &&
        !machine_match_take(m->match, &m->tokens.exec.tags, a))
        m->run.is_match_full = true;
}

bool machine_place_is_simple(const struct machine *m)
{
    return !machine_match_has_frames(m->match) && !m->capability && !m->copy &&
           !(m->policies->activations->knows & MACHINE_KNOWS_CALLER);
}

void machine_place_activation(struct machine *m, struct isa_activation *a)
{
    const struct machine_placing what = {.path = a->path, .count = m->machine_pes};
    if (!m->policies->is_simple)
        place(m, a);
    else
        a->owner = m->policies->activations->choose(m, &what);
}
