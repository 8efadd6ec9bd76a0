/* A network from a file, which lists the router of each PE and the links, both ways each:
 *
 *     pes: [0, 0, 1, 2]
 *     links: [0-1, 1-2, 2-0]
 *     global_links: [0-3]
 *
 * Routing is up*-down*. The root is a router with the smallest sum of distances; up is nearer to
 * it, or between equally near routers towards the smaller number. A token goes by the shortest path
 * up any number of links and then down any number, so tokens cannot wait for each other in a cycle
 * (Schroeder et al., Autonet: A High-Speed, Self-Configuring Local Area Network, IEEE JSAC 9(8),
 * 1991). Adaptive routing takes any shortest path in channel class 1, and escapes by up*-down*
 * paths in class 0, where it then stays (Silla and Duato, IEEE Trans. Parallel and Distributed
 * Systems 11(4), 2000).
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
};

struct read_link {
    uint32_t a, b;
    uint8_t kind;
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
    if (!lib_cursor_number(&c, "", 0, MAX_ROUTERS - 1, &a) ||
        !lib_cursor_accept(&c, "-") ||
        !lib_cursor_number(&c, "", 0, MAX_ROUTERS - 1, &b) || !lib_cursor_at_end(&c)) {
        lib_fields_wrong(r, i, "expected two routers below %d, such as 0-1, found `%s`",
                         MAX_ROUTERS, lib_fields_entry(r, i)->value);
        return;
    }
    const struct read_link link = {
        .a = (uint32_t)a, .b = (uint32_t)b, .kind = reading->kind};
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
    LIB_FIELD("links", READ, "[A-B ...]", "links between routers", .read = read_links,
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
        own->first[reading->links.items[i].b + 2]++;
    }
    for (uint32_t r = 0; r < own->routers; r++)
        own->first[r + 2] += own->first[r + 1];
    for (size_t i = 0; i < reading->links.count; i++) {
        const struct read_link *link = &reading->links.items[i];
        const uint32_t a = own->first[link->a + 1]++, b = own->first[link->b + 1]++;
        own->to[a] = link->b;
        own->to[b] = link->a;
        own->kind[a] = own->kind[b] = link->kind;
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

/* Computes all distances. Returns a router that router 0 does not reach, or `routers`. */
static uint32_t find_distances(struct machine_graph *g, struct own *own)
{
    const size_t n = own->routers;
    uint32_t *queue = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    own->far = LIB_ARENA_ARRAY(g->arena, uint16_t, n * n);
    for (uint32_t r = 0; r < n; r++)
        if (search(own, r, own->far + r * n, queue) < n)
            for (uint32_t to = 0; to < n; to++)
                if (own->far[r * n + to] == NOWHERE)
                    return to;
    return own->routers;
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

/* Returns the first port of `r` that leads towards the target of `far`. */
static uint16_t find_port(const struct own *own, const uint16_t *far, uint32_t phase,
                          uint32_t r)
{
    const uint32_t n = own->routers;
    for (uint32_t i = own->first[r]; i < own->first[r + 1]; i++) {
        const bool up = is_up(own, r, own->to[i]);
        if (up && phase == DOWN)
            continue;
        if (far[(up ? FRESH : DOWN) * n + own->to[i]] + 1u == far[phase * n + r])
            return (uint16_t)(i - own->first[r]);
    }
    return NOWHERE;
}

static void find_routes(struct machine_graph *g, struct own *own)
{
    const size_t n = own->routers;
    const uint32_t root = find_root(own);
    own->rank = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    for (uint32_t r = 0; r < n; r++)
        own->rank[r] = own->far[root * n + r] * MAX_ROUTERS + r;
    uint16_t *far = LIB_ARENA_ARRAY(g->arena, uint16_t, n * PHASES);
    uint32_t *queue = LIB_ARENA_ARRAY(g->arena, uint32_t, n * PHASES);
    for (uint32_t phase = 0; phase < PHASES; phase++)
        own->next[phase] = LIB_ARENA_ARRAY(g->arena, uint16_t, n * n);
    for (uint32_t to = 0; to < n; to++) {
        find_ways(own, to, far, queue);
        for (uint32_t phase = 0; phase < PHASES; phase++)
            for (uint32_t r = 0; r < n; r++)
                own->next[phase][r * n + to] = find_port(own, far, phase, r);
    }
}

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
    const uint32_t lost = find_distances(g, own);
    if (lost < own->routers) {
        lib_diag_error(
            g->diags, LIB_DIAG_MEANING, g->shape.file, (struct lib_pos){1, 1, 1},
            "expected a network in which all routers are joined; no links lead "
            "from router 0 to router %u",
            lost);
        return false;
    }
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
