/* The proof over channel dependencies: all combinations of topology and routing are free of
 * deadlock, and the classic circles are found where they are planted. */
#include "machine/network/proof.h"

#include <stdio.h>

#include "machine/network/graph_internal.h"
#include "tests/unit/networks.h"

static void check_free(const struct machine_graph *g)
{
    struct machine_proof proof;
    struct lib_text text = {0};
    machine_graph_prove(g, &proof);
    machine_proof_write(&proof, &text);
    ck_assert_msg(proof.is_free, "%s %s: %s", machine_shape_names[g->shape.kind],
                  machine_routing_names[g->shape.routing], lib_text_get(&text));
    ck_assert_uint_eq(proof.circle_length, 0);
    lib_text_free(&text);
    machine_proof_free(&proof);
}

/* A circle that is one: each channel ends where the next begins, or (of adaptive routing) leads
 * on there. */
static void check_circle(const struct machine_graph *g, size_t least)
{
    struct machine_proof proof;
    machine_graph_prove(g, &proof);
    ck_assert(!proof.is_free);
    ck_assert_uint_ge(proof.circle_length, least);
    for (size_t i = 0; i < proof.circle_length; i++) {
        const struct machine_channel *c = &proof.circle[i];
        ck_assert_uint_eq(g->links[c->link].from, c->from);
        ck_assert_uint_eq(g->links[c->link].to, c->to);
        if (machine_graph_is_oblivious(g))
            ck_assert_uint_eq(c->to, proof.circle[(i + 1) % proof.circle_length].from);
    }
    machine_proof_free(&proof);
}

START_TEST(test_free)
{
    const struct test_sample s = test_network_at(_i / MACHINE_ROUTING_COUNT);
    struct machine_graph *g = test_network(&s, (unsigned)_i % MACHINE_ROUTING_COUNT);
    if (g)
        check_free(g);
    machine_graph_free(g);
}
END_TEST

/* --- what is planted -------------------------------------------------------------------------- */

enum { MAX_NODE_PES = 2 };

/* A network, or a cluster whose nodes it joins (`node_pes` > 0), with other rules. Classes of 0
 * stay as they are. */
static struct machine_graph *planted(const struct test_sample *sample,
                                     enum machine_routing_kind routing, uint32_t node_pes,
                                     const struct machine_rules *rules,
                                     uint32_t phase_classes, uint32_t classes)
{
    struct test_sample s = *sample;
    s.node_pes = node_pes;
    s.pe_count *= node_pes ? node_pes : 1;
    struct machine_graph *g = test_network(&s, routing);
    struct machine_graph *all[] = {g, node_pes ? g->cluster->outer : g};
    for (int i = 0; i < 2; i++) {
        all[i]->rules = rules;
        if (classes) {
            all[i]->phase_classes = phase_classes;
            all[i]->channel_classes = classes;
        }
    }
    return g;
}

/* The torus as it is, but with one class: no dateline. */
static struct machine_way_on next_of_torus(const struct machine_graph *g,
                                           const struct machine_at *at)
{
    return (struct machine_way_on){machine_torus_rules.next(g, at).port, 0};
}

START_TEST(test_ring_without_dateline)
{
    static const struct test_sample rings[] = {
        {MACHINE_SHAPE_RING, 5, {0}, 0, 0, 5, 10, NULL, 0},
        {MACHINE_SHAPE_RING, 8, {0}, 0, 0, 8, 16, NULL, 0},
        {MACHINE_SHAPE_TORUS, 64, {8, 8}, 2, 0, 64, 256, NULL, 0},
        {MACHINE_SHAPE_TORUS, 50, {5, 5, 2}, 3, 0, 50, 250, NULL, 0},
    };
    struct machine_rules rules = machine_torus_rules;
    rules.next = next_of_torus;
    rules.classes = 1;
    for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++)
        for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++) {
            struct machine_graph *g = planted(
                &rings[i], routing, (uint32_t)_i, &rules,
                routing == MACHINE_ROUTING_ADAPTIVE ? 2 : 1,
                routing == MACHINE_ROUTING_DETERMINISTIC ? 1 : 2);
            check_circle(g, 4);
            machine_graph_free(g);
        }
}
END_TEST

