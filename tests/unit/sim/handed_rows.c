/* Gradients as rows of tables: those of random programs equal gradients that are tensors;
 * optimisers step by rows as by all elements; and the bytes that a program moves do not depend on
 * the size of a table. */
#include "sim/training/grafts.h"
#include "sim/training/model.h"
#include "tests/random/draw.h"
#include "tests/random/param_random.h"
#include "tests/unit/support.h"

#include <math.h>

/* --- random programs ---------------------------------------------------------------------- */

enum { PROGRAMS = 40, QUICK_PROGRAMS = 12, EXAMPLES = 4 };

static struct sim_model open_model(const struct lib_source *source, const char *params,
                                   const char *mode)
{
    const char *sets[] = {params, mode, "tensor.math=reference"};
    const struct sim_model_request request = {
        .source = source, .sets = sets, .set_count = 3, .batch = EXAMPLES, .threads = 1};
    struct lib_diags diags = {0};
    struct sim_model model;
    const bool good = sim_model_open(&model, &request, &diags);
    ck_assert_msg(good, "%s%s", source->bytes, good ? "" : diags.items[0].text);
    lib_diags_free(&diags);
    return model;
}

static void check_equal(const struct sim_model *m, const struct sim_gradient *rows,
                        const struct sim_gradient *dense, bool whole)
{
    for (size_t i = 0; i < m->size; i++) {
        const double x = sim_gradient_at(rows, i), y = sim_gradient_at(dense, i);
        const double most = whole ? 0 : 1e-9 * fmax(1, fmax(fabs(x), fabs(y)));
        ck_assert_msg(fabs(x - y) <= most, "%splace %zu of `%s`: %.17g, not %.17g",
                      m->source->bytes, i, sim_model_param_of(m, i), x, y);
    }
}

/* Returns how many of its gradients left rows of a table out. */
static unsigned check_program(unsigned seed, bool whole, const char *mode)
{
    static const uint64_t examples[EXAMPLES] = {0, 1, 2, 3};
    struct lib_text text = {0};
    param_random(seed, whole, &text);
    lib_text_printf(&text, "examples = %d\n", EXAMPLES);
    const struct lib_source source = {"test.df", lib_text_get(&text), text.length};
    struct sim_sample samples[2][EXAMPLES] = {0};
    struct lib_diags diags = {0};
    unsigned sparse = 0;
    struct sim_model rows = open_model(&source, "grad.params=deferred", mode);
    struct sim_model dense = open_model(&source, "grad.params=dense", mode);
    ck_assert(sim_model_learn(&rows, 1, examples, EXAMPLES, samples[0], &diags));
    ck_assert(sim_model_learn(&dense, 1, examples, EXAMPLES, samples[1], &diags));
    for (unsigned k = 0; k < EXAMPLES; k++) {
        ck_assert(samples[0][k].loss == samples[1][k].loss);
        check_equal(&rows, &samples[0][k].gradient, &samples[1][k].gradient, whole);
        sparse += samples[0][k].gradient.count < rows.size;
        ck_assert_uint_eq(samples[1][k].gradient.count, rows.size);
        sim_gradient_free(&samples[0][k].gradient);
        sim_gradient_free(&samples[1][k].gradient);
    }
    sim_model_close(&rows);
    sim_model_close(&dense);
    lib_text_free(&text);
    return sparse;
}

START_TEST(random_programs)
{
    const unsigned programs = test_is_quick() ? QUICK_PROGRAMS : PROGRAMS;
    unsigned sparse = 0;
    for (unsigned seed = 1; seed <= programs; seed++)
        sparse += check_program(seed, _i & 1,
                                _i & 2 ? "grad.mode=naive" : "grad.mode=paired");
    ck_assert_uint_ge(sparse, programs);
}
END_TEST

/* --- bytes -------------------------------------------------------------------------------- */

