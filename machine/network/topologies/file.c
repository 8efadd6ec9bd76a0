/* A network from a file, which lists the router of each PE and the links: a-b is a link both ways,
 * a>b one from a to b.
 *
 *     pes: [0, 0, 1, 2]
 *     links: [0-1, 1-2, 2-0]
 *     global_links: [0-3, 3>1]
 *
 * Deterministic routing has a port for each router and goal. There are several such ways, and the
 * one is taken whose fullest link has the least to carry if each PE sends as much to each other
 * one, of those in which no links wait for each other in a circle. Three ways are shortest ones and
 * differ in the port that they take of several: to the router whose number is nearest, to the one
 * whose number is farthest, or that of the link with the least load so far. The fourth is
 * up*-down*, which never has a circle. Its root is a router with the smallest sum of distances; up
 * is nearer to it, or between equally near routers towards the smaller number. A token goes by the
 * shortest path up any number of links and then down any number (Schroeder et al., Autonet: A
 * High-Speed, Self-Configuring Local Area Network, IEEE JSAC 9(8), 1991). It needs links both ways.
 * If all ways have circles, a machine with finite queues is refused (machine_proof).
 *
 * Adaptive routing takes any shortest path in channel class 1, and escapes by deterministic paths
 * in class 0, where it then stays (Silla and Duato, IEEE Trans. Parallel and Distributed Systems
 * 11(4), 2000).
 */
#include "lib/cursor.h"
#include "lib/fields.h"
#include "lib/memory.h"
#include "machine/network/graph_internal.h"

#include <string.h>

enum { MAX_ROUTERS = 2048, MAX_LINKS = 1 << 18, MAX_PES = 65536 };
/* Phases of a route: it can still go up, or has gone down. */
enum { FRESH, DOWN, PHASES };
#define NOWHERE UINT16_MAX

struct own {
    uint32_t routers;
    uint32_t *pes;   /* router of each PE */
    uint32_t *first; /* ports of router r: first[r] ... first[r + 1] - 1 */
    uint32_t *to;
    uint8_t *kind;
    uint32_t *rank;         /* links up lead to a smaller rank */
    uint16_t *far;          /* distance [from * routers + to] by any path */
    uint16_t *next[PHASES]; /* next port, indexed as `far` */
    bool is_one_way;        /* some link has no link back */
    uint32_t *at_router;    /* number of PEs at each router */
};

struct read_link {
    uint32_t a, b;
    uint8_t kind;
    bool is_one_way; /* from a to b only */
};

struct reading {
    LIB_VEC(uint32_t) pes;
    LIB_VEC(struct read_link) links;
    size_t pes_at;
    uint8_t kind;     /* kind of the links that are read */
    uint32_t routers; /* 1 + the greatest router number */
};

static void add_pe(struct lib_fields *r, size_t i, void *into)
{
    struct reading *reading = into;
    uint64_t router;
    if (!lib_fields_whole(r, i, 0, MAX_ROUTERS - 1, &router))
        return;
    if (reading->pes.count == MAX_PES) {
        lib_fields_wrong(r, i, "expected %d PEs at most", MAX_PES);
        return;
    }
    *LIB_VEC_PUSH(&reading->pes) = (uint32_t)router;
    reading->routers = router >= reading->routers ? (uint32_t)router + 1
                                                  : reading->routers;
}

static void read_pes(struct lib_fields *r, size_t i, void *into)
{
    ((struct reading *)into)->pes_at = i;
    lib_fields_each(r, i, "the router of each PE: a list of numbers", add_pe, into);
}

