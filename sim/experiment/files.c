#include "sim/experiment/files.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sim/experiment/columns.h"
#include "sim/experiment/expand.h"
#include "sim/experiment/override.h"
#include "sim/experiment/params.h"
#include "sim/experiment/suite.h"
#include "sim/loading/energy.h"
#include "sim/loading/fit.h"

enum {
    MAX_COLUMNS = 1900, /* SQLite: 2000 in a table */
    AT_ONCE = 1000,     /* values to parse before their memory is freed */
};

/* Moves diagnostics to r->diags. Those without a file get position, prefix and advice. `pos`
 * without a line is the command line. */
static void adopt(struct lib_fields *r, struct lib_diags *from, const char *prefix,
                  const char *advice, struct lib_pos pos)
{
    if (pos.line) {
        lib_diags_adopt(r->diags, from, r->source, pos, prefix, advice);
        return;
    }
    lib_diags_adopt(r->diags, from, NULL, pos,
                    lib_arena_printf(r->arena, "--input: %s", prefix), "");
}

static const char *path_of(const struct sim_experiment *x, const char *name)
{
    return *name == '/' ? name : lib_arena_printf(x->arena, "%s%s", x->folder, name);
}

/* --- images ------------------------------------------------------------------------- */

/* The key of an image. Only sources depend on settings. */
static struct sim_image key_of(const struct sim_experiment_program *p, size_t strategy,
                               const struct programs_settings *settings)
{
    const enum isa_stage stage = strategy < sim_strategy_count
                                     ? isa_strategy_find(sim_strategy_names[strategy])
                                     : ISA_STAGE_COUNT;
    const bool is_source = p->program.kind == SIM_SOURCE;
    return (struct sim_image){
        .stage = stage,
        .settings = programs_settings_of(is_source ? settings : NULL, stage)};
}

const struct sim_image *sim_files_find_image(const struct sim_experiment_program *p,
                                             size_t strategy,
                                             const struct programs_settings *settings)
{
    const struct sim_image key = key_of(p, strategy, settings);
    for (size_t i = 0; i < p->images.count; i++) {
        const struct sim_image *image = p->images.items[i];
        if (image->stage == key.stage &&
            memcmp(&image->settings, &key.settings, sizeof key.settings) == 0)
            return image;
    }
    return NULL;
}

/* Adds an image, whose graph is freed if another has an equal one. */
static const struct sim_image *add_image(struct sim_experiment_program *p,
                                         struct sim_image key, struct isa_graph *graph)
{
    key.graph = graph;
    key.digest = isa_image_digest(graph);
    for (size_t i = 0; i < p->images.count; i++) {
        const struct sim_image *other = p->images.items[i];
        if (key.graph == graph &&
            memcmp(&other->digest, &key.digest, sizeof key.digest) == 0)
            key.graph = other->graph;
    }
    if (key.graph != graph)
        isa_graph_free(graph);
    if (!p->program.graph)
        p->program.graph = key.graph;
    struct sim_image *image = lib_mem_new(sizeof *image);
    *image = key;
    *LIB_VEC_PUSH(&p->images) = image;
    return image;
}

const struct sim_image *sim_files_load_image(struct sim_experiment_program *p,
                                             size_t strategy,
                                             const struct programs_settings *settings,
                                             uint64_t loop_bound, struct lib_diags *diags)
{
    const struct sim_image *image = sim_files_find_image(p, strategy, settings);
    if (image)
        return image;
    const struct sim_image key = key_of(p, strategy, settings);
    struct sim_settings all;
    sim_settings_default(&all);
    all.compile = key.settings;
    all.machine.loop_bound = loop_bound;
    struct sim_program program = p->program;
    if (!sim_program_finish(&program, &all, key.stage, diags))
        return NULL;
    image = add_image(p, key, program.graph);
    return sim_program_runs_alone(image->graph, diags) ? image : NULL;
}

/* What an image depends on in a combination of values of parameters. */
struct compiled {
    const struct sim_experiment *experiment;
    struct sim_experiment_program *program;
    size_t strategy;
    struct sim_settings settings;
};

