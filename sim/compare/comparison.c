#include "sim/compare/comparison.h"

#include <string.h>

#include "analysis/derive.h"
#include "lib/file.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/files.h"
#include "sim/experiment/fit.h"
#include "sim/values/lists.h"

static const struct lib_pos nowhere;

enum { MAX_ROWS = 100000 };

/* --- the experiment ----------------------------------------------------------------- */

static struct sim_param *add_param(struct sim_experiment *x, enum sim_param_kind kind,
                                   const char *name, size_t axis)
{
    struct sim_param *param = LIB_VEC_PUSH(&x->params);
    *param = (struct sim_param){.kind = kind, .name = name, .axis = axis};
    return param;
}

static size_t add_axis(struct sim_experiment *x, size_t length)
{
    LIB_VEC_PUSH(&x->axes)->length = length;
    return x->axes.count - 1;
}

/* A setting that varies with the side. */
static void add_placement(struct sim_experiment *x, size_t axis)
{
    const struct machine_setting *setting = machine_setting_find("copy.placement");
    struct sim_param *param = add_param(x, SIM_PARAM_SETTING, setting->key, axis);
    param->setting = setting;
    static const uint64_t values[SIM_SIDE_MAX] = {
        MACHINE_COPY_PLACED, MACHINE_COPY_AT_CALLER, MACHINE_COPY_PLACED};
    for (size_t i = 0; i < SIM_SIDE_MAX; i++)
        *LIB_VEC_PUSH(&param->values.list) = (struct sim_value){.text = "",
                                                                .number = values[i]};
}

/* A parameter with the values 0, 1, ... */
static void add_numbered(struct sim_experiment *x, enum sim_param_kind kind,
                         const char *name, size_t count)
{
    struct sim_param *param = add_param(x, kind, name, add_axis(x, count));
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&param->values.list) = (struct sim_value){.text = "", .number = i};
}

/* Every list is an axis; in rows, all that have several values are the same one. */
static void add_inputs(struct sim_experiment *x, struct sim_lists *lists, bool in_rows)
{
    size_t shared = SIZE_MAX;
    for (size_t i = 0; i < lists->list.count; i++) {
        struct sim_list *list = &lists->list.items[i];
        size_t length = list->values.list.count, axis = shared;
        if (!in_rows || length == 1 || shared == SIZE_MAX)
            axis = add_axis(x, length);
        if (in_rows && length > 1)
            shared = axis;
        add_param(x, SIM_PARAM_INPUT, lib_arena_printf(x->arena, "inputs.%s", list->name),
                  axis)
            ->values = list->values;
        memset(&list->values, 0, sizeof list->values); /* they have moved */
    }
}

static bool check_rows(const struct sim_lists *lists, struct lib_diags *diags)
{
    const struct sim_list *first = NULL;
    for (size_t i = 0; i < lists->list.count; i++) {
        const struct sim_list *list = &lists->list.items[i];
        if (list->values.list.count == 1)
            continue;
        if (!first)
            first = list;
        if (list->values.list.count == first->values.list.count)
            continue;
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--rows: expected one value of `%s`, or as many as `%s` has, %zu; "
                       "found %zu",
                       list->name, first->name, first->values.list.count,
                       list->values.list.count);
        return false;
    }
    return true;
}

static bool check_count(const struct sim_experiment *x, struct lib_diags *diags)
{
    double rows = 1;
    for (size_t i = 0; i < x->axes.count; i++)
        rows *= (double)x->axes.items[i].length;
    if (rows <= MAX_ROWS)
        return true;
    struct lib_text count = {0};
    lib_text_count(&count, rows);
    lib_diag_error(diags, LIB_DIAG_LIMIT, NULL, nowhere,
                   "%s combinations of inputs are more than %d; see hiaton-sweep(1) for "
                   "so many",
                   count.bytes, MAX_ROWS);
    lib_text_free(&count);
    return false;
}

/* --- opening ------------------------------------------------------------------------ */

static bool has_no_strategy(const struct sim_program *program, struct lib_diags *diags)
{
    if (program->kind == SIM_IMAGE)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, program->file, nowhere,
            "this is an image, made by one strategy; to compare both, name its "
            "source");
    return program->kind != SIM_IMAGE;
}

