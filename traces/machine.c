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

/* Returns what PEs in no class have. */
static struct traces_pe_class outside(const struct traces_machine *m)
{
    struct traces_pe_class own = {.units = m->units,
                                  .match = m->match,
                                  .fetch = m->fetch,
                                  .form = m->form,
                                  .request = m->request,
                                  .can = TRACES_CAN_ALL};
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        own.unit[unit] = m->unit[unit];
    return own;
}

struct traces_pe_class traces_machine_pe(const struct traces_machine *m, uint32_t pe)
{
    const struct traces_pe_class *class = traces_machine_class(m, pe);
    return class ? *class : outside(m);
}

/* Returns the number of PEs in no class. */
static uint32_t outside_count(const struct traces_machine *m)
{
    uint32_t count = m->pe_count;
    for (uint32_t i = 0; i < m->range_count; i++)
        count -= m->ranges[i].last - m->ranges[i].first + 1;
    return count;
}

uint64_t traces_machine_all_units(const struct traces_machine *m)
{
    const uint32_t others = outside_count(m);
    uint64_t all = others * m->units;
    bool is_limited = others == 0 || m->units > 0;
    for (uint32_t i = 0; i < m->range_count; i++) {
        const struct traces_class_range *r = &m->ranges[i];
        const uint64_t units = m->classes[r->class].units;
        all += (r->last - r->first + 1) * units;
        is_limited &= units > 0;
    }
    return is_limited ? all : 0;
}

uint64_t traces_machine_max_units(const struct traces_machine *m)
{
    uint64_t most = m->units;
    for (uint32_t i = 0; i < m->class_count; i++)
        most = m->classes[i].units > most ? m->classes[i].units : most;
    return most;
}

uint64_t traces_machine_least_latency(const struct traces_machine *m, enum isa_op op)
{
    uint64_t least = outside_count(m) ? m->latency[op] : UINT64_MAX;
    for (uint32_t i = 0; i < m->class_count; i++) {
        const uint64_t own = traces_machine_class_latency(m, &m->classes[i], op);
        least = own < least ? own : least;
    }
    return least;
}

uint64_t traces_machine_max_latency(const struct traces_machine *m, enum isa_op op)
{
    uint64_t most = m->latency[op];
    for (uint32_t i = 0; i < m->class_count; i++) {
        const uint64_t own = traces_machine_class_latency(m, &m->classes[i], op);
        most = own > most ? own : most;
    }
    return most;
}

uint64_t traces_machine_max_request(const struct traces_machine *m)
{
    uint64_t most = m->request;
    for (uint32_t i = 0; i < m->class_count; i++)
        most = m->classes[i].request > most ? m->classes[i].request : most;
    return most;
}

static uint64_t least_of(const struct traces_pe_class *of)
{
    uint64_t least = UINT64_MAX;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        least = of->unit[unit] < least ? of->unit[unit] : least;
    return of->match + of->fetch + of->form + least;
}

uint64_t traces_machine_min_latency(const struct traces_machine *m)
{
    const struct traces_pe_class others = outside(m);
    uint64_t least = least_of(&others);
    for (uint32_t i = 0; i < m->class_count; i++) {
        const uint64_t own = least_of(&m->classes[i]);
        least = own < least ? own : least;
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