static void put_top(void *context, const struct sim_param *param,
                    const struct sim_value *value)
{
    struct compiled *c = context;
    if (param->kind == SIM_PARAM_PROGRAM)
        c->program = &c->experiment->programs.items[value->number];
    else if (param->kind == SIM_PARAM_STRATEGY)
        c->strategy = value->number;
    else if (param->kind == SIM_PARAM_MACHINE)
        c->settings = c->experiment->machines.items[value->number].setup.settings;
}

static void put_setting(void *context, const struct sim_param *param,
                        const struct sim_value *value)
{
    struct compiled *c = context;
    if (param->kind == SIM_PARAM_SETTING && sim_setting_is_of_compiler(param->setting))
        sim_params_put_setting(&c->settings, param->setting, value);
}

static bool decides_image(const struct sim_param *param)
{
    return param->kind == SIM_PARAM_PROGRAM || param->kind == SIM_PARAM_STRATEGY ||
           param->kind == SIM_PARAM_MACHINE ||
           (param->kind == SIM_PARAM_SETTING &&
            sim_setting_is_of_compiler(param->setting));
}

/* Returns the combination of values at position `i` on the axes that images depend on, and the
 * first on all others. */
static uint64_t combination_at(const struct sim_experiment *x, const bool *decides,
                               uint64_t i)
{
    uint64_t combination = 0, stride = 1;
    for (size_t a = x->axes.count; a-- > 0;) {
        const size_t length = x->axes.items[a].length;
        if (decides[a]) {
            combination += i % length * stride;
            i /= length;
        }
        stride *= length;
    }
    return combination;
}

/* (Experiments of more than SIM_MAX_RUNS combinations are refused later.) */
bool sim_files_load_images(struct sim_experiment *x, struct lib_fields *r)
{
    bool *decides = LIB_ARENA_ARRAY(x->arena, bool, x->axes.count + 1), good = true;
    double all = 1, count = 1;
    for (size_t i = 0; i < x->params.count; i++)
        decides[x->params.items[i].axis] |= decides_image(&x->params.items[i]);
    for (size_t a = 0; a < x->axes.count; a++) {
        all *= (double)x->axes.items[a].length;
        count *= decides[a] ? (double)x->axes.items[a].length : 1;
    }
    for (uint64_t i = 0; good && all <= SIM_MAX_RUNS && i < (uint64_t)count; i++) {
        const uint64_t combination = combination_at(x, decides, i);
        struct compiled c = {.experiment = x};
        struct lib_diags diags = {0};
        sim_combination_each(x, combination, put_top, &c);
        sim_combination_each(x, combination, put_setting, &c);
        good = sim_files_load_image(c.program, c.strategy, &c.settings.compile, 0,
                                    &diags);
        adopt(r, &diags, "", "", c.program->pos);
    }
    return good;
}

/* --- files -------------------------------------------------------------------------- */

static bool has_value(const struct sim_param *param, unsigned number)
{
    for (size_t v = 0; v < param->values.list.count; v++)
        if (param->values.list.items[v].number == number)
            return true;
    return false;
}

static const struct sim_param *find(const struct sim_experiment *x, const char *name)
{
    return sim_params_find(&x->params, 0, x->params.count, name);
}

/* Whether runs of program `p` use a strategy; its own parameter overrides that of all programs. */
static bool has_strategy(const struct sim_experiment *x, size_t p, unsigned strategy)
{
    const struct sim_param *program = find(x, "program"), *of_all = find(x, "strategy");
    for (size_t e = 0; e < x->entries.count; e++) {
        const struct sim_param *own = sim_suite_own(x, e, "strategy");
        if (program->values.list.items[e].number == p &&
            has_value(own ? own : of_all, strategy))
            return true;
    }
    return x->entries.count == 0 && has_value(of_all, strategy);
}

/* Whether train.trees has this file as a value. NULL has SIZE_MAX: the trees of the program. */
static bool is_of_trees(const struct sim_param *param, size_t trees)
{
    return param ? trees != SIZE_MAX && has_value(param, (unsigned)trees)
                 : trees == SIZE_MAX;
}

