/* Experiments from inside: conditions, columns, seeds and identities. */
#include "sim/experiment/columns.h"
#include "sim/experiment/walk.h"
#include "sim/session/description.h"
#include "tests/unit/main.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* --- conditions --------------------------------------------------------------------------- */

/* What stands in the columns of these tests; TRACES_CELL_NULL in all others. */
static struct traces_cell cell_of(const struct traces_column *column, const void *context)
{
    (void)context;
    if (strcmp(column->name, "pe.count") == 0)
        return traces_cell_int(4);
    if (strcmp(column->name, "machine") == 0)
        return traces_cell_text("ideal");
    if (strcmp(column->name, "queue.discipline") == 0)
        return traces_cell_text("fifo");
    if (strcmp(column->name, "inputs.r") == 0)
        return traces_cell_real(0.5);
    if (strcmp(column->name, "inputs.b") == 0)
        return (struct traces_cell){.type = TRACES_CELL_BOOL, .integer = 1};
    return (struct traces_cell){.type = TRACES_CELL_NULL};
}

static const struct {
    const char *text;
    bool holds;
} conditions[] = {
    {"pe.count == 4", true},
    {"pe.count != 4", false},
    {"pe.count < 4", false},
    {"pe.count <= 4", true},
    {"pe.count > 3", true},
    {"pe.count >= 5", false},
    {"pe.count == 4.0", true},
    {"1 + 2 * 3 == 7", true},
    {"(1 + 2) * 3 == 9", true},
    {"10 - 2 - 3 == 5", true},
    {"7 % 4 == 3", true},
    {"-7 % 4 == -3", true},
    {"7 / 2 == 3.5", true},
    {"1 / 0 > 1e308", true},
    {"5 % 0 == 0", false},
    {"- -3 == 3", true},
    {"9223372036854775807 + 1 > 9.2e18", true},
    {"-9223372036854775807 - 1 < 0 and (-9223372036854775807 - 1) % -1 == 0", true},
    {"machine == 'ideal'", true},
    {"'ideal' != machine", false},
    {"machine == 'default' or queue.discipline == 'fifo'", true},
    {"true or false and false", true},
    {"(true or false) and false", false},
    {"not true or true", true},
    {"not (true or true)", false},
    {"not not true", true},
    {"not pe.count == 3", true},
    {"inputs.b", true},
    {"inputs.b == true", true},
    {"inputs.b and inputs.r * 2 == 1", true},
    {"inputs.r < pe.count", true},
    {"pe.units == 1", false}, /* it has no value: neither is true */
    {"pe.units != 1", false},
    {"pe.units + 1 > 0", false},
    {"1e-1 < 0.2 and 2E+1 == 20", true},
};

static void make_columns(struct traces_columns *columns, struct lib_arena *arena)
{
    static struct isa_input inputs[] = {{.name = "r", .type = ISA_REAL},
                                        {.name = "b", .type = ISA_BOOL}};
    struct isa_graph graph = {.inputs = inputs, .input_count = 2};
    const struct isa_graph *const graphs[] = {&graph};
    sim_columns_make(columns, arena, graphs, 1, NULL, false);
}

START_TEST(condition)
{
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    struct lib_diags diags = {0};
    make_columns(&columns, arena);
    const struct analysis_names names = {.columns = &columns, .kinds = UINT32_MAX};
    const char *text = conditions[_i].text;
    const struct lib_source source = {"test.yaml", text, strlen(text)};
    const struct analysis_condition *c = analysis_condition_read(
        arena, &names, text, &source, (struct lib_pos){1, 1, 1}, &diags);
    ck_assert_msg(c != NULL, "%s: %s", text, diags.count ? diags.items[0].text : "");
    ck_assert_msg(analysis_condition_holds(c, cell_of, NULL) == conditions[_i].holds,
                  "%s", text);
    traces_columns_free(&columns);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}
END_TEST

