#include "programs/partition/moves.h"

#include "programs/partition/partition_internal.h"
#include "lib/memory.h"
#include "lib/random.h"

struct arc {
    uint32_t from, to; /* first nodes of two groups */
};

struct programs_partition_moves {
    const struct isa_graph *image;
    uint32_t machines;
    uint32_t *group_of;
    LIB_VEC(uint32_t) groups;
    LIB_VEC(struct arc) arcs; /* arcs between groups */
};

struct programs_partition_moves *
programs_partition_moves_new(const struct isa_graph *image, uint32_t machines)
{
    struct programs_partition_moves *m = lib_mem_new(sizeof *m);
    struct programs_partition_ends to = {0};
    *m = (struct programs_partition_moves){.image = image, .machines = machines};
    m->group_of = programs_partition_groups(image);
    for (uint32_t i = 0; i < image->node_count; i++) {
        if (m->group_of[i] == i)
            *LIB_VEC_PUSH(&m->groups) = i;
        for (uint32_t o = 0; o < image->nodes[i].output_count; o++) {
            to.count = 0;
            programs_partition_dests(image, i, o, &to);
            for (size_t k = 0; k < to.count; k++) {
                const uint32_t other = m->group_of[to.items[k].node];
                if (other != m->group_of[i])
                    *LIB_VEC_PUSH(&m->arcs) = (struct arc){m->group_of[i], other};
            }
        }
    }
    LIB_VEC_FREE(&to);
    return m;
}

void programs_partition_moves_free(struct programs_partition_moves *m)
{
    if (!m)
        return;
    LIB_VEC_FREE(&m->groups, &m->arcs);
    LIB_MEM_FREE(m->group_of, m);
}

struct drawing {
    uint64_t seed, number, drawn;
};

static uint32_t below(struct drawing *d, size_t most)
{
    const uint64_t bits = lib_random_draw(d->seed, LIB_RANDOM_SEARCH, d->number,
                                          d->drawn++);
    return (uint32_t)(((bits >> 32) * most) >> 32);
}

static void put_group(const struct programs_partition_moves *m, uint32_t *machine_of,
                      uint32_t group, uint32_t machine)
{
    for (uint32_t i = group; i < m->image->node_count; i++)
        if (m->group_of[i] == group)
            machine_of[i] = machine;
}

static void change(const struct programs_partition_moves *m, uint32_t *machine_of,
                   struct drawing *d)
{
    const uint32_t kind = below(d, 8);
    const uint32_t group = m->groups.items[below(d, m->groups.count)];
    const uint32_t other = m->groups.items[below(d, m->groups.count)];
    const uint32_t machine = below(d, m->machines);
    const uint32_t function = m->image->nodes[group].function;
    if (kind < 4 && m->arcs.count) { /* join the ends of an arc: most good changes do */
        const struct arc *arc = &m->arcs.items[below(d, m->arcs.count)];
        if (kind < 2)
            put_group(m, machine_of, arc->from, machine_of[arc->to]);
        else
            put_group(m, machine_of, arc->to, machine_of[arc->from]);
    } else if (kind < 6) {
        put_group(m, machine_of, group, machine);
    } else if (kind == 6) {
        const uint32_t was = machine_of[group];
        put_group(m, machine_of, group, machine_of[other]);
        put_group(m, machine_of, other, was);
    } else {
        for (size_t i = 0; i < m->groups.count; i++)
            if (m->image->nodes[m->groups.items[i]].function == function)
                put_group(m, machine_of, m->groups.items[i], machine);
    }
}

void programs_partition_move(const struct programs_partition_moves *moves,
                             uint32_t *machine_of, uint64_t seed, uint64_t number,
                             uint32_t count)
{
    struct drawing d = {.seed = seed, .number = number};
    if (moves->groups.count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        change(moves, machine_of, &d);
}
