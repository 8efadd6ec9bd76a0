/* "Placement" of activations, and the slots of their frames ("Matching stores"). */
#include "lib/random.h"
#include "tests/oracle/state.h"

/* H, scaled to a number of PEs. */
static unsigned scaled(const struct oracle *o, uint64_t path, uint64_t pes)
{
    uint64_t h = path;
    if (o->s->random_placement)
        h = lib_random_draw(o->seed, LIB_RANDOM_PLACEMENT, path, 0);
    return (unsigned)((h >> 32) * pes >> 32);
}

unsigned oracle_place_by_policy(const struct oracle *o, const struct activation *a)
{
    const uint64_t machines = o->graph->machine_count ? o->graph->machine_count : 1;
    return scaled(o, a->path, o->s->pe_count / machines);
}

/* "Copies on clusters". */
unsigned oracle_place_in_node(const struct oracle *o, unsigned node, uint64_t path)
{
    return (unsigned)(node * o->s->node_pes) + scaled(o, path, o->s->node_pes);
}

static bool is_confined(const struct oracle *o, uint32_t function)
{
    return o->graph->stage == ISA_STAGE_EXPANDING && function != 0 &&
           o->s->copy_placement > ORACLE_PLACED;
}

unsigned oracle_place_wanted(const struct oracle *o, const struct activation *a)
{
    if (is_confined(o, a->function) && !oracle_wrong(o, CONFINED))
        return oracle_place_in_node(o, (unsigned)(a->parent->place / o->s->node_pes),
                                    a->path);
    return oracle_place_by_policy(o, a);
}

static bool is_frames(const struct oracle *o)
{
    return o->s->frames && o->s->match_capacity > 0;
}

/* Counts the slots of a frame at its PE; of a divided program, at that PE of each machine. */
static void count_slots(struct oracle *o, const struct activation *a, uint64_t sign)
{
    const unsigned machines = o->graph->machine_count;
    const unsigned pes = machines ? (unsigned)(o->s->pe_count / machines) : 0;
    for (unsigned m = 0; m < machines; m++)
        o->pes[m * pes + a->place].slots += sign *
                                            oracle_slots_on(o, a->function, a->site, m);
    if (!machines)
        o->pes[a->place].slots += sign * oracle_slots(o, a->function);
}

void oracle_leave_frame(struct oracle *o, const struct activation *a)
{
    if (is_frames(o) && a->place != NONE)
        count_slots(o, a, UINT64_C(0) - 1);
}

static bool has_room(const struct oracle *o, uint32_t function, uint32_t site,
                     unsigned place)
{
    const unsigned machines = o->graph->machine_count;
    const unsigned pes = machines ? (unsigned)(o->s->pe_count / machines) : 0;
    for (unsigned m = 0; m < machines; m++)
        if (o->pes[m * pes + place].slots + oracle_slots_on(o, function, site, m) >
            o->s->match_capacity + oracle_wrong(o, PARTS))
            return false;
    return machines ||
           o->pes[place].slots + oracle_slots(o, function) <= o->s->match_capacity;
}

/* The PE that an activation would get now, or the next with room for its frame; NONE: no room. */
static unsigned find_room(const struct oracle *o, uint32_t function, uint32_t site,
                          unsigned pe)
{
    const uint64_t machines = o->graph->machine_count ? o->graph->machine_count : 1;
    if (!is_frames(o))
        return pe;
    const uint64_t count = is_confined(o, function) ? o->s->node_pes
                                                    : o->s->pe_count / machines;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t first = pe / count * count;
        const unsigned at = (unsigned)(first + (pe - first + i) % count);
        if (has_room(o, function, site, at))
            return at;
    }
    return NONE;
}

unsigned oracle_would_be_at(const struct oracle *o, uint32_t function, uint32_t site,
                            unsigned pe)
{
    const unsigned at = find_room(o, function, site, pe);
    return at == NONE ? pe : at;
}

void oracle_place_at(struct oracle *o, struct activation *a, unsigned pe)
{
    if (a->place != NONE)
        return;
    a->place = oracle_would_be_at(o, a->function, a->site, pe);
    if (!is_frames(o))
        return;
    if (find_room(o, a->function, a->site, pe) == NONE)
        o->no_frame = true; /* the run ends after this turn */
    count_slots(o, a, 1);
}

void oracle_place(struct oracle *o, struct activation *a)
{
    if (a->place == NONE)
        oracle_place_at(o, a, oracle_place_wanted(o, a));
}
