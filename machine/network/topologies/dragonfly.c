/* A dragonfly: groups of routers; the routers of a group are joined all to all, and so are the
 * groups (Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA
 * 2008). There are g groups of a routers with p PEs and h global ports each; the largest for p has
 * a = 2p, h = p, g = a h + 1. A token takes at most a local link in class 0, a global link in class
 * 0, and a local link in class 1. */
#include "machine/network/graph_internal.h"

/* shape.dims: a, g and then h */
static uint32_t globals(uint64_t a, uint64_t g)
{
    return (uint32_t)((g - 1 + a - 1) / a);
}

/* Returns the distance of a shape from the balance a = 2p, h = p. */
static uint64_t imbalance(uint64_t p, uint64_t a, uint64_t g)
{
    const uint64_t h = globals(a, g);
    const uint64_t x = a > 2 * p ? a - 2 * p : 2 * p - a, y = h > p ? h - p : p - h;
    return x * x + y * y;
}

/* Sets the shape to the best balanced product p a g; of equal ones that with the fewest PEs per
 * router, then with the fewest routers per group. */
static void derive(struct machine_shape *s)
{
    const uint32_t n = s->pe_count, given = s->concentration;
    uint64_t best = UINT64_MAX;
    for (uint32_t p = given ? given : 1; p <= (given ? given : n); p++)
        for (uint32_t a = 1; n % p == 0 && a <= n / p; a++) {
            if (n / p % a != 0 || imbalance(p, a, n / p / a) >= best)
                continue;
            best = imbalance(p, a, n / p / a);
            s->concentration = p;
            s->dims[0] = a;
            s->dims[1] = n / p / a;
        }
    s->dim_count = 2;
}

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count != 0 && s->dim_count != 2) {
        lib_text_puts(
            why, "`dragonfly` has two dimensions, routers per group and groups; found ");
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    const uint32_t usual = s->dim_count > 0 ? machine_dims_share(s) : 1;
    if (s->concentration > 0 || s->dim_count > 0) {
        if (!machine_graph_concentrate(g, usual, "dragonfly", why) ||
            (s->dim_count > 0 && !machine_graph_box(g, "dragonfly", why)))
            return false;
    }
    if (s->dim_count == 0)
        derive(s);
    s->dims[2] = globals(s->dims[0], s->dims[1]);
    g->router_count = s->dims[0] * s->dims[1];
    g->port_count = s->dims[0] - 1 + s->dims[2];
    return true;
}

static uint32_t port_to_group(uint32_t from, uint32_t to)
{
    return to - (to > from);
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    const uint32_t a = g->shape.dims[0], groups = g->shape.dims[1], h = g->shape.dims[2];
    const uint32_t group = router / a, r = router % a;
    if (port < a - 1)
        return group * a + port + (port >= r);
    const uint32_t q = r * h + port - (a - 1);
    if (q >= groups - 1)
        return MACHINE_NO_LINK;
    *kind = MACHINE_LINK_GLOBAL;
    const uint32_t to = q + (q >= group);
    return to * a + port_to_group(to, group) / h;
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const uint32_t a = g->shape.dims[0], h = g->shape.dims[2];
    const uint32_t group = at->router / a, to_group = at->target / a;
    const uint32_t r = at->router % a;
    uint32_t to = at->target % a;
    if (group != to_group) {
        const uint32_t q = port_to_group(group, to_group);
        to = q / h;
        if (to == r)
            return (struct machine_way_on){a - 1 + q % h, 0};
    }
    return (struct machine_way_on){to - (to > r), group == to_group};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint32_t a = g->shape.dims[0], h = g->shape.dims[2];
    const uint32_t f = from / a, t = to / a;
    if (f == t)
        return from != to;
    return (port_to_group(f, t) / h != from % a) + 1u +
           (port_to_group(t, f) / h != to % a);
}

static void shrink(struct machine_shape *s, uint32_t most)
{
    s->dims[0] = s->dims[0] < 32 ? s->dims[0] : 32;
    s->dims[1] = s->dims[1] < most / s->dims[0] ? s->dims[1] : most / s->dims[0];
    s->pe_count = s->dims[0] * s->dims[1];
    s->concentration = 1;
}

const struct machine_rules machine_dragonfly_rules = {
    .fit = fit,
    .behind = behind,
    .next = next,
    .distance = distance,
    .shrink = shrink,
    .classes = 2,
    .has_valiant = true,
};
