/* Sample networks of each topology, for tests of topologies and of runs. */
#ifndef TESTS_UNIT_NETWORKS_H
#define TESTS_UNIT_NETWORKS_H

#include "lib/memory.h"
#include "machine/network/graph.h"
#include "tests/unit/main.h"

#include <string.h>

struct test_sample {
    enum machine_shape_kind kind;
    uint32_t pe_count;
    uint32_t dims[MACHINE_MAX_DIMS], dim_count;
    uint32_t concentration;
    uint32_t routers; /* expected number of routers */
    uint32_t between; /* expected number of links between routers */
    const char *file;
    uint32_t node_pes; /* PEs per cluster node; 0: no cluster */
};

static const struct test_sample test_samples[] = {
    {MACHINE_SHAPE_MESH, 5, {5}, 1, 0, 5, 8, NULL, 0},
    {MACHINE_SHAPE_MESH, 1, {0}, 0, 0, 1, 0, NULL, 0},
    {MACHINE_SHAPE_MESH, 64, {0}, 0, 0, 64, 224, NULL, 0},
    {MACHINE_SHAPE_MESH, 24, {4, 3, 2}, 3, 0, 24, 2 * (18 + 16 + 12), NULL, 0},
    {MACHINE_SHAPE_MESH, 36, {3, 3}, 2, 4, 9, 24, NULL, 0},
    {MACHINE_SHAPE_BUS, 9, {0}, 0, 0, 2, 1, NULL, 0},
    {MACHINE_SHAPE_RING, 8, {0}, 0, 0, 8, 16, NULL, 0},
    {MACHINE_SHAPE_RING, 7, {7}, 1, 0, 7, 14, NULL, 0},
    {MACHINE_SHAPE_RING, 2, {0}, 0, 0, 2, 2, NULL, 0},
    {MACHINE_SHAPE_TORUS, 64, {8, 8}, 2, 0, 64, 256, NULL, 0},
    {MACHINE_SHAPE_TORUS, 60, {5, 4, 3}, 3, 0, 60, 360, NULL, 0},
    {MACHINE_SHAPE_TORUS, 24, {2, 3}, 2, 4, 6, 6 + 12, NULL, 0},
    {MACHINE_SHAPE_HYPERCUBE, 32, {0}, 0, 0, 32, 160, NULL, 0},
    {MACHINE_SHAPE_HYPERCUBE, 32, {3}, 1, 4, 8, 24, NULL, 0},
    {MACHINE_SHAPE_OMEGA, 16, {0}, 0, 0, 4 * 8, 3 * 16, NULL, 0},
    {MACHINE_SHAPE_OMEGA, 27, {0}, 0, 0, 3 * 9, 2 * 27, NULL, 0},
    {MACHINE_SHAPE_OMEGA, 64, {4}, 1, 0, 3 * 16, 2 * 64, NULL, 0},
    {MACHINE_SHAPE_FATTREE, 64, {0}, 0, 0, 3 * 16, 4 * 64, NULL, 0},
    {MACHINE_SHAPE_FATTREE, 32, {0}, 0, 0, 5 * 16, 8 * 32, NULL, 0},
    {MACHINE_SHAPE_FATTREE, 9, {3, 2}, 2, 0, 6, 18, NULL, 0},
    {MACHINE_SHAPE_FATTREE, 1, {0}, 0, 0, 1, 0, NULL, 0},
    {MACHINE_SHAPE_FLATFLY, 64, {0}, 0, 0, 16, 16 * 6, NULL, 0},
    {MACHINE_SHAPE_FLATFLY, 48, {4, 3, 2}, 3, 0, 24, 24 * 6, NULL, 0},
    {MACHINE_SHAPE_DRAGONFLY, 72, {4, 9}, 2, 2, 36, 36 * 3 + 9 * 8, NULL, 0},
    {MACHINE_SHAPE_DRAGONFLY, 64, {0}, 0, 0, 32, 32 * 3 + 8 * 7, NULL, 0},
    {MACHINE_SHAPE_DRAGONFLY, 12, {3, 4}, 2, 0, 12, 12 * 2 + 12, NULL, 0},
    {MACHINE_SHAPE_FILE, 1, {0}, 0, 0, 1, 0, "pes: [0]\n", 0},
    {MACHINE_SHAPE_FILE,
     4,
     {0},
     0,
     0,
     4,
     8,
     "pes: [0, 1, 2, 3]\nlinks: [0-1, 1-2, 2-3, 3-0]\n",
     0},
    {MACHINE_SHAPE_FILE,
     3,
     {0},
     0,
     0,
     4,
     8,
     "pes: [1, 1, 2]\nlinks: [0-1, 0-2]\nglobal_links: [0-3, 0-3]\n",
     0},
    {MACHINE_SHAPE_FILE,
     10,
     {0},
     0,
     0,
     10,
     30, /* Petersen's graph */
     "pes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
     "links: [0-1, 1-2, 2-3, 3-4, 4-0, 0-5, 1-6, 2-7, 3-8, 4-9, 5-7, 7-9, 9-6, 6-8, "
     "8-5]\n",
     0},
};

enum { TEST_SAMPLES = sizeof test_samples / sizeof test_samples[0] };

/* Number of networks: the samples alone, then each joining cluster nodes of one PE each or a
 * few. */
enum { TEST_NETWORKS = 2 * TEST_SAMPLES + 1 };

/* Returns the distance between PEs from which routes are tested: 1, or more in large networks if
 * time is short. */
static inline uint32_t test_network_step(uint32_t pe_count)
{
    return pe_count > 20 ? 21 / test_part(21, 3) : 1;
}

static inline struct test_sample test_network_at(int i)
{
    struct test_sample s = {.kind = MACHINE_SHAPE_CROSSBAR, .pe_count = 5, .routers = 1};
    if (i < 2 * TEST_SAMPLES)
        s = test_samples[i % TEST_SAMPLES];
    if (i < TEST_SAMPLES)
        return s;
    s.node_pes = s.pe_count > 27 ? 1 : 2 + (uint32_t)i % 2;
    s.routers += s.pe_count;
    s.between += 2 * s.pe_count;
    s.pe_count *= s.node_pes;
    return s;
}

static inline struct machine_graph *test_network_as(const struct test_sample *s,
                                                    enum machine_routing_kind routing,
                                                    struct lib_diags *diags)
{
    const struct lib_source file = {"net.yaml", s->file, s->file ? strlen(s->file) : 0};
    struct machine_shape shape = {.kind = s->kind,
                                  .file = s->file ? &file : NULL,
                                  .routing = routing,
                                  .pe_count = s->pe_count,
                                  .dim_count = s->dim_count,
                                  .concentration = s->concentration};
    memcpy(shape.dims, s->dims, sizeof shape.dims);
    shape.node_pes = s->node_pes;
    shape.nodes = s->node_pes ? s->pe_count / s->node_pes : 0;
    return machine_graph_make(&shape, diags);
}

/* Returns the network of a sample, or NULL if it does not support the routing. */
static inline struct machine_graph *test_network(const struct test_sample *s,
                                                 enum machine_routing_kind routing)
{
    struct lib_diags diags = {0};
    struct machine_graph *g = test_network_as(s, routing, &diags);
    if (!g && routing != MACHINE_ROUTING_DETERMINISTIC)
        ck_assert_ptr_nonnull(strstr(diags.items[0].text, "routing"));
    else
        ck_assert_msg(g != NULL, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    return g;
}

#endif