static bool load(struct sim_experiment *x, const struct sim_comparison_request *r,
                 struct lib_diags *diags)
{
    const char *path = r->program;
    struct sim_experiment_program *program = LIB_VEC_PUSH(&x->programs);
    struct sim_experiment_machine *machine = LIB_VEC_PUSH(&x->machines);
    *program = (struct sim_experiment_program){.path = path,
                                               .name = lib_file_stem(x->arena, path, 0)};
    *machine = (struct sim_experiment_machine){.name = r->machine};
    /* Both, so that what is wrong with either is told in one go. */
    bool configured = sim_setup_load(&machine->setup, x->arena, r->machine, r->sets,
                                     r->set_count, diags);
    bool loaded = sim_program_is_named(path, diags) &&
                  sim_program_open(&program->program, path, diags) &&
                  has_no_strategy(&program->program, diags) &&
                  sim_files_load_images(program, SIM_SIDE_STATIC, diags) &&
                  sim_files_load_images(program, SIM_SIDE_EXPANDING, diags);
    if (loaded && configured)
        sim_setup_warn_needs(&machine->setup, true, diags);
    if (loaded && configured && r->has_seed)
        sim_setup_warn_seed(&machine->setup, program->program.graph, diags);
    return loaded && configured;
}

static void make_columns(struct sim_comparison *c, size_t input_count)
{
    struct sim_experiment *x = &c->experiment;
    const struct isa_graph *graph = x->programs.items[0].program.graph;
    sim_columns_make(&x->columns, x->arena, &graph, 1, NULL, false);
    c->inputs = LIB_ARENA_ARRAY(x->arena, const struct traces_column *, input_count + 1);
    c->input_count = input_count;
    for (size_t i = 0; i < input_count; i++)
        c->inputs[i] = traces_columns_find(&x->columns, x->params.items[i].name);
}

/* The fastest axis: static, then expanding, with the machine's copy.placement or with each. */
static void add_sides(struct sim_comparison *c, enum sim_placement placement)
{
    struct sim_experiment *x = &c->experiment;
    const bool both = placement == SIM_PLACEMENT_BOTH;
    static const char *const names[] = {"static", "expanding, caller",
                                        "expanding, placed"};
    static const char *const keys[] = {"static", "expanding.caller", "expanding.placed"};
    c->side_count = both ? SIM_SIDE_MAX : SIM_SIDE_EXPANDING + 1;
    add_numbered(x, SIM_PARAM_STRATEGY, "strategy", c->side_count);
    struct sim_param *strategy = &x->params.items[x->params.count - 1];
    for (size_t s = 0; s < c->side_count; s++) {
        strategy->values.list.items[s].number = s > 0;
        c->names[s] = both ? names[s] : sim_strategy_names[s];
        c->keys[s] = both ? keys[s] : sim_strategy_names[s];
    }
    if (both)
        add_placement(x, strategy->axis);
    else if (placement != SIM_PLACEMENT_GIVEN)
        x->machines.items[0].setup.settings.copy_placement = placement;
}

/* The inputs come first: the strategy varies fastest. */
static bool add_params(struct sim_comparison *c, struct sim_lists *lists,
                       const struct sim_comparison_request *r, struct lib_diags *diags)
{
    struct sim_experiment *x = &c->experiment;
    size_t input_count = lists->list.count;
    if (r->in_rows && !check_rows(lists, diags))
        return false;
    add_inputs(x, lists, r->in_rows);
    if (!check_count(x, diags))
        return false;
    add_numbered(x, SIM_PARAM_PROGRAM, "program", 1);
    add_numbered(x, SIM_PARAM_MACHINE, "machine", 1);
    add_numbered(x, SIM_PARAM_SEED, "seed", 1);
    x->params.items[x->params.count - 1].values.list.items[0].number = c->seed;
    add_sides(c, r->placement);
    make_columns(c, input_count);
    return true;
}

bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags)
{
    *comparison = (struct sim_comparison){.seed = request->seed,
                                          .files = request->files,
                                          .side_count = SIM_SIDE_EXPANDING + 1};
    struct sim_experiment *x = &comparison->experiment;
    struct sim_lists lists = {0};
    x->arena = lib_arena_new();
    bool good = load(x, request, diags) &&
                sim_lists_read(&lists, x->arena, x->programs.items[0].program.graph,
                               request->inputs, request->input_count, diags) &&
                add_params(comparison, &lists, request, diags) &&
                sim_expand(x, &comparison->runs, diags) &&
                sim_runs_fit(x, &comparison->runs, NULL, diags);
    sim_lists_free(&lists);
    size_t count = comparison->runs.list.count;
    comparison->row_count = count / comparison->side_count;
    comparison->outcomes = lib_mem_new((count + 1) * sizeof *comparison->outcomes);
    return good;
}

void sim_comparison_close(struct sim_comparison *comparison)
{
    for (size_t i = 0; i < comparison->runs.list.count; i++)
        sim_outcome_free(&comparison->outcomes[i]);
    lib_mem_free(comparison->outcomes);
    sim_runs_free(&comparison->runs);
    sim_experiment_free(&comparison->experiment);
}

/* --- files -------------------------------------------------------------------------- */

const char *sim_comparison_file(const struct sim_comparison *c, const char *path,
                                size_t row, enum sim_side side, struct lib_arena *arena)
{
    if (!path)
        return NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *point = strrchr(name, '.');
    const int stem = (int)(point && point > name ? (size_t)(point - path) : strlen(path));
    const char *number = c->row_count > 1 ? lib_arena_printf(arena, ".%zu", row + 1) : "";
    return lib_arena_printf(arena, "%.*s%s.%s%s", stem, path, number, c->keys[side],
                            path + stem);
}

/* --- running ------------------------------------------------------------------------ */

struct running {
    struct sim_comparison *comparison;
    const struct sim_runs_watch *watch;
    size_t failed;
};

static void make(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_comparison *c = context;
    struct lib_arena *arena = lib_arena_new();
    struct sim_outcome_files files = c->files;
    const size_t row = run / c->side_count;
    const enum sim_side side = (enum sim_side)(run % c->side_count);
    files.record.path = sim_comparison_file(c, c->files.record.path, row, side, arena);
    files.trace = sim_comparison_file(c, c->files.trace, row, side, arena);
    sim_outcome_make(outcome, &c->experiment, &c->runs.list.items[run], &files);
    lib_arena_free(arena);
}

/* The outcome is the worker's: what it owns is taken by writing and reading it. */
static void take(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct running *r = context;
    struct lib_text bytes = {0};
    sim_outcome_write(outcome, &bytes);
    sim_outcome_read(&r->comparison->outcomes[run], bytes.bytes, bytes.length);
    lib_text_free(&bytes);
    r->comparison->done++;
    r->failed += outcome->crashed || outcome->end != ISA_END_COMPLETED;
}

static bool goes_on(void *context)
{
    const struct running *r = context;
    return r->watch->look(r->comparison->done, r->failed, r->comparison->runs.list.count,
                          r->watch->context);
}

bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags)
{
    struct running r = {.comparison = comparison, .watch = watch};
    const struct sim_work work = {make, comparison};
    const struct sim_work_taker taker = {take, goes_on, &r};
    return sim_workers_make_all(&work, comparison->runs.list.count, jobs, &taker, diags);
}

/* --- what there is of a row --------------------------------------------------------- */

bool sim_comparison_has(const struct sim_comparison *comparison, size_t row,
                        enum sim_side side)
{
    const struct sim_outcome *outcome = sim_comparison_outcome(comparison, row, side);
    return !outcome->crashed && outcome->end == ISA_END_COMPLETED;
}

static double cycles_of(const struct sim_comparison *c, size_t row, enum sim_side side)
{
    return sim_comparison_has(c, row, side)
               ? (double)sim_comparison_outcome(c, row, side)->stats.cycles
               : __builtin_nan("");
}

double sim_comparison_speedup(const struct sim_comparison *comparison, size_t row,
                              enum sim_side side)
{
    return analysis_percent(cycles_of(comparison, row, SIM_SIDE_STATIC),
                            cycles_of(comparison, row, side));
}

struct traces_cell sim_comparison_input(const struct sim_comparison *comparison,
                                        size_t row, size_t input, struct lib_arena *arena)
{
    struct sim_config config;
    sim_settle(&comparison->experiment,
               &comparison->runs.list.items[row * comparison->side_count], arena,
               &config);
    return sim_config_cell(&config, comparison->inputs[input], arena);
}
