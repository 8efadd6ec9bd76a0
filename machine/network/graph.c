#include "machine/network/graph.h"

#include "lib/random.h"
#include "machine/network/graph_internal.h"

#include <assert.h>

const char *const machine_shape_names[MACHINE_SHAPE_COUNT] = {
#define SHAPE(NAME, name, help) #name,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
        [MACHINE_SHAPE_CROSSBAR] = "crossbar",
};

const char *const machine_routing_names[MACHINE_ROUTING_COUNT] = {
#define ROUTING(NAME, name, help) #name,
    MACHINE_ROUTINGS(ROUTING)
#undef ROUTING
};

static const struct machine_rules *const all_rules[MACHINE_SHAPE_COUNT] = {
#define SHAPE(NAME, name, help) [MACHINE_SHAPE_##NAME] = &machine_##name##_rules,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
        [MACHINE_SHAPE_CROSSBAR] = &machine_crossbar_rules,
};

const struct machine_rules *machine_rules_of(enum machine_shape_kind kind)
{
    return all_rules[kind];
}

static bool is_offered(const struct machine_rules *rules,
                       enum machine_routing_kind routing)
{
    switch (routing) {
    case MACHINE_ROUTING_ADAPTIVE:
        return rules->shortest != NULL;
    case MACHINE_ROUTING_VALIANT:
        return rules->has_valiant;
    default:
        return true;
    }
}

static void refuse_routing(const struct machine_shape *s,
                           const struct machine_rules *rules, struct lib_text *why)
{
    lib_text_printf(why, "`%s` has no `%s` routing; expected one of ",
                    machine_shape_names[s->kind], machine_routing_names[s->routing]);
    const char *between = "";
    for (unsigned i = 0; i < MACHINE_ROUTING_COUNT; i++)
        if (is_offered(rules, i)) {
            lib_text_printf(why, "%s%s", between, machine_routing_names[i]);
            between = "|";
        }
}

static void set_classes(struct machine_graph *g)
{
    const struct machine_rules *rules = g->rules;
    g->phase_classes = rules->classes;
    if (g->shape.routing == MACHINE_ROUTING_ADAPTIVE && !rules->adapts_free)
        g->phase_classes = rules->classes + 1u;
    const uint32_t phases = g->shape.routing == MACHINE_ROUTING_VALIANT ? 2 : 1;
    g->channel_classes = g->phase_classes * phases;
}

/* Checks the parameters that all topologies have. */
static bool is_possible(const struct machine_graph *g, struct lib_text *why)
{
    const struct machine_shape *s = &g->shape;
    assert(s->pe_count > 0);
    if (s->dim_count > MACHINE_MAX_DIMS) {
        lib_text_printf(why, "expected up to %d dimensions, found %u", MACHINE_MAX_DIMS,
                        s->dim_count);
        return false;
    }
    for (uint32_t i = 0; i < s->dim_count; i++)
        if (s->dims[i] == 0 || s->dims[i] > MACHINE_MAX_ROUTERS) {
            lib_text_printf(why, "expected dimensions from 1 to %u, found ",
                            MACHINE_MAX_ROUTERS);
            machine_graph_write_dims(s->dims, s->dim_count, why);
            return false;
        }
    return true;
}

static bool is_bounded(const struct machine_graph *g, struct lib_text *why)
{
    const uint64_t ports = (uint64_t)g->router_count * g->port_count;
    if (g->router_count <= MACHINE_MAX_ROUTERS * 16 && ports <= MACHINE_MAX_PORTS)
        return true;
    lib_text_printf(why,
                    "`%s` would have %u routers with %u ports each, more than %u in all; "
                    "found %u PEs",
                    machine_shape_names[g->shape.kind], g->router_count, g->port_count,
                    MACHINE_MAX_PORTS, g->pe_count);
    return false;
}