static bool has_trees(const struct sim_experiment *x, size_t p, size_t trees)
{
    const struct sim_param *program = find(x, "program"),
                           *of_all = find(x, "train.trees");
    for (size_t e = 0; e < x->entries.count; e++) {
        const struct sim_param *own = sim_suite_own(x, e, "train.trees");
        if (program->values.list.items[e].number == p &&
            is_of_trees(own ? own : of_all, trees))
            return true;
    }
    return x->entries.count == 0 && is_of_trees(of_all, trees);
}

/* Loads a training for each file of trees that runs of the program read. */
static bool load_trainings(struct sim_experiment *x, size_t program,
                           struct lib_diags *diags)
{
    struct sim_experiment_program *p = &x->programs.items[program];
    bool good = true;
    for (size_t i = 0; good && i <= x->trees.count; i++) {
        const bool is_own = i == x->trees.count;
        if (!has_trees(x, program, is_own ? SIZE_MAX : i))
            continue;
        struct sim_experiment_training *t = LIB_VEC_PUSH(&p->trainings);
        *t = (struct sim_experiment_training){.trees = is_own ? SIZE_MAX : i};
        good = sim_training_check(p->program.file, x->arena,
                                  is_own ? NULL : x->trees.items[i].path, &t->known,
                                  &p->training, &t->digest, diags);
    }
    return good;
}

static uint64_t bound_among(const sim_param_list *params)
{
    for (size_t i = 0; i < params->count; i++)
        for (size_t v = 0; strcmp(params->items[i].name, "loop.bound") == 0 &&
                           v < params->items[i].values.list.count;
             v++)
            if (params->items[i].values.list.items[v].number)
                return params->items[i].values.list.items[v].number;
    return 0;
}

/* Returns a value other than 0 that loop.bound has in runs, for warnings; or 0. */
static uint64_t find_bound(const struct sim_experiment *x,
                           const struct sim_overrides *overrides)
{
    const char *const key = "loop.bound=";
    const struct lib_setting *const setting = sim_setting_find("loop.bound");
    uint64_t bound = bound_among(&x->params);
    bound = bound ? bound : bound_among(&x->own);
    for (size_t i = 0; i < x->machines.count && !find(x, "loop.bound"); i++)
        bound = bound ? bound
                      : lib_setting_get(&x->machines.items[i].setup.settings, setting);
    for (size_t i = 0; overrides && i < overrides->set_count; i++)
        if (strncmp(overrides->sets[i], key, strlen(key)) == 0) {
            const char *at = overrides->sets[i] + strlen(key);
            at += strcspn(at, "123456789");
            bound = strtoull(at, NULL, 10);
        }
    return bound;
}

/* If no strategy is valid, which was reported, still loads the program to find further errors. So
 * each loaded program has a graph. */
static bool load_program(struct lib_fields *r, struct sim_experiment *x, size_t program,
                         uint64_t bound)
{
    struct sim_experiment_program *p = &x->programs.items[program];
    struct lib_diags diags = {0};
    bool good = sim_program_open(&p->program, path_of(x, p->path), &diags), any = false;
    for (unsigned s = 0; s < sim_strategy_count && good; s++) {
        bool named = has_strategy(x, program, s);
        good = !named || sim_files_load_image(p, s, NULL, bound, &diags);
        any |= named;
    }
    if (good && !any)
        good = sim_program_finish(&p->program, NULL, ISA_STAGE_COUNT, &diags) &&
               sim_program_runs_alone(p->program.graph, &diags);
    assert(!good || p->program.graph);
    if (good && x->trains)
        good = load_trainings(x, program, &diags);
    adopt(r, &diags, "", "", p->pos);
    return good;
}

/* Loads a preset, or a file beside the experiment. */
static void load_machine(struct lib_fields *r, struct sim_experiment *x,
                         struct sim_experiment_machine *m)
{
    struct lib_diags diags = {0};
    const char *path = path_of(x, m->name);
    bool is_file = strchr(m->name, '/') || access(path, F_OK) == 0;
    sim_setup_load_with(&m->setup, &x->files, is_file ? path : m->name, NULL, 0, &diags);
    adopt(r, &diags, "", "", m->pos);
}