/* What a loss and its gradient by a table of so many rows move, without what makes the table. */
static int64_t moved(const char *function, unsigned rows, bool given_rows)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "param t : [%u, 8] = ones\nresult = 0\n%s", rows, function);
    const struct lib_source source = {"test.df", lib_text_get(&text), text.length};
    bool is_given[1] = {false};
    const struct programs_options options = {
        .result = "result = (loss(6), grad(loss, 6; t))",
        .given_rows = given_rows ? is_given : NULL};
    struct isa_graph *graph = test_compile_source(&source, &options, ISA_STAGE_IMAGE);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct test_outcome o = test_run(graph, NULL, &settings, 1);
    ck_assert(o.end == ISA_END_COMPLETED && is_given[0] == given_rows);
    const int64_t bytes = (int64_t)o.stats.tensor_bytes - 64 * (int64_t)rows;
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
    lib_text_free(&text);
    return bytes;
}

static const char *const tables[] = {
    /* by the loss itself, once and twice; by a function; by a recursion; by elements; a loop */
    "loss(n) = reduce_sum(gather(t, [n, n + 1]))",
    "loss(n) = reduce_sum(gather(t, n)) + reduce_sum(t[3] * t[n])",
    "loss(n) = f(n) + f(n + 1) * 2.0\nf(n) = reduce_sum(gather(t, [n, 0]))",
    "loss(n) = if n == 0 then 0.0 else reduce_sum(gather(t, n)) + loss(n - 1)",
    "loss(n) = sum([reduce_sum(gather(t, [i, 2 * i])) | i <- 0 .. n])",
    "loss(n) = loop i = 0, s = 0.0 while i < n do i + 1, s + reduce_sum(t[i]) return s",
    "loss(n) = if n > 3 then reduce_sum(t[n]) else 0.0",
};

START_TEST(bytes)
{
    const int64_t small = moved(tables[_i], 50, true);
    ck_assert_int_eq(moved(tables[_i], 250, true), small);
    ck_assert_int_gt(moved(tables[_i], 250, false), small + 200 * 64);
}
END_TEST

/* --- steps -------------------------------------------------------------------------------- */

enum { ROWS = 40, WIDTH = 3, REST = 5, SIZE = ROWS * WIDTH + REST, STEPS = 30 };

static double draw_real(struct draw *draw)
{
    return ((double)draw_below(draw, 2001) - 1000) / 128;
}

/* Some rows of a table, one of them perhaps 0, and all that is behind it: with `all` as one
 * tensor. */
static void draw_gradient(struct draw *draw, struct sim_gradient *g, bool all)
{
    double values[SIZE] = {0}, rows[8 * WIDTH];
    int64_t places[8];
    const size_t count = draw_below(draw, 9);
    for (size_t i = 0; i < count; i++) {
        places[i] = (int64_t)draw_below(draw, ROWS);
        const bool is_zero = draw_below(draw, 5) == 0;
        for (size_t k = 0; k < WIDTH; k++) {
            rows[i * WIDTH + k] = is_zero ? 0 : draw_real(draw);
            values[(size_t)places[i] * WIDTH + k] += rows[i * WIDTH + k];
        }
    }
    for (size_t i = 0; i < REST; i++)
        values[ROWS * WIDTH + i] = draw_real(draw);
    sim_gradient_clear(g);
    if (all) {
        sim_gradient_add(g, 0, ROWS * WIDTH, values);
    } else {
        const struct sim_given_rows given = {
            .width = WIDTH, .places = places, .values = rows, .count = count};
        sim_gradient_add_rows(g, 0, &given);
    }
    sim_gradient_add(g, ROWS * WIDTH, REST, values + ROWS * WIDTH);
}

