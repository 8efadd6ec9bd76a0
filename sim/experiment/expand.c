#include "sim/experiment/expand.h"

#include "sim/loading/fit.h"
#include "sim/loading/model.h"

#include <inttypes.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/experiment/effects.h"
#include "sim/experiment/files.h"
#include "sim/experiment/identity.h"
#include "sim/experiment/params.h"
#include "sim/experiment/suite.h"
#include "sim/experiment/walk.h"

/* --- a combination ------------------------------------------------------------------ */

struct settling {
    const struct sim_experiment *experiment;
    struct sim_config *config;
    size_t strategy;
};

static size_t place_on(const struct sim_experiment *x, size_t axis, uint64_t combination)
{
    for (size_t a = x->axes.count; a-- > axis + 1;)
        combination /= x->axes.items[a].length;
    return combination % x->axes.items[axis].length;
}

static size_t programs_axis(const struct sim_experiment *x)
{
    size_t i = 0;
    while (x->params.items[i].kind != SIM_PARAM_PROGRAM)
        i++;
    return x->params.items[i].axis;
}

void sim_combination_each(const struct sim_experiment *x, uint64_t combination,
                          sim_value_taker *take, void *context)
{
    const size_t own_place = place_on(x, programs_axis(x), combination);
    const struct sim_entry *e = sim_suite_find(x, own_place);
    for (size_t i = 0; i < x->params.count; i++) {
        const struct sim_param *param = &x->params.items[i];
        const size_t place = place_on(x, param->axis, combination);
        const bool has_entries = param->kind == SIM_PARAM_PROGRAM && e;
        take(context, param,
             &param->values.list
                  .items[has_entries ? (size_t)(e - x->entries.items) : place]);
    }
    for (size_t i = 0; e && i < e->own_count; i++) {
        const struct sim_param *param = &x->own.items[e->own + i];
        take(context, param, sim_suite_value(e, param, own_place));
    }
}

static void put_top(void *context, const struct sim_param *param,
                    const struct sim_value *value)
{
    struct settling *s = context;
    if (param->kind == SIM_PARAM_PROGRAM)
        s->config->program = &s->experiment->programs.items[value->number];
    else if (param->kind == SIM_PARAM_MACHINE)
        s->config->machine = &s->experiment->machines.items[value->number];
    else if (param->kind == SIM_PARAM_STRATEGY)
        s->strategy = value->number;
    else if (param->kind == SIM_PARAM_SEED)
        s->config->seed = value->number;
}

static void put_setting(void *context, const struct sim_param *param,
                        const struct sim_value *value)
{
    struct settling *s = context;
    if (param->kind == SIM_PARAM_SETTING)
        sim_params_put_setting(&s->config->setup.settings, param->setting, value);
    if (param->kind == SIM_PARAM_TRAIN && param->option->field.kind == LIB_FIELD_FILE)
        s->config->trees = &s->experiment->trees.items[value->number];
    else if (param->kind == SIM_PARAM_TRAIN)
        sim_params_put_option(&s->config->training, param->option, value);
}

static void put_measure(void *context, const struct sim_param *param,
                        const struct sim_value *value)
{
    struct settling *s = context;
    const struct sim_experiment *x = s->experiment;
    if (param->kind == SIM_PARAM_WINDOW)
        s->config->window = &x->windows.items[value->number].window;
    if (param->kind == SIM_PARAM_ENERGY) {
        s->config->setup.energy = x->energies.items[value->number].table;
        s->config->energy_table = x->energies.items[value->number].name;
    }
}

static void put_input(void *context, const struct sim_param *param,
                      const struct sim_value *value)
{
    struct settling *s = context;
    if (param->kind == SIM_PARAM_INPUT)
        sim_config_put_input(s->experiment, s->config, param, value);
}

void sim_givens_begin(struct sim_experiment *x)
{
    x->givens = LIB_ARENA_NEW(x->arena, struct sim_givens);
    x->givens->files.arena = x->arena;
}

/* Returns the value of an input that is an array or a tensor. Values were checked: one that cannot
 * be read any more is the default. */
static isa_value find_given(const struct sim_experiment *x,
                            const struct sim_config *config, uint32_t input,
                            const char *text)
{
    const struct isa_graph *graph = config->image->graph;
    const char *name = graph->inputs[input].name;
    struct sim_givens *givens = x->givens;
    for (size_t i = 0; i < givens->list.count; i++) {
        const struct sim_experiment_given *g = &givens->list.items[i];
        if (g->program == config->program && strcmp(g->input, name) == 0 &&
            strcmp(g->text, text) == 0)
            return isa_value_of_given(g->given);
    }
    const char *argument = lib_arena_printf(x->arena, "%s=%s", name, text);
    const struct sim_inputs_from from = {
        .files = &givens->files,
        .folder = x->folder ? x->folder : "",
        .limit_memory = config->setup.settings.machine.limit_memory,
    };
    struct sim_inputs inputs;
    struct lib_diags diags = {0};
    sim_inputs_read(&inputs, x->arena, graph, &argument, 1, &from, &diags);
    lib_diags_free(&diags);
    *LIB_VEC_PUSH(&givens->list) = (struct sim_experiment_given){
        config->program, name, strchr(argument, '=') + 1,
        isa_value_given(inputs.values[input])};
    return inputs.values[input];
}

