/* A simulation that was reset does what a new one does, to the last bit, whatever it did before.
 * Examples, presets, machines, strategies, inputs and the cycle of leaving are random; executors,
 * interpreters and observed runs, too. */
#include "lib/hash.h"
#include "tests/random/draw.h"
#include "tests/unit/examples.h"

#include <limits.h>
#include <unistd.h>

enum { SEED = 20261127, MAX_CALLS = 1200, MAX_ROWS = 24, ROUNDS = 3 };

static struct lib_text what; /* is tried now, for messages */

#define CHECK(condition)                                                                 \
    ck_assert_msg(condition, "%s: %s", lib_text_get(&what), #condition)

/* --- what a run leaves behind ----------------------------------------------------------- */

/* All events of a stream, summed up. */
struct heard {
    uint64_t hash, count;
};

static void hear(void *context, const struct traces_event *events, size_t count)
{
    struct heard *h = context;
    for (size_t i = 0; i < count; i++) {
        uint64_t words[sizeof *events / sizeof(uint64_t)];
        memcpy(words, &events[i], sizeof words);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            h->hash = lib_hash_mix(h->hash ^ words[k]);
        h->count++;
    }
}

static void write_observed(const struct sim_ending *ending, struct lib_text *out)
{
    for (size_t i = 0; ending->series && i < ending->series->rows.count; i++)
        lib_text_add(out, (const char *)&ending->series->rows.items[i],
                     sizeof *ending->series->rows.items);
    if (!ending->profile)
        return;
    lib_text_add(out, (const char *)ending->profile->actual.bins,
                 TRACES_PROFILE_BINS * sizeof *ending->profile->actual.bins);
    lib_text_add(out, (const char *)ending->profile->ideal.bins,
                 TRACES_PROFILE_BINS * sizeof *ending->profile->ideal.bins);
}

/* The ending as bytes, and the digests of PEs and functions. */
static struct lib_text write_ending(struct sim_simulation *s)
{
    struct lib_text out = {0};
    struct sim_ending ending;
    const bool is_machine = sim_simulation_config(s)->engine == SIM_ENGINE_MACHINE;
    sim_simulation_leave(s, &ending);
    const struct traces_stats *stats = &ending.stats;
    lib_text_printf(&out, "end %d %s %s %s\n", (int)ending.end,
                    ending.limit ? ending.limit : "", lib_text_get(&ending.result),
                    lib_text_get(&ending.reason));
    lib_text_puts(&out, lib_text_get(&ending.waiting));
    for (size_t i = 0; i < traces_stat_count; i++)
        lib_text_printf(&out, "%s %" PRIu64 "\n", traces_stat_table[i].key,
                        traces_stat_integer(stats, &traces_stat_table[i]));
    lib_text_printf(&out, "%" PRIu64 " %" PRIu64 "\n", stats->waiting_cycles,
                    stats->busy_cycles);
    for (size_t i = 0; i < stats->pe_count; i++)
        lib_text_add(&out, (const char *)&stats->pe[i], sizeof stats->pe[i]);
    for (uint64_t i = 0; i < stats->link_count; i++)
        lib_text_add(&out, (const char *)&stats->links[i].stats,
                     sizeof stats->links[i].stats);
    write_observed(&ending, &out);
    const uint32_t count = is_machine ? sim_simulation_digest_count(s) : 0;
    uint64_t *digests = lib_mem_new(count * sizeof *digests);
    if (is_machine)
        sim_simulation_digests(s, digests);
    lib_text_add(&out, (const char *)digests, count * sizeof *digests);
    lib_mem_free(digests);
    sim_ending_free(&ending);
    return out;
}

static bool is_same(const struct lib_text *a, const struct lib_text *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* --- trials ------------------------------------------------------------------------------ */

/* A program with several sets of inputs. */
struct subject {
    struct test_program program;
    const char *name;
    isa_value *inputs[MAX_ROWS];
    size_t count;
    struct isa_code *code[2]; /* by propagation, shared by all trials */
};

struct trial {
    const struct subject *subject;
    struct sim_simulation_config config;
    struct machine_settings settings;
    struct traces_event_sink sink;
    struct heard heard;
    struct draw draw;
    bool
        is_left; /* what it leaves behind was taken: it does not advance before a reset */
};

static struct sim_simulation *open_it(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(config, &diags);
    CHECK(s != NULL);
    lib_diags_free(&diags);
    return s;
}

/* Runs a new simulation and one that was reset to the end, or so far. Both have told the same. */
static void compare_runs(struct trial *t, struct sim_simulation *warm,
                         struct sim_simulation *fresh, struct heard *of_fresh)
{
    const struct sim_until until = {.tokens = draw_below(&t->draw, 3000)};
    const bool whole = draw_below(&t->draw, 4) > 0;
    t->heard = *of_fresh = (struct heard){0};
    sim_simulation_advance(warm, whole ? NULL : &until);
    sim_simulation_advance(fresh, whole ? NULL : &until);
    struct lib_text a = write_ending(warm), b = write_ending(fresh);
    t->is_left = true;
    CHECK(is_same(&a, &b));
    CHECK(t->heard.count == of_fresh->count && t->heard.hash == of_fresh->hash);
    lib_text_free(&a);
    lib_text_free(&b);
}

/* What a machine holds at its start. */
static void compare_states(struct sim_simulation *warm, struct sim_simulation *fresh)
{
    struct lib_text a = {0}, b = {0};
    sim_simulation_save(warm, &a);
    sim_simulation_save(fresh, &b);
    CHECK(is_same(&a, &b));
    lib_text_free(&a);
    lib_text_free(&b);
}

/* A run that will be forgotten: to the end, or left anywhere. */
static void run_before(struct trial *t, struct sim_simulation *s)
{
    const struct sim_until until = {
        .tokens = 1 + draw_below(&t->draw, UINT64_C(1) << draw_below(&t->draw, 14)),
        .cycle = draw_below(&t->draw, 3) ? 0 : 1 + draw_below(&t->draw, 2000)};
    switch (t->is_left ? 0 : draw_below(&t->draw, 5)) {
    case 0:
        break;
    case 1:
        sim_simulation_advance(s, NULL);
        break;
    default:
        sim_simulation_advance(s, &until);
    }
    if (draw_below(&t->draw, 4) == 0) {
        struct lib_text unwanted = write_ending(s);
        lib_text_free(&unwanted);
    }
}

static const isa_value *draw_inputs(struct trial *t)
{
    return t->subject->inputs[draw_below(&t->draw, t->subject->count)];
}

/* Observed by whatever its engine has. */
static void draw_observers(struct trial *t)
{
    const uint64_t some = draw_below(&t->draw, 8);
    if (t->config.engine != SIM_ENGINE_MACHINE)
        return;
    t->config.series = some & 1;
    t->config.profile = some == 2 || some == 3;
    t->config.sink_count = some == 4 || some == 5;
    t->config.costs = some == 5;
    t->sink = (struct traces_event_sink){
        .take = hear,
        .context = &t->heard,
        .level = (enum traces_level)draw_below(&t->draw, TRACES_LEVEL_COUNT)};
    t->config.sinks = &t->sink;
}

static void run_rounds(struct trial *t)
{
    const isa_value *inputs = draw_inputs(t);
    t->config.inputs = inputs;
    t->config.seed = draw_below(&t->draw, 3);
    if (draw_below(&t->draw, 2)) /* shared, with inputs of its own */
        t->config.code = t->subject->code[t->settings.deadness == MACHINE_PROPAGATE];
    struct sim_simulation_config fresh_config = t->config;
    struct heard of_fresh = {0};
    struct traces_event_sink sink = t->sink;
    sink.context = &of_fresh;
    fresh_config.sinks = &sink;
    fresh_config.code = NULL;
    struct sim_simulation *warm = open_it(&t->config);
    bool has_own = t->config.code == NULL;
    for (int round = 0; round < ROUNDS; round++) {
        const bool others = !has_own || draw_below(&t->draw, 2);
        run_before(t, warm);
        t->is_left = false;
        fresh_config.seed = draw_below(&t->draw, 3);
        if (others)
            inputs = draw_inputs(t);
        has_own = true;
        fresh_config.inputs = inputs;
        sim_simulation_reset(warm, others ? inputs : NULL, fresh_config.seed);
        struct sim_simulation *fresh = open_it(&fresh_config);
        if (t->config.engine == SIM_ENGINE_MACHINE)
            compare_states(warm, fresh);
        if (draw_below(&t->draw, 3))
            compare_runs(t, warm, fresh, &of_fresh);
        sim_simulation_close(fresh, NULL);
    }
    sim_simulation_close(warm, NULL);
}

/* --- subjects ---------------------------------------------------------------------------- */

static struct {
    struct subject items[2 * 64]; /* static, then expanding, of each program */
    size_t count;
} subjects;

static struct subject *subject_of(const char *name, enum isa_stage stage)
{
    for (size_t i = 0; i < subjects.count; i++)
        if (strcmp(subjects.items[i].name, name) == 0 &&
            subjects.items[i].program.graph->stage == stage)
            return &subjects.items[i];
    struct subject *s = &subjects.items[subjects.count++];
    ck_assert_uint_le(subjects.count, sizeof subjects.items / sizeof *subjects.items);
    *s = (struct subject){.program = test_example_at(name, stage)};
    s->name = lib_arena_copy(s->program.arena, name, strlen(name));
    s->code[0] = isa_code_make(s->program.graph, NULL, false);
    s->code[1] = isa_code_make(s->program.graph, NULL, true);
    return s;
}

static void add_row(const struct test_row *row, enum isa_stage stage)
{
    struct subject *s = subject_of(row->program, stage);
    const size_t bytes = s->program.graph->input_count * sizeof(isa_value);
    if (s->count == MAX_ROWS)
        return;
    test_set_inputs(&s->program, row->inputs);
    s->inputs[s->count] = lib_arena_alloc(s->program.arena, bytes + 1);
    memcpy(s->inputs[s->count++], s->program.inputs, bytes);
}

static void load_subjects(void)
{
    char path[512];
    struct test_row row;
    snprintf(path, sizeof path, "%s/tests/data/examples.tbl", test_source_directory());
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    while (test_next_row(file, &row)) {
        if (row.calls > MAX_CALLS)
            continue;
        add_row(&row, ISA_STAGE_IMAGE);
        add_row(&row, ISA_STAGE_EXPANDING);
    }
    fclose(file);
}

static void free_subjects(void)
{
    for (size_t i = 0; i < subjects.count; i++) {
        isa_code_free(subjects.items[i].code[0]);
        isa_code_free(subjects.items[i].code[1]);
        test_program_free(&subjects.items[i].program);
    }
    subjects.count = 0;
}

static bool fits(const struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(config, &diags);
    lib_diags_free(&diags);
    if (s)
        sim_simulation_close(s, NULL);
    return s != NULL;
}

static void begin_trial(struct trial *t, const struct subject *subject, uint64_t seed)
{
    *t = (struct trial){.subject = subject, .draw = {.seed = seed}};
    t->config = (struct sim_simulation_config){.graph = subject->program.graph,
                                               .settings = &t->settings,
                                               .engine = SIM_ENGINE_MACHINE};
}

static void describe(const struct trial *t, uint64_t seed)
{
    lib_text_clear(&what);
    lib_text_printf(&what, "%s, seed %" PRIu64 ", engine %d, stage %d, ",
                    t->subject->name, seed, (int)t->config.engine,
                    (int)t->config.graph->stage);
    draw_write(&t->settings, &what);
}

/* --- tests ------------------------------------------------------------------------------- */

START_TEST(a_reset_simulation_of_a_preset_is_as_a_new_one)
{
    static const char *const presets[] = {"default", "ideal", "tf-executor",
                                          "tf-cluster"};
    enum { PRESETS = sizeof presets / sizeof *presets };
    uint64_t run = 0, seed = SEED;
    load_subjects();
    for (size_t i = 0; i < subjects.count; i++)
        for (size_t p = 0; p <= PRESETS; p++, seed++) {
            struct trial t;
            if (test_is_quick() && p != i % (PRESETS + 1))
                continue;
            begin_trial(&t, &subjects.items[i], seed);
            const bool propagates = draw_below(&t.draw, 2);
            test_set_preset(&t.settings, presets[p % PRESETS],
                            propagates ? "propagate" : "suppress");
            t.settings.tensor_math = MACHINE_TENSOR_REFERENCE;
            if (p == PRESETS)
                t.config.engine = SIM_ENGINE_INTERPRETER;
            draw_observers(&t);
            describe(&t, seed);
            if (!fits(&t.config))
                continue;
            run_rounds(&t);
            run++;
        }
    free_subjects();
    printf("%" PRIu64 " trials on presets\n", run);
    ck_assert_uint_gt(run, 50);
}
END_TEST

static void draw_machine(struct draw *draw, struct machine_settings *s)
{
    const uint64_t kind = draw_below(draw, 8);
    if (kind == 0)
        draw_executor(draw, s);
    else
        draw_settings(draw, s);
    if (kind == 1)
        draw_buffers(draw, s);
    if (kind > 1)
        draw_network_file(draw, s);
    draw_limits(draw, s);
    draw_losses(draw, s);
    draw_tensor_units(draw, s);
    if (draw_below(draw, 4) == 0 && s->match_bandwidth == 0)
        s->memory_capacity = 1000 + draw_below(draw, 100000);
    s->tensor_math = MACHINE_TENSOR_REFERENCE;
    draw_classes(*draw, s);
    draw_counted_units(*draw, s);
}

START_TEST(a_reset_simulation_of_any_machine_is_as_a_new_one)
{
    const unsigned trials = test_part(4000, 150);
    unsigned run = 0;
    load_subjects();
    for (uint64_t seed = SEED; seed < SEED + trials; seed++) {
        struct trial t;
        begin_trial(&t, &subjects.items[seed % subjects.count], seed);
        draw_machine(&t.draw, &t.settings);
        draw_capable(&t.settings, t.config.graph);
        draw_observers(&t);
        describe(&t, seed);
        if (!fits(&t.config))
            continue;
        run_rounds(&t);
        run++;
    }
    free_subjects();
    printf("%u trials on machines drawn at random\n", run);
    ck_assert_uint_gt(run, trials / 2);
}
END_TEST

/* --- growth ------------------------------------------------------------------------------ */

static long resident_kib(void)
{
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    const int read = fscanf(file, "%ld %ld", &ignored, &pages);
    fclose(file);
    return read == 2 ? pages * (sysconf(_SC_PAGESIZE) / 1024) : 0;
}

/* So many sessions of fact, with inputs and seeds of their own. */
static void run_sessions(struct sim_simulation *s, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        isa_value n = isa_value_of_int((int64_t)(i % 12));
        sim_simulation_reset(s, &n, i);
        ck_assert(sim_simulation_advance(s, NULL) == SIM_ADVANCED_TO_END);
        int64_t expected = 1;
        for (int64_t k = 2; k <= (int64_t)(i % 12); k++)
            expected *= k;
        ck_assert_int_eq(isa_value_int(sim_simulation_exec(s)->results[0]), expected);
    }
}

/* HIATON_SESSIONS: how many, for soaks. */
START_TEST(sessions_do_not_grow)
{
    static const char *const machines[] = {"pe.count=1", "pe.count=16",
                                           "pe.count=4 network.topology=torus",
                                           "executor.workers=3"};
    const char *asked = getenv("HIATON_SESSIONS");
    const uint64_t count = asked ? strtoull(asked, NULL, 10) : 10000;
    struct isa_graph *graph = test_compile(
        "input n = 5\nresult = fact(n)\nfact(n) = if n < 2 then 1 else n * fact(n - 1)\n",
        ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct sim_simulation *s = open_it(&(struct sim_simulation_config){
            .graph = graph, .settings = &settings, .engine = SIM_ENGINE_MACHINE});
        run_sessions(s, 1000);
        const long before = resident_kib();
        run_sessions(s, count);
        const long grown = resident_kib() - before;
        printf("%s: %" PRIu64 " sessions, %ld KiB more\n", machines[i], count, grown);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed; valgrind does too */
        ck_assert_int_le(grown, test_is_memcheck() ? LONG_MAX : 256);
#endif
        sim_simulation_close(s, NULL);
    }
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("reset");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, a_reset_simulation_of_a_preset_is_as_a_new_one);
    tcase_add_test(tcase, a_reset_simulation_of_any_machine_is_as_a_new_one);
    tcase_add_test(tcase, sessions_do_not_grow);
    return test_main("reset", tcase);
}
