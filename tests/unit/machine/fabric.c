/* What the engine of networks of routers does, without a machine: closed forms of latency, loads
 * that it must accept, shares under contention. */
#include "machine/describe.h"
#include "machine/network/fabric.h"
#include "machine/network/proof.h"
#include "machine/owner.h"
#include "machine/network/shape.h"
#include "machine/traffic/bounds.h"
#include "machine/traffic/traffic_source.h"

#include <math.h>

#include "tests/unit/networks.h"
#include "tests/unit/support.h"

/* --- a lone token ---------------------------------------------------------------------------- */

static const char *const latencies[] = {
    "",
    "network.latency=1 network.router.latency=3 network.injection.latency=2 "
    "network.ejection.latency=1",
    "network.latency=7 network.injection.latency=0 network.bandwidth=50",
    "network.latency=2 network.router.latency=1 network.bandwidth=50 "
    "network.switching=store_and_forward network.ejection.latency=3",
    "network.capacity=1 network.latency=3 network.router.latency=2",
    "network.capacity=4 network.bandwidth=50 network.switching=store_and_forward",
    "network.global.latency=100 network.capacity=2 network.arbitration=oldest "
    "cluster.latency=0",
    "network.latency=5 network.bandwidth=20 network.ejection.latency=2 "
    "cluster.bandwidth=50 cluster.latency=3",
    "network.bandwidth=50 cluster.bandwidth=7 network.router.latency=2",
    "network.capacity=2 cluster.bandwidth=20 network.switching=store_and_forward",
};

enum { BITS = 130 };

static uint64_t least_1(uint64_t n)
{
    return n ? n : 1;
}

static uint64_t occupied(uint64_t bandwidth)
{
    return bandwidth ? (BITS + bandwidth - 1) / bandwidth : 1;
}

/* What doc/model.md says: `hops` links between routers, of which `globals` are between groups. */
static uint64_t closed_form(const struct machine_settings *s, uint64_t hops,
                            uint64_t globals)
{
    const uint64_t far = s->network_global ? s->network_global : s->network_latency;
    const uint64_t o = occupied(s->network_bandwidth);
    const bool stores = s->network_switching == MACHINE_STORE_AND_FORWARD;
    return least_1(s->network_injection + s->network_router) +
           (hops - globals) * least_1(s->network_latency + s->network_router) +
           globals * least_1(far + s->network_router) + s->network_ejection + o - 1 +
           (stores ? (hops + 1) * (o - 1) : 0);
}

/* The same of a cluster: between nodes it goes up, over links between routers, and down. */
static uint64_t cluster_form(const struct machine_settings *s, bool is_crossbar,
                             uint64_t hops, uint64_t globals)
{
    const uint64_t far = s->network_global ? s->network_global : s->network_latency;
    const uint64_t o = occupied(s->network_bandwidth);
    const uint64_t inside = occupied(s->cluster_bandwidth);
    const bool stores = s->network_switching == MACHINE_STORE_AND_FORWARD;
    uint64_t sum = least_1(s->cluster_latency) + inside - 1;
    if (hops == 0)
        return sum + (stores ? inside - 1 : 0);
    sum += is_crossbar ? least_1(s->network_latency) + 1
                       : least_1(s->network_injection + s->network_router) +
                             least_1(s->network_ejection);
    sum += (hops - 2 - globals) * least_1(s->network_latency + s->network_router) +
           globals * least_1(far + s->network_router);
    /* The injection and the link down store, whatever is said. */
    return sum + inside - 1 + (stores ? hops : 1) * (o - 1);
}