/* In a ring of three no token takes two links. In one of four those of even coordinates take two
 * links up, and those of odd ones down, so that only every other link depends on the next. */
START_TEST(test_small_rings)
{
    static const struct test_sample rings[] = {
        {MACHINE_SHAPE_RING, 3, {0}, 0, 0, 3, 6, NULL, 0},
        {MACHINE_SHAPE_RING, 4, {0}, 0, 0, 4, 8, NULL, 0},
    };
    struct machine_rules rules = machine_torus_rules;
    rules.next = next_of_torus;
    rules.classes = 1;
    for (size_t i = 0; i < 2; i++) {
        struct machine_graph *g = planted(&rings[i], MACHINE_ROUTING_DETERMINISTIC,
                                          (uint32_t)_i, &rules, 1, 1);
        check_free(g);
        machine_graph_free(g);
    }
}
END_TEST

/* On a mesh, dimensions taken in an order that depends on the router: all turns are made. */
static struct machine_way_on next_of_mesh(const struct machine_graph *g,
                                          const struct machine_at *at)
{
    uint32_t ports[MACHINE_MAX_ROUTES];
    const unsigned count = machine_mesh_rules.shortest(g, at, ports);
    return (struct machine_way_on){ports[(at->router + at->target) % count], 0};
}

START_TEST(test_all_turns)
{
    static const struct test_sample mesh = {
        MACHINE_SHAPE_MESH, 16, {4, 4}, 2, 0, 16, 48, NULL, 0};
    struct machine_rules rules = machine_mesh_rules;
    rules.next = next_of_mesh;
    for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++) {
        struct machine_graph *g = planted(&mesh, routing, (uint32_t)_i, &rules, 0, 0);
        check_circle(g, 4);
        machine_graph_free(g);
    }
}
END_TEST

/* All shortest ways of a mesh, without channels to escape by. */
START_TEST(test_adaptive_without_escape)
{
    static const struct test_sample mesh = {
        MACHINE_SHAPE_MESH, 9, {3, 3}, 2, 0, 9, 24, NULL, 0};
    struct machine_rules rules = machine_mesh_rules;
    rules.adapts_free = true;
    struct machine_graph *g = planted(&mesh, MACHINE_ROUTING_ADAPTIVE, (uint32_t)_i,
                                      &rules, 1, 1);
    struct machine_proof proof;
    machine_graph_prove(g, &proof);
    ck_assert(!proof.is_free);
    machine_proof_free(&proof);
    machine_graph_free(g);
}
END_TEST

/* A dragonfly whose tokens keep their class in the second group. */
static struct machine_way_on next_of_dragonfly(const struct machine_graph *g,
                                               const struct machine_at *at)
{
    return (struct machine_way_on){machine_dragonfly_rules.next(g, at).port, 0};
}

START_TEST(test_dragonfly_with_one_class)
{
    static const struct test_sample dragonfly = {
        MACHINE_SHAPE_DRAGONFLY, 72, {4, 9}, 2, 2, 36, 180, NULL, 0};
    struct machine_rules rules = machine_dragonfly_rules;
    rules.next = next_of_dragonfly;
    struct machine_graph *g = planted(&dragonfly, MACHINE_ROUTING_DETERMINISTIC,
                                      (uint32_t)_i, &rules, 0, 0);
    check_circle(g, 4);
    machine_graph_free(g);
}
END_TEST

/* --- large ones ----------------------------------------------------------------------- */

