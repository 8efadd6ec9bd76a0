/* "Shapes": routers, links between them, and the ways of tokens. */
#include "tests/oracle/routers.h"

#include <stdlib.h>

/* --- boxes ---------------------------------------------------------------------------- */

/* "the two nearest factors of the number of routers, the greater first". */
static void derive_box(struct routers *n)
{
    unsigned least = 1;
    n->dims = (unsigned)n->s->dim_count;
    for (unsigned d = 0; d < n->dims; d++)
        n->size[d] = (unsigned)n->s->dims[d];
    if (n->dims > 0)
        return;
    for (unsigned i = 1; i * i <= n->router_count; i++)
        if (n->router_count % i == 0)
            least = i;
    n->dims = 2;
    n->size[0] = n->router_count / least;
    n->size[1] = least;
    if (n->s->topology == ORACLE_RING) {
        n->dims = 1;
        n->size[0] = n->router_count;
    }
}

static unsigned coordinate(const struct routers *n, unsigned router, unsigned d)
{
    for (unsigned i = 0; i < d; i++)
        router /= n->size[i];
    return router % n->size[d];
}

/* The router at position `to` in dimension `d`. */
static unsigned moved(const struct routers *n, unsigned router, unsigned d, unsigned to)
{
    unsigned width = 1;
    for (unsigned i = 0; i < d; i++)
        width *= n->size[i];
    return router - coordinate(n, router, d) * width + to * width;
}

static unsigned mesh_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned d = port / 2, x = coordinate(n, router, d);
    if (port % 2 == 0)
        return x + 1 < n->size[d] ? moved(n, router, d, x + 1) : NONE;
    return x > 0 ? moved(n, router, d, x - 1) : NONE;
}

static unsigned torus_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned d = port / 2, x = coordinate(n, router, d), size = n->size[d];
    if (size == 1 || (size == 2 && port % 2))
        return NONE;
    return moved(n, router, d, (x + (port % 2 ? size - 1 : 1)) % size);
}

static unsigned mesh_ways(const struct routers *n, unsigned router, unsigned goal,
                          struct way *ways)
{
    unsigned count = 0;
    for (unsigned d = 0; d < n->dims; d++) {
        const unsigned x = coordinate(n, router, d), to = coordinate(n, goal, d);
        if (x != to)
            ways[count++] = (struct way){2 * d + (to < x), 0};
    }
    return count;
}

static unsigned torus_ways(const struct routers *n, unsigned router, unsigned goal,
                           struct way *ways)
{
    unsigned count = 0;
    for (unsigned d = 0; d < n->dims; d++) {
        const unsigned x = coordinate(n, router, d), to = coordinate(n, goal, d);
        const unsigned size = n->size[d], up = (to + size - x) % size;
        if (x == to)
            continue;
        bool is_up = up < size - up;
        if (up == size - up)
            is_up = x % 2 == 0 || size == 2;
        const bool crosses = is_up ? to < x : to > x;
        ways[count++] = (struct way){2 * d + !is_up,
                                     oracle_is_wrong(n->s, DATELINE) ? 0 : !crosses};
        if (up == size - up && size > 2)
            ways[count++] = (struct way){2 * d + is_up, 0};
    }
    return count;
}

static unsigned flatfly_behind(const struct routers *n, unsigned router, unsigned port)
{
    unsigned d = 0, before = 0;
    while (port - before >= n->size[d] - 1)
        before += n->size[d++] - 1;
    unsigned others = port - before;
    for (unsigned x = 0;; x++) {
        if (x == coordinate(n, router, d))
            continue;
        if (others-- == 0)
            return moved(n, router, d, x);
    }
}

static unsigned flatfly_ways(const struct routers *n, unsigned router, unsigned goal,
                             struct way *ways)
{
    unsigned count = 0, port = 0;
    for (unsigned d = 0; d < n->dims; d++)
        for (unsigned x = 0; x < n->size[d]; x++) {
            if (x == coordinate(n, router, d))
                continue;
            if (x == coordinate(n, goal, d))
                ways[count++] = (struct way){port, 0};
            port++;
        }
    return count;
}

