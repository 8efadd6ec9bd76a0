/* "Placement" of activations, and the slots of their frames ("Matching stores"). */
#include "lib/random.h"
#include "tests/oracle/state.h"

#include <string.h>

/* --- "Capabilities" -------------------------------------------------------------------- */

/* The function under whose tags an instruction fires. */
static uint32_t fires_in(const struct oracle *o, const struct isa_node *n)
{
    return n->op == ISA_OP_JOIN || n->op == ISA_OP_RETURN
               ? o->graph->sites[n->site].callee
               : n->function;
}

/* The class that "fact:fast,fib:slow", or else the program, has for a function, or for that around
 * a loop; NULL: none. */
static const char *class_of(const struct oracle *o, uint32_t function)
{
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->functions[function].is_loop &&
            o->graph->sites[s].callee == function)
            return class_of(o, o->graph->sites[s].caller);
    const char *name = o->graph->functions[function].name;
    for (const char *c = o->s->functions; c; c = strchr(c, ','), c = c ? c + 1 : NULL)
        if (strncmp(c, name, strlen(name)) == 0 && c[strlen(name)] == ':')
            return c + strlen(name) + 1;
    return oracle_wrong(o, UNSAID) ? NULL : o->graph->functions[function].on;
}

/* Whether the PEs at a place can do all that activations of a function fire there. */
static bool is_capable(const struct oracle *o, uint32_t function, unsigned place)
{
    if (!o->of_pes || o->s->executor_workers || oracle_wrong(o, CAPABLE))
        return true;
    const char *class = oracle_wrong(o, ANYWHERE) ? NULL : class_of(o, function);
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        const unsigned pe = oracle_pe_on(o, &o->instrs[n], place);
        if (fires_in(o, node) == function &&
            (oracle_at(o, pe)->lacks[isa_op_table[node->op].unit] ||
             (class && !oracle_is_of_class(o->s, class, strcspn(class, ","), pe))))
            return false;
    }
    return true;
}

/* The place behind `pe` in a group of `count` from `first` on, around. */
static unsigned next_of(unsigned pe, unsigned first, unsigned count)
{
    return first + (pe + 1 - first) % count;
}

/* The place with number H, scaled, among those of the `count` from `first` on that are capable. */
static unsigned scaled(const struct oracle *o, uint32_t function, uint64_t path,
                       unsigned first, unsigned count)
{
    uint64_t h = path, capable = 0;
    if (o->s->random_placement)
        h = lib_random_draw(o->seed, LIB_RANDOM_PLACEMENT, path, 0);
    for (unsigned place = first; place < first + count; place++)
        capable += is_capable(o, function, place);
    uint64_t number = (h >> 32) * capable >> 32;
    for (unsigned place = first;; place++)
        if (is_capable(o, function, place) && number-- == 0)
            return place;
}

static unsigned places(const struct oracle *o)
{
    const uint64_t machines = o->graph->machine_count ? o->graph->machine_count : 1;
    return (unsigned)(o->s->pe_count / machines);
}

unsigned oracle_place_by_policy(const struct oracle *o, uint32_t function, uint64_t path)
{
    return scaled(o, function, path, 0, places(o));
}

/* "Copies on clusters". */
unsigned oracle_place_in_node(const struct oracle *o, unsigned node, uint32_t function,
                              uint64_t path)
{
    const unsigned pes = (unsigned)o->s->node_pes;
    return scaled(o, function, path, node * pes, pes);
}

unsigned oracle_place_near(const struct oracle *o, uint32_t function, unsigned pe)
{
    while (!is_capable(o, function, pe))
        pe = next_of(pe, 0, places(o));
    return pe;
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
                                    a->function, a->path);
    return oracle_place_by_policy(o, a->function, a->path);
}

static bool is_frames(const struct oracle *o)
{
    return o->s->frames;
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
        if (oracle_store_of(o, m * pes + place)->match_capacity > 0 &&
            o->pes[m * pes + place].slots + oracle_slots_on(o, function, site, m) >
                oracle_store_of(o, m * pes + place)->match_capacity +
                    oracle_wrong(o, PARTS))
            return false;
    return machines || oracle_store_of(o, place)->match_capacity == 0 ||
           o->pes[place].slots + oracle_slots(o, function) <=
               oracle_store_of(o, place)->match_capacity;
}

/* The PE that an activation would get now, or the next with room for its frame; NONE: no room. */
static unsigned find_room(const struct oracle *o, uint32_t function, uint32_t site,
                          unsigned pe)
{
    if (!is_frames(o))
        return pe;
    const unsigned count = is_confined(o, function) ? (unsigned)o->s->node_pes
                                                    : places(o);
    const unsigned first = pe / count * count;
    for (unsigned i = 0, at = pe; i < count; i++, at = next_of(at, first, count))
        if (is_capable(o, function, at) && has_room(o, function, site, at))
            return at;
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
