/* The crossbar between the nodes of a cluster: one router. A crossbar between PEs has none
 * (machine/network/crossbar.c). */
#include "machine/network/graph_internal.h"

#include <assert.h>

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    (void)why;
    g->shape.dim_count = 0;
    g->shape.concentration = g->pe_count;
    g->router_count = 1;
    return true;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)g, (void)router, (void)port, (void)kind;
    return MACHINE_NO_LINK;
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    (void)g, (void)at;
    assert(false); /* every node is at the router */
    return (struct machine_way_on){0, 0};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    (void)g, (void)from, (void)to;
    return 0;
}

const struct machine_rules machine_crossbar_rules = {
    .fit = fit,
    .behind = behind,
    .next = next,
    .distance = distance,
    .classes = 1,
    .is_free = true,
};
