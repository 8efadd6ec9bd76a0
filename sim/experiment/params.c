#include "sim/experiment/params.h"

#include <inttypes.h>
#include <string.h>

#include "lib/file.h"
#include "sim/experiment/suite.h"

const char *const sim_strategy_names[] = {"static", "expanding"};
const size_t sim_strategy_count = sizeof sim_strategy_names / sizeof *sim_strategy_names;

/* Indexed by enum sim_param_kind. */
static const char *const top_names[] = {"program", "strategy", "machine",
                                        "seed",    "window",   "energy"};
enum { TOP_COUNT = sizeof top_names / sizeof *top_names };

struct params {
    struct lib_fields *r;
    struct sim_experiment *experiment;
    enum sim_params_place place;
    size_t prefix; /* length of keys before the name of the parameter */
    size_t axis;   /* of a zip; SIZE_MAX: each parameter has its own */
    bool is_own;   /* parameters belong to the newest entry only */
};

static sim_param_list *list_of(const struct params *p)
{
    return p->is_own ? &p->experiment->own : &p->experiment->params;
}

static size_t first_of(const struct params *p)
{
    const struct sim_experiment *x = p->experiment;
    return p->is_own ? x->entries.items[x->entries.count - 1].own : 0;
}

/* --- names -------------------------------------------------------------------------- */

static bool starts(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

#define TRAIN "train."

static const struct sim_training_option *find_option(const char *name)
{
    for (size_t i = 0; i < sim_training_option_count; i++)
        if (starts(name, TRAIN) &&
            strcmp(name + strlen(TRAIN), sim_training_option_table[i].field.name) == 0)
            return &sim_training_option_table[i];
    return NULL;
}

/* Sets kind, setting and option of the parameter `name`. Returns false if it is not valid here. */
static bool resolve(const struct params *p, const char *name, struct sim_param *param)
{
    bool all = p->place == SIM_PARAMS_GRID;
    param->name = name;
    if (all || p->place == SIM_PARAMS_TOP)
        for (unsigned i = p->is_own ? SIM_PARAM_PROGRAM + 1 : 0; i < TOP_COUNT; i++)
            if (strcmp(name, top_names[i]) == 0) {
                param->kind = (enum sim_param_kind)i;
                if (param->kind ==
                    SIM_PARAM_ENERGY) /* the column `energy` is a statistic */
                    param->name = "energy_table";
                return true;
            }
    if ((all || p->place == SIM_PARAMS_INPUTS) && starts(name, "inputs.") &&
        name[strlen("inputs.")]) {
        param->kind = SIM_PARAM_INPUT;
        return true;
    }
    if (all || p->place == SIM_PARAMS_TRAIN) {
        param->option = find_option(name);
        param->kind = SIM_PARAM_TRAIN;
        if (param->option)
            return true;
    }
    bool may = all || p->place == SIM_PARAMS_SETTINGS ||
               (p->place == SIM_PARAMS_LIMITS && starts(name, "limits."));
    param->setting = may ? sim_setting_find_in(p->r->arena, name, NULL) : NULL;
    param->kind = SIM_PARAM_SETTING;
    return param->setting != NULL;
}

static bool is_group(const struct params *p, const char *name)
{
    if (p->place == SIM_PARAMS_GRID &&
        (strcmp(name, "inputs") == 0 || strcmp(name, "train") == 0))
        return true;
    if (p->place != SIM_PARAMS_GRID && p->place != SIM_PARAMS_SETTINGS)
        return false;
    return sim_setting_is_group(name);
}

static const char *candidate(size_t i, const void *context)
{
    const struct params *p = context;
    if (i < TOP_COUNT)
        return p->place == SIM_PARAMS_GRID && !(p->is_own && i == SIM_PARAM_PROGRAM)
                   ? top_names[i]
               : p->place == SIM_PARAMS_LIMITS && !p->is_own && i == 0 ? "limits.wall"
                                                                       : "";
    i -= TOP_COUNT;
    if (i >= sim_setting_count) {
        i -= sim_setting_count;
        return p->place == SIM_PARAMS_GRID || p->place == SIM_PARAMS_TRAIN
                   ? lib_arena_printf(p->r->arena, TRAIN "%s",
                                      sim_training_option_table[i].field.name)
                   : "";
    }
    if (p->place == SIM_PARAMS_TRAIN)
        return "";
    const char *key = sim_setting_at(i)->key;
    return p->place == SIM_PARAMS_LIMITS && !starts(key, "limits.") ? "" : key;
}

static void unknown(const struct params *p, size_t i, const char *name)
{
    const char *what = p->place == SIM_PARAMS_LIMITS     ? "limit"
                       : p->place == SIM_PARAMS_SETTINGS ? "setting"
                       : p->place == SIM_PARAMS_TRAIN    ? "option of training"
                                                         : "parameter";
    LIB_TEXT_OWN why = {0};
    if (!sim_setting_find_in(p->r->arena, name, &why) && why.length) {
        lib_fields_wrong_key(p->r, i, "%s", lib_text_get(&why));
        return;
    }
    bool group = lib_fields_entry(p->r, i)->kind == LIB_YAML_MAPPING &&
                 p->place == SIM_PARAMS_SETTINGS;
    const char *hint = lib_fields_keys_hint(
        p->r->arena, name, group ? LIB_FIELDS_GROUP : LIB_FIELDS_KEY,
        TOP_COUNT + sim_setting_count + sim_training_option_count, candidate, p);
    if (strncmp(hint, "; did", 5) != 0 && p->place == SIM_PARAMS_GRID)
        hint = lib_arena_printf(p->r->arena, "%s; an input is written `inputs.%s`", hint,
                                name);
    lib_fields_wrong_key(p->r, i, "there is no %s `%s`%s", what, name, hint);
}

/* --- values ------------------------------------------------------------------------- */

static void wrong_value(const struct params *p, const struct sim_value *value,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));