static void add_link(struct lib_fields *r, size_t i, void *into)
{
    struct reading *reading = into;
    struct lib_cursor c;
    uint64_t a, b;
    lib_cursor_on(&c, lib_fields_entry(r, i)->value, NULL, NULL);
    bool is_one_way = false;
    if (!lib_cursor_number(&c, "", 0, MAX_ROUTERS - 1, &a) ||
        (!lib_cursor_accept(&c, "-") && !(is_one_way = lib_cursor_accept(&c, ">"))) ||
        !lib_cursor_number(&c, "", 0, MAX_ROUTERS - 1, &b) || !lib_cursor_at_end(&c)) {
        lib_fields_wrong(r, i,
                         "expected two routers below %d, such as 0-1 or 0>1, found `%s`",
                         MAX_ROUTERS, lib_fields_entry(r, i)->value);
        return;
    }
    const struct read_link link = {(uint32_t)a, (uint32_t)b, reading->kind, is_one_way};
    if (link.a == link.b) {
        lib_fields_wrong(r, i, "a link joins two routers; found %u twice", link.a);
        return;
    }
    if (reading->links.count == MAX_LINKS) {
        lib_fields_wrong(r, i, "expected %d links at most", MAX_LINKS);
        return;
    }
    const uint32_t greater = link.a > link.b ? link.a : link.b;
    reading->routers = greater >= reading->routers ? greater + 1 : reading->routers;
    *LIB_VEC_PUSH(&reading->links) = link;
}

static void read_links(struct lib_fields *r, size_t i, void *into)
{
    ((struct reading *)into)->kind = (uint8_t)r->field->least;
    lib_fields_each(r, i, "links, such as 0-1: a list", add_link, into);
}

static const struct lib_field fields[] = {
    LIB_FIELD("pes", READ, "[ROUTER ...]", "the router of each PE", .read = read_pes),
    LIB_FIELD("links", READ, "[A-B ...]",
              "links between routers, both ways; A>B: one way", .read = read_links,
              .least = MACHINE_LINK_LOCAL),
    LIB_FIELD("global_links", READ, "[A-B ...]", "links of the kind global",
              .read = read_links, .least = MACHINE_LINK_GLOBAL),
};

static void make_ports(struct machine_graph *g, struct own *own,
                       const struct reading *reading)
{
    own->first = LIB_ARENA_ARRAY(g->arena, uint32_t, own->routers + 2u);
    own->to = LIB_ARENA_ARRAY(g->arena, uint32_t, 2 * reading->links.count + 1);
    own->kind = LIB_ARENA_ARRAY(g->arena, uint8_t, 2 * reading->links.count + 1);
    for (size_t i = 0; i < reading->links.count; i++) {
        own->first[reading->links.items[i].a + 2]++;
        own->first[reading->links.items[i].b + 2] += !reading->links.items[i].is_one_way;
    }
    for (uint32_t r = 0; r < own->routers; r++)
        own->first[r + 2] += own->first[r + 1];
    for (size_t i = 0; i < reading->links.count; i++) {
        const struct read_link *link = &reading->links.items[i];
        const uint32_t a = own->first[link->a + 1]++;
        own->to[a] = link->b;
        own->kind[a] = link->kind;
        own->is_one_way |= link->is_one_way;
        if (link->is_one_way)
            continue;
        const uint32_t b = own->first[link->b + 1]++;
        own->to[b] = link->a;
        own->kind[b] = link->kind;
    }
    for (uint32_t r = 0; r < own->routers; r++) {
        const uint32_t ports = own->first[r + 1] - own->first[r];
        g->port_count = ports > g->port_count ? ports : g->port_count;
    }
}

/* Sets `far` to the distances from a router. `queue` has room for all routers. Returns the number
 * of routers reached, including `from`. */
static uint32_t search(const struct own *own, uint32_t from, uint16_t *far,
                       uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    memset(far, 0xff, own->routers * sizeof *far);
    far[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        const uint32_t r = queue[head++];
        for (uint32_t i = own->first[r]; i < own->first[r + 1]; i++)
            if (far[own->to[i]] == NOWHERE) {
                far[own->to[i]] = far[r] + 1;
                queue[tail++] = own->to[i];
            }
    }
    return tail;
}

/* Computes all distances. Returns false if router `from` does not reach router `to`. */
static bool find_distances(struct machine_graph *g, struct own *own, uint32_t *from,
                           uint32_t *to)
{
    const size_t n = own->routers;
    uint32_t *queue = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    own->far = LIB_ARENA_ARRAY(g->arena, uint16_t, n * n);
    for (*from = 0; *from < n; ++*from)
        if (search(own, *from, own->far + *from * n, queue) < n)
            for (*to = 0; *to < n; ++*to)
                if (own->far[*from * n + *to] == NOWHERE)
                    return false;
    return true;
}

