#include "sim/experiment/experiment.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "lib/file.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/expand.h"
#include "sim/experiment/files.h"
#include "sim/experiment/override.h"
#include "sim/experiment/params.h"
#include "sim/experiment/suite.h"
#include "sim/loading/file_kind.h"

enum { MAX_REPETITIONS = 1000000 };

/* State of the reader. Entries that need all parameters are read after all others. */
struct file {
    size_t where, labels, tables, figures; /* entries of the file; SIZE_MAX: not given */
    struct sim_experiment *experiment;
};

#define OF_EXPERIMENT(member)                                                            \
    .via = offsetof(struct file, experiment),                                            \
    .at = offsetof(struct sim_experiment, member)

/* --- sections ----------------------------------------------------------------------- */

/* The key at `pos` makes all runs trainings. */
static void set_train(struct sim_experiment *x, struct lib_pos pos)
{
    if (!x->trains)
        x->train = pos;
    x->trains = true;
}

/* Reads parameters; their section is the member `least` of the field. */
static void read_params(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read(r, i, (enum sim_params_place)r->field->least,
                    ((struct file *)into)->experiment);
}

static void read_train(struct lib_fields *r, size_t i, void *into)
{
    read_params(r, i, into);
    set_train(((struct file *)into)->experiment, lib_fields_entry(r, i)->key_pos);
}

static void read_zip(struct lib_fields *r, size_t i, void *into)
{
    sim_params_read_zip(r, i, ((struct file *)into)->experiment);
}

static void read_sites(struct lib_fields *r, size_t i, void *into)
{
    (void)into;
    sim_sites_read(r, i, r->place);
}

static void read_detail(struct lib_fields *r, size_t i, void *into)
{
    struct sim_experiment *x = ((struct file *)into)->experiment;
    lib_fields_bool(r, i, &x->keeps[r->field->least]);
    if (r->field->least == TRACES_DETAIL_EPOCHS)
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

static const struct lib_field repeat_fields[] = {
    LIB_FIELD("times", UNSIGNED, "N", "How often; 1 to 1000000",
              OF_EXPERIMENT(repetitions), .least = 1, .most = MAX_REPETITIONS),
    LIB_FIELD("seed", CHOICE, "per-run|per-repetition",
              "Whether every run has a seed of its own, or all runs of one repetition "
              "have the same; by default per-run",
              OF_EXPERIMENT(seeds)),
};

static const struct lib_field_table repeat_keys = {
    repeat_fields, sizeof repeat_fields / sizeof *repeat_fields};

static void read_repeat(struct lib_fields *r, size_t i, void *into)
{
    const size_t errors = r->diags->errors;
    struct sim_experiment *x = ((struct file *)into)->experiment;
    uint64_t times;
    x->repeat = lib_fields_entry(r, i)->key_pos;
    if (lib_fields_entry(r, i)->kind != LIB_YAML_MAPPING) {
        if (lib_fields_whole(r, i, 1, MAX_REPETITIONS, &times))
            x->repetitions = (uint32_t)times;
        return;
    }
    lib_fields_mapping(r, i, "repeat", repeat_fields, repeat_keys.count, into);
    if (!x->repetitions && r->diags->errors == errors)
        lib_fields_wrong(r, i, "repeat: `times` is missing: how often to repeat");
}

/* --- what needs the columns --------------------------------------------------------- */

/* Whether a label is known before the run. */
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

/* Rejects figures of details that are not stored. Figures with mistakes have no x axis. */
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

/* Rejects windows together with what covers whole runs. */
static void check_windows(struct lib_fields *r, const struct sim_experiment *x)
{
    if (x->windows.count && x->keeps[TRACES_DETAIL_PROFILE])
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, x->windows.items[0].pos,
                       "window: a profile is of a whole run, not of a part: leave out "
                       "`profile: true`");
    if (x->windows.count && sim_measures_are_any(&x->measures))
        lib_diag_error(
            r->diags, LIB_DIAG_NAME, r->source, x->measure,
            "measure: an analysis is of a whole run, not of a part: leave out `window`");
}