static void wrong_value(const struct params *p, const struct sim_value *value,
                        const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(p->r->diags, LIB_DIAG_TYPE, p->r->source, value->pos, format, ap);
    va_end(ap);
}

bool sim_params_understand_setting(struct sim_experiment *experiment,
                                   const struct lib_setting *setting, const char *folder,
                                   struct sim_value *value, struct lib_text *why)
{
    struct sim_settings settings;
    sim_settings_default(&settings);
    if (!sim_setting_set(&settings, setting, value->text, folder, &experiment->files,
                         why))
        return false;
    if (!lib_setting_has_number(setting)) {
        const size_t size = lib_setting_size(setting);
        value->field = memcpy(lib_arena_alloc(experiment->arena, size),
                              lib_setting_field(&settings, setting), size);
        return true;
    }
    value->number = lib_setting_get(&settings, setting);
    if (value->number > INT64_MAX)
        lib_text_printf(why, "%s: expected at most %" PRId64 ", found `%s`", setting->key,
                        INT64_MAX, value->text);
    return value->number <= INT64_MAX;
}

void sim_params_put_setting(struct sim_settings *settings,
                            const struct lib_setting *setting,
                            const struct sim_value *value)
{
    if (lib_setting_has_number(setting))
        lib_setting_put(settings, setting, value->number);
    else
        lib_setting_put_field(settings, setting, value->field);
}

static void understand_setting(const struct params *p, const struct sim_param *param,
                               struct sim_value *value)
{
    LIB_TEXT_OWN why = {0};
    if (!sim_params_understand_setting(p->experiment, param->setting,
                                       p->experiment->folder, value, &why))
        wrong_value(p, value, "%s", lib_text_get(&why));
}

void sim_params_put_option(struct sim_training_options *options,
                           const struct sim_training_option *option,
                           const struct sim_value *value)
{
    struct lib_text why = {0};
    lib_field_set(&option->field, options, value->text, &why);
    lib_text_free(&why); /* checked before */
}

/* Reads a file of trees for its digest. Returns false and appends the reason to `why` on errors. */
static bool read_trees(struct sim_experiment *x, const char *text, struct lib_text *why)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const char *slash = strrchr(text, '/');
    const char *path = *text == '/' ? text
                                    : lib_arena_printf(x->arena, "%s%s", x->folder, text);
    const struct lib_source *source = lib_file_read_as(arena, path, "the trees", &diags);
    if (source)
        *LIB_VEC_PUSH(&x->trees) = (struct sim_experiment_trees){
            text, path,
            lib_arena_printf(
                x->arena, "%s@%s", slash ? slash + 1 : text,
                isa_digest_keep(arena, isa_digest_of(source->bytes, source->length)))};
    else
        lib_text_puts(why, diags.items[0].text);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return source != NULL;
}

