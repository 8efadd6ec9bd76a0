/* Every example, by each strategy, on machines with random settings, with executors and networks of
 * routers. Runs end as the interpreter does, or as finite stores and limits allow; every option of
 * every setting occurs in runs that complete; and the fast engine does the same as the general one,
 * event by event. */
#include "machine/engine/engine.h"
#include "tests/random/draw.h"
#include "tests/unit/examples.h"

#include <inttypes.h>

enum { SEED = 20260214, FEW_CALLS = 10 };

/* --- the examples ------------------------------------------------------------------------ */

/* A graph of an example, by a strategy and a way to hold the constants of loops. */
struct form {
    struct isa_graph *graph;
    struct isa_code *code[2];       /* suppress, propagate */
    struct test_outcome outcome[2]; /* of the interpreter */
};

/* An example under its smallest inputs that still make some calls. */
struct example {
    struct test_row row;
    struct test_program program;
    struct form forms[2][2]; /* static, expanding; loop.constants */
};

/* That of a machine. */
static const struct form *form_of(const struct example *e,
                                  const struct programs_settings *s, bool expanding)
{
    return &e->forms[expanding][s->loop_constants];
}

static struct {
    struct example items[64];
    size_t count;
} examples;

static bool is_better(const struct test_row *row, const struct test_row *than)
{
    if ((row->calls >= FEW_CALLS) != (than->calls >= FEW_CALLS))
        return row->calls >= FEW_CALLS;
    return row->calls >= FEW_CALLS ? row->calls < than->calls : row->calls > than->calls;
}

static void choose_rows(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/examples.tbl", test_source_directory());
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    struct test_row row;
    while (test_next_row(file, &row)) {
        size_t i = 0;
        while (i < examples.count &&
               strcmp(examples.items[i].row.program, row.program) != 0)
            i++;
        ck_assert_uint_lt(i, sizeof examples.items / sizeof *examples.items);
        if (i == examples.count || is_better(&row, &examples.items[i].row))
            examples.items[i].row = row;
        examples.count += i == examples.count;
    }
    fclose(file);
    ck_assert_uint_ge(examples.count, 18);
}

static void load_form(const struct example *e, struct form *form, enum isa_stage stage,
                      uint64_t constants)
{
    const struct programs_settings settings = {.loop_constants = constants};
    const struct programs_options options = {.settings = &settings};
    struct lib_diags diags = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/programs/examples/%s.df", test_source_directory(),
             e->row.program);
    const struct lib_source *source = lib_file_read(e->program.arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    form->graph = test_compile_source(source, &options, stage);
    for (int propagate = 0; propagate < 2; propagate++) {
        form->code[propagate] = isa_code_make(form->graph, e->program.inputs, propagate);
        form->outcome[propagate] = test_interp(form->graph, e->program.inputs, propagate);
        ck_assert_str_eq(form->outcome[propagate].result, e->row.result);
        ck_assert(stage != ISA_STAGE_IMAGE ||
                  form->outcome[propagate].stats.calls == e->row.calls);
    }
}

static void load_examples(void)
{
    choose_rows();
    for (size_t i = 0; i < examples.count; i++) {
        struct example *e = &examples.items[i];
        e->program = test_example(e->row.program);
        test_set_inputs(&e->program, e->row.inputs);
        for (int form = 0; form < 4; form++)
            load_form(e, &e->forms[form / 2][form % 2],
                      form / 2 ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE,
                      (uint64_t)form % 2);
    }
}

static void unload_examples(void)
{
    for (size_t i = 0; i < examples.count; i++) {
        for (int k = 0; k < 4; k++) {
            struct form *form = &examples.items[i].forms[k / 2][k % 2];
            isa_code_free(form->code[0]);
            isa_code_free(form->code[1]);
            isa_graph_free(form->graph);
        }
        test_program_free(&examples.items[i].program);
    }
    examples.count = 0;
}

/* --- runs -------------------------------------------------------------------------------- */

struct run {
    struct test_outcome outcome;
    char limit[32];
};

