#include "sim/experiment/experiment.h"

#include <math.h>
#include <string.h>

#include "lib/file.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/files.h"
#include "sim/experiment/override.h"
#include "sim/experiment/params.h"
#include "sim/experiment/suite.h"
#include "sim/loading/file_kind.h"

enum { MAX_REPETITIONS = 1000000 };

/* What is read in the order of the file, but for what can be understood only when all
 * parameters are known: that is kept here, by place. */
struct file {
    struct sim_experiment *experiment;
    size_t where, labels, tables, figures; /* entries; SIZE_MAX: not given */
};

/* --- sections ----------------------------------------------------------------------- */

/* Runs are trainings: a key at `pos` says so. */
static void set_train(struct sim_experiment *x, struct lib_pos pos)
{
    if (!x->trains)
        x->train = pos;
    x->trains = true;
}

static void read_title(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_text(r, i, &((struct file *)into)->experiment->title);
}

static void read_description(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_text(r, i, &((struct file *)into)->experiment->description);
}

static void read_top(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, SIM_PARAMS_TOP, ((struct file *)into)->experiment);
}

static void read_settings(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, SIM_PARAMS_SETTINGS, ((struct file *)into)->experiment);
}

static void read_inputs(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, SIM_PARAMS_INPUTS, ((struct file *)into)->experiment);
}

static void read_train(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, SIM_PARAMS_TRAIN, ((struct file *)into)->experiment);
    set_train(((struct file *)into)->experiment, lib_fields_entry(r, i)->key_pos);
}

static void read_grid(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, SIM_PARAMS_GRID, ((struct file *)into)->experiment);
}

static void read_zip(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read_zip(r, i, ((struct file *)into)->experiment);
}

static void read_where(struct lib_fields *r, size_t i, void *into)
{
    (void)r;
    ((struct file *)into)->where = i;
}

static void read_labels(struct lib_fields *r, size_t i, void *into)
{
    (void)r;
    ((struct file *)into)->labels = i;
}

static void read_tables(struct lib_fields *r, size_t i, void *into)
{
    (void)r;
    ((struct file *)into)->tables = i;
}

static void read_figures(struct lib_fields *r, size_t i, void *into)
{
    (void)r;
    ((struct file *)into)->figures = i;
}

static void read_sites(struct lib_fields *r, size_t i, void *into)
{
    sim_sites_read(r, i, &((struct file *)into)->experiment->sites);
}

static void read_detail(struct lib_fields *r, size_t i, void *into)
{
    struct sim_experiment *x = ((struct file *)into)->experiment;
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        if (strcmp(lib_fields_entry(r, i)->key, traces_detail_names[d]) == 0)
            lib_fields_bool(r, i, &x->keeps[d]);
    if (strcmp(lib_fields_entry(r, i)->key, traces_detail_names[TRACES_DETAIL_EPOCHS]) ==
        0)
        x->epochs = lib_fields_entry(r, i)->key_pos;
}

static void read_measure(struct lib_fields *r, size_t i, void *into)
{
    struct sim_experiment *x = ((struct file *)into)->experiment;
    x->measure = lib_fields_entry(r, i)->key_pos;
    sim_measures_read(r, i, &x->measures);
}

/* --- limits ------------------------------------------------------------------------- */

static void read_limit(struct lib_fields *r, size_t i, struct sim_experiment *x)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (strcmp(e->key, "limits.wall") != 0) {
        sim_params_read(r, i, SIM_PARAMS_LIMITS, x);
        return;
    }
    if (e->kind != LIB_YAML_SCALAR || !lib_text_to_real(e->value, &x->wall_limit) ||
        !isfinite(x->wall_limit) || x->wall_limit <= 0)
        lib_fields_expected(r, i, "a number of seconds, more than 0");
}

static void read_limits(struct lib_fields *r, size_t i, void *into)
{
    struct sim_experiment *x = ((struct file *)into)->experiment;
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (strcmp(e->key, "limits") != 0)
        read_limit(r, i, x);
    else if (e->kind != LIB_YAML_MAPPING)
        lib_fields_expected(r, i, "a mapping of limits");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_limit(r, c, x);
}

