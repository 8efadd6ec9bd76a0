#include "machine/traffic/bounds.h"

#include "machine/network/fabric.h"
#include "machine/network/graph_internal.h"

#include "lib/memory.h"

#include <string.h>

/* --- distances ------------------------------------------------------------------------------- */

void machine_graph_distances(const struct machine_graph *g, struct machine_distances *d)
{
    *d = (struct machine_distances){0};
    if (g->pe_count > MACHINE_BOUNDS_MAX_PES)
        return;
    uint64_t sum = 0;
    for (uint32_t from = 0; from < g->pe_count; from++)
        for (uint32_t to = 0; to < g->pe_count; to++) {
            const uint32_t far = machine_graph_distance(g, from, to);
            d->diameter = far > d->diameter && from != to ? far : d->diameter;
            d->mean += from != to ? far : 0;
            sum += far;
        }
    const double n = g->pe_count;
    d->mean_all = (double)sum / (n * n);
    d->mean = g->pe_count > 1 ? d->mean / (n * (n - 1)) : 0;
}

/* --- the greatest flow ------------------------------------------------------------------------ */

/* Maximum flow by breadth-first search (Edmonds and Karp). `used` links can be passed backwards. */
struct flow {
    const struct machine_graph *g;
    uint8_t *used;
    /* Routers of PEs in the first half, and in the second. */
    bool *starts, *ends;
    /* Link by which a router was reached; MACHINE_NO_LINK at a start. */
    uint32_t *came_by;
    uint8_t *seen;
    uint32_t *queue;
};

static void look(struct flow *f, uint32_t router, uint32_t link, uint32_t *tail)
{
    if (f->seen[router])
        return;
    f->seen[router] = true;
    f->came_by[router] = link;
    f->queue[(*tail)++] = router;
}

/* Whether a router has PEs of both halves. */
static bool is_unlimited(const struct flow *f)
{
    for (uint32_t r = 0; r < f->g->router_count; r++)
        if (f->starts[r] && f->ends[r])
            return true;
    return false;
}

/* Returns the router at the end of a path that adds a token per cycle, or UINT32_MAX. */
static uint32_t find_way(struct flow *f)
{
    const struct machine_graph *g = f->g;
    uint32_t head = 0, tail = 0;
    memset(f->seen, 0, g->router_count);
    for (uint32_t r = 0; r < g->router_count; r++)
        if (f->starts[r])
            look(f, r, MACHINE_NO_LINK, &tail);
    while (head < tail) {
        const uint32_t r = f->queue[head++];
        if (f->ends[r] && f->came_by[r] != MACHINE_NO_LINK)
            return r;
        for (uint32_t i = g->out_first[r]; i < g->out_first[r + 1]; i++)
            if (g->links[g->out[i]].kind != MACHINE_LINK_EJECTION && !f->used[g->out[i]])
                look(f, g->links[g->out[i]].to, g->out[i], &tail);
        for (uint32_t i = g->in_first[r]; i < g->in_first[r + 1]; i++)
            if (g->links[g->in[i]].kind != MACHINE_LINK_INJECTION && f->used[g->in[i]])
                look(f, g->links[g->in[i]].from, g->in[i], &tail);
    }
    return UINT32_MAX;
}

uint32_t machine_graph_between_halves(const struct machine_graph *g)
{
    const size_t n = g->router_count;
    if (g->pe_count > MACHINE_BOUNDS_MAX_PES)
        return 0;
    struct flow f = {.g = g,
                     .used = lib_mem_new(g->link_count),
                     .starts = lib_mem_new(n),
                     .ends = lib_mem_new(n),
                     .came_by = lib_mem_new(n * sizeof *f.came_by),
                     .seen = lib_mem_new(n),
                     .queue = lib_mem_new(n * sizeof *f.queue)};
    uint32_t count = 0, end;
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        if (pe < g->pe_count / 2)
            f.starts[machine_graph_source(g, pe)] = true;
        else
            f.ends[machine_graph_sink(g, pe)] = true;
    }
    const bool is_limited = !is_unlimited(&f);
    for (; is_limited && (end = find_way(&f)) != UINT32_MAX; count++)
        for (uint32_t r = end; f.came_by[r] != MACHINE_NO_LINK;) {
            const uint32_t link = f.came_by[r];
            const bool is_forward = g->links[link].to == r && !f.used[link];
            f.used[link] = is_forward;
            r = is_forward ? g->links[link].from : g->links[link].to;
        }
    LIB_MEM_FREE(f.used, f.starts, f.ends, f.came_by, f.seen, f.queue);
    return count;
}

/* --- loads ----------------------------------------------------------------------------------- */