/* Rejects what needs a machine, as a training has none. */
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
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, x->train,
                       "train: a training runs on no machine of which `%s` could be; "
                       "leave out one of the two",
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
    LIB_FIELD("title", TEXT, "TEXT", "What the experiment is about",
              OF_EXPERIMENT(title)),
    LIB_FIELD("description", TEXT, "TEXT", "More about it", OF_EXPERIMENT(description)),
    LIB_FIELD("program", READ, "VALUES, also mappings",
              "Sources, assembly texts or images. It must be there. A mapping gives one "
              "program inputs and settings of its own",
              .read = read_params, .least = SIM_PARAMS_TOP, .item = "[]",
              .inside = &sim_suite_keys),
    LIB_FIELD(
        "strategy", READ, "VALUES",
        "How functions become what is executed: static or expanding; by default static",
        .read = read_params, .least = SIM_PARAMS_TOP),
    LIB_FIELD("machine", READ, "VALUES",
              "Presets, or YAML files of settings; by default the preset default",
              .read = read_params, .least = SIM_PARAMS_TOP),
    LIB_FIELD("settings", READ, "{SETTING: VALUES, ...}",
              "Settings of the machine, as hiaton-settings(7) lists them",
              .read = read_params, .least = SIM_PARAMS_SETTINGS, .is_open = true),
    LIB_FIELD("inputs", READ, "{INPUT: VALUES, ...}",
              "Inputs of the program, in place of its own values", .read = read_params,
              .least = SIM_PARAMS_INPUTS, .is_open = true),
    LIB_FIELD(
        "train", READ, "{OPTION: VALUES, ...}",
        "Runs are trainings, with options of hiaton-train(1): rate, batch, epochs and so "
        "on. Results have their last losses, trained.loss, trained.held_loss and so on",
        .read = read_train, .least = SIM_PARAMS_TRAIN, .is_open = true),
    LIB_FIELD("seed", READ, "VALUES",
              "Seed of all random choices, 0 to 9223372036854775807; by default 0",
              .read = read_params, .least = SIM_PARAMS_TOP),
    LIB_FIELD("window", READ, "VALUES",
              "The part of each run that is measured: FROM..TO in cycles, or the first "
              "call of a function; by default all of it",
              .read = read_params, .least = SIM_PARAMS_TOP),
    LIB_FIELD("energy", READ, "VALUES",
              "Tables of energies, by name or file; by default that of the machine, or "
              "none. In results and conditions: energy_table",
              .read = read_params, .least = SIM_PARAMS_TOP),
    LIB_FIELD("grid", READ, "{PARAMETER: VALUES, ...}",
              "Every combination of the values: program, machine, pe.count, inputs.n and "
              "so on. What comes first varies slowest",
              .read = read_params, .least = SIM_PARAMS_GRID, .is_open = true),
    LIB_FIELD(
        "zip", READ, "{PARAMETER: VALUES, ...}, or a list of such",
        "The same, but the values are taken in step, and each parameter has as many",
        .read = read_zip),
    LIB_FIELD("where", ENTRY, "CONDITION, or a list of such",
              "Which combinations are run: those for which all conditions hold",
              .at = offsetof(struct file, where)),
    LIB_FIELD("repeat", READ, "N or a mapping",
              "How often each combination is run, with seeds of their own",
              .read = read_repeat, .inside = &repeat_keys),
    LIB_FIELD(
        "limits", READ, "{LIMIT: VALUES, wall: SECONDS}",
        "Settings that begin with limits; and wall, after which the host stops a run",
        .read = read_limits, .is_open = true),
    LIB_FIELD("series", READ, "true|false",
              "Whether the series of each run are kept; by default false",
              .read = read_detail, .least = TRACES_DETAIL_SERIES),
    LIB_FIELD("profile", READ, "true|false",
              "Whether the parallelism profile of each run is kept; by default false",
              .read = read_detail, .least = TRACES_DETAIL_PROFILE),
    LIB_FIELD("pe", READ, "true|false",
              "Whether the statistics of each PE of each run are kept; by default false",
              .read = read_detail, .least = TRACES_DETAIL_PE),
    LIB_FIELD("links", READ, "true|false",
              "Whether what went through each link of the network is kept of each run; "
              "by default false",
              .read = read_detail, .least = TRACES_DETAIL_LINKS),
    LIB_FIELD("epochs", READ, "true|false",
              "Whether losses, accuracy and rate of each epoch are kept of each run, "
              "which is a training; by default false",
              .read = read_detail, .least = TRACES_DETAIL_EPOCHS),
    LIB_FIELD("measure", READ, "ANALYSIS, or a list of such",
              "Analyses of hiaton-analyse(1): the numbers that they find in each run are "
              "columns of results, ANALYSIS.NUMBER; of `causes` the cycles of each cause",
              .read = read_measure),
    LIB_FIELD("labels", ENTRY, "{COLUMN: TEXT or a mapping, ...}",
              "What columns and values are called in tables and figures",
              .at = offsetof(struct file, labels), .item = ".COLUMN",
              .inside = &analysis_label_keys),
    LIB_FIELD("tables", ENTRY, "a list of mappings", "Tables to be made of the results",
              .at = offsetof(struct file, tables), .item = "[]",
              .inside = &analysis_table_keys),
    LIB_FIELD("figures", ENTRY, "a list of mappings", "Figures to be made of the results",
              .at = offsetof(struct file, figures), .item = "[]",
              .inside = &analysis_figure_keys),
    LIB_FIELD("sites", READ, "{NAME: a mapping, ...}", "Clusters, for hiaton sweep emit",
              .read = read_sites, OF_EXPERIMENT(sites), .item = ".NAME",
              .inside = &sim_site_keys),
};