START_TEST(condition_nesting)
{
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    make_columns(&columns, arena);
    const struct analysis_names names = {.columns = &columns, .kinds = UINT32_MAX};
    static const char *const pieces[] = {"(", "-", "not ", "1+"};
    for (size_t i = 0; i < 4; i++) {
        struct lib_text text = {0};
        struct lib_diags diags = {0};
        for (unsigned n = 0; n < 10000; n++)
            lib_text_puts(&text, pieces[i]);
        const struct lib_source source = {"test.yaml", text.bytes, text.length};
        ck_assert(!analysis_condition_read(arena, &names, text.bytes, &source,
                                           (struct lib_pos){1, 1, 1}, &diags));
        ck_assert_uint_eq(diags.errors, 1);
        lib_diags_free(&diags);
        lib_text_free(&text);
    }
    traces_columns_free(&columns);
    lib_arena_free(arena);
}
END_TEST

/* --- columns ------------------------------------------------------------------------------ */

START_TEST(columns_are_distinct)
{
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    make_columns(&columns, arena);
    const struct traces_column *c = columns.list.items;
    for (size_t i = 0; i < columns.list.count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(strcasecmp(c[i].name, c[k].name) != 0, "%s", c[i].name);
    for (size_t i = 0; i < sim_setting_count; i++)
        ck_assert(traces_columns_find(&columns, sim_setting_at(i)->key) != NULL);
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert(traces_columns_find(&columns, traces_stat_table[i].key) != NULL);
    ck_assert_uint_eq(columns.list.count,
                      sim_setting_count + traces_stat_count + SIM_FACT_COUNT - 1 + 2);
    traces_columns_free(&columns);
    lib_arena_free(arena);
}
END_TEST

/* --- identities --------------------------------------------------------------------------- */

static const char identity_yaml[] = "program: examples/fib.df\n"
                                    "machine: [default, ideal]\n"
                                    "inputs: {n: [3, 4]}\n"
                                    "seed: [0, 1]\n"
                                    "settings: {pe.count: [16, 4],"
                                    " placement.policy: random}\n";

/* Reads an experiment that stands beside the examples. */
static void read_experiment(struct sim_experiment *x, struct lib_arena *arena,
                            const char *text, struct sim_runs *runs)
{
    struct lib_diags diags = {0};
    struct lib_source *source = LIB_ARENA_NEW(arena, struct lib_source);
    const char *root = getenv("SRCDIR");
    source->name = lib_arena_printf(arena, "%s/programs/test.yaml", root ? root : ".");
    source->bytes = text;
    source->length = strlen(text);
    bool good = sim_experiment_read(x, source, NULL, &diags) &&
                sim_expand(x, runs, &diags);
    ck_assert_msg(good, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
}

static bool is_same(struct isa_digest a, struct isa_digest b)
{
    return a.high == b.high && a.low == b.low;
}

/* All that differs makes another run, and nothing else does. */
START_TEST(identities)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x, y;
    struct sim_runs a, b;
    read_experiment(&x, arena, identity_yaml, &a);
    ck_assert_uint_eq(a.list.count, 16);
    for (size_t i = 0; i < a.list.count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert(!is_same(a.list.items[i].identity, a.list.items[k].identity));
    /* The same, said otherwise; in another order, with more beside it. */
    read_experiment(&y, arena,
                    "# comment\nprogram: examples/fib.df\ngrid:\n  pe.count: [1, 4, 16]\n"
                    "  seed: [1]\n  inputs.n: [4]\n  placement.policy: [random]\n"
                    "limits: {wall: 100}\n",
                    &b);
    ck_assert_uint_eq(b.list.count, 3);
    ck_assert(is_same(b.list.items[1].identity, a.list.items[7].identity));
    ck_assert(is_same(b.list.items[2].identity, a.list.items[6].identity));
    sim_runs_free(&a);
    sim_runs_free(&b);
    sim_experiment_free(&x);
    sim_experiment_free(&y);
    lib_arena_free(arena);
}
END_TEST

/* The seed of a repetition does not depend on what else there is. */
START_TEST(seeds)
{
    static const char common[] = "program: examples/fib.df\ninputs: {n: [3, 4]}\n"
                                 "repeat: {times: 3, seed: per-repetition}\n";
    static const char *const texts[] = {
        "program: examples/fib.df\ninputs: {n: [3, 4]}\nrepeat: 3\n",
        "program: examples/fib.df\ninputs: {n: [9, 3, 4, 5]}\nrepeat: 4\n",
        common,
        "program: examples/fib.df\ninputs: {n: [3, 4]}\nseed: 1\nrepeat: 3\n",
    };
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x[4];
    struct sim_runs runs[4];
    for (size_t i = 0; i < 4; i++)
        read_experiment(&x[i], arena, texts[i], &runs[i]);
    const struct sim_run *a = runs[0].list.items, *b = runs[1].list.items,
                         *c = runs[2].list.items, *d = runs[3].list.items;
    for (size_t r = 0; r < 3; r++) {
        for (size_t n = 0; n < 2; n++) {
            ck_assert_uint_eq(a[3 * n + r].seed, b[4 * (n + 1) + r].seed);
            ck_assert_uint_eq(a[3 * n + r].repetition, r + 1);
            ck_assert_uint_ne(a[3 * n + r].seed, d[3 * n + r].seed);
            ck_assert_uint_lt(a[3 * n + r].seed, UINT64_C(1) << 48);
        }
        ck_assert_uint_ne(a[r].seed, a[3 + r].seed);
        ck_assert_uint_eq(c[r].seed, c[3 + r].seed);
        ck_assert_uint_ne(c[r].seed, c[(r + 1) % 3].seed);
    }
    for (size_t i = 0; i < 4; i++) {
        sim_runs_free(&runs[i]);
        sim_experiment_free(&x[i]);
    }
    lib_arena_free(arena);
}
END_TEST

/* An identity is what results are found by: it must not change without a reason, which is
 * said by SIM_MODEL_VERSION. */
static void check_pinned(const char *measure, const char *identity)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    struct lib_text text = {0};
    const char *yaml = lib_arena_printf(
        arena,
        "program: examples/fib.df\ninputs: {n: 7}\nseed: 5\n"
        "settings: {pe.count: 4, queue.discipline: lifo}\n%s",
        measure);
    read_experiment(&x, arena, yaml, &runs);
    x.programs.items[0].images.items[0]->digest = (struct isa_digest){1, 2};
    sim_runs_free(&runs);
    struct lib_diags diags = {0};
    ck_assert(sim_expand(&x, &runs, &diags));
    isa_digest_write(runs.list.items[0].identity, &text);
    ck_assert_str_eq(text.bytes, identity);
    lib_text_free(&text);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}

START_TEST(identity_is_pinned)
{
    check_pinned("", "703bafb647234157d5120dd2ea399a64");
    check_pinned("measure: [tags, traffic]\n", "8bbe4d97c3af2eae4637fc2a83e95064");
    check_pinned("measure: causes\n", "84b21b89ac3a65bca5e8b736d22a61b5");
    check_pinned("measure: [causes, tags]\n", "7020402cf96f7bd189f00439d9b8ae81");
}
END_TEST

/* Of a column that is known before a run is made. */
static void check_cell(const struct sim_config *a, const struct sim_config *b,
                       const struct traces_column *column, struct lib_arena *arena)
{
    struct traces_cell x = sim_config_cell(a, column, arena);
    struct traces_cell y = sim_config_cell(b, column, arena);
    ck_assert_int_eq(x.type, y.type);
    ck_assert_msg(x.integer == y.integer, "%s", column->name);
    ck_assert_msg(x.type != TRACES_CELL_REAL || x.real == y.real, "%s", column->name);
    ck_assert_msg(x.type != TRACES_CELL_TEXT || strcmp(x.text, y.text) == 0, "%s",
                  column->name);
}

/* A program is compiled for each key that a run has, and for the default. Equal images share a
 * graph. */
static const struct {
    const char *text;
    size_t images, graphs;
} compiled[] = {
    {"program: examples/fib.df\nsettings: {pe.count: [1, 2, 3]}\n", 1, 1},
    {"program: examples/sieve.df\nstrategy: [static, expanding]\n"
     "settings: {loop.constants: [sticky, copies]}\n",
     4, 4},
    {"program: examples/fib.df\nsettings: {loop.constants: [sticky, copies]}\n", 2, 1},
    {"program: examples/gradient.df\nstrategy: expanding\n"
     "settings: {grad.mode: [naive, paired]}\n",
     1, 1},
    {"program: examples/gradient.df\nzip: {loop.constants: [sticky, copies], grad.mode: "
     "[naive, paired], grad.params: [deferred, dense], pe.count: [1, 2]}\n",
     2, 2},
    {"program:\n  - {file: examples/sieve.df, settings: {loop.constants: [sticky, "
     "copies]}, inputs.n: [3, 4]}\n",
     2, 2},
};

START_TEST(programs_are_compiled_for_the_keys_of_runs)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    read_experiment(&x, arena, compiled[_i].text, &runs);
    const struct sim_experiment_program *p = &x.programs.items[0];
    size_t graphs = 0;
    for (size_t i = 0; i < p->images.count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= p->images.items[i]->graph != p->images.items[k]->graph;
        graphs += is_new;
    }
    ck_assert_uint_eq(p->images.count, compiled[_i].images);
    ck_assert_uint_eq(graphs, compiled[_i].graphs);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}