/* Loads a built-in table, or a file beside the experiment. */
static void load_energy(struct lib_fields *r, const struct sim_experiment *x,
                        struct sim_experiment_energy *e)
{
    struct lib_diags diags = {0};
    e->table = sim_energy_load(x->arena, x->folder, e->name, &diags);
    adopt(r, &diags, "energy: ", "", e->pos);
}

static void check_window(struct lib_fields *r, const struct sim_experiment *x,
                         const struct sim_experiment_window *w)
{
    for (size_t p = 0; p < x->programs.count; p++) {
        LIB_TEXT_OWN why = {0};
        const char *path = x->programs.items[p].path;
        if (!sim_window_check(&w->window, x->programs.items[p].program.graph, &why))
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, w->pos, "window: %s%s%s",
                           x->programs.count > 1 ? path : "",
                           x->programs.count > 1 ? ": " : "", why.bytes);
    }
}

/* --- inputs ------------------------------------------------------------------------- */

/* Parses an input for program `p`. `advice` is added if the program has no such input. */
static bool read_input(struct lib_fields *r, const struct sim_experiment *x, size_t p,
                       struct lib_arena *arena, const char *name, const char *text,
                       struct lib_pos pos, const char *advice)
{
    const struct isa_graph *graph = x->programs.items[p].program.graph;
    struct lib_diags diags = {0};
    struct sim_inputs inputs;
    const char *argument = lib_arena_printf(arena, "%s=%s", name, text);
    const struct sim_inputs_from from = {.files = &x->givens->files, .folder = x->folder};
    bool good = sim_inputs_read(&inputs, arena, graph, &argument, 1, &from, &diags);
    uint32_t i = isa_graph_find_input(graph, name);
    const bool many = x->programs.count > 1;
    const char *own = "";
    if (good && graph->inputs[i].type == ISA_REAL &&
        isnan(isa_value_real(inputs.values[i]))) {
        lib_diag_error(&diags, LIB_DIAG_TYPE, NULL, pos,
                       "input `%s`: a NaN cannot be told from no value in results", name);
        good = false;
    }
    if (i == UINT32_MAX)
        own = advice;
    else if (graph->inputs[i].part_count && !strchr("[@", *text))
        own = "; a list has a value of each run: a value that is an array stands in "
              "quotes, "
              "\"[1, 2]\"";
    adopt(r, &diags,
          many ? lib_arena_printf(arena, "%s: ", x->programs.items[p].path) : "", own,
          pos);
    return good;
}

static void check_input(struct lib_fields *r, const struct sim_experiment *x, size_t p,
                        const struct sim_param *param, const char *advice)
{
    const struct isa_graph *graph = x->programs.items[p].program.graph;
    const char *name = param->name + strlen("inputs.");
    struct lib_arena *arena = lib_arena_new();
    bool good = isa_graph_find_input(graph, name) != UINT32_MAX;
    if (!good)
        read_input(r, x, p, arena, name, "0", param->pos, advice); /* reports the error */
    for (size_t v = 0; good && v < param->values.list.count; v++) {
        const struct sim_value *value = &param->values.list.items[v];
        good = read_input(r, x, p, arena, name, value->text, value->pos, advice);
        if (v % AT_ONCE == 0)
            lib_arena_clear(arena);
    }
    lib_arena_free(arena);
}

bool sim_files_check_columns(const struct sim_experiment *x, struct lib_diags *diags)
{
    const struct traces_column *c = x->columns.list.items;
    bool good = true;
    for (size_t i = 0; i < x->columns.list.count; i++)
        for (size_t k = i + 1; c[i].input && k < x->columns.list.count; k++)
            if (c[k].input && strcasecmp(c[i].name, c[k].name) == 0) {
                good = false;
                lib_diag_error(diags, LIB_DIAG_NAME, x->source, x->programs.items[0].pos,
                               "the inputs `%s` and `%s` differ only in case, which "
                               "columns of results cannot",
                               c[i].input, c[k].input);
            }
    if (x->columns.list.count <= MAX_COLUMNS)
        return good;
    lib_diag_error(diags, LIB_DIAG_LIMIT, x->source, x->programs.items[0].pos,
                   "the programs have more inputs than results can hold: %zu columns "
                   "are more than %d",
                   x->columns.list.count, MAX_COLUMNS);
    return false;
}

