/* Properties of networks that are known without running them: closed forms of distances, of
 * bisections, and of the loads of patterns (Dally and Towles 2004, chapters 3 to 5). */
#include "machine/traffic/bounds.h"

#include <math.h>

#include "lib/random.h"
#include "machine/network/proof.h"
#include "tests/unit/networks.h"

static void check_near(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) <= 1e-9 * fabs(expected) + 1e-12,
                  "%.17g is not %.17g", found, expected);
}

static struct machine_graph *network(enum machine_shape_kind kind, uint32_t pes,
                                     const char *dims, enum machine_routing_kind routing)
{
    struct test_sample s = {.kind = kind, .pe_count = pes};
    for (const char *p = dims; *p; p += *p == 'x')
        s.dims[s.dim_count++] = (uint32_t)strtoul(p, (char **)&p, 10);
    struct machine_graph *g = test_network(&s, routing);
    ck_assert_ptr_nonnull(g);
    return g;
}

static struct machine_bound bound_of(const struct machine_graph *g,
                                     enum machine_pattern_kind kind)
{
    const struct machine_pattern_request request = {.kind = kind, .hot_share = 0.25};
    struct machine_pattern pattern;
    struct machine_settings settings;
    struct machine_bound bound;
    struct lib_diags diags = {0};
    machine_settings_default(&settings);
    ck_assert(machine_pattern_make(&pattern, &request, g, &diags));
    ck_assert(machine_graph_bound(g, &pattern, &settings, 128, &bound));
    machine_pattern_free(&pattern);
    return bound;
}

/* --- networks from files ---------------------------------------------------------------------- */

/* Numbers 0 to count - 1 in the order of a seed; 0: ascending. Free with lib_mem_free. */
static uint32_t *shuffle(uint32_t count, uint64_t seed)
{
    uint32_t *all = lib_mem_new((count + 1) * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = seed ? (uint32_t)(lib_random_draw(seed, 1, count, i) % (i + 1))
                                : i;
        all[i] = all[k];
        all[k] = i;
    }
    return all;
}

/* Writes a network as a file, with other numbers of routers and another order of links, and with
 * `more` links between routers that are drawn, each fifth of one direction. */
static void write_file(const struct machine_graph *g, uint64_t seed, uint32_t more,
                       struct lib_text *out)
{
    const uint32_t first = 2 * g->pe_count, links = g->link_count - first;
    uint32_t *number = shuffle(g->router_count, seed), *order = shuffle(links, seed);
    const char *between = "";
    lib_text_puts(out, "pes: [");
    for (uint32_t pe = 0; pe < g->pe_count; pe++)
        lib_text_printf(out, "%s%u", pe ? ", " : "", number[machine_graph_source(g, pe)]);
    lib_text_puts(out, "]\nlinks: [");
    for (uint32_t i = 0; i < links; i++) {
        const struct machine_graph_link *l = &g->links[first + order[i]];
        if (l->from > l->to)
            continue; /* a link both ways stands once */
        lib_text_printf(out, "%s%u-%u", between, number[l->from], number[l->to]);
        between = ", ";
    }
    for (uint32_t i = 0; i < more; i++) {
        const uint32_t a = (uint32_t)(lib_random_draw(seed, 2, more, i) %
                                      g->router_count);
        const uint32_t by = 1 + (uint32_t)(lib_random_draw(seed, 3, more, i) %
                                           (g->router_count - 1));
        lib_text_printf(out, "%s%u%c%u", between, number[a], i == 4 ? '>' : '-',
                        number[(a + by) % g->router_count]);
    }
    lib_text_puts(out, "]\n");
    LIB_MEM_FREE(number, order);
}

/* The load of a file has the value of the built-in network, whose routing may have more classes of
 * channels (`least` > 0), in any numbering. */
static const struct {
    enum machine_shape_kind kind;
    uint32_t pes;
    const char *dims;
    double least;
    bool is_exact;
} files[] = {
    {MACHINE_SHAPE_MESH, 16, "4x4", 0, true},
    {MACHINE_SHAPE_MESH, 64, "8x8", 0, true},
    {MACHINE_SHAPE_MESH, 30, "5x3x2", 0, true},
    {MACHINE_SHAPE_HYPERCUBE, 32, "", 0, true},
    {MACHINE_SHAPE_FLATFLY, 64, "", 0, true},
    {MACHINE_SHAPE_FATTREE, 64, "", 0, true},
    {MACHINE_SHAPE_FATTREE, 16, "2x4", 0, true},
    {MACHINE_SHAPE_FATTREE, 64, "8x2", 0, true}, /* leaves and spines */
    {MACHINE_SHAPE_RING, 8, "", 8.0 / 13, true},
    {MACHINE_SHAPE_TORUS, 64, "8x8", 8.0 / 13, true},
    {MACHINE_SHAPE_DRAGONFLY, 32, "4x8", 0.85, false},
};