/* --- bus, hypercube --------------------------------------------------------------------- */

static unsigned bus_behind(const struct routers *n, unsigned router, unsigned port)
{
    (void)n, (void)port;
    return router == 0 ? 1 : NONE;
}

static unsigned bus_ways(const struct routers *n, unsigned router, unsigned goal,
                         struct way *ways)
{
    (void)n, (void)router, (void)goal;
    ways[0] = (struct way){0, 0};
    return 1;
}

static unsigned hypercube_behind(const struct routers *n, unsigned router, unsigned port)
{
    (void)n;
    return router / (1U << port) % 2 ? router - (1U << port) : router + (1U << port);
}

static unsigned hypercube_ways(const struct routers *n, unsigned router, unsigned goal,
                               struct way *ways)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n->port_count; i++)
        if (router / (1U << i) % 2 != goal / (1U << i) % 2)
            ways[count++] = (struct way){i, 0};
    return count;
}

/* --- powers: omega, fattree ---------------------------------------------------------------- */

static bool is_power(unsigned number, unsigned k)
{
    if (k < 2)
        return number == k;
    while (number % k == 0)
        number /= k;
    return number == 1;
}

static unsigned power(unsigned k, unsigned n)
{
    return n ? k * power(k, n - 1) : 1;
}

/* "2 or 4, if N is a power of it; else the least k ..." */
static void derive_powers(struct routers *n, unsigned usual)
{
    const unsigned pes = n->ends;
    unsigned k = usual;
    if (!is_power(pes, usual) || pes < usual)
        for (k = pes <= 3 ? pes : 2; !is_power(pes, k);)
            k++;
    n->k = n->each = k;
    n->levels = 1;
    while (power(k, n->levels) < pes)
        n->levels++;
    n->width = pes / k;
    n->router_count = n->width * n->levels;
}

static unsigned digit(const struct routers *n, unsigned number, unsigned place)
{
    return number / power(n->k, place) % n->k;
}

static unsigned shuffled(const struct routers *n, unsigned line)
{
    return line % n->width * n->k + line / n->width;
}

static unsigned omega_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned stage = router / n->width, i = router % n->width;
    if (stage + 1 == n->levels)
        return NONE;
    return (stage + 1) * n->width + shuffled(n, i * n->k + port) / n->k;
}

static unsigned fattree_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned level = router / n->width, w = router % n->width;
    const bool down = port < n->k;
    if (down ? level == 0 : level + 1 == n->levels)
        return NONE;
    const unsigned place = down ? level - 1 : level, unit = power(n->k, place);
    const unsigned to = w - digit(n, w, place) * unit + port % n->k * unit;
    return (down ? level - 1 : level + 1) * n->width + to;
}

/* In omega and fattree the way depends on the PE. */
static unsigned omega_ways(const struct routers *n, unsigned router, unsigned pe,
                           struct way *ways)
{
    ways[0] = (struct way){digit(n, pe, n->levels - 1 - router / n->width), 0};
    return 1;
}

static unsigned fattree_ways(const struct routers *n, unsigned router, unsigned pe,
                             struct way *ways)
{
    const unsigned level = router / n->width, w = router % n->width, leaf = pe / n->k;
    const unsigned unit = power(n->k, level);
    if (w / unit == leaf / unit) {
        ways[0] = (struct way){digit(n, leaf, level - 1), 0};
        return 1;
    }
    if (n->s->routing == ORACLE_DETERMINISTIC) {
        ways[0] = (struct way){n->k + digit(n, pe, level), 0};
        return 1;
    }
    for (unsigned q = 0; q < n->k; q++)
        ways[q] = (struct way){n->k + (digit(n, pe, level) + q) % n->k, 0};
    return n->k;
}

/* --- dragonfly --------------------------------------------------------------------------- */

