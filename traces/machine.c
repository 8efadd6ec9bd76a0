#include "traces/machine.h"

#include "lib/memory.h"

const struct traces_pe_class *traces_machine_find_class(const struct traces_machine *m,
                                                        uint32_t pe)
{
    uint32_t low = 0, high = m->range_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (m->ranges[middle].last < pe)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->range_count && m->ranges[low].first <= pe
               ? &m->classes[m->ranges[low].class]
               : NULL;
}

uint32_t traces_machine_kind_count(const struct traces_machine *m, uint32_t number)
{
    uint32_t count = number ? 0 : m->pe_count;
    for (uint32_t i = 0; i < m->range_count; i++) {
        const uint32_t pes = m->ranges[i].last - m->ranges[i].first + 1;
        if (number == 0)
            count -= pes;
        else if (m->ranges[i].class == number - 1)
            count += pes;
    }
    return count;
}

/* --- sums over PEs, and extremes ------------------------------------------------------------- */

enum { UNITS, TURNS, REQUEST, OVERFLOW };

static uint64_t member(const struct traces_pe_class *of, int which)
{
    return which == UNITS     ? of->units
           : which == TURNS   ? of->turns
           : which == REQUEST ? of->request
                              : of->overflow;
}

/* Returns the sum of a member over all PEs; 0: that of some is 0, unlimited. */
static uint64_t sum(const struct traces_machine *m, int which)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const uint64_t pes = traces_machine_kind_count(m, i);
        const uint64_t own = member(traces_machine_kind(m, i), which);
        if (pes && !own)
            return 0;
        all += pes * own;
    }
    return all;
}

/* Returns the max of a member over classes, and PEs in none. */
static uint64_t max(const struct traces_machine *m, int which)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const uint64_t own = member(traces_machine_kind(m, i), which);
        most = own > most ? own : most;
    }
    return most;
}

uint64_t traces_machine_all_units(const struct traces_machine *m)
{
    return sum(m, UNITS);
}

uint64_t traces_machine_all_turns(const struct traces_machine *m)
{
    return sum(m, TURNS);
}

uint64_t traces_machine_max_units(const struct traces_machine *m)
{
    return max(m, UNITS);
}

uint64_t traces_machine_max_request(const struct traces_machine *m)
{
    return max(m, REQUEST);
}

uint64_t traces_machine_max_overflow(const struct traces_machine *m)
{
    return max(m, OVERFLOW);
}

uint64_t traces_machine_least_latency(const struct traces_machine *m, enum isa_op op)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const uint64_t own = traces_pe_latency(traces_machine_kind(m, i), op);
        if (traces_machine_kind_count(m, i) && own < least)
            least = own;
    }
    return least;
}

uint64_t traces_machine_max_latency(const struct traces_machine *m, enum isa_op op)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const uint64_t own = traces_pe_latency(traces_machine_kind(m, i), op);
        most = own > most ? own : most;
    }
    return most;
}

uint64_t traces_machine_min_latency(const struct traces_machine *m)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const struct traces_pe_class *of = traces_machine_kind(m, i);
        for (int unit = 0; unit < ISA_UNIT_COUNT; unit++) {
            const uint64_t own = of->match + of->fetch + of->form + of->unit[unit];
            least = own < least ? own : least;
        }
    }
    return least;
}

uint64_t traces_bits_for(uint64_t values)
{
    uint64_t bits = 0;
    while (values > 1 && bits < 64 && (values - 1) >> bits)
        bits++;
    return bits;
}

uint64_t traces_machine_token_bits(const struct traces_machine *m, uint32_t instructions)
{
    enum { VALUE = 64, OPERAND = 1 };
    return VALUE + OPERAND + traces_bits_for(instructions) + m->tag_bits;
}

/* --- the network -------------------------------------------------------------------------- */

struct traces_network *traces_machine_network(const struct traces_machine *m,
                                              bool has_distances)
{
    struct traces_network *n = lib_mem_new(sizeof *n);
    m->describe_network(m->settings, has_distances, n);
    return n;
}

uint64_t traces_machine_min_way(const struct traces_machine *m,
                                const struct traces_network *n, uint32_t from,
                                uint32_t to)
{
    if (n->link_count == 0)
        return m->network_latency;
    const uint64_t between = n->graph ? n->distances->between(n, from, to) : 0;
    return (n->links[from].delay + between + n->links[m->pe_count + to].delay) * m->ticks;
}

uint32_t traces_network_between_halves(const struct traces_network *n, uint32_t pe_count)
{
    if (n->graph)
        return n->distances->between_halves(n->graph);
    return n->link_count && !n->has_routers ? pe_count / 2 : 0;
}

void traces_network_free(struct traces_network *n)
{
    if (!n)
        return;
    if (n->graph)
        n->distances->free(n->graph);
    LIB_MEM_FREE(n->links, n);
}