END_TEST

/* Where one combination follows the other, each is what it is alone, in any order. */
static const struct {
    const char *text;
    size_t count;
} walked[] = {
    {"program: [examples/fib.df, examples/power.df]\n"
     "strategy: [static, expanding]\n"
     "seed: [3, 4]\n"
     "repeat: 2\n"
     "grid:\n"
     "  machine: [default, ideal]\n"
     "  pe.count: [2, 16]\n"
     "  loop.constants: [sticky, copies]\n"
     "  inputs.n: [5, 6, 7]\n"
     "zip: {network.latency: [1, 2], queue.discipline: [fifo, lifo]}\n",
     2 * 2 * 2 * 2 * 2 * 2 * 2 * 3 * 2},
    /* Programs with inputs and settings of their own. */
    {"program:\n"
     "  - {file: examples/fib.df, inputs.n: [5, 6, 7], seed: [1, 2], machine: ideal}\n"
     "  - examples/tak.df\n"
     "  - file: examples/hanoi.df\n"
     "    strategy: [static, expanding]\n"
     "    zip: {inputs.discs: [3, 4], pe.units: [1, 2]}\n"
     "    settings: {loop.constants: [sticky, copies]}\n"
     "seed: 3\n"
     "settings: {pe.count: [2, 16]}\n",
     (3 * 2 + 1 + 2 * 2 * 2) * 2},
};