/* Sends one token through a network that is empty; returns when it is out, and what it crossed. */
static uint64_t send_one(struct machine_fabric *f, uint64_t now, uint32_t from,
                         uint32_t to, uint64_t *hops, uint64_t *globals)
{
    const struct machine_fabric_outside outside = {0};
    const struct machine_graph *g = machine_fabric_graph(f);
    const struct isa_token token = {0};
    uint64_t before = 0, after = 0;
    size_t count;
    for (uint32_t i = 2 * g->pe_count; i < g->link_count; i++)
        if (g->links[i].kind == MACHINE_LINK_GLOBAL)
            before += machine_fabric_measure(f, i, now).tokens;
    *hops = machine_fabric_hops(f);
    machine_fabric_inject(f, &outside, now, from, to, &token, BITS, 0);
    for (;;) {
        machine_fabric_step(f, &outside, now);
        ck_assert_ptr_null(machine_fabric_check(f));
        const struct isa_token *out = machine_fabric_delivered(f, &count);
        if (count) {
            ck_assert_uint_eq(machine_token_pe(out), to);
            break;
        }
        now = machine_fabric_next(f, now, !machine_fabric_moved(f));
        ck_assert_uint_ne(now, UINT64_MAX);
    }
    for (uint32_t i = 2 * g->pe_count; i < g->link_count; i++)
        if (g->links[i].kind == MACHINE_LINK_GLOBAL)
            after += machine_fabric_measure(f, i, now).tokens;
    *hops = machine_fabric_hops(f) - *hops;
    *globals = after - before;
    return now;
}

static void check_pairs(const struct test_sample *sample,
                        enum machine_routing_kind routing, const char *settings)
{
    struct machine_settings s;
    struct machine_graph *g = test_network(sample, routing);
    uint64_t now = 0;
    if (!g)
        return;
    machine_settings_default(&s);
    test_set_all(&s, settings);
    struct machine_fabric *f = machine_fabric_new(g, &s, 1);
    for (uint32_t from = 0; from < g->pe_count; from += test_network_step(g->pe_count))
        for (uint32_t to = 0; to < g->pe_count; to++) {
            uint64_t hops, globals;
            const uint64_t begin = now += 1000;
            now = send_one(f, begin, from, to, &hops, &globals);
            const uint32_t least = machine_graph_distance(g, from, to);
            if (routing != MACHINE_ROUTING_VALIANT && sample->kind != MACHINE_SHAPE_FILE)
                ck_assert_uint_eq(hops, least);
            else if (routing != MACHINE_ROUTING_VALIANT)
                ck_assert_uint_ge(hops, least);
            const uint64_t cycles = sample->node_pes
                                        ? cluster_form(
                                              &s, sample->kind == MACHINE_SHAPE_CROSSBAR,
                                              hops, globals)
                                        : closed_form(&s, hops, globals);
            ck_assert_msg(
                now - begin == cycles, "%s, %u PEs, %u to %u, %s: %llu cycles, not %llu",
                machine_shape_names[sample->kind], g->pe_count, from, to, settings,
                (unsigned long long)(now - begin), (unsigned long long)cycles);
        }
    machine_fabric_free(f);
}

/* Sends every token along each pair of PEs of each network, by each routing, alone. */
START_TEST(test_lone_tokens)
{
    const struct test_sample at = test_network_at(_i), *sample = &at;
    for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++)
        for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++)
            if (sample->pe_count < 40 || i % 3 == routing)
                check_pairs(sample, routing, latencies[i]);
}
END_TEST

/* --- the least time of a way ------------------------------------------------------------------ */

static const char own_links[] = "pes: [0, 1, 2, 3, 4, 5]\n"
                                "links: [0-1 latency=9, 1-2, 2-3 latency=1, 3>4 "
                                "latency=30, 4-3, 4-5 latency=40, 5-0, "
                                "1-4]\nglobal_links: [2-5 latency=7]\n";
static const struct lib_setting_file own_latencies = {
    "own.yaml", "own", {"own.yaml", own_links, sizeof own_links - 1}};

static const char *const way_networks[] = {
    "pe.count=12 network.topology=mesh network.dims=4x3",
    "pe.count=10 network.topology=dragonfly network.dims=2x5",
    "pe.count=18 network.topology=dragonfly network.dims=2x9",
    "pe.count=6 network.topology=file",
    "pe.count=12 cluster.nodes=6 cluster.pes_per_node=2 network.topology=file",
    "pe.count=20 cluster.nodes=10 cluster.pes_per_node=2 network.topology=dragonfly "
    "network.dims=2x5",
    "pe.count=6 cluster.nodes=3 cluster.pes_per_node=2 network.topology=crossbar",
};

