/* A flattened butterfly: a box of routers in which each is joined to all others of its line in each
 * dimension (Kim, Dally and Abts, Flattened Butterfly: A Cost-Efficient Topology for High-Radix
 * Networks, ISCA 2007). Routing by dimension order. */
#include "machine/network/graph_internal.h"

/* Returns the greatest divisor whose cube is at most the number of PEs, so that concentration and
 * dimensions are about equal. */
static uint32_t usual_concentration(uint32_t pe_count)
{
    uint32_t c = 1;
    for (uint32_t i = 1; (uint64_t)i * i * i <= pe_count; i++)
        if (pe_count % i == 0)
            c = i;
    return c;
}

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    uint32_t usual = usual_concentration(s->pe_count);
    if (s->dim_count > 0)
        usual = machine_dims_share(s);
    if (!machine_graph_concentrate(g, usual, "flatfly", why) ||
        !machine_graph_box(g, "flatfly", why))
        return false;
    for (uint32_t d = 0; d < s->dim_count; d++)
        g->port_count += s->dims[d] - 1;
    machine_graph_coords(g);
    return true;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)kind;
    uint32_t d = 0;
    for (; port >= g->shape.dims[d] - 1; d++)
        port -= g->shape.dims[d] - 1;
    const uint32_t x = machine_coords(g, router)[d], to = port + (port >= x);
    return machine_graph_step(g, router, d, (int32_t)to - (int32_t)x);
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    const uint16_t *here = machine_coords(g, at->router);
    const uint16_t *there = machine_coords(g, at->target);
    uint32_t first = 0;
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        if (here[d] != there[d])
            ports[count++] = first + there[d] - (there[d] > here[d]);
        first += g->shape.dims[d] - 1;
    }
    return count;
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    uint32_t ports[MACHINE_MAX_DIMS];
    shortest(g, at, ports);
    return (struct machine_way_on){ports[0], 0};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint16_t *a = machine_coords(g, from), *b = machine_coords(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        sum += a[d] != b[d];
    return sum;
}

const struct machine_rules machine_flatfly_rules = {
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