/* Whether all routers are joined, by one search, if links lead both ways. */
static bool is_joined(const struct own *own)
{
    uint16_t *far = lib_mem_new(own->routers * sizeof *far);
    uint32_t *queue = lib_mem_new(own->routers * sizeof *queue);
    const uint32_t count = own->is_one_way ? 0 : search(own, 0, far, queue);
    LIB_MEM_FREE(far, queue);
    return count == own->routers;
}

static uint32_t find_root(const struct own *own)
{
    const size_t n = own->routers;
    uint64_t best = UINT64_MAX;
    uint32_t root = 0;
    for (uint32_t r = 0; r < n; r++) {
        uint64_t sum = 0;
        for (uint32_t to = 0; to < n; to++)
            sum += own->far[r * n + to];
        if (sum < best) {
            best = sum;
            root = r;
        }
    }
    return root;
}

static bool is_up(const struct own *own, uint32_t from, uint32_t to)
{
    return own->rank[to] < own->rank[from];
}

/* Finds the shortest up*-down* paths from everywhere to `to`, by breadth-first search backwards
 * over states (router, phase): DOWN continues down, FRESH up or down. */
static void find_ways(const struct own *own, uint32_t to, uint16_t *far, uint32_t *queue)
{
    const uint32_t n = own->routers;
    uint32_t head = 0, tail = 0;
    memset(far, 0xff, (size_t)n * PHASES * sizeof *far);
    far[FRESH * n + to] = far[DOWN * n + to] = 0;
    queue[tail++] = FRESH * n + to;
    queue[tail++] = DOWN * n + to;
    while (head < tail) {
        const uint32_t state = queue[head++], phase = state / n, r = state % n;
        for (uint32_t i = own->first[r]; i < own->first[r + 1]; i++) {
            /* the token comes up if `from` is below */
            const uint32_t from = own->to[i];
            const bool came_up = is_up(own, from, r);
            if (came_up != (phase == FRESH))
                continue;
            for (uint32_t before = FRESH; before <= (came_up ? FRESH : DOWN); before++)
                if (far[before * n + from] == NOWHERE) {
                    far[before * n + from] = far[state] + 1;
                    queue[tail++] = before * n + from;
                }
        }
    }
}

/* --- ways ------------------------------------------------------------------------------------- */

/* Ways of deterministic routing, in the order of preference among equally good ones. */
enum way { NEAREST, FARTHEST, BALANCED, UP_DOWN, WAYS };

/* A way that is being made. */
struct making {
    const struct own *own;
    enum way way;
    uint16_t *next[PHASES];
    uint64_t *load;   /* of each link, by its place in own->to */
    uint64_t *weight; /* PEs whose tokens for the goal pass a state (router, phase) */
    uint16_t *far;    /* distance of each state to the goal */
    uint32_t *order;  /* states, the farthest first */
    uint32_t *count;  /* number of states at each distance */
};

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Whether link `i` of a router is better than its link `best`, which leads towards the goal as
 * shortly. */
static bool is_better(const struct making *m, uint32_t r, uint32_t i, uint32_t best)
{
    const uint32_t here = apart(m->own->to[i], r), there = apart(m->own->to[best], r);
    if (m->way == NEAREST && here != there)
        return here < there;
    if (m->way == FARTHEST && here != there)
        return here > there;
    return m->load[i] < m->load[best];
}

/* Returns the link that a state (router, phase) takes, or the end of own->to. Sets *phase to the
 * phase behind it. */
