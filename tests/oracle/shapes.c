/* "Shapes": routers, the links between them, and the ways that tokens take. */
#include "tests/oracle/routers.h"

#include <stdlib.h>

/* --- boxes ---------------------------------------------------------------------------- */

/* "the two nearest factors of the number of routers, the greater first". */
static void derive_box(struct routers *n)
{
    unsigned least = 1;
    for (unsigned i = 1; i * i <= n->router_count; i++)
        if (n->router_count % i == 0)
            least = i;
    n->dims = 2;
    n->size[0] = n->router_count / least;
    n->size[1] = least;
}

static unsigned coordinate(const struct routers *n, unsigned router, unsigned d)
{
    for (unsigned i = 0; i < d; i++)
        router /= n->size[i];
    return router % n->size[d];
}

static unsigned width(const struct routers *n, unsigned d)
{
    unsigned w = 1;
    for (unsigned i = 0; i < d; i++)
        w *= n->size[i];
    return w;
}

/* --- mesh ----------------------------------------------------------------------------- */

static unsigned mesh_behind(const struct routers *n, unsigned router, unsigned port)
{
    const unsigned d = port / 2, x = coordinate(n, router, d);
    if (d >= n->dims)
        return NONE;
    if (port % 2 == 0)
        return x + 1 < n->size[d] ? router + width(n, d) : NONE;
    return x > 0 ? router - width(n, d) : NONE;
}

static unsigned mesh_ways(const struct routers *n, unsigned router, unsigned goal,
                          unsigned *ports)
{
    unsigned count = 0;
    for (unsigned d = 0; d < n->dims; d++) {
        const unsigned x = coordinate(n, router, d), to = coordinate(n, goal, d);
        if (x != to)
            ports[count++] = 2 * d + (to < x);
    }
    return count;
}

/* --- any ------------------------------------------------------------------------------ */

static unsigned behind(const struct routers *n, unsigned router, unsigned port)
{
    return mesh_behind(n, router, port);
}

void oracle_shape_make(struct routers *n)
{
    const struct oracle_settings *s = n->s;
    const unsigned each = s->network_concentration ? (unsigned)s->network_concentration
                                                   : 1;
    n->router_count = (unsigned)s->pe_count / each;
    derive_box(n);
    n->classes = 1;
    for (unsigned pe = 0; pe < s->pe_count; pe++) {
        *LIB_VEC_PUSH(&n->links) = (struct link){.from = NONE, .to = pe / each};
    }
    for (unsigned pe = 0; pe < s->pe_count; pe++)
        *LIB_VEC_PUSH(&n->links) = (struct link){.from = pe / each, .to = NONE};
    for (unsigned r = 0; r < n->router_count; r++)
        for (unsigned p = 0; p < 2 * n->dims; p++)
            if (behind(n, r, p) != NONE)
                *LIB_VEC_PUSH(&n->links) = (struct link){
                    .from = r, .to = behind(n, r, p), .port = p};
    if (s->routing == ORACLE_ADAPTIVE)
        n->all_classes = n->classes + 1;
    else
        n->all_classes = s->routing == ORACLE_VALIANT ? 2 * n->classes : n->classes;
}

static unsigned link_of(const struct routers *n, unsigned router, unsigned port)
{
    for (unsigned i = 2 * (unsigned)n->s->pe_count; i < n->links.count; i++)
        if (n->links.items[i].from == router && n->links.items[i].port == port)
            return i;
    abort();
}

unsigned oracle_routes(const struct routers *n, const struct token *t,
                       struct route *routes)
{
    const unsigned router = n->links.items[t->link].to;
    const unsigned home = n->links.items[n->s->pe_count + t->to].from;
    unsigned goal = home, first = 0, count = 0, ports[MOST_ROUTES];
    if (t->via != NONE) {
        const bool is_first = t->cls < n->classes;
        goal = is_first && router != t->via ? t->via : home;
        first = goal == t->via && is_first && router != t->via ? 0 : n->classes;
    }
    if (router == goal) {
        routes[0] = (struct route){(unsigned)n->s->pe_count + t->to, 0, true};
        return 1;
    }
    const unsigned ways = mesh_ways(n, router, goal, ports);
    for (; n->s->routing == ORACLE_ADAPTIVE && count < ways; count++)
        routes[count] = (struct route){link_of(n, router, ports[count]), n->classes,
                                       false};
    routes[count++] = (struct route){link_of(n, router, ports[0]), first, true};
    return count;
}
