/* A torus of one to three dimensions, and the ring, which is one of one dimension
 * (doc/model/network.md, "Shapes"). As the links of a ring depend on each other in a cycle, there
 * are two channel classes: 0 before a token crosses the joined ends (the dateline), 1 after it
 * (Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, IEEE
 * Trans. Computers 36(5), 1987). */
#include "machine/network/graph_internal.h"

static bool fit_box(struct machine_graph *g)
{
    g->port_count = 2 * g->shape.dim_count;
    machine_graph_coords(g);
    return true;
}

static bool fit_torus(struct machine_graph *g, struct lib_text *why)
{
    return machine_graph_concentrate(g, 1, "torus", why) &&
           machine_graph_box(g, "torus", why) && fit_box(g);
}

static bool fit_ring(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (!machine_graph_concentrate(g, 1, "ring", why))
        return false;
    if (s->dim_count > 1) {
        lib_text_puts(why, "`ring` has one dimension; expected one number, found ");
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    if (s->dim_count == 0)
        s->dims[0] = g->router_count;
    s->dim_count = 1;
    return machine_graph_box(g, "ring", why) && fit_box(g);
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)kind;
    const uint32_t d = port / 2, size = g->shape.dims[d];
    const uint32_t x = machine_coords(g, router)[d];
    const bool is_up = port % 2 == 0;
    if (size == 1 || (size == 2 && !is_up))
        return MACHINE_NO_LINK;
    const uint32_t to = is_up ? (x + 1 == size ? 0 : x + 1) : (x == 0 ? size - 1 : x - 1);
    return machine_graph_step(g, router, d, (int32_t)to - (int32_t)x);
}

static uint32_t steps_up(uint32_t here, uint32_t there, uint32_t size)
{
    return there >= here ? there - here : there + size - here;
}

static bool goes_up(uint32_t here, uint32_t there, uint32_t size)
{
    const uint32_t up = steps_up(here, there, size);
    return size == 2 || 2 * up < size || (2 * up == size && here % 2 == 0);
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const uint16_t *here = machine_coords(g, at->router);
    const uint16_t *there = machine_coords(g, at->target);
    uint32_t d = 0;
    while (here[d] == there[d])
        d++;
    const bool is_up = goes_up(here[d], there[d], g->shape.dims[d]);
    const bool is_to_cross = is_up ? there[d] < here[d] : there[d] > here[d];
    return (struct machine_way_on){2 * d + !is_up, !is_to_cross};
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    const uint16_t *here = machine_coords(g, at->router);
    const uint16_t *there = machine_coords(g, at->target);
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        const uint32_t size = g->shape.dims[d];
        if (here[d] == there[d])
            continue;
        const bool is_up = goes_up(here[d], there[d], size);
        ports[count++] = 2 * d + !is_up;
        if (size > 2 && 2 * steps_up(here[d], there[d], size) == size)
            ports[count++] = 2 * d + is_up;
    }
    return count;
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint16_t *a = machine_coords(g, from), *b = machine_coords(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        const uint32_t up = steps_up(a[d], b[d], g->shape.dims[d]);
        const uint32_t down = g->shape.dims[d] - up;
        sum += up < down ? up : down;
    }
    return sum;
}

const struct machine_rules machine_torus_rules = {
    .fit = fit_torus,
    .behind = behind,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .shrink = machine_dims_shorten,
    .classes = 2,
    .has_valiant = true,
    .is_box = true,
};

const struct machine_rules machine_ring_rules = {
    .fit = fit_ring,
    .behind = behind,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .shrink = machine_dims_shorten,
    .classes = 2,
    .has_valiant = true,
    .is_box = true,
};