void sim_config_put_input(const struct sim_experiment *experiment,
                          struct sim_config *config, const struct sim_param *param,
                          const struct sim_value *value)
{
    const struct isa_graph *graph = config->image->graph;
    uint32_t input = isa_graph_find_input(graph, param->name + strlen("inputs."));
    if (graph->inputs[input].part_count)
        config->inputs.values[input] = find_given(experiment, config, input, value->text);
    else
        isa_value_read(value->text, graph->inputs[input].type,
                       &config->inputs.values[input]);
    config->inputs.given[input] = true;
}

/* Returns the files of a training on the trees of `config`; NULL: no training. */
static const struct sim_experiment_training *
find_training(const struct sim_experiment *x, const struct sim_config *config)
{
    const struct sim_experiment_program *p = config->program;
    const size_t trees = config->trees ? (size_t)(config->trees - x->trees.items)
                                       : SIZE_MAX;
    for (size_t i = 0; i < p->trainings.count; i++)
        if (p->trainings.items[i].trees == trees)
            return &p->trainings.items[i];
    return NULL;
}

void sim_settle_combination(const struct sim_experiment *experiment, uint64_t combination,
                            struct lib_arena *arena, struct sim_config *config)
{
    const struct sim_experiment *x = experiment;
    struct lib_diags diags = {0}; /* everything was checked */
    struct settling s = {.experiment = x, .config = config};
    *config = (struct sim_config){
        .repetition = 1,
        .entry = sim_suite_find(x, place_on(x, programs_axis(x), combination))};
    sim_combination_each(x, combination, put_top, &s);
    config->setup = config->machine->setup;
    config->energy_table = config->setup.energy ? config->setup.energy->name : NULL;
    config->training = sim_training_defaults();
    sim_combination_each(x, combination, put_setting, &s);
    sim_training_options_complete(&config->training);
    config->trained = find_training(x, config);
    sim_combination_each(x, combination, put_measure, &s);
    config->strategy = sim_strategy_names[s.strategy];
    config->image = sim_files_find_image(config->program, s.strategy,
                                         &config->setup.settings.compile);
    sim_inputs_read(&config->inputs, arena, config->image->graph, NULL, 0, NULL, &diags);
    sim_combination_each(x, combination, put_input, &s);
    lib_diags_free(&diags);
}

void sim_settle(const struct sim_experiment *experiment, const struct sim_run *run,
                struct lib_arena *arena, struct sim_config *config)
{
    sim_settle_combination(experiment, run->combination, arena, config);
    config->seed = run->seed;
    config->repetition = run->repetition;
    config->identity = &run->identity;
}

/* --- what stands in its columns ----------------------------------------------------- */

static const struct lib_setting *setting_of(const struct traces_column *column,
                                            struct lib_arena *arena)
{
    return column->setting ? sim_setting_at(column->setting - 1)
                           : sim_setting_find_in(arena, column->name, NULL);
}

static struct traces_cell setting_cell(const struct sim_config *config,
                                       const struct lib_setting *setting,
                                       struct lib_arena *arena)
{
    if (!lib_setting_is_set(&config->setup.settings, setting))
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    if (setting->kind == LIB_SETTING_NUMBER)
        return traces_cell_int(
            (int64_t)lib_setting_get(&config->setup.settings, setting));
    struct lib_text text = {0};
    lib_setting_write(&config->setup.settings, setting, &text);
    return traces_cell_text(lib_arena_keep(arena, &text));
}

/* An option that was not given has no value. */
static struct traces_cell option_cell(const struct sim_config *config,
                                      const struct sim_training_option *option)
{
    const struct sim_training_options *o = &config->training;
    if (option->field.kind == LIB_FIELD_REAL)
        return traces_cell_real(sim_training_option_real(o, option));
    if (option->field.kind == LIB_FIELD_CHOICE)
        return traces_cell_text(sim_training_option_choice(o, option));
    if (option->field.kind == LIB_FIELD_FILE)
        return traces_cell_text(config->trees ? config->trees->label : NULL);
    const uint64_t value = sim_training_option_whole(o, option);
    return traces_cell_cycle(value < option->field.least ? UINT64_MAX : value);
}