START_TEST(test_large)
{
    static const struct test_sample large[] = {
        {MACHINE_SHAPE_MESH, 1024, {0}, 0, 0, 1024, 0, NULL, 0},
        {MACHINE_SHAPE_TORUS, 1000, {10, 10, 10}, 3, 0, 1000, 0, NULL, 0},
        {MACHINE_SHAPE_HYPERCUBE, 1024, {0}, 0, 0, 1024, 0, NULL, 0},
        {MACHINE_SHAPE_OMEGA, 1024, {0}, 0, 0, 5120, 0, NULL, 0},
        {MACHINE_SHAPE_FATTREE, 1024, {0}, 0, 0, 1280, 0, NULL, 0},
        {MACHINE_SHAPE_FLATFLY, 1024, {0}, 0, 0, 128, 0, NULL, 0},
        {MACHINE_SHAPE_DRAGONFLY, 1024, {0}, 0, 0, 256, 0, NULL, 0},
        {MACHINE_SHAPE_MESH, 65536, {0}, 0, 0, 65536, 0, NULL, 0},
        {MACHINE_SHAPE_TORUS, 4913, {17, 17, 17}, 3, 0, 4913, 0, NULL, 0},
        {MACHINE_SHAPE_RING, 65535, {0}, 0, 0, 65535, 0, NULL, 0},
        {MACHINE_SHAPE_BUS, 65536, {0}, 0, 0, 2, 0, NULL, 0},
        {MACHINE_SHAPE_HYPERCUBE, 65536, {0}, 0, 0, 65536, 0, NULL, 0},
        {MACHINE_SHAPE_OMEGA, 65536, {256}, 1, 0, 512, 0, NULL, 0},
        {MACHINE_SHAPE_FATTREE, 65536, {0}, 0, 0, 8 * 16384, 0, NULL, 0},
        {MACHINE_SHAPE_FLATFLY, 65536, {0}, 0, 0, 2048, 0, NULL, 0},
        {MACHINE_SHAPE_DRAGONFLY, 65536, {0}, 0, 0, 65536 / 8, 0, NULL, 0},
        {MACHINE_SHAPE_MESH, 65536, {0}, 0, 0, 2 * 16384, 0, NULL, 4},
        {MACHINE_SHAPE_TORUS, 4913 * 5, {17, 17, 17}, 3, 0, 2 * 4913, 0, NULL, 5},
        {MACHINE_SHAPE_FATTREE, 65536, {0}, 0, 0, 8 * 4096, 0, NULL, 4},
        {MACHINE_SHAPE_CROSSBAR, 65536, {0}, 0, 0, 4097, 0, NULL, 16},
        {MACHINE_SHAPE_DRAGONFLY, 1056 * 2, {0}, 0, 0, 0, 0, NULL, 2},
    };
    enum { COUNT = sizeof large / sizeof large[0] };
    for (size_t i = (size_t)_i; i < COUNT; i += 4) {
        struct machine_graph *g = test_network(&large[i], MACHINE_ROUTING_DETERMINISTIC);
        ck_assert_uint_le(g->router_count, 65536 * 2);
        check_free(g);
        machine_graph_free(g);
        for (unsigned routing = 1; routing < MACHINE_ROUTING_COUNT && !test_is_quick();
             routing++) {
            if ((g = test_network(&large[i], routing)))
                check_free(g);
            machine_graph_free(g);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("proof");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, test_free, 0, TEST_NETWORKS * MACHINE_ROUTING_COUNT);
    tcase_add_loop_test(tcase, test_ring_without_dateline, 0, MAX_NODE_PES + 1);
    tcase_add_loop_test(tcase, test_small_rings, 0, MAX_NODE_PES + 1);
    tcase_add_loop_test(tcase, test_all_turns, 0, MAX_NODE_PES + 1);
    tcase_add_loop_test(tcase, test_adaptive_without_escape, 0, MAX_NODE_PES + 1);
    tcase_add_loop_test(tcase, test_dragonfly_with_one_class, 0, MAX_NODE_PES + 1);
    tcase_add_loop_test(tcase, test_large, 0, 4);
    return test_main("proof", tcase);
}