/* --- repetitions -------------------------------------------------------------------- */

static void read_times(struct lib_fields *r, size_t i, void *into)
{
    uint64_t times;
    if (lib_fields_whole(r, i, 1, MAX_REPETITIONS, &times))
        ((struct file *)into)->experiment->repetitions = (uint32_t)times;
}

static void read_seeds(struct lib_fields *r, size_t i, void *into)
{
    static const char *const names[] = {"per-run", "per-repetition"};
    unsigned place;
    if (lib_fields_choice(r, i, names, 2, &place))
        ((struct file *)into)->experiment->seeds = (enum sim_seeds)place;
}

static const struct lib_field repeat_fields[] = {
    {.name = "times",
     .read = read_times,
     .value = "N",
     .help = "How often; 1 to 1000000"},
    {.name = "seed",
     .read = read_seeds,
     .value = "per-run|per-repetition",
     .help = "Whether every run has a seed of its own, or all runs of one repetition "
             "have the same; by default per-run"},
};

static const struct lib_field_table repeat_keys = {
    repeat_fields, sizeof repeat_fields / sizeof *repeat_fields};

static void read_repeat(struct lib_fields *r, size_t i, void *into)
{
    size_t errors = r->diags->errors;
    ((struct file *)into)->experiment->repeat = lib_fields_entry(r, i)->key_pos;
    if (lib_fields_entry(r, i)->kind != LIB_YAML_MAPPING) {
        read_times(r, i, into);
        return;
    }
    lib_fields_mapping(r, i, "repeat", repeat_fields, repeat_keys.count, into);
    if (!((struct file *)into)->experiment->repetitions && r->diags->errors == errors)
        lib_fields_wrong(r, i, "repeat: `times` is missing: how often to repeat");
}

/* --- what needs the columns --------------------------------------------------------- */

/* Labels that are known before a run is made. */
static bool may_be_asked(const struct traces_column *c)
{
    return c->fact == SIM_FACT_PROGRAM || c->fact == SIM_FACT_STRATEGY ||
           c->fact == SIM_FACT_MACHINE || c->fact == SIM_FACT_SEED ||
           c->fact == SIM_FACT_WINDOW || c->fact == SIM_FACT_ENERGY_TABLE;
}

static void add_condition(struct lib_fields *r, size_t i, void *into)
{
    struct sim_experiment *x = into;
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const struct analysis_names names = {
        .columns = &x->columns,
        .kinds = 1 << TRACES_COLUMN_LABEL | 1 << TRACES_COLUMN_SETTING |
                 1 << TRACES_COLUMN_INPUT,
        .may = may_be_asked,
    };
    struct analysis_condition *condition = analysis_condition_read(
        x->arena, &names, e->value, r->source, e->value_pos, r->diags);
    if (condition)
        *LIB_VEC_PUSH(&x->conditions) = condition;
}

/* A figure of what is not kept would have nothing to show. One with mistakes has no place of the
 * detail on its x axis. */
static void check_details(struct lib_fields *r, const struct sim_experiment *x)
{
    for (size_t i = 0; i < x->outputs.figures.count; i++) {
        const struct analysis_figure *figure = &x->outputs.figures.items[i];
        const struct analysis_view_spec *o = &figure->common;
        const struct traces_column *place = traces_detail_columns(o->detail)->list.items;
        if (o->is_detailed && figure->x.count && figure->x.items[0] == place &&
            !x->keeps[o->detail] && o->name)
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, o->pos,
                           "the figure `%s` shows `%s`, which the experiment does not "
                           "keep: say `%s: true` beside `figures`",
                           o->name, traces_detail_names[o->detail],
                           traces_detail_names[o->detail]);
    }
}

