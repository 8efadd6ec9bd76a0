/* A hypercube. Routing corrects differing bits from the lowest one (e-cube; Dally and Seitz 1987,
 * as in machine/network/topologies/torus.c), so paths never return to a lower bit. */
#include "machine/network/graph_internal.h"

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (!machine_graph_concentrate(g, 1, "hypercube", why))
        return false;
    uint32_t bits = 0;
    while (UINT32_C(2) << bits <= g->router_count)
        bits++;
    const uint32_t below = UINT32_C(1) << bits;
    if (g->router_count != below) {
        lib_text_printf(
            why, "`hypercube` needs a power of two of routers: %u or %u PEs; found %u",
            below * s->concentration, 2 * below * s->concentration, s->pe_count);
        return false;
    }
    if (s->dim_count > 1 || (s->dim_count == 1 && s->dims[0] != bits)) {
        lib_text_printf(why, "`hypercube` of %u routers has %u dimensions; found ",
                        g->router_count, bits);
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    s->dims[0] = bits;
    s->dim_count = 1;
    g->port_count = bits;
    return true;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)g, (void)kind;
    return router ^ (UINT32_C(1) << port);
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    (void)g;
    return (struct machine_way_on){(uint32_t)__builtin_ctz(at->router ^ at->target), 0};
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    (void)g;
    unsigned count = 0;
    for (uint32_t left = at->router ^ at->target; left; left &= left - 1)
        ports[count++] = (uint32_t)__builtin_ctz(left);
    return count;
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    (void)g;
    return (uint32_t)__builtin_popcount(from ^ to);
}

static void shrink(struct machine_shape *s, uint32_t most)
{
    (void)most;
    s->dims[0] = s->dims[0] < 10 ? s->dims[0] : 10;
    s->pe_count = UINT32_C(1) << s->dims[0];
    s->concentration = 1;
}

const struct machine_rules machine_hypercube_rules = {
    .fit = fit,
    .behind = behind,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .shrink = shrink,
    .classes = 1,
    .has_valiant = true,
};
