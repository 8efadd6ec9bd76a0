/* A fat tree: the k-ary n-tree, which has k^n PEs and n levels of k^(n-1) switches (Petrini and
 * Vanneschi, k-ary n-trees: High Performance Networks for Massively Parallel Architectures, IPPS
 * 1997). Switch w of level l (0: with the PEs) is router l * k^(n-1) + w. It covers the switches of
 * level 0 whose digits l ... n-2 are those of w.
 *
 * A token goes up, by any path, until its switch covers its PE, and then down by the only path, so
 * tokens cannot wait for each other in a cycle. Deterministic routing goes up by digits of the PE's
 * number, so that tokens for one PE meet early and those for others take other switches (Zahavi,
 * D-Mod-K routing, 2010).
 */
#include "machine/network/graph_internal.h"

/* shape.dims: k and n. */
static uint32_t width(const struct machine_graph *g)
{
    return g->pe_count / g->shape.dims[0];
}

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    if (!machine_graph_powers(g, 4, "fattree", why))
        return false;
    if (g->shape.dims[0] > MACHINE_MAX_RADIX) {
        lib_text_printf(why, "a switch of `fattree` has %u links up at most; found %u",
                        MACHINE_MAX_RADIX, g->shape.dims[0]);
        return false;
    }
    g->router_count = width(g) * g->shape.dims[1];
    g->port_count = 2 * g->shape.dims[0];
    return true;
}

/* k^level */
static uint32_t weight(const struct machine_graph *g, uint32_t level)
{
    uint32_t all = 1;
    while (level-- > 0)
        all *= g->shape.dims[0];
    return all;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    (void)kind;
    const uint32_t k = g->shape.dims[0], level = router / width(g);
    const bool is_up = port >= k;
    if (is_up ? level + 1 == g->shape.dims[1] : level == 0)
        return MACHINE_NO_LINK;
    const uint32_t w = router % width(g);
    const uint32_t unit = weight(g, is_up ? level : level - 1);
    const uint32_t digit = w / unit % k;
    return (is_up ? level + 1 : level - 1) * width(g) + w + port % k * unit -
           digit * unit;
}

static bool covers(const struct machine_graph *g, uint32_t router, uint32_t leaf)
{
    const uint32_t unit = weight(g, router / width(g));
    return router % width(g) / unit == leaf / unit;
}

static uint32_t down(const struct machine_graph *g, const struct machine_at *at)
{
    return at->target / weight(g, at->router / width(g) - 1) % g->shape.dims[0];
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    if (covers(g, at->router, at->target))
        return (struct machine_way_on){down(g, at), 0};
    const uint32_t k = g->shape.dims[0];
    return (struct machine_way_on){k + at->to / weight(g, at->router / width(g)) % k, 0};
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    const uint32_t k = g->shape.dims[0];
    if (covers(g, at->router, at->target)) {
        *ports = down(g, at);
        return 1;
    }
    /* Begin with the port of deterministic routing, so that tokens choose different ones of equal
     * ports. */
    const uint32_t first = at->to / weight(g, at->router / width(g)) % k;
    for (uint32_t i = 0; i < k; i++)
        ports[i] = k + (first + i) % k;
    return k;
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    uint32_t level = 0;
    while (!covers(g, level * width(g) + from, to))
        level++;
    return 2 * level;
}

const struct machine_rules machine_fattree_rules = {
    .fit = fit,
    .behind = behind,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .shrink = machine_dims_lower,
    .classes = 1,
    .adapts_free = true,
    .by_pe = true,
};
