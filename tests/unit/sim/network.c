/* Studies of networks alone: a token that meets no other takes the closed form; accepted load
 * equals offered load up to just below the bound, above which the network is saturated; and the
 * same seed gives the same points. */
#include "machine/owner.h"
#include "sim/network/study.h"

#include <math.h>

#include "machine/network/fabric.h"
#include "tests/unit/networks.h"

static bool never_stop(void *context, uint64_t cycles, uint64_t all)
{
    (void)context, (void)cycles, (void)all;
    return true;
}

static struct machine_settings settings_of(uint64_t capacity)
{
    struct machine_settings s;
    machine_settings_default(&s);
    s.network_latency = 1;
    s.network_capacity = capacity;
    return s;
}

/* --- a lone token ---------------------------------------------------------------------------- */

static uint64_t lone_latency(struct machine_fabric *f, uint32_t from, uint32_t to,
                             uint64_t *now)
{
    const struct machine_fabric_outside outside = {0};
    const struct isa_token t = {.value = *now, .key = from, .depth_owner = to};
    const uint64_t start = *now;
    size_t count = 0;
    machine_fabric_inject(f, &outside, *now, from, to, &t, 100, 0);
    for (;; ++*now) {
        machine_fabric_step(f, &outside, *now);
        const struct isa_token *out = machine_fabric_delivered(f, &count);
        if (count > 0) {
            ck_assert_uint_eq(count, 1);
            ck_assert_uint_eq(machine_token_pe(out), to);
            break;
        }
        ck_assert_msg(*now - start < 100000, "%u -> %u does not arrive", from, to);
    }
    const uint64_t took = *now - start;
    for (uint64_t until = ++*now + 50; *now < until; ++*now) /* until credits are back */
        machine_fabric_step(f, &outside, *now);
    return took;
}

/* i + e + (h + 1) r + l of each link + (o - 1), and (h + 1)(o - 1) more where tokens are stored.
 * All pairs of each network; of those whose links are of one kind. */
START_TEST(test_lone_tokens)
{
    const struct test_sample *sample = &test_samples[_i];
    struct machine_graph *g = test_network(sample, MACHINE_ROUTING_DETERMINISTIC);
    for (unsigned stored = 0; stored < 2; stored++)
        for (unsigned capacity = 0; capacity < 2; capacity++) {
            struct machine_settings s = settings_of(capacity ? 4 : 0);
            s.network_latency = 3;
            s.network_router = 2;
            s.network_injection = 5;
            s.network_ejection = 4;
            s.network_bandwidth = 32;
            s.network_switching = stored ? MACHINE_STORE_AND_FORWARD
                                         : MACHINE_CUT_THROUGH;
            struct machine_fabric *f = machine_fabric_new(
                test_network(sample, MACHINE_ROUTING_DETERMINISTIC), &s, 0);
            uint64_t now = 0;
            for (uint32_t from = 0; from < g->pe_count; from += 1 + g->pe_count / 24)
                for (uint32_t to = 0; to < g->pe_count; to++) {
                    if (from == to || g->shape.kind == MACHINE_SHAPE_FILE)
                        continue;
                    const uint64_t h = machine_graph_distance(g, from, to), o = 4;
                    const uint64_t wanted = 5 + 4 + (h + 1) * 2 + h * 3 + (o - 1) +
                                            (stored ? (h + 1) * (o - 1) : 0);
                    const uint64_t found = lone_latency(f, from, to, &now);
                    ck_assert_msg(found == wanted, "%s %u -> %u: %lu, not %lu",
                                  machine_shape_names[g->shape.kind], from, to, found,
                                  wanted);
                }
            machine_fabric_free(f);
        }
    machine_graph_free(g);
}
END_TEST

/* --- loads near the bound -------------------------------------------------------------------- */

static void open_study(struct sim_study *study, const struct machine_settings *s,
                       const struct test_sample *sample,
                       enum machine_routing_kind routing,
                       enum machine_pattern_kind pattern)
{
    struct lib_diags diags = {0};
    struct sim_study_request request = {
        .shape = {.kind = sample->kind,
                  .routing = routing,
                  .pe_count = sample->pe_count,
                  .dims = {sample->dims[0], sample->dims[1], sample->dims[2]},
                  .dim_count = sample->dim_count},
        .settings = s,
        .pattern = {.kind = pattern, .hot_share = 0.1},
        .bits = 1,
        .warm_up = 3000,
        .cycles = test_is_quick() ? 10000 : 40000,
        .precision = 0,
    };
    ck_assert_msg(sim_study_open(study, &request, &diags), "%s",
                  diags.count ? diags.items[0].text : "");
}

static const struct test_sample loaded[] = {
    {MACHINE_SHAPE_BUS, 8, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_RING, 16, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_MESH, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_TORUS, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_HYPERCUBE, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_OMEGA, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_FATTREE, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_FLATFLY, 64, {0}, 0, 0, 0, 0, NULL, 0},
    {MACHINE_SHAPE_DRAGONFLY, 64, {0}, 0, 0, 0, 0, NULL, 0},
};
enum { LOADED = sizeof loaded / sizeof loaded[0] };

/* With unlimited queues, at 0.95 of the bound what is accepted is within 1 % of what is offered;
 * each pattern, each routing whose loads are known. */