/* Numbers the links between routers. Called twice: to count them, and to write them. */
static uint32_t join(struct machine_graph *g, bool is_counted)
{
    uint32_t link = 2 * g->pe_count;
    for (uint32_t r = 0; r < g->router_count; r++)
        for (uint32_t p = 0; p < g->port_count; p++) {
            uint8_t kind = MACHINE_LINK_LOCAL;
            const uint32_t to = g->rules->behind(g, r, p, &kind);
            if (is_counted) {
                g->ports[(size_t)r * g->port_count + p] = to == MACHINE_NO_LINK
                                                              ? MACHINE_NO_LINK
                                                              : link;
                if (to != MACHINE_NO_LINK)
                    g->links[link] = (struct machine_graph_link){r, to, kind};
            }
            link += to != MACHINE_NO_LINK;
        }
    return link;
}

static void join_pes(struct machine_graph *g)
{
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        const uint32_t at = pe / g->shape.concentration;
        g->links[pe] = (struct machine_graph_link){
            pe, g->rules->source ? g->rules->source(g, pe) : at, MACHINE_LINK_INJECTION};
        g->links[g->pe_count + pe] = (struct machine_graph_link){
            g->rules->sink ? g->rules->sink(g, pe) : at, pe, MACHINE_LINK_EJECTION};
    }
}

/* Lists for each router, in ascending order, the links that leave it, or those to it. */
static void list(struct machine_graph *g, bool leave, uint32_t **first, uint32_t **links)
{
    const uint8_t none = leave ? MACHINE_LINK_INJECTION : MACHINE_LINK_EJECTION;
    uint32_t *begin = LIB_ARENA_ARRAY(g->arena, uint32_t, (size_t)g->router_count + 2);
    uint32_t *all = LIB_ARENA_ARRAY(g->arena, uint32_t, g->link_count);
    for (uint32_t i = 0; i < g->link_count; i++)
        if (g->links[i].kind != none)
            begin[(leave ? g->links[i].from : g->links[i].to) + 2]++;
    for (uint32_t r = 0; r < g->router_count; r++)
        begin[r + 2] += begin[r + 1];
    for (uint32_t i = 0; i < g->link_count; i++)
        if (g->links[i].kind != none)
            all[begin[(leave ? g->links[i].from : g->links[i].to) + 1]++] = i;
    *first = begin;
    *links = all;
}

void machine_graph_list(struct machine_graph *g)
{
    list(g, true, &g->out_first, &g->out);
    list(g, false, &g->in_first, &g->in);
}

struct machine_graph *machine_graph_make(const struct machine_shape *shape,
                                         struct lib_diags *diags)
{
    if (shape->nodes > 0)
        return machine_cluster_make(shape, diags);
    struct lib_arena *arena = lib_arena_new();
    struct machine_graph *g = LIB_ARENA_NEW(arena, struct machine_graph);
    LIB_TEXT_OWN why = {0};
    *g = (struct machine_graph){.shape = *shape,
                                .pe_count = shape->pe_count,
                                .rules = all_rules[shape->kind],
                                .arena = arena};
    const bool is_routed = is_offered(g->rules, shape->routing);
    if (!is_routed)
        refuse_routing(shape, g->rules, &why);
    g->diags = diags;
    const bool ok = is_routed && is_possible(g, &why) && g->rules->fit(g, &why) &&
                    is_bounded(g, &why);
    if (why.length > 0 && is_routed && shape->joins_nodes)
        lib_text_puts(&why, " (in a cluster its PEs are the nodes)");
    if (why.length > 0)
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", why.bytes);
    if (!ok) {
        machine_graph_free(g);
        return NULL;
    }
    g->diags = NULL;
    g->shape.file = NULL;
    set_classes(g);
    g->link_count = join(g, false);
    g->links = LIB_ARENA_ARRAY(arena, struct machine_graph_link, g->link_count);
    g->ports = LIB_ARENA_ARRAY(arena, uint32_t, (size_t)g->router_count * g->port_count);
    join(g, true);
    join_pes(g);
    machine_graph_list(g);
    if (g->rules->measure)
        g->rules->measure(g);
    return g;
}

