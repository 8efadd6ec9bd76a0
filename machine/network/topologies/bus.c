/* A bus: one link, which all tokens use in turn, from a router to which all PEs send to one from
 * which all receive. */
#include "machine/network/graph_internal.h"

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count > 0 || (s->concentration > 0 && s->concentration != s->pe_count)) {
        lib_text_puts(why, "`bus` joins all PEs by one link: it has no dimensions and no "
                           "concentration");
        return false;
    }
    s->concentration = s->pe_count;
    g->router_count = 2;
    g->port_count = 1;
    return true;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)g, (void)port, (void)kind;
    return router == 0 ? 1 : MACHINE_NO_LINK;
}

static uint32_t source(const struct machine_graph *g, uint32_t pe)
{
    (void)g, (void)pe;
    return 0;
}

static uint32_t sink(const struct machine_graph *g, uint32_t pe)
{
    (void)g, (void)pe;
    return 1;
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    (void)g, (void)at;
    return (struct machine_way_on){0, 0};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    (void)g;
    return from != to;
}

const struct machine_rules machine_bus_rules = {
    .fit = fit,
    .behind = behind,
    .source = source,
    .sink = sink,
    .next = next,
    .distance = distance,
    .classes = 1,
};
