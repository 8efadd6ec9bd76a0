/* A mesh of one to three dimensions. With routing by dimension order, dependencies between channels
 * have no cycle (Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
 * section 14.2.3). */
#include "machine/network/graph_internal.h"

#include <stdlib.h>

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    if (!machine_graph_concentrate(g, 1, "mesh", why) ||
        !machine_graph_box(g, "mesh", why))
        return false;
    g->port_count = 2 * g->shape.dim_count;
    machine_graph_coords(g);
    return true;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)kind;
    const uint32_t d = port / 2, x = machine_coords(g, router)[d];
    const bool is_up = port % 2 == 0;
    if (is_up ? x + 1 == g->shape.dims[d] : x == 0)
        return MACHINE_NO_LINK;
    return machine_graph_step(g, router, d, is_up ? 1 : -1);
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const uint16_t *here = machine_coords(g, at->router);
    const uint16_t *there = machine_coords(g, at->target);
    uint32_t d = 0;
    while (here[d] == there[d])
        d++;
    return (struct machine_way_on){2 * d + (there[d] < here[d]), 0};
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    const uint16_t *here = machine_coords(g, at->router);
    const uint16_t *there = machine_coords(g, at->target);
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        if (here[d] != there[d])
            ports[count++] = 2 * d + (there[d] < here[d]);
    return count;
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint16_t *a = machine_coords(g, from), *b = machine_coords(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        sum += (uint32_t)abs((int)a[d] - (int)b[d]);
    return sum;
}

const struct machine_rules machine_mesh_rules = {
    .fit = fit,
    .behind = behind,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .shrink = machine_dims_shorten,
    .classes = 1,
    .has_valiant = true,
    .is_box = true,
};