static const char *const way_latencies[] = {
    "",
    "network.latency=3 network.injection.latency=7 network.ejection.latency=2",
    "network.latency=2 network.global.latency=1",
    "network.router.latency=1 network.global.latency=20 cluster.latency=4",
};

/* No token is faster than traces_machine_min_way; alone, with one way for it, none is slower. */
static void check_ways(const struct machine_settings *s)
{
    const struct traces_machine about = machine_describe(s, NULL, NULL);
    struct machine_shape shape;
    struct lib_diags diags = {0};
    ck_assert(machine_network_shape(s, &shape));
    struct machine_graph *g = machine_graph_make(&shape, &diags);
    lib_diags_free(&diags);
    if (!g)
        return; /* the topology does not have this routing */
    const bool is_only = machine_graph_is_local(g);
    struct traces_network *network = traces_machine_network(&about, true);
    struct machine_fabric *f = machine_fabric_new(g, s, 1);
    uint64_t now = 0, hops, globals;
    for (uint32_t i = 0; i < (is_only ? 1 : 30) * about.pe_count * about.pe_count; i++) {
        const uint32_t from = i % about.pe_count;
        const uint32_t to = i / about.pe_count % about.pe_count;
        const uint64_t begin = now += 1000;
        now = send_one(f, begin, from, to, &hops, &globals);
        const uint64_t least = traces_machine_min_way(&about, network, from, to);
        ck_assert_msg(least <= now - begin && (!is_only || least == now - begin),
                      "%s, %u PEs, %u to %u: %llu cycles, and at least %llu",
                      machine_shape_names[shape.kind], about.pe_count, from, to,
                      (unsigned long long)(now - begin), (unsigned long long)least);
    }
    traces_network_free(network);
    machine_fabric_free(f);
}

START_TEST(test_least_ways)
{
    static const char *const routings[] = {"network.routing=deterministic",
                                           "network.routing=adaptive",
                                           "network.routing=valiant"};
    for (size_t l = 0; l < sizeof way_latencies / sizeof *way_latencies; l++)
        for (size_t r = 0; r < sizeof routings / sizeof *routings; r++) {
            struct machine_settings s;
            machine_settings_default(&s);
            test_set_all(&s, way_networks[_i]);
            test_set_all(&s, way_latencies[l]);
            test_set_all(&s, routings[r]);
            s.network_file = &own_latencies;
            check_ways(&s);
        }
}
END_TEST

/* --- loads ---------------------------------------------------------------------------- */

static struct machine_traffic_source *offer(const struct test_sample *sample,
                                            enum machine_routing_kind routing,
                                            const char *settings,
                                            const struct machine_pattern *pattern,
                                            double load, uint32_t window)
{
    struct machine_settings *s = lib_mem_new(sizeof *s);
    machine_settings_default(s);
    test_set_all(s, settings);
    struct machine_traffic_source *o = machine_traffic_source_new(
        &(struct machine_traffic_source_request){
            .graph = test_network(sample, routing),
            .settings = s,
            .pattern = pattern,
            .load = load,
            .seed = 11,
            .bits = 1,
            .window = window,
        });
    lib_mem_free(s);
    return o;
}