static struct traces_cell input_cell(const struct sim_config *config, const char *name,
                                     struct lib_arena *arena)
{
    const struct isa_graph *graph = config->image->graph;
    uint32_t i = isa_graph_find_input(graph, name);
    if (i == UINT32_MAX)
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    isa_value value = config->inputs.values[i];
    switch (graph->inputs[i].type) {
    case ISA_INT:
        return traces_cell_int(isa_value_int(value));
    case ISA_REAL:
        return traces_cell_real(isa_value_real(value));
    case ISA_BOOL:
        return (struct traces_cell){.type = TRACES_CELL_BOOL, .integer = value != 0};
    default:
        break;
    }
    struct lib_text text = {0};
    if (!config->inputs.given[i] &&
        isa_given_count(isa_value_given(value)) > SIM_INPUT_SHORT)
        return (struct traces_cell){.type = TRACES_CELL_NULL}; /* the image has it */
    sim_input_write(&text, &graph->inputs[i], value);
    return traces_cell_text(lib_arena_keep(arena, &text));
}

struct traces_cell sim_config_cell(const struct sim_config *config,
                                   const struct traces_column *column,
                                   struct lib_arena *arena)
{
    if (column->kind == TRACES_COLUMN_SETTING)
        return setting_cell(config, setting_of(column, arena), arena);
    if (column->option)
        return option_cell(config, &sim_training_option_table[column->option - 1]);
    if (column->input)
        return input_cell(config, column->input, arena);
    switch ((enum sim_fact)column->fact) {
#define OF_PLACE(...)
#define OF_OUTCOME(...)
#define OF_CONFIG(NAME, name, kind, type, value, meaning)                                \
    case SIM_FACT_##NAME:                                                                \
        return traces_cell_##type(value);
#include "sim/experiment/columns.def"
#undef OF_CONFIG
#undef OF_OUTCOME
#undef OF_PLACE
    default:
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    }
}

/* --- conditions --------------------------------------------------------------------- */

struct asked {
    const struct sim_config *config;
    struct lib_arena *arena;
};

static struct traces_cell cell_of(const struct traces_column *column, const void *context)
{
    const struct asked *asked = context;
    return sim_config_cell(asked->config, column, asked->arena);
}

static bool is_wanted(const struct sim_experiment *x, const struct sim_config *config,
                      struct lib_arena *arena)
{
    const struct asked asked = {config, arena};
    for (size_t i = 0; i < x->conditions.count; i++)
        if (!analysis_condition_holds(x->conditions.items[i], cell_of, &asked))
            return false;
    return true;
}

/* --- repetitions --------------------------------------------------------------------- */

static uint32_t repetitions(const struct sim_experiment *x)
{
    return x->repetitions ? x->repetitions : 1;
}

/* --- all ---------------------------------------------------------------------------- */

bool sim_config_draws(const struct sim_config *config)
{
    return machine_settings_draw(&config->setup.settings.machine) ||
           sim_program_draws(config->image->graph);
}

static void add_repetitions(const struct sim_experiment *x, uint64_t combination,
                            const struct sim_config *config, struct sim_runs *runs)
{
    LIB_TEXT_OWN description = {0}, seeds = {0};
    const bool draws = x->trains || sim_config_draws(config);
    uint32_t times = repetitions(x);
    sim_identity_describe(x, config, SIM_MODEL_VERSION, &description);
    if (x->repetitions && x->seeds == SIM_SEED_PER_RUN)
        sim_identity_describe(x, config, SIM_SEED_MODEL, &seeds);
    for (uint32_t r = 1; r <= times; r++) {
        uint64_t seed = sim_identity_draw_seed(x, config, r, &seeds);
        *LIB_VEC_PUSH(&runs->list) = (struct sim_run){
            combination, seed, sim_identity_of(&description, draws ? &seed : NULL), r};
    }
    runs->combinations++;
    runs->fixed += !draws;
    runs->plain += !x->trains && !sim_program_draws(config->image->graph) &&
                   !machine_settings_are_random(&config->setup.settings.machine);
}

#define WHAT_DRAWS "(placement.policy=random draws, on more than one PE; so do params)"

static void warn_of_seeds(const struct sim_experiment *x, const sim_param_list *list,
                          const char *where, struct lib_diags *diags)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SIM_PARAM_SEED && list->items[i].values.list.count > 1)
            lib_diag_warning(diags, LIB_DIAG_MEANING, x->source, list->items[i].pos,
                             "seed: %s, so that all seeds are one run " WHAT_DRAWS,
                             where);
}