void machine_graph_free(struct machine_graph *g)
{
    if (!g)
        return;
    if (g->cluster)
        machine_cluster_free(g);
    lib_arena_free(g->arena);
}

bool machine_graph_is_oblivious(const struct machine_graph *g)
{
    return g->shape.routing != MACHINE_ROUTING_ADAPTIVE;
}

bool machine_graph_is_local(const struct machine_graph *g)
{
    return g->shape.routing == MACHINE_ROUTING_DETERMINISTIC;
}

static unsigned route_adaptive(const struct machine_graph *g, const struct machine_at *at,
                               struct machine_route *out)
{
    const struct machine_rules *rules = g->rules;
    const uint32_t *ports = g->ports + (size_t)at->router * g->port_count;
    const uint32_t free_class = rules->adapts_free ? 0 : rules->classes;
    unsigned count = 0;
    const bool is_kept = rules->stays_escape && at->link != MACHINE_NO_LINK &&
                         at->cls < rules->classes;
    if (!is_kept) {
        uint32_t shortest[MACHINE_MAX_ROUTES];
        count = rules->shortest(g, at, shortest);
        for (unsigned i = 0; i < count; i++)
            out[i] = (struct machine_route){ports[shortest[i]], (uint8_t)free_class,
                                            rules->adapts_free};
    }
    if (rules->adapts_free)
        return count;
    const struct machine_way_on on = rules->next(g, at);
    out[count] = (struct machine_route){ports[on.port], (uint8_t)on.cls, true};
    return count + 1;
}

unsigned machine_route(const struct machine_graph *g, uint32_t link, uint32_t cls,
                       uint32_t to, uint32_t via, struct machine_route *out)
{
    if (__builtin_expect(g->cluster != NULL, 0))
        return machine_cluster_route(g, link, cls, to, via, out);
    struct machine_at at = {
        .router = g->links[link].to,
        .link = link < g->pe_count ? MACHINE_NO_LINK : link,
        .cls = cls,
        .target = machine_graph_sink(g, to),
        .to = to,
    };
    assert(g->shape.use == MACHINE_FOR_ROUTES);
    assert(g->links[link].kind != MACHINE_LINK_EJECTION && cls < g->channel_classes);
    uint32_t base = 0; /* the first class of the phase */
    if (via != MACHINE_NO_VIA) {
        const bool is_first = cls < g->phase_classes;
        if (is_first && at.router != via)
            at.target = via, at.to = MACHINE_NO_PE;
        else
            base = g->phase_classes;
        if (is_first && base > 0) /* start of the second phase */
            at.link = MACHINE_NO_LINK, at.cls = 0;
        else
            at.cls = cls - base;
    }
    if (at.router == at.target) {
        *out = (struct machine_route){g->pe_count + to, 0, true};
        return 1;
    }
    if (g->shape.routing == MACHINE_ROUTING_ADAPTIVE)
        return route_adaptive(g, &at, out);
    const struct machine_way_on on = g->rules->next(g, &at);
    const uint32_t next = g->ports[(size_t)at.router * g->port_count + on.port];
    assert(next != MACHINE_NO_LINK);
    *out = (struct machine_route){next, (uint8_t)(on.cls + base), true};
    return 1;
}

uint32_t machine_graph_via(const struct machine_graph *g, uint64_t seed, uint32_t pe,
                           uint64_t number)
{
    if (g->cluster)
        return machine_cluster_via(g, seed, pe, number);
    const uint64_t drawn = lib_random_draw(seed, LIB_RANDOM_ROUTING, pe, number);
    return (uint32_t)(((unsigned __int128)drawn * g->router_count) >> 64);
}

uint32_t machine_graph_distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    if (g->cluster)
        return machine_cluster_distance(g, from, to);
    const uint32_t a = machine_graph_source(g, from), b = machine_graph_sink(g, to);
    return a == b ? 0 : g->rules->distance(g, a, b);
}