static const struct {
    enum machine_shape_kind kind;
    uint32_t pes;
    enum machine_pattern_kind pattern;
} loads[] = {
    {MACHINE_SHAPE_BUS, 8, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_RING, 16, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_RING, 16, MACHINE_PATTERN_TORNADO},
    {MACHINE_SHAPE_MESH, 64, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_MESH, 64, MACHINE_PATTERN_TRANSPOSE},
    {MACHINE_SHAPE_MESH, 64, MACHINE_PATTERN_BITREV},
    {MACHINE_SHAPE_TORUS, 64, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_TORUS, 64, MACHINE_PATTERN_TORNADO},
    {MACHINE_SHAPE_HYPERCUBE, 32, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_OMEGA, 64, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_FATTREE, 64, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_FATTREE, 64, MACHINE_PATTERN_TRANSPOSE},
    {MACHINE_SHAPE_FLATFLY, 64, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_DRAGONFLY, 72, MACHINE_PATTERN_UNIFORM},
    {MACHINE_SHAPE_DRAGONFLY, 72, MACHINE_PATTERN_HOTSPOT},
};

enum { LOADS = sizeof loads / sizeof *loads, WINDOW = 4000, WINDOWS = 5 };

/* With unlimited queues a network takes 0.95 of what its busiest link can carry. */
START_TEST(test_bounds_are_reached)
{
    const struct test_sample sample = {.kind = loads[_i].kind, .pe_count = loads[_i].pes};
    const struct machine_pattern_request request = {.kind = loads[_i].pattern,
                                                    .hot_share = 0.25};
    struct machine_pattern pattern;
    struct machine_settings settings;
    struct machine_bound bound;
    struct lib_diags diags = {0};
    uint64_t sent = 0, delivered = 0;
    size_t count;
    struct machine_graph *g = test_network(&sample, MACHINE_ROUTING_DETERMINISTIC);
    ck_assert(machine_pattern_make(&pattern, &request, g, &diags));
    machine_settings_default(&settings);
    ck_assert(machine_graph_bound(g, &pattern, &settings, 128, &bound) && bound.load > 0);
    machine_graph_free(g);
    const double load = 0.95 * (bound.load < 1 ? bound.load : 1);
    struct machine_traffic_source *o = offer(&sample, MACHINE_ROUTING_DETERMINISTIC, "",
                                             &pattern, load, WINDOW);
    machine_traffic_source_run(o, WINDOWS);
    const struct machine_traffic_source_window *w = machine_traffic_source_windows(
        o, &count);
    for (size_t i = 1; i < count; i++) {
        sent += w[i].sent;
        delivered += w[i].delivered;
    }
    const double offered = load * loads[_i].pes * WINDOW * (WINDOWS - 1);
    ck_assert_double_le(fabs((double)delivered - (double)sent), 0.01 * (double)sent);
    ck_assert_double_le(fabs((double)delivered - offered), 0.02 * offered);
    machine_traffic_source_free(o);
    machine_pattern_free(&pattern);
}
END_TEST

/* --- shares --------------------------------------------------------------------------- */

static const char *const arbitrations[] = {
    "network.capacity=4",
    "network.capacity=1 network.channels=2",
    "network.capacity=4 network.iterations=2 network.speedup=2",
    "network.capacity=4 network.arbitration=oldest",
    "network.capacity=2 network.latency=1 network.channels=1 network.arbitration=oldest",
};

enum { MIDDLE = 4 }; /* of nine */

/* All send to the PE in the middle of a mesh, far more than it can take. No input of its router
 * gets less than half its share; oldest first, no PE does. */