static uint32_t choose_link(const struct making *m, uint32_t r, uint32_t *phase)
{
    const struct own *own = m->own;
    const uint32_t n = own->routers, none = own->first[n], here = m->far[*phase * n + r];
    uint32_t best = none, best_phase = FRESH;
    for (uint32_t i = own->first[r]; i < own->first[r + 1]; i++) {
        const bool up = m->way != UP_DOWN || is_up(own, r, own->to[i]);
        if (up && *phase == DOWN)
            continue;
        const uint32_t behind = up ? FRESH : DOWN;
        if (m->far[behind * n + own->to[i]] + 1u != here ||
            (best != none && !is_better(m, r, i, best)))
            continue;
        best = i;
        best_phase = behind;
    }
    *phase = best_phase;
    return best;
}

/* Orders states by falling distance, those of one distance by number. States without a way come
 * nowhere. Returns how many there are. */
static uint32_t order_states(const struct making *m, uint32_t states)
{
    uint32_t most = 0, before = 0;
    memset(m->count, 0, (states + 1) * sizeof *m->count);
    for (uint32_t s = 0; s < states; s++)
        if (m->far[s] != NOWHERE) {
            m->count[m->far[s]]++;
            most = m->far[s] > most ? m->far[s] : most;
        }
    for (uint32_t d = most + 1; d-- > 0;) {
        const uint32_t here = m->count[d];
        m->count[d] = before;
        before += here;
    }
    for (uint32_t s = 0; s < states; s++)
        if (m->far[s] != NOWHERE)
            m->order[m->count[m->far[s]]++] = s;
    return before;
}

/* Chooses the ports towards a goal, from the farthest router to the nearest. */
static void make_goal(struct making *m, uint32_t goal, uint32_t *queue)
{
    const struct own *own = m->own;
    const uint32_t n = own->routers, states = m->way == UP_DOWN ? PHASES * n : n;
    if (m->way == UP_DOWN)
        find_ways(own, goal, m->far, queue);
    else
        for (uint32_t r = 0; r < n; r++)
            m->far[r] = own->far[(size_t)r * n + goal];
    for (uint32_t s = 0; s < states; s++)
        m->weight[s] = s < n ? own->at_router[s] : 0;
    const uint32_t count = order_states(m, states);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t s = m->order[i], r = s % n;
        uint32_t phase = s / n;
        if (r == goal)
            continue;
        const uint32_t before = phase, link = choose_link(m, r, &phase);
        m->next[before][(size_t)r * n + goal] = (uint16_t)(link - own->first[r]);
        m->load[link] += m->weight[s] * own->at_router[goal];
        m->weight[phase * n + own->to[link]] += m->weight[s];
    }
}

/* Makes a way. Returns the greatest load of a link. */
static uint64_t make_way(struct making *m, enum way way, uint32_t *queue)
{
    const struct own *own = m->own;
    const uint32_t links = own->first[own->routers];
    uint64_t most = 0;
    m->way = way;
    memset(m->load, 0, links * sizeof *m->load);
    for (uint32_t goal = 0; goal < own->routers; goal++)
        make_goal(m, goal, queue);
    for (uint32_t i = 0; i < links; i++)
        most = m->load[i] > most ? m->load[i] : most;
    return most;
}

/* --- circles ---------------------------------------------------------------------------------- */

/* Pairs of links of which one can follow the other, beyond which shortest ways are not judged. */
static const uint64_t max_pairs = UINT64_C(1) << 26;

/* Whether links wait for each other in a circle, if tokens begin at any router. Links are taken
 * away that wait for none which is left. */
static bool has_circle(const struct own *own, const uint16_t *next)
{
    const size_t n = own->routers, links = own->first[n];
    uint64_t *place = lib_mem_new((links + 1) * sizeof *place); /* of link i in `waits` */
    for (size_t i = 0; i < links; i++)
        place[i + 1] = place[i] + own->first[own->to[i] + 1] - own->first[own->to[i]];
    bool *waits = lib_mem_new(place[links] + 1);
    uint32_t *waited = lib_mem_new((links + 1) *
                                   sizeof *waited); /* how many links wait for it */
    uint32_t *queue = lib_mem_new((links + 1) * sizeof *queue);
    for (size_t r = 0; r < n; r++)
        for (size_t goal = 0; goal < n; goal++) {
            if (r == goal)
                continue;
            const uint32_t link = own->first[r] + next[r * n + goal], to = own->to[link];
            if (to == goal)
                continue;
            const uint16_t port = next[to * n + goal];
            waited[own->first[to] + port] += !waits[place[link] + port];
            waits[place[link] + port] = true;
        }
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < links; i++)
        if (waited[i] == 0)
            queue[tail++] = (uint32_t)i;
    for (; head < tail; head++) {
        const uint32_t link = queue[head], first = own->first[own->to[link]];
        for (uint64_t p = place[link]; p < place[link + 1]; p++)
            if (waits[p] && --waited[first + (p - place[link])] == 0)
                queue[tail++] = first + (uint32_t)(p - place[link]);
    }
    LIB_MEM_FREE(place, waits, waited, queue);
    return tail < links;
}

