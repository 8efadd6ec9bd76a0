#include "sim/compare/comparison.h"

#include <string.h>

#include "lib/file.h"
#include "lib/guard.h"
#include "machine/describe.h"
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

static void add_placement(struct sim_experiment *x, size_t axis)
{
    const struct lib_setting *setting = sim_setting_find("copy.placement");
    struct sim_param *param = add_param(x, SIM_PARAM_SETTING, setting->key, axis);
    param->setting = setting;
    static const uint64_t values[SIM_SIDE_MAX] = {
        MACHINE_COPY_PLACED, MACHINE_COPY_AT_CALLER, MACHINE_COPY_PLACED};
    for (size_t i = 0; i < SIM_SIDE_MAX; i++)
        *LIB_VEC_PUSH(&param->values.list) = (struct sim_value){.text = "",
                                                                .number = values[i]};
}

static void add_numbered(struct sim_experiment *x, enum sim_param_kind kind,
                         const char *name, size_t count)
{
    struct sim_param *param = add_param(x, kind, name, add_axis(x, count));
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&param->values.list) = (struct sim_value){.text = "", .number = i};
}

/* Each list of inputs is an axis; with `in_rows` all lists of several values share one. */
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
        memset(&list->values, 0, sizeof list->values); /* moved to the parameter */
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
        lib_diag_error(
            diags, LIB_DIAG_USAGE, NULL, nowhere,
            "--rows: expected one value of `%s`, or as many as `%s` has, %zu; found %zu",
            list->name, first->name, first->values.list.count, list->values.list.count);
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
    LIB_TEXT_OWN count = {0};
    lib_text_count(&count, rows);
    lib_diag_error(
        diags, LIB_DIAG_LIMIT, NULL, nowhere,
        "%s combinations of inputs are more than %d; see hiaton-sweep(1) for so many",
        count.bytes, MAX_ROWS);
    return false;
}

/* --- opening ------------------------------------------------------------------------ */

static bool has_no_strategy(const struct sim_program *program, struct lib_diags *diags)
{
    if (program->kind == SIM_IMAGE)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, program->file, nowhere,
            "this is an image, made by one strategy; to compare both, name its source");
    return program->kind != SIM_IMAGE;
}

static bool load_image(struct sim_experiment_program *program, enum sim_side side,
                       const struct sim_settings *settings, struct lib_diags *diags)
{
    return sim_files_load_image(program, side, &settings->compile,
                                machine_loop_bound(&settings->machine), diags);
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
    /* Reports errors of both at once. */
    bool configured = sim_setup_load(&machine->setup, x->arena, r->machine, r->sets,
                                     r->set_count, diags);
    bool loaded = sim_program_is_named(path, diags) &&
                  sim_program_open(&program->program, path, diags) &&
                  has_no_strategy(&program->program, diags) &&
                  load_image(program, SIM_SIDE_STATIC, &machine->setup.settings, diags) &&
                  load_image(program, SIM_SIDE_EXPANDING, &machine->setup.settings,
                             diags);
    if (loaded && configured) /* the runs warn about settings of the machine file */
        sim_settings_warn_needs(&machine->setup.settings, machine->setup.given,
                                machine->setup.given_count, true, diags);
    if (loaded && configured)
        sim_program_warn_of_effects(program->program.graph, &machine->setup.settings,
                                    diags);
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

/* Adds the fastest axis: static, then expanding with the machine's copy.placement or with each. */
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
        x->machines.items[0].setup.settings.machine.copy_placement = placement;
}

/* Inputs come first, so that the strategy varies fastest. */
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

/* --- the database ------------------------------------------------------------------- */

static void add_side(const struct sim_comparison *c, enum sim_side side,
                     struct lib_text *sql)
{
    const struct {
        const char *head, *path;
    } files[] = {{"recording", c->files.record.path}, {"events", c->files.trace}};
    const unsigned n = side;
    const char *key = c->keys[side];
    for (size_t i = 0; i < c->experiment.columns.list.count; i++) {
        const struct traces_column *column = &c->experiment.columns.list.items[i];
        if (column->stat || column->fact == SIM_FACT_STATUS ||
            column->fact == SIM_FACT_REASON || column->fact == SIM_FACT_RESULT)
            lib_text_printf(sql, ", r%u.%s AS \"%s.%s\"", n, column->name, key,
                            column->name);
    }
    for (size_t i = 0; i < 2; i++) {
        LIB_TEXT_OWN path = {0};
        if (!files[i].path)
            continue;
        sim_comparison_file(c, files[i].path, side, "\n", &path);
        lib_text_puts(sql, ", replace(");
        traces_database_add_text(sql, path.bytes);
        lib_text_printf(sql, ", char(10), '.' || (p0.number / %zu + 1)) AS \"%s.%s\"",
                        c->side_count, key, files[i].head);
    }
}