START_TEST(test_shares)
{
    const struct test_sample sample = {.kind = MACHINE_SHAPE_MESH, .pe_count = 9};
    const struct machine_pattern_request request = {
        .kind = MACHINE_PATTERN_HOTSPOT, .hot_pe = MIDDLE, .hot_share = 1};
    struct machine_pattern pattern;
    struct lib_diags diags = {0};
    struct machine_graph *g = test_network(&sample, MACHINE_ROUTING_DETERMINISTIC);
    const bool is_oldest = strstr(arbitrations[_i], "oldest") != NULL;
    ck_assert(machine_pattern_make(&pattern, &request, g, &diags));
    struct machine_traffic_source *o = offer(&sample, MACHINE_ROUTING_DETERMINISTIC,
                                             arbitrations[_i], &pattern, 0.5, 5000);
    machine_traffic_source_run(o, 1);
    machine_traffic_source_measure(o);
    machine_traffic_source_run(o, 2);
    const uint32_t ins = g->in_first[MIDDLE + 1] - g->in_first[MIDDLE];
    ck_assert_uint_eq(ins, 5);
    uint64_t all = 0;
    for (uint32_t pe = 0; pe < 9; pe++)
        all += machine_traffic_source_of_pe(o, pe);
    for (uint32_t i = 0; i < ins && !is_oldest; i++) {
        const double share = machine_traffic_source_link(o,
                                                         g->in[g->in_first[MIDDLE] + i]);
        ck_assert_msg(share >= 0.5 / ins, "%s: input %u has %g of the tokens",
                      arbitrations[_i], i, share);
    }
    const double out = machine_traffic_source_link(o, 9 + MIDDLE);
    ck_assert_double_ge(out, 0.99);
    for (uint32_t pe = 0; pe < 9; pe++) {
        const double share = is_oldest
                                 ? (double)machine_traffic_source_of_pe(o, pe) / 10000
                                 : 1;
        ck_assert_uint_gt(machine_traffic_source_of_pe(o, pe) + (all == 0),
                          is_oldest ? 1 : 0);
        ck_assert_msg(share >= 0.5 / 9, "%s: PE %u has %g", arbitrations[_i], pe, share);
    }
    machine_traffic_source_free(o);
    machine_graph_free(g);
    machine_pattern_free(&pattern);
}
END_TEST

/* --- many tokens ---------------------------------------------------------------------- */

/* On finite buffers whose freedom is proved all that was put in comes out, whatever the load
 * was. */
START_TEST(test_all_come_out)
{
    const struct test_sample at = test_network_at(_i), *sample = &at;
    static const char *const tight[] = {
        "network.capacity=1 network.latency=1 network.channels=4",
        "network.capacity=2 network.channels=5 network.arbitration=oldest "
        "network.speedup=2 network.iterations=2",
    };
    for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++)
        for (size_t i = 0; i < sizeof tight / sizeof *tight; i++) {
            const struct machine_fabric_outside outside = {0};
            struct machine_settings s;
            struct machine_graph *g = test_network(sample, routing);
            if (!g)
                continue;
            machine_settings_default(&s);
            test_set_all(&s, tight[i]);
            struct machine_fabric *f = machine_fabric_new(g, &s, 5);
            uint64_t out = 0, in = 0, now = 0;
            for (; now < 40; now++) {
                for (uint32_t pe = 0; pe < g->pe_count; pe++, in++) {
                    const struct isa_token t = {0};
                    machine_fabric_inject(f, &outside, now, pe,
                                          (uint32_t)((pe * 7 + now * now) % g->pe_count),
                                          &t, BITS, 0);
                }
                size_t count;
                machine_fabric_step(f, &outside, now);
                machine_fabric_delivered(f, &count);
                out += count;
            }
            while (machine_fabric_count(f) > 0) {
                size_t count;
                machine_fabric_step(f, &outside, now);
                machine_fabric_delivered(f, &count);
                out += count;
                now = machine_fabric_next(f, now, !machine_fabric_moved(f));
                if (machine_fabric_count(f) > 0)
                    ck_assert_msg(now != UINT64_MAX, "%s: tokens wait for ever",
                                  machine_shape_names[sample->kind]);
            }
            ck_assert_uint_eq(in, out);
            ck_assert_ptr_null(machine_fabric_check(f));
            machine_fabric_free(f);
        }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("fabric");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_lone_tokens, 0, TEST_NETWORKS);
    tcase_add_loop_test(tcase, test_least_ways, 0,
                        sizeof way_networks / sizeof *way_networks);
    tcase_add_loop_test(tcase, test_bounds_are_reached, 0, LOADS);
    tcase_add_loop_test(tcase, test_shares, 0,
                        sizeof arbitrations / sizeof *arbitrations);
    tcase_add_loop_test(tcase, test_all_come_out, 0, TEST_NETWORKS);
    return test_main("fabric", tcase);
}
