/* A network from a file, which lists the router of each PE and the links: a-b is a link both ways,
 * a>b one from a to b. A link may have a latency and a bandwidth of its own.
 *
 *     pes: [0, 0, 1, 2]
 *     links: [0-1, 1-2 latency=3, 2-0 latency=3 bandwidth=64]
 *     global_links: [0-3, 3>1]
 *
 * machine/network/ways.h finds the ways of deterministic routing. If it finds none without circles,
 * a machine with finite queues is refused (machine_proof).
 *
 * Adaptive routing takes any shortest path in channel class 1, and escapes by deterministic paths
 * in class 0, where it then stays (Silla and Duato, IEEE Trans. Parallel and Distributed Systems
 * 11(4), 2000).
 */
#include "lib/cursor.h"
#include "lib/fields.h"
#include "lib/memory.h"
#include "machine/network/graph_internal.h"
#include "machine/network/ways.h"

#include <string.h>

enum { MAX_ROUTERS = 2048, MAX_LINKS = 1 << 18, MAX_PES = 65536 };
enum { MAX_LATENCY = 10000, MAX_BANDWIDTH = 1000000 };
/* Max number of ports in tables of ways that have a goal for each PE. */
enum { MAX_OWN_WAYS = 1 << 22 };

struct own {
    uint32_t routers;
    uint32_t *pes;   /* router of each PE */
    uint32_t *first; /* ports of router r: first[r] ... first[r + 1] - 1 */
    uint32_t *to;
    uint8_t *kind;
    uint32_t *latency;   /* of its own, or 0 */
    uint64_t *bandwidth; /* of its own, or 0 */
    uint16_t *far;       /* distance [from * routers + to] by any path */
    bool is_one_way;     /* some link has no link back */

    uint16_t *next; /* next port of router r towards a goal: next[goal * routers + r] */
    uint32_t *pe_goal; /* goal of tokens for each PE */
    uint32_t *goal_of; /* goal of tokens for each router, in Valiant's first phase */
};

struct read_link {
    uint32_t a, b;
    uint32_t latency;
    uint64_t bandwidth;
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

/* Reads ` latency=3 bandwidth=64`, either or both. Returns what is wrong, or NULL. */
static const char *read_own(struct lib_cursor *c, struct read_link *link)
{
    while (!lib_cursor_at_end(c)) {
        const bool is_apart = lib_cursor_accept(c, " ");
        const bool is_latency = lib_cursor_accept(c, "latency");
        uint64_t number;
        if (!is_apart || (!is_latency && !lib_cursor_accept(c, "bandwidth")))
            return "expected `latency=` or `bandwidth=` behind a link, such as "
                   "0-1 latency=3 bandwidth=64";
        if (is_latency ? link->latency > 0 : link->bandwidth > 0)
            return is_latency ? "expected at most one `latency=` of a link"
                              : "expected at most one `bandwidth=` of a link";
        if (!lib_cursor_accept(c, "=") ||
            !lib_cursor_number(c, "", 1, is_latency ? MAX_LATENCY : MAX_BANDWIDTH,
                               &number))
            return is_latency ? "expected a latency of a link from 1 to 10000 cycles"
                              : "expected a bandwidth of a link from 1 to 1000000 bits";
        if (is_latency)
            link->latency = (uint32_t)number;
        else
            link->bandwidth = number;
    }
    return NULL;
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
        !lib_cursor_number(&c, "", 0, MAX_ROUTERS - 1, &b)) {
        lib_fields_wrong(r, i,
                         "expected two routers below %d, such as 0-1 or 0>1, found `%s`",
                         MAX_ROUTERS, lib_fields_entry(r, i)->value);
        return;
    }
    struct read_link link = {.a = (uint32_t)a,
                             .b = (uint32_t)b,
                             .kind = reading->kind,
                             .is_one_way = is_one_way};
    const char *wrong = read_own(&c, &link);
    if (wrong) {
        lib_fields_wrong(r, i, "%s, found `%s`", wrong, lib_fields_entry(r, i)->value);
        return;
    }
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
    LIB_FIELD(
        "links", READ, "[A-B ...]",
        "links between routers, both ways; A>B: one way; with latency=, bandwidth= or "
        "both behind it if these are its own",
        .read = read_links, .least = MACHINE_LINK_LOCAL),
    LIB_FIELD("global_links", READ, "[A-B ...]", "links of the kind global",
              .read = read_links, .least = MACHINE_LINK_GLOBAL),
};

static void add_port(struct own *own, uint32_t from, uint32_t to,
                     const struct read_link *link)
{
    const uint32_t at = own->first[from + 1]++;
    own->to[at] = to;
    own->kind[at] = link->kind;
    own->latency[at] = link->latency;
    own->bandwidth[at] = link->bandwidth;
}

static void make_ports(struct machine_graph *g, struct own *own,
                       const struct reading *reading)
{
    const size_t most = 2 * reading->links.count + 1;
    own->first = LIB_ARENA_ARRAY(g->arena, uint32_t, own->routers + 2u);
    own->to = LIB_ARENA_ARRAY(g->arena, uint32_t, most);
    own->kind = LIB_ARENA_ARRAY(g->arena, uint8_t, most);
    own->latency = LIB_ARENA_ARRAY(g->arena, uint32_t, most);
    own->bandwidth = LIB_ARENA_ARRAY(g->arena, uint64_t, most);
    for (size_t i = 0; i < reading->links.count; i++) {
        own->first[reading->links.items[i].a + 2]++;
        own->first[reading->links.items[i].b + 2] += !reading->links.items[i].is_one_way;
    }
    for (uint32_t r = 0; r < own->routers; r++)
        own->first[r + 2] += own->first[r + 1];
    for (size_t i = 0; i < reading->links.count; i++) {
        const struct read_link *link = &reading->links.items[i];
        add_port(own, link->a, link->b, link);
        if (link->is_one_way)
            own->is_one_way = true;
        else
            add_port(own, link->b, link->a, link);
    }
    for (uint32_t r = 0; r < own->routers; r++) {
        const uint32_t ports = own->first[r + 1] - own->first[r];
        g->port_count = ports > g->port_count ? ports : g->port_count;
    }
}

