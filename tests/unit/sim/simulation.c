/* The core that all runs stand on: however a run is divided, watched or stopped, and
 * whatever runs beside it, it is the same run. */
#include "sim/session/simulation.h"
#include "tests/unit/support.h"

#include <pthread.h>

/* A program on a machine, of each kind of engine. */
static const struct kind {
    const char *program, *inputs;
    enum isa_stage stage;
    const char *settings;
} kinds[] = {
    {"fib", "n=9", ISA_STAGE_IMAGE, "pe.count=4"},
    {"fib", "n=9", ISA_STAGE_EXPANDING, "pe.count=4 copy.placement=placed"},
    {"sieve", "n=20", ISA_STAGE_IMAGE, "pe.count=2 loop.bound=2"},
    {"matmul", "n=3", ISA_STAGE_IMAGE, "pe.count=3 deadness=propagate queue.capacity=64"},
    {"fib", "n=8", ISA_STAGE_EXPANDING, "executor.workers=3 deadness=propagate"},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

struct rig {
    struct test_program program;
    struct machine_settings settings;
    struct sim_simulation_config config;
};

static void rig_up(struct rig *rig, const struct kind *kind)
{
    rig->program = test_example_at(kind->program, kind->stage);
    test_set_inputs(&rig->program, kind->inputs);
    machine_settings_default(&rig->settings);
    test_set_all(&rig->settings, kind->settings);
    rig->config = (struct sim_simulation_config){
        .graph = rig->program.graph,
        .inputs = rig->program.inputs,
        .settings = &rig->settings,
        .seed = 3,
        .engine = SIM_ENGINE_MACHINE,
    };
}

static struct sim_simulation *open_it(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(config, &diags);
    ck_assert(s != NULL && diags.count == 0);
    return s;
}

static struct sim_ending simulate(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_ending ending;
    ck_assert(sim_simulate(config, &ending, &diags) && diags.count == 0);
    return ending;
}

static void check_same(const struct sim_ending *a, const struct sim_ending *b)
{
    ck_assert_int_eq(a->end, b->end);
    ck_assert_str_eq(lib_text_get(&a->result), lib_text_get(&b->result));
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (s->kind != TRACES_STAT_RATIO)
            ck_assert_msg(traces_stat_integer(&a->stats, s) ==
                              traces_stat_integer(&b->stats, s),
                          "%s", s->key);
    }
    ck_assert((a->series != NULL) == (b->series != NULL));
    if (a->series && b->series) {
        ck_assert_uint_eq(a->series->rows.count, b->series->rows.count);
        ck_assert_mem_eq(a->series->rows.items, b->series->rows.items,
                         a->series->rows.count * sizeof *a->series->rows.items);
    }
}

/* --- however it is divided ---------------------------------------------------------- */

/* In pieces, and with the event that never comes; `until` is for each piece. */
static struct sim_ending in_pieces(const struct sim_simulation_config *config,
                                   struct sim_until until)
{
    struct sim_ending ending;
    struct sim_simulation *s = open_it(config);
    const uint64_t cycles = until.cycle;
    enum sim_advanced advanced;
    while ((advanced = sim_simulation_advance(s, &until)) == SIM_ADVANCED_SO_FAR) {
        ck_assert(sim_simulation_end(s) == ISA_END_INTERRUPTED);
        if (cycles)
            until.cycle = sim_simulation_cycle(s) + cycles;
    }
    ck_assert_int_eq(advanced, SIM_ADVANCED_TO_END);
    ck_assert_int_eq(sim_simulation_end(s), ISA_END_COMPLETED);
    sim_simulation_close(s, &ending);
    return ending;
}

static bool never(const struct sim_simulation *simulation, void *context)
{
    ck_assert(sim_simulation_end(simulation) == ISA_END_INTERRUPTED);
    ++*(uint64_t *)context;
    return false;
}

static void check_pieces(const struct sim_simulation_config *config)
{
    uint64_t asked = 0;
    const struct sim_until ways[] = {
        {.tokens = 1},
        {.tokens = 97},
        {.cycle = config->engine == SIM_ENGINE_MACHINE ? 1 : 0, .tokens = 1000},
        {.event = never, .context = &asked},
        {.tokens = UINT64_MAX},
    };
    struct sim_ending whole = simulate(config);
    ck_assert_int_eq(whole.end, ISA_END_COMPLETED);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct sim_ending ending = in_pieces(config, ways[i]);
        check_same(&whole, &ending);
        sim_ending_free(&ending);
    }
    if (config->engine == SIM_ENGINE_MACHINE)
        ck_assert_uint_gt(asked, 10);
    sim_ending_free(&whole);
}