static struct run run_form(const struct form *form, const struct machine_settings *s,
                           uint64_t seed, bool plain)
{
    struct run run = {0};
    struct machine *m = machine_new(form->code[s->deadness == MACHINE_PROPAGATE], s,
                                    seed);
    if (!plain)
        machine_never_plain(m);
    while (machine_advance(m, 1 + seed % 5000))
        ;
    machine_measure(m, &run.outcome.stats);
    analysis_derive(&run.outcome.stats);
    test_keep_result(machine_exec(m), machine_end(m), &run.outcome);
    if (machine_limit(m))
        snprintf(run.limit, sizeof run.limit, "%s", machine_limit(m));
    machine_free(m);
    return run;
}

/* What is tried now, for messages. */
static struct lib_text what;

static const char *describe(const struct example *e, const struct machine_settings *s,
                            uint64_t seed)
{
    lib_text_clear(&what);
    lib_text_printf(&what, "%s %s, seed %" PRIu64 ", ", e->row.program, e->row.inputs,
                    seed);
    struct lib_text settings = {0};
    draw_write(s, &settings);
    lib_text_puts(&what, lib_text_get(&settings));
    lib_text_free(&settings);
    return lib_text_get(&what);
}

#define CHECK(condition)                                                                 \
    ck_assert_msg(condition, "%s: %s", lib_text_get(&what), #condition)

static void check_completed(const struct form *form, const struct machine_settings *s,
                            const struct test_outcome *o)
{
    const struct test_outcome *oracle = &form->outcome[s->deadness == MACHINE_PROPAGATE];
    const struct traces_stats *stats = &o->stats;
    CHECK(strcmp(o->result, oracle->result) == 0);
    CHECK(stats->calls == oracle->stats.calls);
    CHECK(stats->firings == oracle->stats.firings);
    CHECK(stats->dead_firings == oracle->stats.dead_firings);
    CHECK(stats->tokens == oracle->stats.tokens);
    CHECK(stats->dead_tokens == oracle->stats.dead_tokens);
    CHECK(stats->one_operand == oracle->stats.one_operand);
    CHECK(stats->span == oracle->stats.span);
    CHECK(stats->value_digest == oracle->stats.value_digest);
    CHECK(stats->result_cycle <= stats->cycles);
    if (s->executor_workers)
        return;
    CHECK(stats->cycles >= stats->span);
    CHECK(stats->queue_stalls == 0 || s->queue_capacity || s->network_capacity ||
          draw_is_of_class(s, "queue.capacity"));
    CHECK(stats->match_overflows == 0 ||
          ((s->match_capacity || draw_is_of_class(s, "match.capacity")) &&
           s->match_store == MACHINE_MATCH_HASH));
    CHECK(stats->tag_stalls == 0 || s->tag_scheme != MACHINE_TAGS_PATH);
    CHECK(s->tag_scheme != MACHINE_TAGS_INTERNED || s->tag_bits > 20 ||
          s->tag_exhausted == MACHINE_EXHAUSTED_SPILL ||
          stats->peak_tags <= (UINT64_C(1) << s->tag_bits) + 1);
    test_check_pe_sums(stats);
}

/* Whether what ended a run could: the setting that is named is finite. */
static void check_other_end(const struct machine_settings *s, const struct run *run)
{
    const struct lib_setting *named = machine_setting_find(run->limit);
    CHECK(named != NULL &&
          (lib_setting_get(s, named) != 0 || draw_is_of_class(s, run->limit)));
    switch (run->outcome.end) {
    case ISA_END_STORE_FULL:
        CHECK(draw_may_fill(s));
        CHECK(strstr(run->limit, ".capacity") != NULL);
        break;
    case ISA_END_TAGS_EXHAUSTED:
        CHECK(draw_may_exhaust(s));
        CHECK(strcmp(run->limit,
                     s->tag_scheme == MACHINE_TAGS_POOL ? "tag.pool" : "tag.bits") == 0);
        break;
    default:
        CHECK(run->outcome.end == ISA_END_LIMIT);
        CHECK(!lib_setting_is_standard(s, named));
    }
}

/* --- combinations ------------------------------------------------------------------------ */

/* Nothing else ended it: without what is finite the same machine completes. */
static void check_unlimited(const struct form *form, struct machine_settings s,
                            uint64_t seed)
{
    struct machine_settings standard;
    machine_settings_default(&standard);
    draw_unlimited(&s);
    s.limit_cycles = standard.limit_cycles;
    s.limit_tokens = standard.limit_tokens;
    s.limit_depth = standard.limit_depth;
    s.limit_memory = standard.limit_memory;
    struct run run = run_form(form, &s, seed, true);
    CHECK(run.outcome.end == ISA_END_COMPLETED);
    check_completed(form, &s, &run.outcome);
    traces_stats_free(&run.outcome.stats);
}

/* What was part of runs that completed: of each choice its options, a bit each, of any other
 * setting whether it differed from its default; and topologies and routings with each other. */
static struct {
    uint64_t options[256];
    uint64_t routed[MACHINE_NETWORK_FILE + 1][MACHINE_ROUTED_VALIANT + 1][2];
    uint64_t clusters;
} seen;

static void see(const struct machine_settings *s)
{
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *row = &machine_setting_table[i];
        const bool is_choice = row->kind == LIB_SETTING_CHOICE;
        const uint64_t option = is_choice ? lib_setting_get(s, row) : 0;
        if (is_choice || !lib_setting_is_standard(s, row))
            seen.options[i] |= UINT64_C(1) << option;
    }
    if (s->pe_count > 1 && !s->executor_workers)
        seen.routed[s->network_topology][s->network_routing][s->network_capacity > 0]++;
    seen.clusters += s->cluster_nodes > 1 && s->cluster_pes > 1 && !s->executor_workers;
}