/* Returns the load of a file after a proof that its deterministic ways have no circle. */
static double load_of_file(uint32_t pes, const char *file)
{
    const struct test_sample s = {
        .kind = MACHINE_SHAPE_FILE, .pe_count = pes, .file = file};
    struct machine_graph *f = test_network(&s, MACHINE_ROUTING_DETERMINISTIC);
    struct machine_proof proof;
    ck_assert_ptr_nonnull(f);
    const double load = bound_of(f, MACHINE_PATTERN_UNIFORM).load;
    machine_graph_prove(f, &proof);
    ck_assert(proof.is_free);
    machine_proof_free(&proof);
    machine_graph_free(f);
    return load;
}

START_TEST(test_numbering)
{
    struct machine_graph *g = network(files[_i].kind, files[_i].pes, files[_i].dims,
                                      MACHINE_ROUTING_DETERMINISTIC);
    const double built_in = bound_of(g, MACHINE_PATTERN_UNIFORM).load;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct lib_text text = {0};
        write_file(g, seed, 0, &text);
        const double load = load_of_file(files[_i].pes, lib_text_get(&text));
        if (files[_i].is_exact)
            check_near(load, files[_i].least > 0 ? files[_i].least : built_in);
        ck_assert_msg(load >= files[_i].least, "seed %llu: %g", (unsigned long long)seed,
                      load);
        lib_text_free(&text);
    }
    machine_graph_free(g);
}
END_TEST

/* Bandwidths of a file: 128 bits take 2 cycles on a link of 64, and 1 on a link of 128 or more.
 * Each PE sends a quarter of its tokens to each PE, so of the line of 4 PEs the middle link carries
 * one token per cycle, and the others three quarters. */
static const struct {
    const char *links;
    double load;
} narrow[] = {
    {"0-1, 1-2, 2-3", 1},
    {"0-1 bandwidth=128, 1-2 bandwidth=1000, 2-3 bandwidth=128", 1},
    {"0-1, 1-2 bandwidth=64, 2-3", 1.0 / 2},
    {"0-1 bandwidth=64, 1-2, 2-3", 2.0 / 3},
    {"0-1 bandwidth=127, 1-2 bandwidth=50, 2-3", 1.0 / 3},
};

START_TEST(test_bandwidths)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "pes: [0, 1, 2, 3]\nlinks: [%s]\n", narrow[_i].links);
    check_near(load_of_file(4, lib_text_get(&text)), narrow[_i].load);
    lib_text_free(&text);
}
END_TEST

/* Links that are added lower no load, and some of them raise it. */
static const struct {
    enum machine_shape_kind kind;
    uint32_t pes;
    const char *dims;
    bool rises; /* in a line or ring a link can help alone */
} boxes[] = {
    {MACHINE_SHAPE_MESH, 9, "9", true},       {MACHINE_SHAPE_MESH, 16, "4x4", false},
    {MACHINE_SHAPE_MESH, 15, "5x3", true},    {MACHINE_SHAPE_MESH, 64, "8x8", false},
    {MACHINE_SHAPE_MESH, 30, "10x3", false},  {MACHINE_SHAPE_MESH, 60, "5x4x3", false},
    {MACHINE_SHAPE_RING, 12, "", true},       {MACHINE_SHAPE_TORUS, 20, "5x4", false},
    {MACHINE_SHAPE_TORUS, 64, "8x8", false},  {MACHINE_SHAPE_TORUS, 60, "5x4x3", false},
    {MACHINE_SHAPE_HYPERCUBE, 64, "", false}, {MACHINE_SHAPE_FLATFLY, 64, "", false},
};

START_TEST(test_more_links)
{
    struct machine_graph *g = network(boxes[_i].kind, boxes[_i].pes, boxes[_i].dims,
                                      MACHINE_ROUTING_DETERMINISTIC);
    double least = 0, most = 0;
    for (uint32_t more = 0; more <= 6; more++) {
        struct lib_text text = {0};
        write_file(g, more, more, &text);
        const double load = load_of_file(boxes[_i].pes, lib_text_get(&text));
        least = more ? least : load;
        most = load > most ? load : most;
        ck_assert_msg(load >= least * (1 - 1e-9), "%u more links: %g, not %g", more, load,
                      least);
        lib_text_free(&text);
    }
    ck_assert(most > least || !boxes[_i].rises);
    machine_graph_free(g);
}
END_TEST