static void understand_trees(const struct params *p, struct sim_value *value,
                             struct lib_text *why)
{
    struct sim_experiment *x = p->experiment;
    for (value->number = 0; value->number < x->trees.count; value->number++)
        if (strcmp(x->trees.items[value->number].name, value->text) == 0)
            return;
    read_trees(x, value->text, why);
}

static void understand_option(const struct params *p, const struct sim_param *param,
                              struct sim_value *value)
{
    struct sim_training_options options = sim_training_defaults();
    LIB_TEXT_OWN why = {0};
    const bool good = lib_field_set(&param->option->field, &options, value->text, &why);
    if (good && param->option->field.kind == LIB_FIELD_FILE)
        understand_trees(p, value, &why);
    if (why.length)
        wrong_value(p, value, "%s: %s", param->name, why.bytes);
}

static void understand_seed(const struct params *p, struct sim_value *value)
{
    int64_t seed;
    if (lib_text_to_int(value->text, &seed) && seed >= 0)
        value->number = (uint64_t)seed;
    else
        wrong_value(p, value, "seed: expected a number from 0 to %" PRId64 ", found `%s`",
                    INT64_MAX, value->text);
}

static void understand_strategy(const struct params *p, struct sim_value *value)
{
    for (size_t i = 0; i < sim_strategy_count; i++) {
        if (strcmp(sim_strategy_names[i], value->text) == 0) {
            value->number = i;
            return;
        }
    }
    LIB_TEXT_OWN names = {0};
    for (size_t i = 0; i < sim_strategy_count; i++)
        lib_text_printf(&names, "%s%s", i ? ", " : "", sim_strategy_names[i]);
    wrong_value(
        p, value, "there is no strategy `%s`%s (there is: %s)", value->text,
        lib_fields_nearest(p->r, value->text, sim_strategy_names, sim_strategy_count),
        names.bytes);
}

static void understand_machine(const struct params *p, struct sim_value *value)
{
    struct sim_experiment *x = p->experiment;
    if (strcmp(value->text, "-") == 0) {
        wrong_value(p, value,
                    "machine: standard input cannot be read again; name a file instead");
        return;
    }
    for (value->number = 0; value->number < x->machines.count; value->number++)
        if (strcmp(x->machines.items[value->number].name, value->text) == 0)
            return;
    if (x->machines.count == SIM_MAX_FILES) {
        wrong_value(p, value, "more than %d machines", SIM_MAX_FILES);
        return;
    }
    *LIB_VEC_PUSH(&x->machines) = (struct sim_experiment_machine){.name = value->text,
                                                                  .pos = value->pos};
}

static void understand_window(const struct params *p, struct sim_value *value)
{
    struct sim_experiment *x = p->experiment;
    struct sim_experiment_window *window = LIB_VEC_PUSH(&x->windows);
    LIB_TEXT_OWN why = {0};
    window->pos = value->pos;
    value->number = x->windows.count - 1;
    if (!sim_window_read(&window->window, value->text, &why))
        wrong_value(p, value, "window: %s", why.bytes);
}

static void understand_energy(const struct params *p, struct sim_value *value)
{
    struct sim_experiment *x = p->experiment;
    for (value->number = 0; value->number < x->energies.count; value->number++)
        if (strcmp(x->energies.items[value->number].name, value->text) == 0)
            return;
    *LIB_VEC_PUSH(&x->energies) = (struct sim_experiment_energy){.name = value->text,
                                                                 .pos = value->pos};
}

static void understand(const struct params *p, const struct sim_param *param,
                       struct sim_value *value)
{
    switch (param->kind) {
    case SIM_PARAM_STRATEGY:
        understand_strategy(p, value);
        break;
    case SIM_PARAM_MACHINE:
        understand_machine(p, value);
        break;
    case SIM_PARAM_SEED:
        understand_seed(p, value);
        break;
    case SIM_PARAM_WINDOW:
        understand_window(p, value);
        break;
    case SIM_PARAM_ENERGY:
        understand_energy(p, value);
        break;
    case SIM_PARAM_SETTING:
        understand_setting(p, param, value);
        break;
    case SIM_PARAM_TRAIN:
        understand_option(p, param, value);
        break;
    case SIM_PARAM_PROGRAM: /* sim_suite_read does this */
    case SIM_PARAM_INPUT:   /* programs decide its type */
        break;
    }
}

/* --- parameters --------------------------------------------------------------------- */