START_TEST(combinations_are_the_same_in_a_walk)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    read_experiment(&x, arena, walked[_i].text, &runs);
    struct sim_walk *walk = sim_walk_new(&x);
    const size_t count = runs.list.count;
    ck_assert_uint_eq(count, walked[_i].count);
    for (size_t i = 0; i < 2 * count; i++) {
        size_t number = i < count ? i : (i * 7919) % count;
        const struct sim_run *run = &runs.list.items[number];
        struct sim_config config;
        sim_settle(&x, run, arena, &config);
        const struct sim_config *found = sim_walk_to_run(walk, run);
        ck_assert_ptr_eq(found->image, config.image);
        for (size_t c = 0; c < x.columns.list.count; c++)
            check_cell(found, &config, &x.columns.list.items[c], arena);
        uint64_t seed = sim_walk_to(walk, run->combination)->seed;
        sim_settle_combination(&x, run->combination, arena, &config);
        ck_assert_uint_eq(seed, config.seed);
        ck_assert(_i || seed == run->combination / 48 % 2 + 3);
        lib_arena_clear(arena);
    }
    sim_walk_free(walk);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}
END_TEST

/* A run is what it is, and has the seeds that it has, wherever its parameters are given. */
START_TEST(own_parameters_are_no_part_of_identities)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x, y;
    struct sim_runs a, b;
    read_experiment(&x, arena,
                    "program: examples/fib.df\nstrategy: expanding\n"
                    "inputs: {n: [3, 4]}\nseed: 5\nrepeat: 2\n"
                    "settings: {placement.policy: random, copy.placement: placed}\n",
                    &a);
    read_experiment(&y, arena,
                    "program:\n"
                    "  - examples/tak.df\n"
                    "  - {file: examples/fib.df, name: calls, strategy: expanding,\n"
                    "     inputs: {n: [3, 4]}, seed: 5,\n"
                    "     settings: {copy.placement: placed}}\n"
                    "repeat: 2\nsettings: {placement.policy: random}\n",
                    &b);
    ck_assert_uint_eq(a.list.count, 4);
    ck_assert_uint_eq(b.list.count, 6);
    for (size_t i = 0; i < 4; i++) {
        ck_assert(is_same(a.list.items[i].identity, b.list.items[i + 2].identity));
        ck_assert_uint_eq(a.list.items[i].seed, b.list.items[i + 2].seed);
    }
    sim_runs_free(&a);
    sim_runs_free(&b);
    sim_experiment_free(&x);
    sim_experiment_free(&y);
    lib_arena_free(arena);
}
END_TEST