static void check_seen(void)
{
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *row = &machine_setting_table[i];
        const uint64_t count = row->kind == LIB_SETTING_CHOICE ? draw_options(row) : 1;
        const bool is_drawn = strncmp(row->key, "limits.", 7) != 0 &&
                              strncmp(row->key, "fault.", 6) != 0 && /* draw_faults */
                              strcmp(row->key, "cluster.termination") != 0 &&
                              strcmp(row->key, "cluster.timeout") != 0 &&
                              strcmp(row->key, "port.capacity") != 0 && /* no ports */
                              /* names functions: tests/oracle draws it */
                              strcmp(row->key, "placement.functions") != 0 &&
                              (row->kind != LIB_SETTING_FILE ||
                               !test_is_quick()) &&                       /* few draws */
                              strncmp(row->key, "partition.", 10) != 0 && /* divided.c */
                              !draw_is_of_tensor_units(row) &&
                              !draw_is_of_counted_units(row) && !draw_is_of_platform(row);
        const uint64_t all = (UINT64_C(1) << count) - 1; /* and others, of clusters */
        ck_assert_msg(!is_drawn || (seen.options[i] & all) == all,
                      "%s: options 0x%" PRIx64 " of %" PRIu64, row->key, seen.options[i],
                      count);
    }
    for (uint64_t t = MACHINE_NETWORK_BUS; t <= MACHINE_NETWORK_FILE; t++)
        for (int finite = 0; finite < 2; finite++) {
            uint64_t runs = 0;
            for (int routing = 0; routing <= MACHINE_ROUTED_VALIANT; routing++)
                runs += seen.routed[t][routing][finite];
            ck_assert_msg(runs > 0 || test_is_quick(), "no run on topology %" PRIu64, t);
        }
}

/* Of each seed a machine, by one strategy; one in eight is an executor. */
static bool draw_machine(uint64_t seed, struct machine_settings *s,
                         struct programs_settings *compile)
{
    struct draw draw = {.seed = seed};
    if (seed % 8 == 7) {
        draw_executor(&draw, s);
    } else {
        draw_settings(&draw, s);
        draw_network_file(&draw, s);
        draw_classes(draw, s);
    }
    *compile = draw.compile;
    draw_limits(&draw, s);
    return draw_below(&draw, 2);
}