static unsigned ceiling(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

/* "those for which (a - 2c)^2 + (h - c)^2 is least" */
static void derive_dragonfly(struct routers *n)
{
    const unsigned pes = n->ends;
    long best = -1;
    for (unsigned c = 1; c <= pes; c++)
        for (unsigned a = 1; a <= pes; a++) {
            if (pes % c || pes / c % a ||
                (n->s->network_concentration && n->s->network_concentration != c))
                continue;
            const unsigned groups = pes / c / a;
            const long h = ceiling(groups - 1, a), x = (long)a - 2 * (long)c;
            const long y = h - (long)c, off = x * x + y * y;
            if (best >= 0 && off >= best)
                continue;
            best = off;
            n->each = c;
            n->a = a;
            n->groups = groups;
            n->h = (unsigned)h;
        }
    n->router_count = n->a * n->groups;
}

static unsigned global_port(unsigned from, unsigned to)
{
    return to < from ? to : to - 1;
}

static unsigned dragonfly_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned i = router / n->a, r = router % n->a;
    if (port + 1 < n->a)
        return i * n->a + (port < r ? port : port + 1);
    const unsigned q = r * n->h + port - (n->a - 1);
    if (q + 1 >= n->groups)
        return NONE;
    const unsigned j = q >= i ? q + 1 : q;
    return j * n->a + global_port(j, i) / n->h;
}

static unsigned dragonfly_ways(const struct routers *n, unsigned router, unsigned goal,
                               struct way *ways)
{
    const unsigned i = router / n->a, r = router % n->a, j = goal / n->a;
    unsigned to = goal % n->a;
    if (i != j) {
        const unsigned q = global_port(i, j);
        to = q / n->h;
        if (to == r) {
            ways[0] = (struct way){n->a - 1 + q % n->h, 0};
            return 1;
        }
    }
    ways[0] = (struct way){to < r ? to : to - 1, i == j};
    return 1;
}

/* --- any ------------------------------------------------------------------------------ */

typedef unsigned behind_function(const struct routers *n, unsigned router, unsigned port);
typedef unsigned ways_function(const struct routers *n, unsigned router, unsigned goal,
                               struct way *ways);

static const struct {
    behind_function *behind;
    ways_function *ways;
    unsigned classes;
} shapes[] = {
    [ORACLE_BUS] = {bus_behind, bus_ways, 1},
    [ORACLE_RING] = {torus_behind, torus_ways, 2},
    [ORACLE_MESH] = {mesh_behind, mesh_ways, 1},
    [ORACLE_TORUS] = {torus_behind, torus_ways, 2},
    [ORACLE_HYPERCUBE] = {hypercube_behind, hypercube_ways, 1},
    [ORACLE_OMEGA] = {omega_behind, omega_ways, 1},
    [ORACLE_FATTREE] = {fattree_behind, fattree_ways, 1},
    [ORACLE_FLATFLY] = {flatfly_behind, flatfly_ways, 1},
    [ORACLE_DRAGONFLY] = {dragonfly_behind, dragonfly_ways, 2},
    [ORACLE_FILE] = {oracle_listed_behind, oracle_listed_ways, 1},
    [ORACLE_CROSSBAR] = {NULL, NULL, 1}, /* of nodes: its router has no ports */
};

/* Whether ways depend on the PE, not only on its router. */
static bool is_by_pe(const struct routers *n)
{
    return n->s->topology == ORACLE_OMEGA || n->s->topology == ORACLE_FATTREE;
}