/* The name of a file, and, where several have it, the shortest folders that tell them apart. */
static const struct {
    const char *programs, *names[4];
} named[] = {
    {"examples/fib.df", {"fib"}},
    {"examples/fib.df, examples/tak.df", {"fib", "tak"}},
    {"examples/fib.df, experiments/../examples/fib.df, examples/tak.df",
     {"examples/fib", "../examples/fib", "tak"}},
    {"examples/fib.df, examples/../examples/fib.df", {"examples/fib", "../examples/fib"}},
    {"{file: examples/fib.df, name: small}, examples/fib.df", {"small", "fib"}},
    {"{file: examples/tak.df, name: fib}, examples/fib.df", {"fib", "examples/fib"}},
};

START_TEST(default_names)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    read_experiment(
        &x, arena, lib_arena_printf(arena, "program: [%s]\n", named[_i].programs), &runs);
    for (size_t i = 0; i < x.programs.count; i++)
        ck_assert_str_eq(x.programs.items[i].name, named[_i].names[i]);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}
END_TEST

/* Where nothing is random the seed is no part of the identity; elsewhere it is. */
static const struct {
    const char *settings;
    bool draws;
} random_or_not[] = {
    {"pe.count: 4", false},
    {"placement.policy: random", true},
    {"placement.policy: random, pe.count: 2", true},
    {"placement.policy: random, pe.count: 1", false},
    {"placement.policy: random, executor.workers: 3", false},
};

START_TEST(seeds_count_where_something_draws)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    const bool draws = random_or_not[_i].draws;
    read_experiment(&x, arena,
                    lib_arena_printf(arena,
                                     "program: examples/fib.df\nseed: [3, 4]\nrepeat: 2\n"
                                     "settings: {%s}\n",
                                     random_or_not[_i].settings),
                    &runs);
    const struct sim_run *r = runs.list.items;
    ck_assert_uint_eq(runs.list.count, 4);
    ck_assert_uint_eq(runs.fixed, draws ? 0 : 2);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < i; k++) {
            ck_assert_int_eq(is_same(r[i].identity, r[k].identity), !draws);
            ck_assert_uint_ne(r[i].seed, r[k].seed);
        }
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}
END_TEST

/* Seeds are drawn from the text of model 1 for ever: these are those of that model, whose
 * copy.placement was `caller` where nothing was said. */
static const struct {
    const char *text;
    uint64_t seeds[4];
} pinned_seeds[] = {
    {"strategy: [static, expanding]\nsettings: {placement.policy: random, pe.count: 4}\n"
     "repeat: 2\n",
     {204253595080134, 55561727013337, 193788017270735, 200187547771780}},
    {"strategy: expanding\n"
     "settings: {placement.policy: random, copy.placement: [caller, placed]}\nrepeat: "
     "2\n",
     {136235506543105, 89763278179337, 160303613070224, 246547223726478}},
    {"settings: {placement.policy: random, copy.placement: [caller, placed]}\nrepeat: "
     "2\n",
     {189680254954109, 62941658096480, 236870616856825, 180062586552626}},
    {"seed: [0, 1]\nrepeat: {times: 2, seed: per-repetition}\n",
     {121991292097340, 12770013772998, 82418918715365, 105617826291339}},
};

