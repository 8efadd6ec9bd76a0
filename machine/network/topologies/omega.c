/* An omega network: k^n PEs, n stages of k^(n-1) switches, and a perfect shuffle before each stage
 * (Lawrie, Access and Alignment of Data in an Array Processor, IEEE Trans. Computers C-24(12),
 * 1975). A k-ary n-fly is the same network with other numbers. As all links lead to later stages,
 * tokens cannot wait for each other in a cycle. Router s * k^(n-1) + i is switch i of stage s. */
#include "machine/network/graph_internal.h"

/* shape.dims: k and n. */
static uint32_t width(const struct machine_graph *g)
{
    return g->pe_count / g->shape.dims[0];
}

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    if (!machine_graph_powers(g, 2, "omega", why))
        return false;
    g->router_count = width(g) * g->shape.dims[1];
    g->port_count = g->shape.dims[0];
    return true;
}

static uint32_t shuffle(const struct machine_graph *g, uint32_t line)
{
    const uint32_t k = g->shape.dims[0], first = line / width(g);
    return line % width(g) * k + first;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)kind;
    const uint32_t k = g->shape.dims[0], stage = router / width(g);
    if (stage + 1 == g->shape.dims[1])
        return MACHINE_NO_LINK;
    const uint32_t line = router % width(g) * k + port;
    return (stage + 1) * width(g) + shuffle(g, line) / k;
}

static uint32_t source(const struct machine_graph *g, uint32_t pe)
{
    return shuffle(g, pe) / g->shape.dims[0];
}

static uint32_t sink(const struct machine_graph *g, uint32_t pe)
{
    return (g->shape.dims[1] - 1) * width(g) + pe / g->shape.dims[0];
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const uint32_t k = g->shape.dims[0], n = g->shape.dims[1];
    uint32_t rest = at->target % width(g); /* digits 1 ... n-1 of the destination PEs */
    for (uint32_t left = n - 2 - at->router / width(g); left > 0; left--)
        rest /= k;
    return (struct machine_way_on){rest % k, 0};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    return to / width(g) - from / width(g);
}

const struct machine_rules machine_omega_rules = {
    .fit = fit,
    .behind = behind,
    .source = source,
    .sink = sink,
    .next = next,
    .distance = distance,
    .shrink = machine_dims_lower,
    .classes = 1,
};
