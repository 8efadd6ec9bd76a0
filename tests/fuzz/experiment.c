/* Fuzz target: experiments, as far as `hiaton sweep list` goes, and on. What is accepted has
 * runs, the same whenever they are made, which are listed; of each of them every column can be
 * told, and none is told from another by nothing; and a small one is simulated, and its outcome
 * survives its way through a pipe. */
#include "tests/fuzz/fuzz.h"

#include "sim/commands/listing.h"
#include "sim/experiment/walk.h"
#include "sim/sweep/outcome.h"

enum { MANY = 300, SIMULATED = 2 };

/* --- where the programs are ------------------------------------------------------------- */

/* A folder with two programs and a machine, made once. */
static const char *folder(void)
{
    static const char *path;
    if (path)
        return path;
    path = fuzz_folder("experiment");
    fuzz_put(path, "fib.df",
             "input n = 5\ninput on = true\nresult = if on then fib(n) else 0\n"
             "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n");
    fuzz_put(path, "half.df", "input n = 5\ninput x = 0.5\nresult = x * real(n)\n");
    fuzz_put(path, "m.yaml", "base: ideal\npe: {count: 4}\n");
    return path;
}

/* --- one run ---------------------------------------------------------------------------- */

static void check_same(const struct traces_column *c, const struct traces_cell *a,
                       const struct traces_cell *b)
{
    struct lib_text one = {0}, other = {0};
    traces_cell_write(a, &one);
    traces_cell_write(b, &other);
    if (a->type != b->type)
        fuzz_fail("%s has another type in a walk", c->name);
    fuzz_same(c->name, &one, &other);
    lib_text_free(&one);
    lib_text_free(&other);
}

static void check_cells(const struct sim_experiment *x, const struct sim_run *run,
                        struct sim_walk *walk)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    sim_settle(x, run, arena, &config);
    const struct sim_config *walked = sim_walk_to_run(walk, run);
    for (size_t i = 0; i < x->columns.list.count; i++) {
        const struct traces_column *c = &x->columns.list.items[i];
        struct traces_cell cell = sim_config_cell(&config, c, arena);
        const struct traces_cell other = sim_config_cell(walked, c, arena);
        check_same(c, &cell, &other);
        if (c->kind == TRACES_COLUMN_SETTING && cell.type == TRACES_CELL_INT &&
            cell.integer < 0)
            fuzz_fail("%s is %lld", c->name, (long long)cell.integer);
        if (c->kind == TRACES_COLUMN_SETTING && cell.type == TRACES_CELL_NULL)
            fuzz_fail("%s has no value", c->name);
    }
    lib_arena_free(arena);
}

static bool is_small(const struct sim_experiment *x, const struct sim_run *run)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    sim_settle(x, run, arena, &config);
    const struct machine_settings *s = &config.setup.settings.machine;
    const struct isa_graph *graph = config.program->program.graph;
    uint32_t n = isa_graph_find_input(graph, "n");
    bool small = n != UINT32_MAX && isa_value_int(config.inputs.values[n]) <= 8 &&
                 s->pe_count <= 64 && s->network_latency <= 1000 &&
                 s->network_bandwidth != 1 && s->cluster_latency <= 1000 &&
                 s->cluster_bandwidth != 1 && s->match_capacity < 1 << 16;
    lib_arena_free(arena);
    return small;
}

static void check_pipe(const struct sim_outcome *outcome)
{
    struct lib_text bytes = {0}, again = {0};
    struct sim_outcome copy;
    sim_outcome_write(outcome, &bytes);
    if (sim_outcome_read(&copy, bytes.bytes, bytes.length - 1) != 0)
        fuzz_fail("half an outcome is taken for a whole one");
    if (sim_outcome_read(&copy, bytes.bytes, bytes.length) != bytes.length)
        fuzz_fail("an outcome was not read whole");
    if (copy.series.count != outcome->series.count ||
        copy.profile.count != outcome->profile.count ||
        copy.stats.pe_count != outcome->stats.pe_count ||
        copy.stats.timing_digest != outcome->stats.timing_digest)
        fuzz_fail("an outcome changed on its way");
    fuzz_same("a result", &copy.result, &outcome->result);
    fuzz_same("a reason", &copy.reason, &outcome->reason);
    sim_outcome_free(&copy);
    lib_text_free(&bytes);
    lib_text_free(&again);
}

static void simulate(const struct sim_experiment *x, const struct sim_run *run)
{
    struct sim_outcome outcome;
    sim_outcome_make(&outcome, x, run, NULL);
    bool completed = outcome.end == ISA_END_COMPLETED;
    const bool nothing = outcome.stats.covers == TRACES_COVERS_NOTHING;
    if (completed != (outcome.result.length > 0) ||
        (completed && !nothing) != !outcome.reason.length)
        fuzz_fail("a run that ended as %s has result `%s` and reason `%s`",
                  sim_outcome_status(&outcome), lib_text_get(&outcome.result),
                  lib_text_get(&outcome.reason));
    check_pipe(&outcome);
    sim_outcome_free(&outcome);
}