static void count_routers(struct routers *n)
{
    if (n->s->topology == ORACLE_CROSSBAR || n->s->topology == ORACLE_FILE) {
        n->router_count = 1;
        if (n->s->topology == ORACLE_FILE)
            oracle_listed_make(n);
        return;
    }
    const unsigned pes = n->ends;
    n->each = n->s->network_concentration ? (unsigned)n->s->network_concentration : 1;
    if (n->s->topology == ORACLE_FLATFLY && n->s->network_concentration == 0)
        for (unsigned i = 1; i * i * i <= pes; i++)
            n->each = (pes % i) ? n->each : i;
    if (n->s->topology == ORACLE_FLATFLY && n->s->network_concentration == 0 &&
        n->s->dim_count > 0) {
        n->each = pes;
        for (unsigned d = 0; d < n->s->dim_count; d++)
            n->each /= (unsigned)n->s->dims[d];
    }
    n->router_count = pes / n->each;
    derive_box(n);
    n->port_count = 2 * n->dims;
    switch (n->s->topology) {
    case ORACLE_BUS:
        n->router_count = 2;
        n->port_count = 1;
        break;
    case ORACLE_HYPERCUBE:
        n->port_count = oracle_log2(n->router_count);
        break;
    case ORACLE_OMEGA:
        derive_powers(n, 2);
        n->port_count = n->k;
        break;
    case ORACLE_FATTREE:
        derive_powers(n, 4);
        n->port_count = 2 * n->k;
        break;
    case ORACLE_FLATFLY:
        n->port_count = 0;
        for (unsigned d = 0; d < n->dims; d++)
            n->port_count += n->size[d] - 1;
        break;
    case ORACLE_DRAGONFLY:
        derive_dragonfly(n);
        n->port_count = n->a - 1 + n->h;
        break;
    default:
        break;
    }
}

/* Below, routers between nodes have the numbers that they would have without nodes. */
static unsigned source_of(const struct routers *n, unsigned end)
{
    switch (n->s->topology) {
    case ORACLE_CROSSBAR:
    case ORACLE_BUS:
        return 0;
    case ORACLE_FILE:
        return oracle_listed_router(n, end);
    case ORACLE_OMEGA:
        return shuffled(n, end) / n->k;
    default:
        return end / n->each;
    }
}

static unsigned sink_of(const struct routers *n, unsigned end)
{
    if (n->s->topology == ORACLE_BUS)
        return 1;
    if (n->s->topology == ORACLE_OMEGA)
        return (n->levels - 1) * n->width + end / n->k;
    return source_of(n, end);
}

static bool is_global(const struct routers *n, unsigned router, unsigned port)
{
    if (n->s->topology == ORACLE_FILE)
        return oracle_listed_is_global(n, router, port);
    return n->s->topology == ORACLE_DRAGONFLY && port + 1 >= n->a;
}

static void add_link(struct routers *n, struct link link)
{
    *LIB_VEC_PUSH(&n->links) = link;
}

/* Of each router between nodes, or between PEs: down first, then by port. */
static void add_between(struct routers *n)
{
    for (unsigned r = 0; r < n->router_count; r++) {
        for (unsigned i = 0; i < n->ends && n->node_pes; i++)
            if (sink_of(n, i) == r)
                add_link(
                    n, (struct link){
                           .from = n->first + r, .to = i, .port = NONE, .is_down = true});
        for (unsigned p = 0; p < n->port_count; p++) {
            const unsigned to = shapes[n->s->topology].behind(n, r, p);
            struct link link = {.from = n->first + r, .to = n->first + to, .port = p};
            if (to == NONE)
                continue;
            link.is_global = is_global(n, r, p);
            if (n->s->topology == ORACLE_FILE)
                oracle_listed_measure(n, r, p, &link);
            add_link(n, link);
        }
    }
}

void oracle_shape_make(struct routers *n)
{
    const struct oracle_settings *s = n->s;
    const unsigned pes = (unsigned)s->pe_count;
    n->node_pes = s->nodes ? (unsigned)s->node_pes : 0;
    n->ends = s->nodes ? (unsigned)s->nodes : pes;
    n->first = (unsigned)s->nodes;
    count_routers(n);
    n->classes = n->all_classes = shapes[s->topology].classes;
    if (s->topology == ORACLE_CROSSBAR)
        n->all_classes = 1;
    else if (s->routing == ORACLE_ADAPTIVE && s->topology != ORACLE_FATTREE)
        n->all_classes++;
    else if (s->routing == ORACLE_VALIANT)
        n->all_classes *= 2;
    for (unsigned pe = 0; pe < pes; pe++)
        add_link(n,
                 (struct link){.from = NONE,
                               .to = n->node_pes ? pe / n->node_pes : source_of(n, pe)});
    for (unsigned pe = 0; pe < pes; pe++)
        add_link(n, (struct link){.from = n->node_pes ? pe / n->node_pes : sink_of(n, pe),
                                  .to = NONE});
    for (unsigned i = 0; i < n->ends && n->node_pes; i++)
        add_link(
            n, (struct link){.from = i, .to = n->first + source_of(n, i), .is_up = true});
    add_between(n);
    n->router_count += n->first;
}