static uint64_t count_pairs(const struct own *own)
{
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < own->first[own->routers]; i++)
        pairs += own->first[own->to[i] + 1] - own->first[own->to[i]];
    return pairs;
}

/* Takes the way with the least load of those without a circle; without one, BALANCED. */
static void choose_way(struct machine_graph *g, struct own *own, struct making *m,
                       uint32_t *queue)
{
    const size_t n = own->routers, bytes = n * n * sizeof(uint16_t);
    const bool is_judged = count_pairs(own) <= max_pairs;
    uint64_t best = UINT64_MAX;
    for (uint32_t phase = 0; phase < PHASES; phase++)
        own->next[phase] = LIB_ARENA_ARRAY(g->arena, uint16_t, n * n);
    for (enum way way = NEAREST; way < WAYS; way++) {
        if (way == UP_DOWN ? own->is_one_way
                           : !is_judged && (!own->is_one_way || way != BALANCED))
            continue;
        const uint64_t load = make_way(m, way, queue);
        const bool is_free = way == UP_DOWN ||
                             (is_judged && !has_circle(own, m->next[FRESH]));
        if (!(is_free ? load < best : best == UINT64_MAX && way == BALANCED))
            continue;
        best = is_free ? load : best;
        memcpy(own->next[FRESH], m->next[FRESH], bytes);
        memcpy(own->next[DOWN], m->next[way == UP_DOWN ? DOWN : FRESH], bytes);
    }
}