START_TEST(test_pieces)
{
    struct rig rig;
    rig_up(&rig, &kinds[_i]);
    rig.config.series = true;
    check_pieces(&rig.config);
    rig.config.series = false;
    rig.config.engine = SIM_ENGINE_INTERPRETER;
    check_pieces(&rig.config);
    test_program_free(&rig.program);
}
END_TEST

/* As far as the cycles before `cycle`, and no further: what was counted then is what a
 * series has in its row of that time. */
START_TEST(test_cycles)
{
    struct rig rig;
    rig_up(&rig, &kinds[_i]);
    test_set(&rig.settings, "stats.interval", "1");
    rig.config.series = true;
    struct sim_ending whole = simulate(&rig.config);
    rig.config.series = false;
    struct sim_simulation *s = open_it(&rig.config);
    const struct traces_series *series = whole.series;
    ck_assert_uint_gt(series->rows.count, 20);
    for (size_t i = 0; i < series->rows.count; i++) {
        const struct traces_sample *row = &series->rows.items[i];
        const struct sim_until until = {.cycle = row->cycle};
        struct traces_stats stats;
        if (sim_simulation_advance(s, &until) == SIM_ADVANCED_SO_FAR)
            ck_assert_uint_ge(sim_simulation_cycle(s), row->cycle);
        else /* there is nothing in the cycles that are left */
            ck_assert_uint_eq(row->firings, whole.stats.firings);
        sim_simulation_measure(s, &stats);
        ck_assert_uint_eq(stats.firings, row->firings);
        ck_assert_uint_eq(stats.dead_firings, row->dead_firings);
        ck_assert_uint_eq(sim_simulation_exec(s)->counts.live, row->live_tokens);
        traces_stats_free(&stats);
    }
    sim_simulation_close(s, NULL);
    sim_ending_free(&whole);
    test_program_free(&rig.program);
}
END_TEST

static bool has_called(const struct sim_simulation *simulation, void *context)
{
    return sim_simulation_exec(simulation)->tags.created >= *(uint64_t *)context;
}

/* The cycle in which the n-th call was made: one cycle earlier there are fewer. */
START_TEST(test_event)
{
    struct rig rig;
    uint64_t calls = 20;
    const struct sim_until until = {.event = has_called, .context = &calls};
    rig_up(&rig, &kinds[0]);
    struct sim_simulation *s = open_it(&rig.config);
    ck_assert_int_eq(sim_simulation_advance(s, &until), SIM_ADVANCED_SO_FAR);
    ck_assert_uint_ge(sim_simulation_exec(s)->tags.created, calls);
    const struct sim_until before = {.cycle = sim_simulation_cycle(s) - 1};
    sim_simulation_close(s, NULL);
    s = open_it(&rig.config);
    ck_assert_int_eq(sim_simulation_advance(s, &before), SIM_ADVANCED_SO_FAR);
    ck_assert_uint_lt(sim_simulation_exec(s)->tags.created, calls);
    sim_simulation_close(s, NULL);
    test_program_free(&rig.program);
}
END_TEST

/* --- however it is watched ---------------------------------------------------------- */

struct watcher {
    unsigned looks, most; /* it stops the run with look number `most` */
};

static bool count_look(const struct sim_simulation *simulation, void *context)
{
    struct watcher *w = context;
    if (w->looks == 0)
        ck_assert_uint_eq(sim_simulation_exec(simulation)->counts.tokens, 0);
    return ++w->looks != w->most;
}