struct sim_param *sim_params_find(const sim_param_list *list, size_t from, size_t to,
                                  const char *name)
{
    for (size_t i = from; i < to; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static size_t new_axis(struct sim_experiment *x, size_t length)
{
    LIB_VEC_PUSH(&x->axes)->length = length;
    return x->axes.count - 1;
}

/* Adds an axis: to the experiment, or to the newest entry, whose parameters are in the order of its
 * axes. */
static size_t next_axis(const struct params *p, size_t length)
{
    const sim_param_list *own = &p->experiment->own;
    if (!p->is_own)
        return new_axis(p->experiment, length);
    return own->count > first_of(p) ? own->items[own->count - 1].axis + 1 : 0;
}

/* Returns "static or expanding". */
static const char *strategy_words(const struct params *p)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < sim_strategy_count; i++)
        lib_text_printf(&text, "%s%s", i ? " or " : "", sim_strategy_names[i]);
    return lib_arena_keep(p->r->arena, &text);
}

/* Describes valid values; NULL: numbers. */
static const char *words_of(const struct params *p, const struct sim_param *param)
{
    const enum sim_param_kind kind = param->kind;
    if (kind == SIM_PARAM_SETTING)
        return sim_setting_words(p->r->arena, param->setting);
    if (kind == SIM_PARAM_TRAIN)
        return param->option->field.kind == LIB_FIELD_CHOICE
                   ? lib_arena_printf(p->r->arena, "one of %s",
                                      param->option->field.value)
               : param->option->field.kind == LIB_FIELD_FILE ? "the path of a file"
                                                             : NULL;
    return kind == SIM_PARAM_MACHINE    ? "the name of a machine"
           : kind == SIM_PARAM_STRATEGY ? strategy_words(p)
           : kind == SIM_PARAM_WINDOW   ? "cycles, FROM..TO, or the name of a function"
           : kind == SIM_PARAM_ENERGY   ? "the name of a table of energies"
                                        : NULL;
}

static void read_values(const struct params *p, size_t i, struct sim_param *param)
{
    const enum sim_values_repeats repeats = p->axis == SIZE_MAX ? SIM_VALUES_EACH_ONCE
                                                                : SIM_VALUES_MAY_REPEAT;
    if (param->kind == SIM_PARAM_PROGRAM) {
        sim_suite_read(p->r, i, repeats, p->experiment, &param->values);
        return;
    }
    bool good = sim_values_read(p->r, i, words_of(p, param), repeats, &param->values);
    size_t errors = p->r->diags->errors;
    for (size_t v = 0; good && v < param->values.list.count; v++) {
        understand(p, param, &param->values.list.items[v]);
        if (p->r->diags->errors > errors + 3)
            break; /* the others are probably wrong in the same way */
    }
}

static void add_param(const struct params *p, size_t i, struct sim_param param)
{
    sim_param_list *list = list_of(p);
    const struct sim_param *before = sim_params_find(list, first_of(p), list->count,
                                                     param.name);
    param.pos = lib_fields_entry(p->r, i)->key_pos;
    if (before) {
        lib_fields_wrong_key(p->r, i, "`%s` is given twice; first in line %u", param.name,
                             before->pos.line);
        return;
    }
    read_values(p, i, &param);
    param.axis = p->axis != SIZE_MAX ? p->axis : next_axis(p, param.values.list.count);
    *LIB_VEC_PUSH(list) = param;
}

static void read_entry(const struct params *p, size_t i)
{
    const struct lib_yaml_entry *e = lib_fields_entry(p->r, i);
    const char *name = e->key + p->prefix;
    struct sim_param param = {0};
    if (resolve(p, name, &param)) {
        add_param(p, i, param);
    } else if (!is_group(p, name)) {
        unknown(p, i, name);
    } else if (e->kind != LIB_YAML_MAPPING) {
        lib_fields_expected(p->r, i, "a mapping of parameters");
    } else {
        for (size_t c = i; (c = lib_fields_inside(p->r, i, c)) != SIZE_MAX;)
            read_entry(p, c);
    }
}

static void read_inside(const struct params *p, size_t i)
{
    if (lib_fields_entry(p->r, i)->kind != LIB_YAML_MAPPING)
        lib_fields_expected(p->r, i, "a mapping of parameters");
    else
        for (size_t c = i; (c = lib_fields_inside(p->r, i, c)) != SIZE_MAX;)
            read_entry(p, c);
}