START_TEST(machines_drawn_at_random_agree_with_the_interpreter)
{
    const uint64_t combinations = test_is_quick() ? 75 : 1000;
    uint64_t ends[ISA_END_INTERRUPTED + 1] = {0};
    uint64_t stalled = 0, overflowed = 0, waited = 0, routed = 0, executed = 0;
    load_examples();
    for (uint64_t seed = SEED; seed < SEED + combinations; seed++) {
        struct machine_settings s;
        struct programs_settings compile;
        const bool expanding = draw_machine(seed, &s, &compile);
        for (size_t i = 0; i < examples.count; i++) {
            const struct example *e = &examples.items[i];
            const struct form *form = form_of(e, &compile, expanding);
            draw_capable(&s, form->code[0]->graph);
            describe(e, &s, seed);
            lib_text_puts(&what, expanding ? ", expanding" : "");
            struct run run = run_form(form, &s, seed, true);
            const struct traces_stats *stats = &run.outcome.stats;
            ends[run.outcome.end]++;
            if (run.outcome.end == ISA_END_COMPLETED) {
                check_completed(form, &s, &run.outcome);
                see(&s);
                stalled += stats->queue_stalls > 0;
                overflowed += stats->match_overflows > 0;
                waited += stats->tag_stalls > 0;
                executed += s.executor_workers > 0;
                routed += s.network_topology >= MACHINE_NETWORK_BUS && stats->hops > 0;
            } else {
                check_other_end(&s, &run);
                check_unlimited(form, s, seed);
            }
            traces_stats_free(&run.outcome.stats);
        }
    }
    const uint64_t runs = combinations * examples.count;
    printf("%" PRIu64 " machines, each with %zu examples: %" PRIu64
           " runs completed, of them %" PRIu64 " on routers, %" PRIu64
           " on clusters, %" PRIu64 " on executors, %" PRIu64
           " with full queues, %" PRIu64 " with full sets, %" PRIu64
           " without numbers; %" PRIu64 " store full, %" PRIu64
           " tags exhausted, %" PRIu64 " limited\n",
           combinations, examples.count, ends[ISA_END_COMPLETED], routed, seen.clusters,
           executed, stalled, overflowed, waited, ends[ISA_END_STORE_FULL],
           ends[ISA_END_TAGS_EXHAUSTED], ends[ISA_END_LIMIT]);
    check_seen();
    ck_assert_uint_ge(ends[ISA_END_COMPLETED], runs / 2);
    ck_assert_uint_ge(ends[ISA_END_STORE_FULL], runs / 100);
    ck_assert_uint_ge(ends[ISA_END_TAGS_EXHAUSTED], runs / 100);
    ck_assert_uint_ge(ends[ISA_END_LIMIT], runs / 200);
    ck_assert_uint_ge(routed, runs / 5);
    ck_assert_uint_ge(executed, runs / 20);
    ck_assert_uint_ge(stalled, runs / 50);
    ck_assert_uint_ge(overflowed, runs / 50);
    ck_assert_uint_ge(waited, runs / 100);
    unload_examples();
}
END_TEST

/* --- two engines ------------------------------------------------------------------------- */

static void check_same_run(const struct run *plain, const struct run *general)
{
    const struct traces_stats *a = &plain->outcome.stats, *b = &general->outcome.stats;
    CHECK(plain->outcome.end == general->outcome.end);
    CHECK(strcmp(plain->outcome.result, general->outcome.result) == 0);
    CHECK(strcmp(plain->limit, general->limit) == 0);
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *row = &traces_stat_table[i];
        uint64_t x = traces_stat_integer(a, row), y = traces_stat_integer(b, row);
        ck_assert_msg(x == y, "%s: %s: plain %" PRIu64 ", general %" PRIu64,
                      lib_text_get(&what), row->key, x, y);
    }
    CHECK(a->waiting_cycles == b->waiting_cycles && a->busy_cycles == b->busy_cycles);
    CHECK(memcmp(a->pe, b->pe, a->pe_count * sizeof *a->pe) == 0);
}