/* Means of two gradients, and steps by them; what params and the optimiser come to. */
static void take_steps(unsigned seed, bool all, double *params, struct lib_text *state)
{
    static const struct sim_table params_are[] = {{ROWS, WIDTH}, {0, REST}};
    struct draw draw = {.seed = seed};
    const enum sim_method method = (enum sim_method)draw_below(&draw, SIM_METHOD_COUNT);
    const double momentum = draw_below(&draw, 2) ? 0.5 : 0;
    const double decay = draw_below(&draw, 2) ? 0.01 : 0;
    const double limit = draw_below(&draw, 2) ? 4 : 0;
    const bool lazily = draw_below(&draw, 2);
    struct sim_optimiser o = sim_optimiser_new(method, momentum, decay, SIZE);
    struct sim_gradient both[2] = {0}, sum = {0};
    struct lib_pack pack = lib_pack_writer(state);
    const struct sim_gradient *const summands[] = {&both[0], &both[1]};
    for (size_t i = 0; i < SIZE; i++)
        params[i] = i % 7 ? draw_real(&draw) : -0.0;
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned k = 0; k < 2; k++)
            draw_gradient(&draw, &both[k], all);
        sim_gradient_sum(&sum, summands, 2);
        sim_gradient_divide(&sum, 2);
        double norm = sim_gradient_clip(&sum, limit);
        LIB_PACK(&pack, norm);
        sim_optimiser_step(&o, 0.1, params, &sum, lazily ? params_are : NULL, 2);
    }
    sim_optimiser_pack(&pack, &o);
    for (unsigned k = 0; k < 2; k++)
        sim_gradient_free(&both[k]);
    sim_gradient_free(&sum);
    sim_optimiser_free(&o);
}

START_TEST(steps)
{
    for (unsigned seed = 1; seed <= 200; seed++) {
        double params[2][SIZE];
        struct lib_text states[2] = {0};
        for (int all = 0; all < 2; all++)
            take_steps(seed, all, params[all], &states[all]);
        ck_assert(memcmp(params[0], params[1], sizeof params[0]) == 0);
        ck_assert_uint_eq(states[0].length, states[1].length);
        ck_assert(memcmp(states[0].bytes, states[1].bytes, states[0].length) == 0);
        lib_text_free(&states[0]);
        lib_text_free(&states[1]);
    }
}
END_TEST

/* Rows of a table that is added as well, and of one that is not; what lies between is 0. */
START_TEST(pieces)
{
    static const double values[] = {1, 2, 3, 4, -0.0, 8}, table[] = {1, 1, 2, 2, 3, 3};
    static const int64_t places[] = {2, 0, 2};
    struct sim_gradient g = {0};
    const struct sim_given_rows given = {
        .width = 2, .places = places, .values = values, .count = 3};
    sim_gradient_add(&g, 0, 1, values);
    sim_gradient_add_rows(&g, 1, &given);
    sim_gradient_add(&g, 9, 0, values);
    ck_assert_uint_eq(g.pieces.count, 3);
    for (size_t i = 0; i < 9; i++)
        ck_assert(sim_gradient_at(&g, i) ==
                  ((const double[]){1, 3, 4, 0, 0, 1, 10, 0, 0})[i]);
    struct sim_given_rows added = given;
    added.table = table;
    added.table_rows = 3;
    sim_gradient_clear(&g);
    sim_gradient_add_rows(&g, 4, &added);
    for (size_t i = 0; i < 11; i++)
        ck_assert(sim_gradient_at(&g, i) ==
                  ((const double[]){0, 0, 0, 0, 4, 5, 2, 2, 4, 13, 0})[i]);
    ck_assert_uint_eq(sim_gradient_find_not_finite(&g, 20), 20);
    g.values[3] = NAN;
    ck_assert_uint_eq(sim_gradient_find_not_finite(&g, 20), 7);
    sim_gradient_free(&g);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rows for optimisers");
    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, random_programs, 0, 4);
    tcase_add_loop_test(tc, bytes, 0, (int)(sizeof tables / sizeof *tables));
    tcase_add_test(tc, steps);
    tcase_add_test(tc, pieces);
    return test_main("rows for optimisers", tc);
}