/* Reads entry `i`; the name of its section begins after `base` characters of its key. */
static void read_section(struct params p, size_t i, size_t base)
{
    static const char *const sections[] = {
        [SIM_PARAMS_TOP] = "",          [SIM_PARAMS_SETTINGS] = "settings",
        [SIM_PARAMS_INPUTS] = "inputs", [SIM_PARAMS_LIMITS] = "limits",
        [SIM_PARAMS_TRAIN] = "train",   [SIM_PARAMS_GRID] = "grid",
    };
    const char *section = sections[p.place];
    bool is_stripped = p.place == SIM_PARAMS_SETTINGS || p.place == SIM_PARAMS_GRID;
    p.prefix = base + (is_stripped ? strlen(section) + 1 : 0);
    if (strcmp(lib_fields_entry(p.r, i)->key + base, section) == 0)
        read_inside(&p, i);
    else
        read_entry(&p, i);
}

void sim_params_read(struct lib_fields *r, size_t i, enum sim_params_place place,
                     struct sim_experiment *experiment)
{
    read_section(
        (struct params){
            .r = r, .experiment = experiment, .place = place, .axis = SIZE_MAX},
        i, 0);
}

void sim_params_read_own(struct lib_fields *r, size_t i, enum sim_params_place place,
                         size_t prefix, struct sim_experiment *experiment)
{
    read_section((struct params){.r = r,
                                 .experiment = experiment,
                                 .place = place,
                                 .axis = SIZE_MAX,
                                 .is_own = true},
                 i, prefix);
}

/* --- zip ---------------------------------------------------------------------------- */

static void check_lengths(const struct params *p, size_t first)
{
    const sim_param_list *list = list_of(p);
    const struct sim_param *a = first < list->count ? &list->items[first] : NULL;
    for (size_t i = first + 1; i < list->count; i++) {
        const struct sim_param *b = &list->items[i];
        if (b->values.list.count != a->values.list.count)
            lib_diag_error(p->r->diags, LIB_DIAG_MEANING, p->r->source, b->pos,
                           "zip: expected as many values as `%s` has, %zu; found %zu",
                           a->name, a->values.list.count, b->values.list.count);
    }
}

static void read_zip(struct params p, size_t i)
{
    const size_t first = list_of(&p)->count, errors = p.r->diags->errors;
    p.axis = next_axis(&p, 1);
    read_inside(&p, i);
    const sim_param_list *list = list_of(&p);
    if (first == list->count || p.r->diags->errors > errors)
        return;
    if (!p.is_own)
        p.experiment->axes.items[p.axis].length = list->items[first].values.list.count;
    check_lengths(&p, first);
}

static void read_zips(struct params p, size_t i, size_t base)
{
    const struct lib_yaml_entry *e = lib_fields_entry(p.r, i);
    p.place = SIM_PARAMS_GRID;
    p.prefix = base + strlen("zip.");
    if (e->kind == LIB_YAML_MAPPING)
        read_zip(p, i);
    else if (e->kind != LIB_YAML_SEQUENCE)
        lib_fields_expected(p.r, i, "a mapping of parameters, or a list of them");
    else
        for (size_t c = i; (c = lib_fields_inside(p.r, i, c)) != SIZE_MAX;)
            read_zip(p, c);
}

void sim_params_read_zip(struct lib_fields *r, size_t i,
                         struct sim_experiment *experiment)
{
    read_zips((struct params){.r = r, .experiment = experiment}, i, 0);
}

void sim_params_read_own_zip(struct lib_fields *r, size_t i, size_t prefix,
                             struct sim_experiment *experiment)
{
    read_zips((struct params){.r = r, .experiment = experiment, .is_own = true}, i,
              prefix);
}

/* --- what is not given -------------------------------------------------------------- */

static void add_default(struct sim_experiment *x, enum sim_param_kind kind,
                        const char *text)
{
    struct sim_param param = {.kind = kind, .name = top_names[kind]};
    struct params p = {.experiment = x};
    if (sim_params_find(&x->params, 0, x->params.count, param.name))
        return;
    *LIB_VEC_PUSH(&param.values.list) = (struct sim_value){.text = text};
    if (kind == SIM_PARAM_MACHINE)
        understand_machine(&p, &param.values.list.items[0]);
    param.axis = new_axis(x, 1);
    *LIB_VEC_PUSH(&x->params) = param;
}

void sim_params_complete(struct sim_experiment *experiment)
{
    add_default(experiment, SIM_PARAM_STRATEGY, sim_strategy_names[0]);
    add_default(experiment, SIM_PARAM_MACHINE, "default");
    add_default(experiment, SIM_PARAM_SEED, "0");
}