/* --- all -------------------------------------------------------------------------------- */

static uint64_t count_combinations(const struct sim_experiment *x)
{
    uint64_t count = x->repetitions ? x->repetitions : 1;
    for (size_t i = 0; i < x->axes.count; i++)
        if (__builtin_mul_overflow(count, x->axes.items[i].length, &count))
            return UINT64_MAX;
    return count;
}

static void count_lines(const struct lib_text *piece, void *context)
{
    for (size_t i = 0; i < piece->length; i++)
        *(size_t *)context += piece->bytes[i] == '\n';
}

/* Names have no newline in them, as no text of YAML here has an escape; but a quoted one may
 * go over lines, which become blanks. */
static void check_listing(const struct sim_experiment *x, const struct sim_runs *runs)
{
    for (enum sim_listing_detail d = SIM_LISTING_SHORT; d <= SIM_LISTING_LONG; d++) {
        size_t lines = 0, shard = 0;
        const struct sim_selection all = {0}, third = {.shard = {2, 3}};
        sim_listing_write(x, runs, &all, d, count_lines, &lines);
        sim_listing_write(x, runs, &third, d, count_lines, &shard);
        if (lines != runs->list.count + 1 || shard != (runs->list.count + 1) / 3 + 1)
            fuzz_fail("%zu runs are listed in %zu lines, a third of them in %zu",
                      runs->list.count, lines, shard);
    }
}

static void check_runs(const struct sim_experiment *x)
{
    struct sim_runs runs, again;
    struct lib_diags diags = {0}, same = {0};
    bool good = sim_expand(x, &runs, &diags);
    if (sim_expand(x, &again, &same) != good || again.list.count != runs.list.count)
        fuzz_fail("an experiment has other runs the second time");
    struct sim_walk *walk = sim_walk_new(x);
    for (size_t i = 0; i < runs.list.count; i++) {
        const struct sim_run *a = &runs.list.items[i], *b = &again.list.items[i];
        if (a->identity.high != b->identity.high || a->identity.low != b->identity.low ||
            a->seed != b->seed)
            fuzz_fail("run %zu is another the second time", i + 1);
        check_cells(x, a, walk);
        if (i < SIMULATED && is_small(x, a))
            simulate(x, a);
    }
    sim_walk_free(walk);
    fuzz_diags(&diags, !good);
    lib_diags_free(&same);
    if (good)
        check_listing(x, &runs);
    sim_runs_free(&runs);
    sim_runs_free(&again);
}

/* No two programs have one name. */
static void check_names(const struct sim_experiment *x)
{
    for (size_t i = 0; i < x->programs.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(x->programs.items[i].name, x->programs.items[k].name) == 0)
                fuzz_fail("two programs are called `%s`", x->programs.items[i].name);
}

/* --- overridden --------------------------------------------------------------------------- */

static void check_overridden(const struct sim_experiment *x)
{
    struct lib_arena *arena = lib_arena_new();
    for (uint64_t c = 0;
         c < count_combinations(x) / (x->repetitions ? x->repetitions : 1); c++) {
        struct sim_config config;
        sim_settle_combination(x, c, arena, &config);
        uint32_t n = isa_graph_find_input(config.image->graph, "n");
        if (config.setup.settings.machine.pe_count != 3 ||
            (n != UINT32_MAX && isa_value_int(config.inputs.values[n]) != 4))
            fuzz_fail("what is overridden does not hold");
        lib_arena_clear(arena);
    }
    lib_arena_free(arena);
}

/* What the command line says holds for every run, whatever the file says. */
static void override(struct lib_arena *arena, const char *name, const uint8_t *data,
                     size_t size)
{
    static const char *const sets[] = {"pe.count=3"}, *const inputs[] = {"n=4"};
    static const struct sim_overrides overrides = {sets, 1, inputs, 1};
    struct lib_diags diags = {0};
    struct sim_experiment x;
    bool good = sim_experiment_read(&x, fuzz_source(arena, name, data, size), &overrides,
                                    &diags);
    fuzz_diags(&diags, !good);
    if (good && count_combinations(&x) <= MANY)
        check_overridden(&x);
    sim_experiment_free(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* No other files are to be read; nor names be made of escapes. */
    if (size && (memchr(data, '/', size) || memchr(data, '\\', size)))
        return 0;
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_experiment x;
    const char *name = lib_arena_printf(arena, "%s/x.yaml", folder());
    bool good = sim_experiment_read(&x, fuzz_source(arena, name, data, size), NULL,
                                    &diags);
    fuzz_diags(&diags, !good);
    if (good)
        check_names(&x);
    if (good && count_combinations(&x) <= MANY)
        check_runs(&x);
    sim_experiment_free(&x);
    override(arena, name, data, size);
    lib_arena_free(arena);
    return 0;
}
