/* Batches: many inputs over one program, by several threads: each run is what a simulation of
 * its own would be. */
#include "sim/session/batch.h"
#include "lib/hash.h"
#include "tests/unit/support.h"

enum { RUNS = 200 };

static struct isa_graph *compile(enum isa_stage stage)
{
    return test_compile("input n = 5\ninput m = 1\nresult = fact(n) + m\n"
                        "fact(n) = if n < 2 then 1 else n * fact(n - 1)\n",
                        stage);
}

static void fill(isa_value *inputs, uint64_t *seeds)
{
    for (size_t i = 0; i < RUNS; i++) {
        inputs[2 * i] = isa_value_of_int((int64_t)(lib_hash_mix(i) % 12));
        inputs[2 * i + 1] = isa_value_of_int((int64_t)i);
        seeds[i] = i % 3;
    }
}

static void check_run(const struct sim_simulation_config *config, const isa_value *inputs,
                      uint64_t seed, const struct sim_ending *warm)
{
    struct sim_simulation_config own = *config;
    struct lib_diags diags = {0};
    struct sim_ending cold;
    own.code = NULL;
    own.inputs = inputs;
    own.seed = seed;
    ck_assert(sim_simulate(&own, &cold, &diags));
    ck_assert_int_eq(cold.end, warm->end);
    ck_assert_str_eq(lib_text_get(&cold.result), lib_text_get(&warm->result));
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert_msg(traces_stat_integer(&cold.stats, &traces_stat_table[i]) ==
                          traces_stat_integer(&warm->stats, &traces_stat_table[i]),
                      "%s", traces_stat_table[i].key);
    ck_assert_uint_eq(cold.series->rows.count, warm->series->rows.count);
    sim_ending_free(&cold);
}

static void check_batch(const char *assignments, enum isa_stage stage,
                        enum sim_engine engine, bool shares)
{
    struct isa_graph *graph = compile(stage);
    struct machine_settings settings;
    isa_value inputs[2 * RUNS];
    uint64_t seeds[RUNS];
    machine_settings_default(&settings);
    test_set_all(&settings, assignments);
    fill(inputs, seeds);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct sim_simulation_config config = {.graph = graph,
                                                 .code = shares ? code : NULL,
                                                 .settings = &settings,
                                                 .series = true,
                                                 .engine = engine};
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        struct sim_ending endings[RUNS] = {0};
        struct lib_diags diags = {0};
        ck_assert(sim_batch_run(&(struct sim_batch){.config = config,
                                                    .inputs = inputs,
                                                    .seeds = seeds,
                                                    .count = RUNS,
                                                    .threads = threads,
                                                    .take = sim_batch_take_ending,
                                                    .context = endings},
                                &diags));
        for (size_t i = 0; i < RUNS; i++) {
            check_run(&config, inputs + 2 * i, seeds[i], &endings[i]);
            sim_ending_free(&endings[i]);
        }
    }
    isa_code_free(code);
    isa_graph_free(graph);
}

START_TEST(runs_are_as_simulations_of_their_own)
{
    check_batch("pe.count=1", ISA_STAGE_IMAGE, SIM_ENGINE_MACHINE, true);
    check_batch("pe.count=4", ISA_STAGE_IMAGE, SIM_ENGINE_MACHINE, false);
    check_batch("pe.count=4 network.topology=torus", ISA_STAGE_EXPANDING,
                SIM_ENGINE_MACHINE, true);
    check_batch("executor.workers=2", ISA_STAGE_EXPANDING, SIM_ENGINE_MACHINE, true);
}
END_TEST

static bool look(const struct sim_simulation *simulation, void *context)
{
    (void)simulation;
    return ++*(unsigned *)context < 10;
}

static void count(void *context, size_t number, struct sim_simulation *simulation)
{
    unsigned *ends = context;
    ck_assert_uint_lt(number, RUNS);
    ends[sim_simulation_end(simulation)]++;
}

START_TEST(a_batch_stops_when_who_watches_stops_a_run)
{
    struct isa_graph *graph = compile(ISA_STAGE_IMAGE);
    struct machine_settings settings;
    unsigned looks = 0, ends[ISA_END_INTERRUPTED + 1] = {0};
    struct lib_diags diags = {0};
    machine_settings_default(&settings);
    const struct sim_batch batch = {
        .config = {.graph = graph,
                   .settings = &settings,
                   .watch = {.look = look, .context = &looks, .every = UINT64_MAX}},
        .count = RUNS,
        .take = count,
        .context = ends};
    ck_assert(!sim_batch_run(&batch, &diags) && diags.count == 0);
    ck_assert_uint_eq(ends[ISA_END_COMPLETED], 9);
    ck_assert_uint_eq(ends[ISA_END_INTERRUPTED], 1);
    isa_graph_free(graph);
}
END_TEST

START_TEST(a_batch_that_cannot_be_opened_says_why)
{
    struct isa_graph *graph = compile(ISA_STAGE_FUNCTIONS);
    struct machine_settings settings;
    struct lib_diags diags = {0};
    machine_settings_default(&settings);
    const struct sim_batch batch = {.config = {.graph = graph, .settings = &settings},
                                    .count = RUNS,
                                    .threads = 3,
                                    .take = count};
    ck_assert(!sim_batch_run(&batch, &diags));
    ck_assert_uint_eq(diags.count, 1);
    lib_diags_free(&diags);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("batch");
    tcase_add_test(tcase, runs_are_as_simulations_of_their_own);
    tcase_add_test(tcase, a_batch_stops_when_who_watches_stops_a_run);
    tcase_add_test(tcase, a_batch_that_cannot_be_opened_says_why);
    return test_main("batch", tcase);
}
