/* "Placement" of activations; the slots of frames that they take: "Matching stores". */
#include "lib/random.h"
#include "tests/oracle/state.h"

/* Where the policy would have an activation. */
unsigned oracle_place_by_policy(const struct oracle *o, const struct activation *a)
{
    uint64_t h = a->path;
    if (o->s->random_placement)
        h = lib_random_draw(o->seed, LIB_RANDOM_PLACEMENT, a->path, 0);
    const uint64_t machines = o->graph->machine_count ? o->graph->machine_count : 1;
    return (unsigned)((h >> 32) * (o->s->pe_count / machines) >> 32);
}

static bool is_frames(const struct oracle *o)
{
    return o->s->frames && o->s->match_capacity > 0;
}

/* Where an activation of a function would be placed now: at a PE, or at the next one
 * that has room for its frame; NONE: there is no such one. */
static unsigned find_room(const struct oracle *o, uint32_t function, unsigned pe)
{
    if (!is_frames(o))
        return pe;
    const uint64_t slots = oracle_slots(o, function);
    for (uint64_t i = 0; i < o->s->pe_count; i++) {
        const unsigned at = (unsigned)((pe + i) % o->s->pe_count);
        if (o->pes[at].slots + slots <= o->s->match_capacity)
            return at;
    }
    return NONE;
}

unsigned oracle_would_be_at(const struct oracle *o, uint32_t function, unsigned pe)
{
    const unsigned at = find_room(o, function, pe);
    return at == NONE ? pe : at;
}

/* Places an activation, when the first token is sent to it. */
void oracle_place_at(struct oracle *o, struct activation *a, unsigned pe)
{
    if (a->place != NONE)
        return;
    a->place = oracle_would_be_at(o, a->function, pe);
    if (!is_frames(o))
        return;
    if (find_room(o, a->function, pe) == NONE)
        o->no_frame = true; /* after this turn the run ends */
    a->slots = oracle_slots(o, a->function);
    o->pes[a->place].slots += a->slots;
}

void oracle_place(struct oracle *o, struct activation *a)
{
    if (a->place == NONE)
        oracle_place_at(o, a, oracle_place_by_policy(o, a));
}