/* Adds a flow to all links on the route from a channel, up to router `ends` in Valiant's first
 * phase. Takes the last one of adaptive routes, an escape. */
static void add_way(const struct machine_graph *g, uint32_t link, uint32_t cls,
                    uint32_t to, uint32_t via, uint32_t ends, double flow, double *load)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    while (g->links[link].kind == MACHINE_LINK_INJECTION || g->links[link].to != ends) {
        const unsigned count = machine_route(g, link, cls, to, via, routes);
        link = routes[count - 1].link;
        cls = routes[count - 1].channel_class;
        load[link] += flow;
        if (g->links[link].kind == MACHINE_LINK_EJECTION)
            return;
    }
}

static void add_pairs(const struct machine_graph *g, const struct machine_pattern *p,
                      double *load)
{
    for (uint32_t from = 0; from < g->pe_count; from++)
        for (uint32_t to = 0; to < g->pe_count; to++) {
            const double flow = machine_pattern_rate(p, from) *
                                machine_pattern_share(p, from, to);
            if (flow > 0)
                add_way(g, from, 0, to, MACHINE_NO_VIA, UINT32_MAX, flow, load);
        }
}

/* Adds the load of Valiant's routing, where each router is equally often the intermediate one:
 * the first phase spreads what a PE sends, the second collects what it gets. The second phase
 * does not depend on the link by which the token came. */
static void add_valiant(const struct machine_graph *g, const struct machine_pattern *p,
                        double *load)
{
    const uint32_t first = machine_graph_first_via(g);
    const double vias = g->router_count - first;
    const uint32_t inside = g->cluster ? g->shape.node_pes : 0;
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        double gets = 0, sends = machine_pattern_rate(p, pe);
        for (uint32_t other = 0; other < g->pe_count; other++) {
            if (inside && other / inside == pe / inside) {
                const double stays = machine_pattern_rate(p, pe) *
                                     machine_pattern_share(p, pe, other);
                sends -= stays;
                if (stays > 0)
                    add_way(g, pe, 0, other, MACHINE_NO_VIA, UINT32_MAX, stays, load);
                continue;
            }
            gets += machine_pattern_rate(p, other) * machine_pattern_share(p, other, pe);
        }
        const uint32_t goal = inside ? (pe + inside) % g->pe_count : pe;
        for (uint32_t via = first; via < g->router_count; via++) {
            if (sends > 0 && machine_graph_source(g, pe) != via)
                add_way(g, pe, 0, goal, via, via, sends / vias, load);
            if (gets > 0)
                add_way(g, g->in[g->in_first[via]], 0, pe, via, UINT32_MAX, gets / vias,
                        load);
        }
    }
}

bool machine_graph_loads(const struct machine_graph *g, const struct machine_pattern *p,
                         double *load)
{
    memset(load, 0, g->link_count * sizeof *load);
    if (g->pe_count > MACHINE_BOUNDS_MAX_PES)
        return false;
    if (g->shape.routing == MACHINE_ROUTING_VALIANT)
        add_valiant(g, p, load);
    else
        add_pairs(g, p, load);
    for (uint32_t pe = 0; pe < g->pe_count; pe++)
        load[pe] = machine_pattern_rate(p, pe);
    return true;
}

/* Returns for how many cycles a token occupies a link. */
static double cycles_of(const struct machine_graph *g, const struct machine_settings *s,
                        uint64_t bits, uint32_t link)
{
    const uint64_t bandwidth = g->own_bandwidth ? machine_fabric_bandwidth(s, g, link)
                                                : 0;
    return bandwidth ? (double)((bits + bandwidth - 1) / bandwidth) : 1;
}

bool machine_graph_bound(const struct machine_graph *g, const struct machine_pattern *p,
                         const struct machine_settings *s, uint64_t bits,
                         struct machine_bound *bound)
{
    double *load = lib_mem_new(g->link_count * sizeof *load);
    *bound = (struct machine_bound){0};
    const bool is_known = machine_graph_loads(g, p, load);
    double most = 0, between = 0;
    for (uint32_t i = 0; i < g->link_count && is_known; i++) {
        /* Sums of equal shares differ in their last bits; of about equal links, choose the
         * first. */
        const double busy = load[i] * cycles_of(g, s, bits, i);
        if (busy > most * (1 + 1e-9)) {
            most = busy;
            bound->link = i;
        }
        between += i >= 2 * g->pe_count ? load[i] : 0;
    }
    bound->load = most > 0 ? 1 / most : 0;
    bound->mean_hops = between / g->pe_count;
    lib_mem_free(load);
    return is_known;
}