START_TEST(seeds_are_pinned)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_experiment x;
    struct sim_runs runs;
    read_experiment(&x, arena,
                    lib_arena_printf(arena, "program: examples/fib.df\ninputs.n: 7\n%s",
                                     pinned_seeds[_i].text),
                    &runs);
    for (size_t i = 0; i < x.programs.items[0].images.count; i++) {
        struct sim_image *image = x.programs.items[0].images.items[i];
        image->digest = (struct isa_digest){1, image->stage == ISA_STAGE_EXPANDING};
    }
    sim_runs_free(&runs);
    struct lib_diags diags = {0};
    ck_assert(sim_expand(&x, &runs, &diags));
    ck_assert_uint_eq(runs.list.count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(runs.list.items[i].seed, pinned_seeds[_i].seeds[i]);
    lib_diags_free(&diags);
    sim_runs_free(&runs);
    sim_experiment_free(&x);
    lib_arena_free(arena);
}
END_TEST

/* In model 1 cluster.nic.messages was 0 where nothing was said: seeds do not tell that from
 * silence, and they tell a value that is named, also the default of today. */
START_TEST(seeds_know_the_older_default)
{
    static const char *const settings[] = {"", ", cluster.nic.messages: 0",
                                           ", cluster.nic.messages: 64",
                                           ", cluster.nic.messages: 65"};
    uint64_t found[4];
    for (size_t i = 0; i < 4; i++) {
        struct lib_arena *arena = lib_arena_new();
        struct sim_experiment x;
        struct sim_runs runs;
        read_experiment(&x, arena,
                        lib_arena_printf(arena,
                                         "program: examples/fib.df\ninputs.n: 7\n"
                                         "settings: {placement.policy: random%s}\n"
                                         "repeat: 1\n",
                                         settings[i]),
                        &runs);
        found[i] = runs.list.items[0].seed;
        sim_runs_free(&runs);
        sim_experiment_free(&x);
        lib_arena_free(arena);
    }
    ck_assert_uint_eq(found[0], found[1]);
    ck_assert_uint_ne(found[0], found[2]);
    ck_assert_uint_ne(found[0], found[3]);
    ck_assert_uint_ne(found[2], found[3]);
}
END_TEST

/* --- descriptions --------------------------------------------------------------------------- */

/* What a rerun reads of a row is what rows have. */
START_TEST(fields_of_descriptions_are_columns)
{
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    sim_columns_make(&columns, arena, NULL, 0, NULL, false);
    size_t count = 0;
    for (size_t i = 0; i < sim_described_field_count; i++) {
        const struct sim_described_field *field = &sim_described_fields[i];
        if (!field->column)
            continue;
        const struct traces_column *column = traces_columns_find(&columns, field->column);
        ck_assert_msg(column != NULL, "%s", field->column);
        ck_assert_msg(column->type == (field->kind == SIM_DESCRIBED_NUMBER
                                           ? TRACES_TYPE_INT
                                           : TRACES_TYPE_TEXT),
                      "%s", field->column);
        count++;
    }
    ck_assert_uint_gt(count, 0);
    traces_columns_free(&columns);
    lib_arena_free(arena);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sweep");
    tcase_add_loop_test(tests, condition, 0,
                        (int)(sizeof conditions / sizeof conditions[0]));
    tcase_add_test(tests, condition_nesting);
    tcase_add_test(tests, columns_are_distinct);
    tcase_add_test(tests, fields_of_descriptions_are_columns);
    tcase_add_test(tests, identities);
    tcase_add_test(tests, seeds);
    tcase_add_test(tests, identity_is_pinned);
    tcase_add_loop_test(tests, programs_are_compiled_for_the_keys_of_runs, 0,
                        (int)(sizeof compiled / sizeof compiled[0]));
    tcase_add_loop_test(tests, combinations_are_the_same_in_a_walk, 0,
                        (int)(sizeof walked / sizeof walked[0]));
    tcase_add_test(tests, own_parameters_are_no_part_of_identities);
    tcase_add_loop_test(tests, default_names, 0, (int)(sizeof named / sizeof named[0]));
    tcase_add_loop_test(tests, seeds_count_where_something_draws, 0,
                        (int)(sizeof random_or_not / sizeof random_or_not[0]));
    tcase_add_loop_test(tests, seeds_are_pinned, 0,
                        (int)(sizeof pinned_seeds / sizeof pinned_seeds[0]));
    tcase_add_test(tests, seeds_know_the_older_default);
    return test_main("sweep", tests);
}
