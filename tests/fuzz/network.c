/* Fuzz target: networks from files, and matrices of traffic. Of a network that is accepted, with
 * any routing, all tokens arrive, and it is proved free of deadlock; of a matrix the shares of
 * each PE come to 1, and what is drawn has a share. */
#include "tests/fuzz/fuzz.h"

#include "machine/network/proof.h"
#include "machine/traffic/bounds.h"

#include <math.h>

enum { MAX_PES = 6, MATRIX_PES = 9, MAX_ROUTERS = 40 };

static void follow(const struct machine_graph *g, uint32_t from, uint32_t to,
                   uint32_t via, unsigned choice)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    uint32_t link = from, cls = 0;
    for (uint32_t steps = 0;; steps++) {
        const unsigned count = machine_route(g, link, cls, to, via, routes);
        const struct machine_route *r = &routes[(choice + steps) % count];
        if (g->links[r->link].kind == MACHINE_LINK_EJECTION) {
            if (g->links[r->link].to != to)
                fuzz_fail("a token for %u comes to %u", to, g->links[r->link].to);
            return;
        }
        if (steps > 4 * g->router_count)
            fuzz_fail("a token from %u for %u does not arrive", from, to);
        link = r->link;
        cls = r->channel_class;
    }
}

/* Whether all links lead both ways, so that there are ways without a circle. */
static bool leads_back(const struct machine_graph *g)
{
    for (uint32_t i = 2 * g->pe_count; i < g->link_count; i++) {
        bool found = false;
        for (uint32_t k = 2 * g->pe_count; k < g->link_count && !found; k++)
            found = g->links[k].from == g->links[i].to &&
                    g->links[k].to == g->links[i].from;
        if (!found)
            return false;
    }
    return true;
}

static void check_network(const struct machine_graph *g)
{
    struct machine_proof proof;
    struct machine_distances distances;
    const bool is_valiant = g->shape.routing == MACHINE_ROUTING_VALIANT;
    for (uint32_t from = 0; from < g->pe_count; from++)
        for (uint32_t to = 0; to < g->pe_count; to++)
            for (unsigned choice = 0; choice < 3; choice++)
                follow(g, from, to,
                       is_valiant ? (from + choice) % g->router_count : MACHINE_NO_VIA,
                       choice);
    machine_graph_prove(g, &proof);
    if (!proof.is_free && leads_back(g))
        fuzz_fail("a network from a file can deadlock");
    machine_proof_free(&proof);
    machine_graph_distances(g, &distances);
    if (distances.diameter >= g->router_count + (g->router_count == 0))
        fuzz_fail("a diameter of %u with %u routers", distances.diameter,
                  g->router_count);
}

/* As a network of so many PEs. */
static void read_network(const struct lib_source *source, uint32_t pe_count)
{
    for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++) {
        const struct machine_shape shape = {.kind = MACHINE_SHAPE_FILE,
                                            .routing = routing,
                                            .pe_count = pe_count,
                                            .file = source};
        struct lib_diags diags = {0};
        struct machine_graph *g = machine_graph_make(&shape, &diags);
        fuzz_diags(&diags, g == NULL);
        if (g && g->router_count <= MAX_ROUTERS)
            check_network(g);
        machine_graph_free(g);
        if (!g)
            return;
    }
}

static void check_matrix(const struct machine_pattern *p)
{
    double rates = 0;
    for (uint32_t from = 0; from < p->pe_count; from++) {
        double sum = 0;
        for (uint32_t to = 0; to < p->pe_count; to++)
            sum += machine_pattern_share(p, from, to);
        const double rate = machine_pattern_rate(p, from);
        rates += rate;
        if (rate > 0 && !(fabs(sum - 1) < 1e-9))
            fuzz_fail("the shares of %u come to %g", from, sum);
        for (uint64_t i = 0; i < 32 && rate > 0; i++) {
            const uint32_t to = machine_pattern_draw(p, from, i << 59);
            if (to >= p->pe_count || !(machine_pattern_share(p, from, to) > 0))
                fuzz_fail("%u sends to %u, which has no share", from, to);
        }
    }
    if (!(fabs(rates - p->pe_count) < 1e-6))
        fuzz_fail("the rates of %u PEs come to %g", p->pe_count, rates);
}

static void read_matrix(const struct lib_source *source)
{
    const struct machine_shape shape = {.kind = MACHINE_SHAPE_MESH,
                                        .pe_count = MATRIX_PES};
    const struct machine_pattern_request request = {.kind = MACHINE_PATTERN_MATRIX,
                                                    .matrix = source};
    struct lib_diags diags = {0};
    struct machine_pattern pattern;
    struct machine_graph *g = machine_graph_make(&shape, &diags);
    const bool good = machine_pattern_make(&pattern, &request, g, &diags);
    fuzz_diags(&diags, !good);
    if (good)
        check_matrix(&pattern);
    machine_pattern_free(&pattern);
    machine_graph_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    const struct lib_source *source = fuzz_source(arena, "fuzz.yaml", data, size);
    for (uint32_t pe_count = 1; pe_count <= MAX_PES; pe_count++)
        read_network(source, pe_count);
    read_matrix(source);
    lib_arena_free(arena);
    return 0;
}