static void find_routes(struct machine_graph *g, struct own *own)
{
    const size_t n = own->routers, states = n * PHASES;
    const uint32_t root = find_root(own);
    own->rank = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    for (uint32_t r = 0; r < n; r++)
        own->rank[r] = own->far[root * n + r] * MAX_ROUTERS + r;
    own->at_router = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    for (uint32_t pe = 0; pe < g->pe_count; pe++)
        own->at_router[own->pes[pe]]++;
    struct making m = {.own = own,
                       .load = lib_mem_new((own->first[n] + 1) * sizeof *m.load),
                       .weight = lib_mem_new(states * sizeof *m.weight),
                       .far = lib_mem_new(states * sizeof *m.far),
                       .order = lib_mem_new(states * sizeof *m.order),
                       .count = lib_mem_new((states + 1) * sizeof *m.count)};
    uint32_t *queue = lib_mem_new(states * sizeof *queue);
    for (uint32_t phase = 0; phase < PHASES; phase++)
        m.next[phase] = lib_mem_new(n * n * sizeof *m.next[phase]);
    choose_way(g, own, &m, queue);
    LIB_MEM_FREE(m.load, m.weight, m.far, m.order, m.count, queue, m.next[FRESH],
                 m.next[DOWN]);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void check_counts(struct lib_fields *r, const struct machine_graph *g,
                         const struct reading *reading)
{
    if (reading->pes.count == 0)
        lib_diag_error(r->diags, LIB_DIAG_MEANING, r->source, (struct lib_pos){1, 1, 1},
                       "expected `pes`, the router of each PE");
    else if (reading->pes.count != g->pe_count)
        lib_fields_wrong_key(
            r, reading->pes_at,
            "this network has %zu PEs, and the %s %u; expected %s=%zu",
            reading->pes.count,
            g->shape.joins_nodes ? "nodes of the cluster are" : "machine", g->pe_count,
            g->shape.joins_nodes ? "cluster.nodes" : "pe.count", reading->pes.count);
}

static bool read_file(struct machine_graph *g, struct reading *reading)
{
    struct lib_yaml yaml = {0};
    const size_t errors = g->diags->errors;
    struct lib_fields r = {
        .arena = g->arena, .source = g->shape.file, .yaml = &yaml, .diags = g->diags};
    if (lib_yaml_read(&yaml, g->arena, g->shape.file, g->diags)) {
        lib_fields_mapping(&r, LIB_WHOLE, "a network", fields,
                           sizeof fields / sizeof fields[0], reading);
        if (g->diags->errors == errors)
            check_counts(&r, g, reading);
    }
    lib_yaml_free(&yaml);
    return g->diags->errors == errors;
}

static bool build(struct machine_graph *g, const struct reading *reading)
{
    struct own *own = LIB_ARENA_NEW(g->arena, struct own);
    g->own = own;
    own->routers = g->router_count = reading->routers;
    own->pes = LIB_ARENA_ARRAY(g->arena, uint32_t, g->pe_count);
    memcpy(own->pes, reading->pes.items, g->pe_count * sizeof *own->pes);
    make_ports(g, own, reading);
    uint32_t from, to;
    if (g->shape.use == MACHINE_FOR_LINKS && is_joined(own))
        return true;
    if (!find_distances(g, own, &from, &to)) {
        lib_diag_error(
            g->diags, LIB_DIAG_MEANING, g->shape.file, (struct lib_pos){1, 1, 1},
            "expected a network in which all routers are joined; no links lead "
            "from router %u to router %u",
            from, to);
        return false;
    }
    if (g->shape.use == MACHINE_FOR_ROUTES)
        find_routes(g, own);
    return true;
}

static bool fit(struct machine_graph *g, struct lib_text *why)
{
    if (!g->shape.file) {
        lib_text_puts(why, "`file` takes routers and links from a file; expected one "
                           "(network.file)");
        return false;
    }
    if (g->shape.dim_count > 0 || g->shape.concentration > 0) {
        lib_text_puts(why,
                      "a network from a file has neither dimensions nor a concentration");
        return false;
    }
    struct reading reading = {0};
    const bool ok = read_file(g, &reading) && build(g, &reading);
    LIB_VEC_FREE(&reading.pes, &reading.links);
    g->shape.concentration = 1;
    return ok;
}

static uint32_t behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                       uint8_t *kind)
{
    const struct own *own = g->own;
    const uint32_t at = own->first[router] + port;
    if (at >= own->first[router + 1])
        return MACHINE_NO_LINK;
    *kind = own->kind[at];
    return own->to[at];
}

static uint32_t router_of(const struct machine_graph *g, uint32_t pe)
{
    return ((const struct own *)g->own)->pes[pe];
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const struct own *own = g->own;
    uint32_t phase = FRESH;
    if (at->link != MACHINE_NO_LINK && at->cls == 0 &&
        !is_up(own, g->links[at->link].from, at->router))
        phase = DOWN;
    return (struct machine_way_on){
        own->next[phase][(size_t)at->router * own->routers + at->target], 0};
}

static uint32_t distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const struct own *own = g->own;
    return own->far[(size_t)from * own->routers + to];
}

static unsigned shortest(const struct machine_graph *g, const struct machine_at *at,
                         uint32_t *ports)
{
    const struct own *own = g->own;
    const uint32_t *to = own->to + own->first[at->router];
    const uint32_t all = own->first[at->router + 1] - own->first[at->router];
    const uint32_t far = distance(g, at->router, at->target);
    unsigned count = 0;
    for (uint32_t p = 0; p < all && count < MACHINE_MAX_RADIX; p++)
        if (distance(g, to[p], at->target) + 1 == far)
            ports[count++] = p;
    return count;
}

const struct machine_rules machine_file_rules = {
    .fit = fit,
    .behind = behind,
    .source = router_of,
    .sink = router_of,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .classes = 1,
    .stays_escape = true,
    .by_file = true,
    .has_valiant = true,
};