/* Profiles are of whole runs. */
static void check_windows(struct lib_fields *r, const struct sim_experiment *x)
{
    if (x->windows.count && x->keeps[TRACES_DETAIL_PROFILE])
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, x->windows.items[0].pos,
                       "window: a profile is of a whole run, not of a part: leave out "
                       "`profile: true`");
    if (x->windows.count && sim_measures_are_any(&x->measures))
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, x->measure,
                       "measure: an analysis is of a whole run, not of a part: leave out "
                       "`window`");
}

/* A training has no machine, so nothing is measured of one. */
static void check_training(struct lib_fields *r, const struct sim_experiment *x)
{
    const char *key = NULL;
    if (x->keeps[TRACES_DETAIL_EPOCHS] && !x->trains)
        lib_diag_error(
            r->diags, LIB_DIAG_NAME, r->source, x->epochs,
            "epochs: only trainings have epochs: say `train`, or leave it out");
    if (!x->trains)
        return;
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        key = x->keeps[d] && d != TRACES_DETAIL_EPOCHS ? traces_detail_names[d] : key;
    key = sim_measures_are_any(&x->measures) ? "measure"
          : x->windows.count                 ? "window"
          : x->energies.count                ? "energy"
                                             : key;
    if (key)
        lib_diag_error(
            r->diags, LIB_DIAG_NAME, r->source, x->train,
            "train: a training runs on no machine of which `%s` could be; leave "
            "out one of the two",
            key);
    for (size_t i = 0; i < x->params.count + x->own.count; i++) {
        const struct sim_param *param = i < x->params.count
                                            ? &x->params.items[i]
                                            : &x->own.items[i - x->params.count];
        for (size_t v = 0; v < param->values.list.count; v++)
            if (param->kind == SIM_PARAM_STRATEGY && param->values.list.items[v].number)
                lib_diag_error(r->diags, LIB_DIAG_NAME, r->source,
                               param->values.list.items[v].pos,
                               "train: expected the strategy static, found %s",
                               param->values.list.items[v].text);
    }
}

static void read_kept(struct lib_fields *r, const struct file *file)
{
    struct sim_experiment *x = file->experiment;
    x->outputs.columns = &x->columns;
    if (file->where != SIZE_MAX) {
        x->where = lib_fields_entry(r, file->where)->key_pos;
        lib_fields_each(r, file->where, "a condition, or a list of them", add_condition,
                        x);
    }
    if (file->labels != SIZE_MAX)
        analysis_view_specs_read_labels(r, file->labels, &x->outputs);
    if (file->tables != SIZE_MAX)
        analysis_view_specs_read_tables(r, file->tables, &x->outputs);
    if (file->figures != SIZE_MAX)
        analysis_view_specs_read_figures(r, file->figures, &x->outputs);
    check_details(r, x);
    check_windows(r, x);
    check_training(r, x);
}

/* --- the whole ---------------------------------------------------------------------- */