const struct lib_field_table sim_experiment_keys = {sections,
                                                    sizeof sections / sizeof *sections};

static void find_train(struct sim_experiment *x, const sim_param_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SIM_PARAM_TRAIN)
            set_train(x, list->items[i].pos);
}

static void read_file(struct lib_fields *r, struct sim_experiment *x,
                      const struct sim_overrides *overrides)
{
    struct file file = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, x};
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
    bool loaded = sim_files_load(x, overrides, r);
    if (overrides && r->diags->errors == 0)
        sim_overrides_apply(overrides, x, r->diags);
    sim_suite_lay_out(x, r);
    if (loaded && r->diags->errors == 0)
        sim_files_load_images(x, r);
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
    sim_givens_begin(experiment);
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
    for (size_t i = 0; i < p->images.count; i++) {
        struct isa_graph *graph = p->images.items[i]->graph;
        bool is_freed = graph == p->program.graph;
        for (size_t before = 0; before < i; before++)
            is_freed |= graph == p->images.items[before]->graph;
        if (!is_freed)
            isa_graph_free(graph);
    }
    for (size_t i = 0; i < p->images.count; i++)
        lib_mem_free(p->images.items[i]);
    LIB_VEC_FREE(&p->images);
    for (size_t i = 0; i < p->trainings.count; i++)
        LIB_VEC_FREE(&p->trainings.items[i].known.list);
    LIB_VEC_FREE(&p->trainings);
    sim_program_free(&p->program); /* frees the first image, too */
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
    LIB_VEC_FREE(&experiment->axes, &experiment->entries, &experiment->programs);
    LIB_VEC_FREE(&experiment->machines, &experiment->windows, &experiment->energies);
    LIB_VEC_FREE(&experiment->trees);
    sim_setting_files_free(&experiment->files);
    if (experiment->givens) {
        sim_setting_files_free(&experiment->givens->files);
        LIB_VEC_FREE(&experiment->givens->list);
    }
    LIB_VEC_FREE(&experiment->conditions);
    traces_columns_free(&experiment->columns);
    analysis_view_specs_free(&experiment->outputs);
    sim_sites_free(&experiment->sites);
    lib_arena_free(experiment->arena);
}
