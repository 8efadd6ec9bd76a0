#include "traces/machine.h"

#include "lib/memory.h"

uint64_t traces_machine_min_latency(const struct traces_machine *m)
{
    uint64_t least = UINT64_MAX;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        least = m->unit[unit] < least ? m->unit[unit] : least;
    return m->match + m->fetch + m->form + least;
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
    n->step = UINT64_MAX;
    for (uint32_t i = 2 * m->pe_count; i < n->link_count; i++)
        n->step = n->links[i].delay < n->step ? n->links[i].delay : n->step;
    return n;
}

uint64_t traces_machine_min_way(const struct traces_machine *m,
                                const struct traces_network *n, uint32_t from,
                                uint32_t to)
{
    if (n->link_count == 0)
        return m->network_latency;
    const uint32_t hops = n->graph ? n->distances->hops(n->graph, from, to) : 0;
    return (n->links[from].delay + n->links[m->pe_count + to].delay +
            (hops ? hops * n->step : 0)) *
           m->ticks;
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