START_TEST(test_watch)
{
    struct rig rig;
    struct watcher watcher = {.most = 3};
    rig_up(&rig, &kinds[_i]);
    struct sim_ending whole = simulate(&rig.config), ending;
    rig.config.watch = (struct sim_watch){count_look, &watcher, 50};
    ending = simulate(&rig.config);
    ck_assert_int_eq(ending.end, ISA_END_INTERRUPTED);
    ck_assert(ending.limit == NULL && ending.result.length == 0);
    ck_assert(strncmp(ending.reason.bytes, "interrupted after ", 18) == 0);
    ck_assert_uint_ge(ending.stats.tokens, 100);
    ck_assert_uint_lt(ending.stats.tokens, whole.stats.tokens);
    sim_ending_free(&ending);

    watcher.looks = 0;
    struct sim_simulation *s = open_it(&rig.config);
    ck_assert_int_eq(sim_simulation_advance(s, NULL), SIM_ADVANCED_TO_STOP);
    ck_assert_uint_eq(watcher.looks, 3);
    ck_assert_int_eq(sim_simulation_advance(s, NULL), SIM_ADVANCED_TO_END);
    sim_simulation_close(s, &ending);
    check_same(&whole, &ending);
    sim_ending_free(&ending);
    sim_ending_free(&whole);
    test_program_free(&rig.program);
}
END_TEST

/* --- whatever runs beside it -------------------------------------------------------- */

struct task {
    struct sim_simulation_config config;
    struct sim_ending ending;
};

static void *run_task(void *context)
{
    struct task *task = context;
    task->ending = simulate(&task->config);
    return NULL;
}

/* Machines and interpreters over one code, each in a thread. */
START_TEST(test_threads)
{
    enum { TASKS = 8 };
    static const char *const counts[] = {"1", "2", "5", "16"};
    struct task tasks[TASKS];
    struct machine_settings settings[TASKS];
    pthread_t threads[TASKS];
    struct rig rig;
    rig_up(&rig, &kinds[0]);
    struct isa_code *code = isa_code_make(rig.program.graph, rig.program.inputs, false);
    for (unsigned i = 0; i < TASKS; i++) {
        settings[i] = rig.settings;
        test_set(&settings[i], "pe.count", counts[i % 4]);
        tasks[i].config = (struct sim_simulation_config){
            .code = code,
            .settings = &settings[i],
            .seed = i,
            .engine = i % 3 == 2 ? SIM_ENGINE_INTERPRETER : SIM_ENGINE_MACHINE,
        };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_task, &tasks[i]), 0);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        struct sim_ending alone = simulate(&tasks[i].config);
        check_same(&alone, &tasks[i].ending);
        sim_ending_free(&alone);
        sim_ending_free(&tasks[i].ending);
    }
    isa_code_free(code);
    test_program_free(&rig.program);
}
END_TEST

/* --- what cannot be run ------------------------------------------------------------- */

static void check_error(const struct sim_simulation_config *config, const char *text)
{
    struct lib_diags diags = {0};
    struct sim_ending ending;
    ck_assert(!sim_simulate(config, &ending, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_str_eq(diags.items[0].text, text);
    lib_diags_free(&diags);
}

START_TEST(test_errors)
{
    struct rig rig;
    rig_up(&rig, &kinds[0]);
    struct sim_simulation_config config = rig.config;
    config.engine = SIM_ENGINE_INTERPRETER;
    config.profile = true;
    check_error(&config, "the interpreter has no cycles: no series, profile or events "
                         "can be made");
    struct isa_code *code = isa_code_make(rig.program.graph, NULL, true);
    config = rig.config;
    config.code = code;
    check_error(&config, "the code was made for another value of `deadness`");
    isa_code_free(code);
    rig.settings.pe_count = 0;
    check_error(&rig.config, "pe.count: expected a number from 1 to 65536, found 0");
    rig.settings.pe_count = 1;
    rig.settings.deadness = MACHINE_PROPAGATE + 1;
    check_error(&rig.config, "deadness: expected a number from 0 to 1, found 2");
    rig.settings.deadness = MACHINE_SUPPRESS;
    struct isa_graph *functions = test_compile("result = 1 + 2", ISA_STAGE_FUNCTIONS);
    config = rig.config;
    config.graph = functions;
    check_error(&config,
                "a graph of the stage `functions` cannot run; expected `image` or "
                "`expanding`");
    isa_graph_free(functions);
    test_program_free(&rig.program);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("simulation");
    tcase_add_loop_test(tcase, test_pieces, 0, KIND_COUNT);
    tcase_add_loop_test(tcase, test_cycles, 0, KIND_COUNT);
    tcase_add_test(tcase, test_event);
    tcase_add_loop_test(tcase, test_watch, 0, KIND_COUNT);
    tcase_add_test(tcase, test_threads);
    tcase_add_test(tcase, test_errors);
    return test_main("simulation", tcase);
}