/* Computes all distances. Returns false if router `from` does not reach router `to`. */
static bool find_distances(struct machine_graph *g, struct own *own, uint32_t *from,
                           uint32_t *to)
{
    const size_t n = own->routers;
    uint32_t *queue = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    own->far = LIB_ARENA_ARRAY(g->arena, uint16_t, n * n);
    for (*from = 0; *from < n; ++*from)
        if (machine_ways_search(own->routers, own->first, own->to, *from,
                                own->far + *from * n, queue) < n)
            for (*to = 0; *to < n; ++*to)
                if (own->far[*from * n + *to] == MACHINE_WAYS_NOWHERE)
                    return false;
    return true;
}

/* Whether all routers are joined, by one search, if links lead both ways. */
static bool is_joined(const struct own *own)
{
    uint16_t *far = lib_mem_new(own->routers * sizeof *far);
    uint32_t *queue = lib_mem_new(own->routers * sizeof *queue);
    const uint32_t count = own->is_one_way ? 0
                                           : machine_ways_search(own->routers, own->first,
                                                                 own->to, 0, far, queue);
    LIB_MEM_FREE(far, queue);
    return count == own->routers;
}

/* Lists the goals of ways: the PEs, or if they are many, the routers that have PEs; with Valiant's
 * routing also the routers that have none. Returns how many there are. */
static uint32_t list_goals(const struct machine_graph *g, struct own *own,
                           uint32_t *goal_at, uint32_t *goal_pes)
{
    const uint32_t n = own->routers, none = UINT32_MAX;
    const bool has_own = (uint64_t)n * g->pe_count <= MAX_OWN_WAYS;
    uint32_t goals = 0;
    memset(own->goal_of, 0xff, n * sizeof *own->goal_of);
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        const uint32_t r = own->pes[pe];
        if (has_own || own->goal_of[r] == none) {
            own->pe_goal[pe] = goals;
            goal_at[goals++] = r;
        } else {
            own->pe_goal[pe] = own->goal_of[r];
        }
        goal_pes[own->pe_goal[pe]]++;
        if (own->goal_of[r] == none)
            own->goal_of[r] = own->pe_goal[pe];
    }
    for (uint32_t r = 0; r < n && g->shape.routing == MACHINE_ROUTING_VALIANT; r++)
        if (own->goal_of[r] == none) {
            goal_at[goals] = r;
            goal_pes[goals] = 1;
            own->goal_of[r] = goals++;
        }
    return goals;
}

static void find_routes(struct machine_graph *g, struct own *own)
{
    const size_t n = own->routers, most = n + g->pe_count;
    uint32_t *pes = lib_mem_new(n * sizeof *pes);
    uint32_t *goal_at = lib_mem_new(most * sizeof *goal_at);
    uint32_t *goal_pes = lib_mem_new(most * sizeof *goal_pes);
    own->pe_goal = LIB_ARENA_ARRAY(g->arena, uint32_t, g->pe_count);
    own->goal_of = LIB_ARENA_ARRAY(g->arena, uint32_t, n);
    for (uint32_t pe = 0; pe < g->pe_count; pe++)
        pes[own->pes[pe]]++;
    const struct machine_ways_net net = {
        .routers = own->routers,
        .first = own->first,
        .to = own->to,
        .pes = pes,
        .far = own->far,
        .goals = list_goals(g, own, goal_at, goal_pes),
        .goal_at = goal_at,
        .goal_pes = goal_pes,
        .pe_count = g->pe_count,
    };
    own->next = LIB_ARENA_ARRAY(g->arena, uint16_t, n * net.goals);
    machine_ways_find(&net, own->next);
    LIB_MEM_FREE(pes, goal_at, goal_pes);
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

/* Links between routers are numbered as ports are. */
static void measure(struct machine_graph *g)
{
    const struct own *own = g->own;
    const uint32_t links = own->first[own->routers], base = 2 * g->pe_count;
    for (uint32_t i = 0; i < links; i++) {
        if (own->latency[i] && !g->own_latency)
            g->own_latency = LIB_ARENA_ARRAY(g->arena, uint64_t, g->link_count);
        if (own->bandwidth[i] && !g->own_bandwidth)
            g->own_bandwidth = LIB_ARENA_ARRAY(g->arena, uint64_t, g->link_count);
        if (own->latency[i])
            g->own_latency[base + i] = own->latency[i];
        if (own->bandwidth[i])
            g->own_bandwidth[base + i] = own->bandwidth[i];
    }
}

static uint32_t router_of(const struct machine_graph *g, uint32_t pe)
{
    return ((const struct own *)g->own)->pes[pe];
}

static struct machine_way_on next(const struct machine_graph *g,
                                  const struct machine_at *at)
{
    const struct own *own = g->own;
    const uint32_t goal = at->to == MACHINE_NO_PE ? own->goal_of[at->target]
                                                  : own->pe_goal[at->to];
    return (struct machine_way_on){own->next[(size_t)goal * own->routers + at->router],
                                   0};
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
    .measure = measure,
    .source = router_of,
    .sink = router_of,
    .next = next,
    .shortest = shortest,
    .distance = distance,
    .classes = 1,
    .stays_escape = true,
    .by_file = true,
    .by_pe = true,
    .has_valiant = true,
};