/* Adds by how many percent static takes less time than another side. */
static void add_speedup(const struct sim_comparison *c, unsigned side,
                        struct lib_text *sql)
{
    const char *which = strchr(c->keys[side], '.');
    lib_text_printf(sql,
                    ", iif(r0.status = 'completed' AND r%u.status = 'completed', 100.0 * "
                    "(r%u.cycles - r0.cycles) / r%u.cycles, NULL) AS \"speedup%s\"",
                    side, side, side, which ? which : "");
}

/* Columns of SQLite have no -0.0 (traces/results/images.h). */
static void add_input(const struct traces_column *input, struct lib_text *sql)
{
    lib_text_printf(
        sql, "iif((SELECT count(*) FROM exact_inputs WHERE run = r0.id AND name = ");
    traces_database_add_text(sql, input->input);
    lib_text_puts(sql, "), -0.0, r0.");
    traces_database_add_name(sql, input->name);
    lib_text_puts(sql, ") AS ");
    traces_database_add_name(sql, input->name);
    lib_text_puts(sql, ", ");
}

/* The view `comparison` has a row for each row of inputs, with the columns of the JSON object:
 * "inputs.n", "result", "agree", "speedup", "static.cycles", "expanding.placed.cycles". */
static bool make_view(struct sim_comparison *c)
{
    LIB_TEXT_OWN sql = {0}, agree = {0}, from = {0};
    lib_text_puts(&sql, "CREATE TEMP VIEW comparison AS SELECT ");
    for (unsigned s = 0; s < c->side_count; s++) {
        lib_text_printf(
            &agree,
            "%sr%u.status = 'completed' AND r%u.result IS r0.result AND r%u.calls = "
            "r0.calls AND r%u.loop_iterations = r0.loop_iterations",
            s ? " AND " : "", s, s, s, s);
        lib_text_puts(&from, s ? " JOIN points" : " FROM points");
        if (s)
            lib_text_printf(&from, " p%u ON p%u.number = p0.number + %u", s, s, s);
        lib_text_printf(&from, "%s JOIN runs r%u ON r%u.identity = p%u.identity",
                        s ? "" : " p0", s, s, s);
    }
    for (size_t i = 0; i < c->input_count; i++)
        add_input(c->inputs[i], &sql);
    lib_text_printf(&sql, "iif(%s, r0.result, NULL) AS result, %s AS agree", agree.bytes,
                    agree.bytes);
    for (unsigned s = SIM_SIDE_EXPANDING; s < c->side_count; s++)
        add_speedup(c, s, &sql);
    for (enum sim_side s = 0; s < c->side_count; s++)
        add_side(c, s, &sql);
    lib_text_printf(&sql, "%s WHERE (p0.number - 1) %% %zu = 0 ORDER BY p0.number",
                    from.bytes, c->side_count);
    return traces_database_do(&c->store, sql.bytes);
}

static bool open_store(struct sim_comparison *c, struct lib_diags *diags)
{
    static const struct lib_source nothing = {.bytes = ""};
    struct sim_experiment *x = &c->experiment;
    x->name = "compare";
    x->title = x->description = x->overridden = "";
    x->source = &nothing;
    x->machines.items[0].name = x->machines.items[0].setup.machine;
    return traces_database_open(&c->store, ":memory:", TRACES_DATABASE_WRITE, diags) &&
           sim_result_layout_begin(&c->store, x, &c->runs, (struct sim_shard){0}) &&
           sim_result_writer_begin(&c->keep, &c->store, x) && make_view(c);
}

bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags)
{
    *comparison = (struct sim_comparison){.seed = request->seed, .files = request->files};
    struct sim_experiment *x = &comparison->experiment;
    struct sim_lists lists = {0};
    x->arena = lib_arena_new();
    sim_givens_begin(x);
    bool good = load(x, request, diags) &&
                sim_lists_read(&lists, x->arena, x->programs.items[0].program.graph,
                               request->inputs, request->input_count, diags) &&
                add_params(comparison, &lists, request, diags) &&
                sim_files_check_columns(x, diags) &&
                sim_expand(x, &comparison->runs, diags) &&
                sim_runs_fit(x, &comparison->runs, NULL, diags);
    sim_lists_free(&lists);
    if (good)
        comparison->row_count = comparison->runs.list.count / comparison->side_count;
    return good && open_store(comparison, diags);
}

void sim_comparison_close(struct sim_comparison *comparison)
{
    sim_result_writer_end(&comparison->keep);
    traces_database_close(&comparison->store);
    lib_text_free(&comparison->lost);
    sim_runs_free(&comparison->runs);
    sim_experiment_free(&comparison->experiment);
}

/* --- running ------------------------------------------------------------------------ */

void sim_comparison_file(const struct sim_comparison *c, const char *path,
                         enum sim_side side, const char *row, struct lib_text *out)
{
    const char *name = lib_file_name(path), *point = strrchr(name, '.');
    const int stem = (int)(point && point > name ? (size_t)(point - path) : strlen(path));
    lib_text_printf(out, "%.*s%s.%s%s", stem, path, c->row_count > 1 ? row : "",
                    c->keys[side], path + stem);
}

bool sim_comparison_may_write(const struct sim_comparison *c, struct lib_diags *diags)
{
    const struct {
        const char *option, *path;
    } files[] = {{"--record", c->files.record.path}, {"--trace", c->files.trace}};
    bool good = true;
    for (size_t run = 0; run < c->row_count * c->side_count && good; run++)
        for (size_t i = 0; i < 2 && good; i++) {
            LIB_TEXT_OWN row = {0}, path = {0};
            if (!files[i].path)
                continue;
            lib_text_printf(&row, ".%zu", run / c->side_count + 1);
            sim_comparison_file(c, files[i].path, (enum sim_side)(run % c->side_count),
                                row.bytes, &path);
            good = lib_guard_may_write(files[i].option, path.bytes, diags);
        }
    return good;
}

static void make(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_comparison *c = context;
    const enum sim_side side = (enum sim_side)(run % c->side_count);
    struct sim_outcome_files files = c->files;
    struct lib_text row = {0}, recording = {0}, events = {0};
    lib_text_printf(&row, ".%zu", run / c->side_count + 1);
    if (files.record.path)
        sim_comparison_file(c, files.record.path, side, row.bytes, &recording);
    if (files.trace)
        sim_comparison_file(c, files.trace, side, row.bytes, &events);
    files.record.path = recording.bytes;
    files.trace = events.bytes;
    sim_outcome_make(outcome, &c->experiment, &c->runs.list.items[run], &files);
    LIB_TEXT_FREE(&row, &recording, &events);
}

bool sim_comparison_take(struct sim_comparison *c, size_t run,
                         const struct sim_outcome *outcome)
{
    c->done++;
    c->failed += outcome->crashed || outcome->end != ISA_END_COMPLETED;
    if (outcome->lost.length)
        lib_text_printf(&c->lost, "%s\n", outcome->lost.bytes);
    c->lost_by_host |= outcome->lost_by_host;
    return sim_result_writer_add(&c->keep, &c->runs.list.items[run], outcome);
}

struct running {
    struct sim_comparison *comparison;
    const struct sim_runs_watch *watch;
    bool broken; /* whether the database failed */
};

static void take(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct running *r = context;
    r->broken = r->broken || !sim_comparison_take(r->comparison, run, outcome);
}

static bool goes_on(void *context)
{
    const struct running *r = context;
    const struct sim_comparison *c = r->comparison;
    return !r->broken &&
           r->watch->look(c->done, c->failed, c->runs.list.count, r->watch->context);
}

bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags)
{
    struct running r = {.comparison = comparison, .watch = watch};
    const struct sim_work work = {make, comparison};
    const struct sim_work_taker taker = {take, goes_on, &r};
    return sim_workers_make_all(&work, comparison->runs.list.count, jobs, &taker,
                                diags) &&
           !r.broken;
}