static const struct lib_field sections[] = {
    {.name = "title",
     .read = read_title,
     .value = "TEXT",
     .help = "What the experiment is about"},
    {.name = "description",
     .read = read_description,
     .value = "TEXT",
     .help = "More about it"},
    {.name = "program",
     .read = read_top,
     .value = "VALUES, also mappings",
     .help = "Sources, assembly texts or images. It must be there. A mapping gives one "
             "program inputs and settings of its own",
     .item = "[]",
     .inside = &sim_suite_keys},
    {.name = "strategy",
     .read = read_top,
     .value = "VALUES",
     .help =
         "How functions become what is executed: static or expanding; by default static"},
    {.name = "machine",
     .read = read_top,
     .value = "VALUES",
     .help = "Presets, or YAML files of settings; by default the preset default"},
    {.name = "settings",
     .read = read_settings,
     .is_open = true,
     .value = "{SETTING: VALUES, ...}",
     .help = "Settings of the machine, as hiaton-settings(7) lists them"},
    {.name = "inputs",
     .read = read_inputs,
     .is_open = true,
     .value = "{INPUT: VALUES, ...}",
     .help = "Inputs of the program, in place of its own values"},
    {.name = "train",
     .read = read_train,
     .is_open = true,
     .value = "{OPTION: VALUES, ...}",
     .help = "Runs are trainings, with options of hiaton-train(1): rate, batch, epochs "
             "and so on. Results have "
             "their last losses, trained.loss, trained.held_loss and so on"},
    {.name = "seed",
     .read = read_top,
     .value = "VALUES",
     .help = "Seed of all random choices, 0 to 9223372036854775807; by default 0"},
    {.name = "window",
     .read = read_top,
     .value = "VALUES",
     .help =
         "The part of each run that is measured: FROM..TO in cycles, or the first call "
         "of a function; by default all of it"},
    {.name = "energy",
     .read = read_top,
     .value = "VALUES",
     .help = "Tables of energies, by name or file; by default that of the machine, or "
             "none. In results and conditions: energy_table"},
    {.name = "grid",
     .read = read_grid,
     .is_open = true,
     .value = "{PARAMETER: VALUES, ...}",
     .help = "Every combination of the values: program, machine, pe.count, inputs.n and "
             "so on. What comes first varies slowest"},
    {.name = "zip",
     .read = read_zip,
     .value = "{PARAMETER: VALUES, ...}, or a list of such",
     .help =
         "The same, but the values are taken in step, and each parameter has as many"},
    {.name = "where",
     .read = read_where,
     .value = "CONDITION, or a list of such",
     .help = "Which combinations are run: those for which all conditions hold"},
    {.name = "repeat",
     .read = read_repeat,
     .value = "N or a mapping",
     .help = "How often each combination is run, with seeds of their own",
     .inside = &repeat_keys},
    {.name = "limits",
     .read = read_limits,
     .is_open = true,
     .value = "{LIMIT: VALUES, wall: SECONDS}",
     .help =
         "Settings that begin with limits; and wall, after which the host stops a run"},
    {.name = "series",
     .read = read_detail,
     .value = "true|false",
     .help = "Whether the series of each run are kept; by default false"},
    {.name = "profile",
     .read = read_detail,
     .value = "true|false",
     .help = "Whether the parallelism profile of each run is kept; by default false"},
    {.name = "pe",
     .read = read_detail,
     .value = "true|false",
     .help = "Whether the statistics of each PE of each run are kept; by default false"},
    {.name = "links",
     .read = read_detail,
     .value = "true|false",
     .help = "Whether what went through each link of the network is kept of each run; by "
             "default false"},
    {.name = "epochs",
     .read = read_detail,
     .value = "true|false",
     .help = "Whether losses, accuracy and rate of each epoch are kept of each run, "
             "which is a "
             "training; by default false"},
    {.name = "measure",
     .read = read_measure,
     .value = "ANALYSIS, or a list of such",
     .help = "Analyses of hiaton-analyse(1): the numbers that they find in each run are "
             "columns of results, ANALYSIS.NUMBER; of `causes` the cycles of each cause"},
    {.name = "labels",
     .read = read_labels,
     .value = "{COLUMN: TEXT or a mapping, ...}",
     .help = "What columns and values are called in tables and figures",
     .item = ".COLUMN",
     .inside = &analysis_label_keys},
    {.name = "tables",
     .read = read_tables,
     .value = "a list of mappings",
     .help = "Tables to be made of the results",
     .item = "[]",
     .inside = &analysis_table_keys},
    {.name = "figures",
     .read = read_figures,
     .value = "a list of mappings",
     .help = "Figures to be made of the results",
     .item = "[]",
     .inside = &analysis_figure_keys},
    {.name = "sites",
     .read = read_sites,
     .value = "{NAME: a mapping, ...}",
     .help = "Clusters, for hiaton sweep emit",
     .item = ".NAME",
     .inside = &sim_site_keys},
};

const struct lib_field_table sim_experiment_keys = {sections,
                                                    sizeof sections / sizeof *sections};

/* Options of training may also be in a grid or zip. */
static void find_train(struct sim_experiment *x, const sim_param_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SIM_PARAM_TRAIN)
            set_train(x, list->items[i].pos);
}