/* --- distances ------------------------------------------------------------------------------- */

/* The mean distance of a line and of a ring of k, a PE with itself included. */
static double line(double k)
{
    return (k * k - 1) / (3 * k);
}

static double ring(uint32_t k)
{
    return k % 2 == 0 ? k / 4.0 : ((double)k * k - 1) / (4.0 * k);
}

static const struct shape_form {
    enum machine_shape_kind kind;
    uint32_t pes;
    const char *dims;
    uint32_t diameter;
    double mean;     /* over all pairs */
    uint32_t halves; /* 0: not checked */
} forms[] = {
    {MACHINE_SHAPE_BUS, 6, "", 1, 1, 1},
    {MACHINE_SHAPE_RING, 16, "", 8, -16, 2},
    {MACHINE_SHAPE_RING, 9, "", 4, -9, 2},
    {MACHINE_SHAPE_HYPERCUBE, 64, "", 6, 3, 32},
    {MACHINE_SHAPE_OMEGA, 64, "", 5, 5, 32},
    {MACHINE_SHAPE_FLATFLY, 64, "4x4", 2, 1.5, 0},
};

START_TEST(test_distances)
{
    struct machine_distances d;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct shape_form *f = &forms[i];
        struct machine_graph *g = network(f->kind, f->pes, f->dims, 0);
        machine_graph_distances(g, &d);
        ck_assert_uint_eq(d.diameter, f->diameter);
        check_near(d.mean_all, f->mean < 0 ? ring((uint32_t)-f->mean) : f->mean);
        check_near(d.mean * (f->pes - 1) / f->pes, f->kind == MACHINE_SHAPE_BUS ? 5.0 / 6
                                                   : f->kind == MACHINE_SHAPE_OMEGA
                                                       ? 5.0 * 63 / 64
                                                       : d.mean_all);
        if (f->halves)
            ck_assert_uint_eq(machine_graph_between_halves(g), f->halves);
        machine_graph_free(g);
    }
}
END_TEST