START_TEST(the_fast_engine_does_what_the_general_one_does)
{
    const uint64_t combinations = test_part(150, 20);
    uint64_t limited = 0;
    load_examples();
    for (uint64_t seed = SEED; seed < SEED + combinations; seed++) {
        struct draw draw = {.seed = seed};
        struct machine_settings s;
        draw_settings(&draw, &s);
        draw_limits(&draw, &s);
        draw_unlimited(&s);
        s.deadness = MACHINE_SUPPRESS;
        draw_classes(draw, &s);
        for (size_t i = 0; i < examples.count; i++) {
            const struct example *e = &examples.items[i];
            describe(e, &s, seed);
            const struct form *form = form_of(e, &draw.compile, false);
            draw_capable(&s, form->code[0]->graph);
            struct run plain = run_form(form, &s, seed, true);
            struct run general = run_form(form, &s, seed, false);
            check_same_run(&plain, &general);
            limited += plain.outcome.end == ISA_END_LIMIT;
            traces_stats_free(&plain.outcome.stats);
            traces_stats_free(&general.outcome.stats);
        }
    }
    ck_assert_uint_ge(limited, combinations / 8);
    unload_examples();
}
END_TEST

/* 90 calls at once, of 20 parameters each: it is the CALLs that make too many tokens. */
static void write_wide_calls(struct lib_text *text)
{
    lib_text_puts(text, "result = g(1)\ng(n) = 0");
    for (int call = 0; call < 90; call++) {
        lib_text_puts(text, " + h(n");
        for (int i = 1; i < 20; i++)
            lib_text_puts(text, ",n");
        lib_text_puts(text, ")");
    }
    lib_text_puts(text, "\nh(p0");
    for (int i = 1; i < 20; i++)
        lib_text_printf(text, ",p%d", i);
    lib_text_puts(text, ") = p0");
    for (int i = 1; i < 20; i++)
        lib_text_printf(text, " + p%d", i);
    lib_text_puts(text, "\n");
}

/* Constants that are read before they are written; failures in the middle of a cycle, and
 * memory that one cycle fills. */
static const struct {
    const char *text;
    enum isa_end end;
} programs[] = {
    {"result = f(20) + late\n"
     "late = count(9, 1) * early\n"
     "early = count(30, 2)\n"
     "f(n) = if n < 2 then late + n else f(n - 1) + f(n - 2) - early\n"
     "count(n, x) = if n == 0 then x else count(n - 1, x)\n",
     ISA_END_COMPLETED},
    {"result = f(10)\n"
     "f(n) = if n == 0 then 1 / n else f(n - 1) + f(n - 1)\n",
     ISA_END_TRAPPED},
    {"result = f(16)\n"
     "f(n) = if n == 0 then 1 else g(f(n - 1), f(n - 1), n, n)\n"
     "g(a, b, c, d) = a + b + c * d + (c - d) * (c + d) - c + d\n",
     ISA_END_LIMIT},
    {NULL, ISA_END_LIMIT}, /* write_wide_calls */
};

START_TEST(the_engines_stop_at_the_same_issue)
{
    static const uint64_t counts[] = {1, 3, 16, 100}, units[] = {0, 1, 3};
    const struct example e = {.row = {.program = "a program"}};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct lib_text text = {0};
        if (programs[i].text)
            lib_text_puts(&text, programs[i].text);
        else
            write_wide_calls(&text);
        struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
        struct form form = {.graph = graph, .code = {isa_code_make(graph, NULL, false)}};
        for (uint64_t k = 0; k < 24; k++) {
            struct machine_settings s;
            machine_settings_default(&s);
            s.pe_count = counts[k % 4];
            s.pe_units = units[k / 4 % 3];
            s.queue_discipline = k / 12;
            s.limit_memory = programs[i].end == ISA_END_LIMIT ? 1 << 16 : s.limit_memory;
            describe(&e, &s, k);
            lib_text_printf(&what, ", program %zu", i);
            struct run plain = run_form(&form, &s, k, true);
            struct run general = run_form(&form, &s, k, false);
            if (programs[i].end != ISA_END_LIMIT || s.pe_units == 0)
                CHECK(plain.outcome.end == programs[i].end);
            check_same_run(&plain, &general);
            traces_stats_free(&plain.outcome.stats);
            traces_stats_free(&general.outcome.stats);
        }
        isa_code_free(form.code[0]);
        isa_graph_free(graph);
        lib_text_free(&text);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("combinations");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, machines_drawn_at_random_agree_with_the_interpreter);
    tcase_add_test(tcase, the_fast_engine_does_what_the_general_one_does);
    tcase_add_test(tcase, the_engines_stop_at_the_same_issue);
    int status = test_main("combinations", tcase);
    lib_text_free(&what);
    return status;
}