START_TEST(test_below_the_bound)
{
    const struct test_sample *sample = &loaded[_i];
    const struct machine_settings s = settings_of(0);
    for (unsigned pattern = 0; pattern < MACHINE_PATTERN_MATRIX; pattern++)
        for (unsigned valiant = 0; valiant < 2; valiant++) {
            struct lib_diags diags = {0};
            const bool has_valiant = sample->kind != MACHINE_SHAPE_BUS &&
                                     sample->kind != MACHINE_SHAPE_OMEGA &&
                                     sample->kind != MACHINE_SHAPE_FATTREE;
            struct sim_study study;
            if ((pattern == MACHINE_PATTERN_TRANSPOSE && sample->pe_count == 8) ||
                (valiant && !has_valiant))
                continue;
            open_study(&study, &s, sample,
                       valiant ? MACHINE_ROUTING_VALIANT : MACHINE_ROUTING_DETERMINISTIC,
                       pattern);
            const double load = 0.95 * study.bound.load;
            ck_assert(sim_study_measure(&study, load, true, never_stop, NULL));
            const struct sim_study_point *p = &study.points.items[0];
            ck_assert_msg(fabs(p->accepted - p->offered) <= 0.01 * p->offered,
                          "%s %s: %g of %g", machine_shape_names[sample->kind],
                          machine_pattern_names[pattern], p->accepted, p->offered);
            /* All links carry what was foreseen, but for noise. */
            double *expected = lib_mem_new(study.graph->link_count * sizeof *expected);
            ck_assert(machine_graph_loads(study.graph, &study.pattern, expected));
            const double noise = 6 / sqrt((double)p->cycles);
            for (uint32_t i = 0; i < study.graph->link_count; i++)
                ck_assert_msg(fabs(p->link_loads[i] - load * expected[i]) <
                                  noise * sqrt(load * expected[i]) + 0.001,
                              "%s %s, link %u: %g, not %g",
                              machine_shape_names[sample->kind],
                              machine_pattern_names[pattern], i, p->link_loads[i],
                              load * expected[i]);
            lib_mem_free(expected);
            lib_diags_free(&diags);
            sim_study_close(&study);
        }
}
END_TEST

START_TEST(test_above_the_bound)
{
    for (unsigned capacity = 0; capacity < 2; capacity++) {
        const struct machine_settings s = settings_of(capacity ? 8 : 0);
        for (size_t i = 0; i < 3; i++) {
            struct sim_study study;
            open_study(&study, &s, &loaded[i], MACHINE_ROUTING_DETERMINISTIC,
                       MACHINE_PATTERN_UNIFORM);
            ck_assert(sim_study_measure(&study, 1.2 * study.bound.load, false, never_stop,
                                        NULL));
            ck_assert(study.points.items[0].is_saturated);
            ck_assert(isnan(study.points.items[0].latency));
            ck_assert(study.points.items[0].accepted < 1.15 * study.bound.load);
            ck_assert(study.points.items[0].busiest > 0.8);
            sim_study_close(&study);
        }
    }
}
END_TEST

/* --- what does not matter, and what does ---------------------------------------------- */

/* With few tokens the latency is that of a lone one, over all pairs; and so for all networks. */
START_TEST(test_low_load)
{
    const struct test_sample *sample = &loaded[_i];
    for (unsigned capacity = 0; capacity < 2; capacity++) {
        struct machine_settings s = settings_of(capacity ? 8 : 0);
        s.network_router = 3;
        struct sim_study study;
        open_study(&study, &s, sample, MACHINE_ROUTING_DETERMINISTIC,
                   MACHINE_PATTERN_UNIFORM);
        ck_assert(sim_study_measure(&study, 0.002, false, never_stop, NULL));
        const struct sim_study_point *p = &study.points.items[0];
        const double lone = 1 + 3 * (p->hops + 1) +
                            p->hops; /* with the hops that were drawn */
        ck_assert(!p->is_saturated);
        ck_assert_msg(fabs(p->latency - lone) < 0.02 * lone, "%s: %g, not %g",
                      machine_shape_names[sample->kind], p->latency, lone);
        ck_assert_uint_le(p->median, p->most);
        sim_study_close(&study);
    }
}
END_TEST

static void measure(struct sim_study_point *point, uint64_t seed)
{
    const struct machine_settings s = settings_of(8);
    struct sim_study study;
    open_study(&study, &s, &loaded[3], MACHINE_ROUTING_ADAPTIVE,
               MACHINE_PATTERN_TRANSPOSE);
    study.request.seed = seed;
    study.request.cycles = 5000;
    ck_assert(sim_study_measure(&study, 0.3, false, never_stop, NULL));
    *point = study.points.items[0];
    sim_study_close(&study);
}

START_TEST(test_seeds)
{
    struct sim_study_point a = {0}, b = {0}, c = {0};
    measure(&a, 1);
    measure(&b, 1);
    measure(&c, 2);
    ck_assert(memcmp(&a, &b, sizeof a) == 0);
    ck_assert(a.latency != c.latency);
}
END_TEST

static bool stop(void *context, uint64_t cycles, uint64_t all)
{
    (void)context, (void)all;
    return cycles < 4000;
}

START_TEST(test_interrupted)
{
    const struct machine_settings s = settings_of(0);
    struct sim_study study;
    open_study(&study, &s, &loaded[2], MACHINE_ROUTING_DETERMINISTIC,
               MACHINE_PATTERN_UNIFORM);
    ck_assert(!sim_study_measure(&study, 0.1, true, stop, NULL));
    ck_assert_uint_eq(study.points.count, 0);
    sim_study_close(&study);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("network");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, test_lone_tokens, 0, TEST_SAMPLES);
    tcase_add_loop_test(tcase, test_below_the_bound, 0, LOADED);
    tcase_add_test(tcase, test_above_the_bound);
    tcase_add_loop_test(tcase, test_low_load, 0, LOADED);
    tcase_add_test(tcase, test_seeds);
    tcase_add_test(tcase, test_interrupted);
    return test_main("network", tcase);
}