/* Returns "fib|sum", the choices of a condition on `program`, or NULL if a name contains `|`. */
static const char *list_programs(const struct sim_experiment *x)
{
    LIB_TEXT_OWN text = {0};
    bool good = true;
    for (size_t i = 0; i < x->programs.count; i++) {
        lib_text_printf(&text, "%s%s", i ? "|" : "", x->programs.items[i].name);
        good &= strchr(x->programs.items[i].name, '|') == NULL;
    }
    return good ? lib_arena_keep(x->arena, &text) : NULL;
}

static void add_classes_of(struct sim_experiment *x, const sim_param_list *params)
{
    for (size_t i = 0; i < params->count; i++)
        if (params->items[i].kind == SIM_PARAM_SETTING &&
            machine_class_is_key(params->items[i].setting->key))
            sim_columns_add_class(&x->columns, params->items[i].setting);
}

/* Adds columns for the settings of classes of PEs, of parameters and of machines. */
static void add_classes(struct sim_experiment *x)
{
    struct machine_class_row made;
    add_classes_of(x, &x->params);
    add_classes_of(x, &x->own);
    for (size_t m = 0; m < x->machines.count; m++)
        for (size_t i = 0;
             machine_class_row_at(&x->machines.items[m].setup.settings.machine, i, &made);
             i++)
            sim_columns_add_class(&x->columns,
                                  sim_setting_find_in(x->arena, made.key, NULL));
}

static void make_columns(struct sim_experiment *x)
{
    const struct isa_graph **graphs = LIB_ARENA_ARRAY(x->arena, const struct isa_graph *,
                                                      x->programs.count + 1);
    for (size_t i = 0; i < x->programs.count; i++)
        graphs[i] = x->programs.items[i].program.graph;
    sim_columns_make(&x->columns, x->arena, graphs, x->programs.count, &x->measures,
                     x->trains);
    add_classes(x);
    for (size_t i = 0; i < x->columns.list.count; i++)
        if (x->columns.list.items[i].fact == SIM_FACT_PROGRAM)
            x->columns.list.items[i].choices = list_programs(x);
}

bool sim_files_load(struct sim_experiment *experiment,
                    const struct sim_overrides *overrides, struct lib_fields *r)
{
    bool loaded = true;
    for (size_t i = 0; i < experiment->machines.count; i++)
        load_machine(r, experiment, &experiment->machines.items[i]);
    const uint64_t bound = find_bound(experiment, overrides);
    for (size_t i = 0; i < experiment->programs.count; i++)
        loaded &= load_program(r, experiment, i, bound);
    for (size_t i = 0; i < experiment->energies.count; i++)
        load_energy(r, experiment, &experiment->energies.items[i]);
    if (!loaded)
        return false;
    for (size_t i = 0; i < experiment->windows.count; i++)
        check_window(r, experiment, &experiment->windows.items[i]);
    make_columns(experiment);
    sim_files_check_columns(experiment, r->diags);
    return true;
}

void sim_files_check_inputs(const struct sim_experiment *experiment, struct lib_fields *r)
{
    const struct sim_experiment *x = experiment;
    const char *advice = x->programs.count > 1
                             ? "; a program's own inputs stand with it: {file: ..., "
                               "inputs: ...}"
                             : "";
    for (size_t i = 0; i < x->params.count; i++)
        for (size_t p = 0; p < x->programs.count; p++)
            if (x->params.items[i].kind == SIM_PARAM_INPUT)
                check_input(r, x, p, &x->params.items[i], advice);
    for (size_t e = 0; e < x->entries.count; e++) {
        const struct sim_entry *entry = &x->entries.items[e];
        const size_t p = find(x, "program")->values.list.items[e].number;
        for (size_t i = entry->own; i < entry->own + entry->own_count; i++)
            if (x->own.items[i].kind == SIM_PARAM_INPUT)
                check_input(r, x, p, &x->own.items[i], "");
    }
}