void oracle_shape_free(struct routers *n)
{
    oracle_listed_free(n);
}

static unsigned link_of(const struct routers *n, unsigned router, unsigned port)
{
    for (unsigned i = 2 * (unsigned)n->s->pe_count; i < n->links.count; i++)
        if (n->links.items[i].from == n->first + router &&
            n->links.items[i].port == port && !n->links.items[i].is_up)
            return i;
    abort();
}

static unsigned down_to(const struct routers *n, unsigned node)
{
    for (unsigned i = 2 * (unsigned)n->s->pe_count; i < n->links.count; i++)
        if (n->links.items[i].is_down && n->links.items[i].to == node)
            return i;
    abort();
}

/* The phases of Valiant's routing: goal, and first class. */
static unsigned goal_of(const struct routers *n, const struct token *t, unsigned router,
                        unsigned end, unsigned *first)
{
    *first = 0;
    if (t->via != NONE && t->cls < n->classes && router != t->via - n->first)
        return t->via - n->first;
    if (t->via != NONE)
        *first = n->classes;
    return sink_of(n, end);
}

static bool keeps_to_escapes(const struct routers *n, const struct token *t)
{
    const struct link *link = &n->links.items[t->link];
    return n->s->topology == ORACLE_FILE && link->from != NONE && !link->is_up &&
           t->cls == 0;
}

/* "At a switch": the ejection, or up. */
static struct route switch_route(const struct routers *n, unsigned node, unsigned to)
{
    const unsigned pes = (unsigned)n->s->pe_count;
    return (struct route){to / n->node_pes == node ? pes + to : 2 * pes + node, 0, true};
}

unsigned oracle_routes(const struct routers *n, const struct token *t,
                       struct route *routes)
{
    unsigned router = n->links.items[t->link].to;
    unsigned first, count = 0;
    if (router < n->first) {
        routes[0] = switch_route(n, router, t->to);
        return 1;
    }
    router -= n->first;
    const unsigned end = n->node_pes ? t->to / n->node_pes : t->to;
    const unsigned goal = goal_of(n, t, router, end, &first);
    struct way ways[MAX_ROUTES];
    if (router == goal && (first > 0 || t->via == NONE)) {
        const unsigned out = n->node_pes ? down_to(n, end)
                                         : (unsigned)n->s->pe_count + t->to;
        routes[0] = (struct route){out, 0, true};
        return 1;
    }
    const unsigned all = shapes[n->s->topology].ways(n, router, is_by_pe(n) ? end : goal,
                                                     ways);
    const bool escapes = n->s->topology != ORACLE_FATTREE;
    const bool adapts = n->s->routing == ORACLE_ADAPTIVE && !keeps_to_escapes(n, t);
    for (; adapts && count < all; count++)
        routes[count] = (struct route){link_of(n, router, ways[count].port),
                                       escapes ? n->classes : 0, !escapes};
    if (n->s->routing != ORACLE_ADAPTIVE || escapes) {
        const bool is_first = t->via != NONE && first == 0;
        const struct way way = n->s->topology == ORACLE_FILE
                                   ? oracle_listed_way(n, router, goal,
                                                       is_first ? NONE : end)
                                   : ways[0];
        routes[count++] = (struct route){link_of(n, router, way.port), way.cls + first,
                                         true};
    }
    return count;
}