/* Warns if repetitions or seeds are one run, except in a sweep over PEs that begins with one PE. */
static void warn_of_fixed(const struct sim_experiment *x, const struct sim_runs *runs,
                          struct lib_diags *diags)
{
    const bool all = runs->fixed == runs->combinations;
    LIB_TEXT_OWN where = {0};
    if (!all && !runs->plain)
        return;
    if (!all)
        lib_text_printf(&where, "in %zu of %zu combinations ", runs->plain,
                        runs->combinations);
    lib_text_puts(&where, "nothing is random");
    if (x->repetitions > 1)
        lib_diag_warning(diags, LIB_DIAG_MEANING, x->source, x->repeat,
                         "repeat: %s, so that all %" PRIu32
                         " repetitions are one run " WHAT_DRAWS,
                         where.bytes, x->repetitions);
    warn_of_seeds(x, &x->params, where.bytes, diags);
    warn_of_seeds(x, &x->own, where.bytes, diags);
}

static struct lib_pos longest(const struct sim_experiment *x)
{
    struct lib_pos pos = {0};
    size_t most = 1;
    for (size_t i = 0; i < x->params.count + x->own.count; i++) {
        const bool is_own = i >= x->params.count;
        const struct sim_param *param = is_own ? &x->own.items[i - x->params.count]
                                               : &x->params.items[i];
        if (param->values.list.count <= most)
            continue;
        most = param->values.list.count;
        pos = param->pos;
    }
    return pos;
}

static bool refuse(const struct sim_experiment *x, double count, const char *what,
                   struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_text_count(&text, count);
    lib_diag_error(diags, LIB_DIAG_LIMIT, x->source, longest(x),
                   "the experiment has %s %s; it may have at most %d", text.bytes, what,
                   SIM_MAX_RUNS);
    return false;
}

/* Warns once if network.latency=0 counts as 1. */
static void warn_of_setting(const struct sim_experiment *x,
                            const struct sim_config *config, struct sim_runs *runs,
                            struct lib_diags *diags)
{
    struct lib_pos pos = {0};
    for (size_t i = 0; i < x->params.count; i++)
        if (strcmp(x->params.items[i].name, "network.latency") == 0)
            pos = x->params.items[i].pos;
    runs->warned = runs->warned || sim_setup_warn(&config->setup, x->source, pos, diags);
}

/* Adds the runs of all combinations that satisfy the conditions; only counts these if `runs` is
 * NULL. */
static uint64_t go_through(const struct sim_experiment *x, uint64_t count,
                           struct sim_runs *runs, struct lib_diags *diags)
{
    struct sim_walk *walk = sim_walk_new(x);
    struct lib_arena *arena = lib_arena_new(); /* for texts that conditions read */
    struct sim_effects effects = {0};
    uint64_t wanted = 0;
    for (uint64_t c = 0; c < count; c++) {
        const struct sim_config *config = sim_walk_to(walk, c);
        bool is = is_wanted(x, config, arena);
        if (x->conditions.count)
            lib_arena_clear(arena);
        wanted += is;
        if (is && runs) {
            add_repetitions(x, c, config, runs);
            warn_of_setting(x, config, runs, diags);
            sim_effects_look(&effects, x, config);
        }
    }
    sim_effects_warn(&effects, x, diags);
    sim_effects_free(&effects);
    lib_arena_free(arena);
    sim_walk_free(walk);
    return wanted;
}

/* Sets *combinations. Returns false with an error if runs are too many. */
static bool check_count(const struct sim_experiment *x, uint64_t *combinations,
                        struct lib_diags *diags)
{
    double all = 1, times = repetitions(x);
    for (size_t i = 0; i < x->axes.count; i++)
        all *= (double)x->axes.items[i].length;
    if (all > SIM_MAX_RUNS)
        return refuse(x, all, "combinations", diags);
    *combinations = (uint64_t)all;
    if (x->conditions.count && all * times > SIM_MAX_RUNS)
        all = (double)go_through(x, *combinations, NULL, diags);
    return all * times <= SIM_MAX_RUNS || refuse(x, all * times, "runs", diags);
}

bool sim_expand(const struct sim_experiment *experiment, struct sim_runs *runs,
                struct lib_diags *diags)
{
    *runs = (struct sim_runs){0};
    uint64_t count = 0;
    if (!check_count(experiment, &count, diags))
        return false;
    if (go_through(experiment, count, runs, diags)) {
        warn_of_fixed(experiment, runs, diags);
        return true;
    }
    lib_diag_error(diags, LIB_DIAG_MEANING, experiment->source, experiment->where,
                   "the experiment has no runs: its conditions (`where`) hold for "
                   "none of %" PRIu64 " combination%s",
                   count, count == 1 ? "" : "s");
    return false;
}

void sim_runs_free(struct sim_runs *runs)
{
    LIB_VEC_FREE(&runs->list);
}