static void read_file(struct lib_fields *r, struct sim_experiment *x,
                      const struct sim_overrides *overrides)
{
    struct file file = {x, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    lib_fields_mapping(r, LIB_WHOLE, "an experiment", sections, sim_experiment_keys.count,
                       &file);
    bool has_program = false;
    for (size_t i = 0; i < x->params.count; i++)
        has_program |= x->params.items[i].kind == SIM_PARAM_PROGRAM;
    if (!has_program)
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, (struct lib_pos){1, 1, 1},
                       "there is no `program`: what shall be run");
    find_train(x, &x->params);
    find_train(x, &x->own);
    sim_params_complete(x);
    sim_suite_name(x, r);
    bool loaded = sim_files_load(x, r);
    if (overrides && r->diags->errors == 0)
        sim_overrides_apply(overrides, x, r->diags);
    sim_suite_lay_out(x, r);
    if (loaded) {
        sim_files_check_inputs(x, r);
        read_kept(r, &file);
    }
}

/* "dir/speedup.yaml": the folder "dir/", the name "speedup". */
static void set_name(struct sim_experiment *x)
{
    const char *path = x->source->name, *slash = strrchr(path, '/');
    x->folder = lib_arena_copy(x->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    x->name = lib_file_stem(x->arena, path, 0);
}

bool sim_experiment_read(struct sim_experiment *experiment,
                         const struct lib_source *source,
                         const struct sim_overrides *overrides, struct lib_diags *diags)
{
    *experiment = (struct sim_experiment){.arena = lib_arena_new(),
                                          .source = source,
                                          .title = "",
                                          .description = "",
                                          .overridden = ""};
    experiment->files.arena = experiment->arena;
    size_t errors = diags->errors;
    set_name(experiment);
    struct lib_yaml yaml = {0};
    struct lib_fields r = {
        .arena = experiment->arena, .source = source, .yaml = &yaml, .diags = diags};
    if (sim_file_check(source, "an experiment", SIM_FILE_EXPERIMENT, diags) &&
        lib_yaml_read(&yaml, experiment->arena, source, diags))
        read_file(&r, experiment, overrides);
    lib_yaml_free(&yaml);
    return diags->errors == errors;
}

static void free_program(struct sim_experiment_program *p)
{
    for (unsigned s = 0; s < SIM_STRATEGIES; s++)
        for (unsigned i = 0; i < SIM_FORMS; i++) {
            struct isa_graph *graph = p->images[s][i].graph;
            bool same = false;
            for (unsigned before = 0; before < i; before++)
                same |= graph == p->images[s][before].graph;
            if (!same && graph != p->program.graph)
                isa_graph_free(graph);
        }
    for (size_t i = 0; i < p->trainings.count; i++)
        LIB_VEC_FREE(&p->trainings.items[i].known.list);
    LIB_VEC_FREE(&p->trainings);
    sim_program_free(&p->program); /* and the first image */
}

static void free_params(sim_param_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        LIB_VEC_FREE(&list->items[i].values.list);
    LIB_VEC_FREE(list);
}

void sim_experiment_free(struct sim_experiment *experiment)
{
    free_params(&experiment->params);
    free_params(&experiment->own);
    for (size_t i = 0; i < experiment->programs.count; i++)
        free_program(&experiment->programs.items[i]);
    LIB_VEC_FREE(&experiment->axes);
    LIB_VEC_FREE(&experiment->entries);
    LIB_VEC_FREE(&experiment->programs);
    LIB_VEC_FREE(&experiment->machines);
    LIB_VEC_FREE(&experiment->windows);
    LIB_VEC_FREE(&experiment->energies);
    LIB_VEC_FREE(&experiment->trees);
    sim_setting_files_free(&experiment->files);
    LIB_VEC_FREE(&experiment->conditions);
    traces_columns_free(&experiment->columns);
    analysis_view_specs_free(&experiment->outputs);
    sim_sites_free(&experiment->sites);
    lib_arena_free(experiment->arena);
}