START_TEST(test_boxes)
{
    static const uint32_t sides[][3] = {
        {8, 8, 1}, {5, 7, 1}, {16, 1, 1}, {4, 3, 5}, {2, 6, 2}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        for (int is_torus = 0; is_torus < 2; is_torus++) {
            const uint32_t x = sides[i][0], y = sides[i][1], z = sides[i][2];
            struct test_sample s = {.kind = is_torus ? MACHINE_SHAPE_TORUS
                                                     : MACHINE_SHAPE_MESH,
                                    .pe_count = x * y * z,
                                    .dims = {x, y, z},
                                    .dim_count = 3};
            struct machine_graph *g = test_network(&s, 0);
            struct machine_distances d;
            machine_graph_distances(g, &d);
            if (is_torus) {
                ck_assert_uint_eq(d.diameter, x / 2 + y / 2 + z / 2);
                check_near(d.mean_all, ring(x) + ring(y) + ring(z));
            } else {
                ck_assert_uint_eq(d.diameter, x + y + z - 3);
                check_near(d.mean_all, line(x) + line(y) + line(z));
            }
            machine_graph_free(g);
        }
}
END_TEST

/* Of k^n PEs of a fat tree those at level l, which are k^l - k^(l-1), are 2 (l - 1) links away. */
START_TEST(test_fat_tree)
{
    struct machine_distances d;
    struct machine_graph *g = network(MACHINE_SHAPE_FATTREE, 64, "4x3", 0);
    machine_graph_distances(g, &d);
    ck_assert_uint_eq(d.diameter, 4);
    check_near(d.mean_all, (2.0 * 12 + 4.0 * 48) / 64);
    ck_assert_uint_eq(machine_graph_between_halves(g), 32);
    machine_graph_free(g);
}
END_TEST

START_TEST(test_halves)
{
    static const struct {
        enum machine_shape_kind kind;
        uint32_t pes;
        const char *dims;
        uint32_t halves;
    } cases[] = {
        {MACHINE_SHAPE_MESH, 64, "8x8", 8},       {MACHINE_SHAPE_TORUS, 64, "8x8", 16},
        {MACHINE_SHAPE_MESH, 64, "4x4x4", 16},    {MACHINE_SHAPE_TORUS, 64, "4x4x4", 32},
        {MACHINE_SHAPE_HYPERCUBE, 1024, "", 512}, {MACHINE_SHAPE_MESH, 6, "6", 1},
        {MACHINE_SHAPE_FLATFLY, 64, "4x4", 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine_graph *g = network(cases[i].kind, cases[i].pes, cases[i].dims, 0);
        ck_assert_uint_eq(machine_graph_between_halves(g), cases[i].halves);
        machine_graph_free(g);
    }
}
END_TEST

/* --- loads ----------------------------------------------------------------------------------- */

static const struct bound_form {
    enum machine_shape_kind kind;
    uint32_t pes;
    const char *dims;
    enum machine_routing_kind routing;
    enum machine_pattern_kind pattern;
    double bound;
} bounds[] = {
    /* One link for all. */
    {MACHINE_SHAPE_BUS, 8, "", 0, MACHINE_PATTERN_UNIFORM, 1.0 / 8},
    /* Between the halves of a mesh of k go N/4 tokens of N, over k links: 4 / k. */
    {MACHINE_SHAPE_MESH, 64, "8x8", 0, MACHINE_PATTERN_UNIFORM, 0.5},
    {MACHINE_SHAPE_MESH, 256, "16x16", 0, MACHINE_PATTERN_UNIFORM, 0.25},
    /* Of a ring twice as many links: 8 / k; but a PE takes one token per cycle. */
    {MACHINE_SHAPE_RING, 16, "", 0, MACHINE_PATTERN_UNIFORM, 0.5},
    {MACHINE_SHAPE_TORUS, 256, "16x16", 0, MACHINE_PATTERN_UNIFORM, 0.5},
    {MACHINE_SHAPE_TORUS, 64, "8x8", 0, MACHINE_PATTERN_UNIFORM, 1},
    {MACHINE_SHAPE_HYPERCUBE, 64, "", 0, MACHINE_PATTERN_UNIFORM, 1},
    {MACHINE_SHAPE_OMEGA, 64, "", 0, MACHINE_PATTERN_UNIFORM, 1},
    {MACHINE_SHAPE_FATTREE, 64, "4x3", 0, MACHINE_PATTERN_UNIFORM, 1},
    /* All of the tokens of a router for each other one of its line: c / k of a token each. */
    {MACHINE_SHAPE_FLATFLY, 64, "4x4", 0, MACHINE_PATTERN_UNIFORM, 1},
    /* Tornado: k/2 - 1 links up for each of k (the other way is idle). */
    {MACHINE_SHAPE_RING, 16, "", 0, MACHINE_PATTERN_TORNADO, 1.0 / 7},
    {MACHINE_SHAPE_TORUS, 64, "8x8", 0, MACHINE_PATTERN_TORNADO, 1.0 / 3},
    /* Valiant's makes of all patterns two times uniform traffic. */
    {MACHINE_SHAPE_RING, 16, "", MACHINE_ROUTING_VALIANT, MACHINE_PATTERN_TORNADO, 0.25},
    {MACHINE_SHAPE_TORUS, 64, "8x8", MACHINE_ROUTING_VALIANT, MACHINE_PATTERN_TRANSPOSE,
     0.5},
    {MACHINE_SHAPE_MESH, 64, "8x8", MACHINE_ROUTING_VALIANT, MACHINE_PATTERN_NEIGHBOUR,
     0.25},
    /* Transpose by dimension order: k - 1 tokens of a row turn at its end. */
    {MACHINE_SHAPE_MESH, 64, "8x8", 0, MACHINE_PATTERN_TRANSPOSE, 1.0 / 7},
    {MACHINE_SHAPE_TORUS, 64, "8x8", 0, MACHINE_PATTERN_NEIGHBOUR, 1},
    /* Of the reverse of b bits an e-cube's middle carries 2^(b/2 - 1). */
    {MACHINE_SHAPE_HYPERCUBE, 64, "", 0, MACHINE_PATTERN_BITREV, 1.0 / 4},
    /* n PEs send a quarter, and 1/n of the rest, to one that takes one token per cycle. */
    {MACHINE_SHAPE_TORUS, 64, "8x8", 0, MACHINE_PATTERN_HOTSPOT, 1 / (64 * 0.25 + 0.75)},
};

START_TEST(test_bound)
{
    const struct bound_form *f = &bounds[_i];
    struct machine_graph *g = network(f->kind, f->pes, f->dims, f->routing);
    const struct machine_bound bound = bound_of(g, f->pattern);
    check_near(bound.load, f->bound);
    if (f->pattern == MACHINE_PATTERN_UNIFORM) {
        struct machine_distances d;
        machine_graph_distances(g, &d);
        check_near(bound.mean_hops, d.mean_all);
    }
    machine_graph_free(g);
}
END_TEST

/* --- patterns -------------------------------------------------------------------------------- */

/* Shares are a distribution; a permutation sends to each PE once; what is drawn is distributed
 * so. */
START_TEST(test_patterns)
{
    static const char text[] =
        "from,to,tokens\n0,1,3\n0,2,1\n1,0,2\n# nothing of others\n5,5,6\n";
    const struct lib_source matrix = {"m.csv", text, sizeof text - 1};
    struct machine_graph *g = network(MACHINE_SHAPE_MESH, 16, "4x4", 0);
    for (unsigned kind = 0; kind < MACHINE_PATTERN_COUNT; kind++) {
        const struct machine_pattern_request request = {
            .kind = kind, .hot_pe = 3, .hot_share = 0.25, .matrix = &matrix};
        struct machine_pattern p;
        struct lib_diags diags = {0};
        double rates = 0;
        ck_assert(machine_pattern_make(&p, &request, g, &diags));
        for (uint32_t from = 0; from < 16; from++) {
            double sum = 0;
            for (uint32_t to = 0; to < 16; to++) {
                const double share = machine_pattern_share(&p, from, to);
                enum { STEPS = 4096 };
                uint32_t drawn = 0;
                for (uint64_t i = 0; i < STEPS; i++)
                    drawn += machine_pattern_draw(&p, from, (2 * i + 1) << 51) == to;
                if (machine_pattern_rate(&p, from) > 0)
                    ck_assert(fabs((double)drawn / STEPS - share) < 4.0 / STEPS);
                sum += share;
            }
            rates += machine_pattern_rate(&p, from);
            ck_assert(machine_pattern_rate(&p, from) == 0 || fabs(sum - 1) < 1e-12);
        }
        check_near(rates, 16);
        machine_pattern_free(&p);
    }
    machine_graph_free(g);
}
END_TEST

START_TEST(test_wrong_matrices)
{
    static const struct {
        const char *text, *says;
        uint32_t line, column;
    } cases[] = {
        {"", "tokens in it", 1, 1},
        {"0,1,0\n", "tokens in it", 1, 1},
        {"from,to,tokens\n0,1\n", "expected `,`", 2, 4},
        {"0,1,2,3\n", "expected the end of the line, found `,`", 1, 6},
        {"0,16,2\n", "expected a PE from 0 to 15, found `16`", 1, 3},
        {"x,1,2\n", "the names from,to,tokens in some order, found `x,1,2`", 1, 1},
        {"to,from\n1,0\n", "the names from,to,tokens in some order", 1, 1},
        {"0,1,2\nto,from,tokens\n", "expected a PE from 0 to 15, found `to`", 2, 1},
        {"\xef\xbb\xbf"
         "0,16,2\n",
         "expected a PE from 0 to 15, found `16`", 1, 6},
        {"0,1,-2\n", "a number from 0", 1, 5},
        {"0,1,nan\n", "a number from 0", 1, 5},
        {"0,1,1e16\n", "a number from 0 to 1e15", 1, 5},
    };
    struct machine_graph *g = network(MACHINE_SHAPE_MESH, 16, "4x4", 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct lib_source source = {"m.csv", cases[i].text, strlen(cases[i].text)};
        const struct machine_pattern_request request = {.kind = MACHINE_PATTERN_MATRIX,
                                                        .matrix = &source};
        struct machine_pattern p;
        struct lib_diags diags = {0};
        ck_assert(!machine_pattern_make(&p, &request, g, &diags));
        ck_assert_uint_eq(diags.count, 1);
        ck_assert_msg(strstr(diags.items[0].text, cases[i].says) != NULL, "%s",
                      diags.items[0].text);
        ck_assert_uint_eq(diags.items[0].pos.line, cases[i].line);
        ck_assert_uint_eq(diags.items[0].pos.column, cases[i].column);
        machine_pattern_free(&p);
        lib_diags_free(&diags);
    }
    machine_graph_free(g);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("bounds");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_numbering, 0, sizeof files / sizeof files[0]);
    tcase_add_loop_test(tcase, test_bandwidths, 0, sizeof narrow / sizeof narrow[0]);
    tcase_add_loop_test(tcase, test_more_links, 0, sizeof boxes / sizeof boxes[0]);
    tcase_add_test(tcase, test_distances);
    tcase_add_test(tcase, test_boxes);
    tcase_add_test(tcase, test_fat_tree);
    tcase_add_test(tcase, test_halves);
    tcase_add_loop_test(tcase, test_bound, 0, sizeof bounds / sizeof bounds[0]);
    tcase_add_test(tcase, test_patterns);
    tcase_add_test(tcase, test_wrong_matrices);
    return test_main("bounds", tcase);
}
