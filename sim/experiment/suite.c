#include "sim/experiment/suite.h"

#include <ctype.h>
#include <string.h>

#include "lib/file.h"
#include "sim/experiment/expand.h"
#include "sim/experiment/params.h"

struct item {
    struct sim_experiment *experiment;
    size_t prefix; /* length of keys of its mapping before their names */
    const char *file, *name;
    struct lib_pos file_pos, name_pos;
};

/* --- a program -------------------------------------------------------------------------- */

static bool is_taken(struct lib_fields *r, const struct item *item)
{
    const struct sim_experiment *x = item->experiment;
    for (size_t i = 0; item->name && i < x->programs.count; i++) {
        const struct sim_experiment_program *p = &x->programs.items[i];
        if (!p->is_named || strcmp(p->name, item->name) != 0 ||
            strcmp(p->path, item->file) == 0)
            continue;
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, item->name_pos,
                       "`%s` is the name of `%s` already, in line %u", item->name,
                       p->path, p->pos.line);
        return true;
    }
    return false;
}

static bool is_it(const struct sim_experiment_program *p, const struct item *item)
{
    return strcmp(p->path, item->file) == 0 && p->is_named == (item->name != NULL) &&
           (!item->name || strcmp(p->name, item->name) == 0);
}

/* Returns false after an error. */
static bool add(struct lib_fields *r, const struct item *item, struct sim_values *values)
{
    struct sim_experiment *x = item->experiment;
    size_t number = 0;
    while (number < x->programs.count && !is_it(&x->programs.items[number], item))
        number++;
    const char *wrong =
        strcmp(item->file, "-") == 0
            ? "program: standard input cannot be read again; name a file instead"
        : number == SIM_MAX_FILES
            ? lib_arena_printf(r->arena, "more than %d programs", SIM_MAX_FILES)
            : NULL;
    if (wrong)
        lib_diag_error(r->diags, LIB_DIAG_TYPE, r->source, item->file_pos, "%s", wrong);
    if (wrong || is_taken(r, item))
        return false;
    if (number == x->programs.count)
        *LIB_VEC_PUSH(&x->programs) = (struct sim_experiment_program){
            .path = item->file,
            .name = item->name ? item->name : lib_file_stem(x->arena, item->file, 0),
            .is_named = item->name != NULL,
            .pos = item->file_pos,
        };
    *LIB_VEC_PUSH(&values->list) = (struct sim_value){
        .text = item->file, .pos = item->file_pos, .number = number};
    return true;
}

/* --- an item with parameters of its own --------------------------------------------------- */

static void read_file(struct lib_fields *r, size_t i, void *into)
{
    struct item *item = into;
    if (lib_fields_text(r, i, &item->file))
        item->file_pos = lib_fields_entry(r, i)->value_pos;
}

static void read_name(struct lib_fields *r, size_t i, void *into)
{
    struct item *item = into;
    if (!lib_fields_text(r, i, &item->name))
        return;
    item->name_pos = lib_fields_entry(r, i)->value_pos;
    for (const char *p = item->name; *p; p++)
        if (iscntrl((unsigned char)*p)) {
            lib_fields_wrong(r, i, "name: expected a text of one line");
            return;
        }
}

/* Reads parameters; their section is the member `least` of the field. */
static void read_own(struct lib_fields *r, size_t i, void *into)
{
    const struct item *item = into;
    sim_params_read_own(r, i, (enum sim_params_place)r->field->least, item->prefix,
                        item->experiment);
}

static void read_zip(struct lib_fields *r, size_t i, void *into)
{
    const struct item *item = into;
    sim_params_read_own_zip(r, i, item->prefix, item->experiment);
}

static const struct lib_field keys[] = {
    LIB_FIELD("file", READ, "FILE", "The program", .read = read_file),
    LIB_FIELD(
        "name", READ, "TEXT",
        "What results call it; by default its file's name, without folder and ending",
        .read = read_name),
    LIB_FIELD("strategy", READ, "VALUES", "In place of the experiment's",
              .read = read_own, .least = SIM_PARAMS_TOP),
    LIB_FIELD("machine", READ, "VALUES", "In place of the experiment's", .read = read_own,
              .least = SIM_PARAMS_TOP),
    LIB_FIELD("settings", READ, "{SETTING: VALUES, ...}", "Beside the experiment's",
              .read = read_own, .least = SIM_PARAMS_SETTINGS, .is_open = true),
    LIB_FIELD("inputs", READ, "{INPUT: VALUES, ...}", "Beside the experiment's",
              .read = read_own, .least = SIM_PARAMS_INPUTS, .is_open = true),
    LIB_FIELD("seed", READ, "VALUES", "In place of the experiment's", .read = read_own,
              .least = SIM_PARAMS_TOP),
    LIB_FIELD("zip", READ, "{PARAMETER: VALUES, ...}, or a list of such",
              "Values of this program that are taken in step", .read = read_zip),
    LIB_FIELD("limits", READ, "{LIMIT: VALUES}", "Beside the experiment's",
              .read = read_own, .least = SIM_PARAMS_LIMITS, .is_open = true),
};

const struct lib_field_table sim_suite_keys = {keys, sizeof keys / sizeof *keys};

static void read_mapping(struct lib_fields *r, size_t i, struct item *item)
{
    size_t errors = r->diags->errors;
    item->prefix = strlen(lib_fields_entry(r, i)->key) + 1;
    lib_fields_mapping(r, i, "a program", keys, sim_suite_keys.count, item);
    if (!item->file && r->diags->errors == errors)
        lib_fields_wrong(r, i, "program: `file` is missing: which program");
}

/* --- all items ---------------------------------------------------------------------------- */

static void expected(struct lib_fields *r, size_t i)
{
    lib_fields_expected(
        r, i, "the name of a program, a mapping with its `file`, or a list of such");
}

static void read_item(struct lib_fields *r, size_t i, struct sim_experiment *x,
                      struct sim_values *values)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    struct item item = {.experiment = x};
    struct sim_entry entry = {.own = x->own.count, .length = 1};
    *LIB_VEC_PUSH(&x->entries) = entry;
    if (e->kind == LIB_YAML_MAPPING) {
        read_mapping(r, i, &item);
    } else if (e->kind == LIB_YAML_SCALAR && *e->value) {
        item.file = e->value;
        item.file_pos = e->value_pos;
    } else {
        expected(r, i);
    }
    if (item.file && add(r, &item, values)) {
        entry.own_count = x->own.count - entry.own;
        x->entries.items[x->entries.count - 1] = entry;
    } else {
        x->entries.count--;
    }
}

/* Rejects duplicates of a program without own parameters. */
static void check_distinct(struct lib_fields *r, const struct sim_experiment *x,
                           const char *key, const struct sim_values *values)
{
    for (size_t i = 0; i < values->list.count; i++)
        for (size_t k = 0; x->entries.items[i].own_count == 0 && k < i; k++) {
            if (x->entries.items[k].own_count > 0 ||
                values->list.items[k].number != values->list.items[i].number)
                continue;
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, values->list.items[i].pos,
                           "%s: `%s` stands in the list twice", key,
                           values->list.items[i].text);
            return;
        }
}

void sim_suite_read(struct lib_fields *r, size_t i, enum sim_values_repeats repeats,
                    struct sim_experiment *experiment, struct sim_values *values)
{
    struct sim_experiment *x = experiment;
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    size_t errors = r->diags->errors;
    if (e->kind != LIB_YAML_SEQUENCE)
        read_item(r, i, x, values);
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_item(r, c, x, values);
    if (values->list.count == 0 && r->diags->errors == errors)
        expected(r, i);
    if (repeats == SIM_VALUES_EACH_ONCE)
        check_distinct(r, x, e->key, values);
    if (x->own.count == 0)
        x->entries.count = 0;
}

/* --- names -------------------------------------------------------------------------------- */

static bool is_unique(const struct sim_experiment *x, size_t program)
{
    const struct sim_experiment_program *p = x->programs.items;
    for (size_t i = 0; i < x->programs.count; i++)
        if (i != program && strcmp(p[i].name, p[program].name) == 0)
            return false;
    return true;
}

enum naming { BY_FOLDERS, BY_ENDING, BY_PATH, NAMINGS };

static const char *make_name(const struct sim_experiment *x, size_t program,
                             enum naming how, size_t folders)
{
    const char *path = x->programs.items[program].path, *slash = strrchr(path, '/');
    return how == BY_FOLDERS  ? lib_file_stem(x->arena, path, folders)
           : how == BY_ENDING ? slash ? slash + 1 : path
                              : path;
}

/* Renames programs with ambiguous names. Returns whether a name has changed. */
static bool tell_apart(struct sim_experiment *x, enum naming how, size_t folders)
{
    const char **names = LIB_ARENA_ARRAY(x->arena, const char *, x->programs.count + 1);
    bool changed = false;
    for (size_t i = 0; i < x->programs.count; i++)
        if (!x->programs.items[i].is_named && !is_unique(x, i))
            names[i] = make_name(x, i, how, folders);
    for (size_t i = 0; i < x->programs.count; i++)
        if (names[i] && strcmp(names[i], x->programs.items[i].name) != 0) {
            x->programs.items[i].name = names[i];
            changed = true;
        }
    return changed;
}

void sim_suite_name(struct sim_experiment *experiment, struct lib_fields *r)
{
    struct sim_experiment *x = experiment;
    for (size_t folders = 1; tell_apart(x, BY_FOLDERS, folders);)
        folders++;
    for (enum naming how = BY_ENDING; how < NAMINGS; how++)
        tell_apart(x, how, 0);
    for (size_t i = 0; i < x->programs.count; i++)
        if (!x->programs.items[i].is_named && !is_unique(x, i))
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, x->programs.items[i].pos,
                           "`%s` is the name of another program; give this one a `name`",
                           x->programs.items[i].name);
}

/* --- the axis ----------------------------------------------------------------------------- */

/* Sets the strides of an entry's parameters, ordered by axis; the first varies slowest. Returns the
 * number of combinations. */
static double lay_out(struct sim_experiment *x, struct sim_entry *e)
{
    double all = 1;
    size_t axis = SIZE_MAX, stride = 1, length = 1; /* of the current axis */
    for (size_t i = e->own + e->own_count; i-- > e->own;) {
        struct sim_param *param = &x->own.items[i];
        if (param->axis != axis) {
            stride = all <= SIM_MAX_RUNS ? stride * length : stride;
            axis = param->axis;
            length = param->values.list.count;
            all *= (double)length;
        }
        param->stride = stride;
    }
    return all;
}

/* A parameter of one program may override only a parameter with one value. */
static void check_own(const struct sim_experiment *x, struct lib_fields *r)
{
    for (size_t i = 0; i < x->own.count; i++) {
        const struct sim_param *own = &x->own.items[i];
        const struct sim_param *of_all = sim_params_find(&x->params, 0, x->params.count,
                                                         own->name);
        if (of_all && of_all->values.list.count > 1)
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, own->pos,
                           "`%s` has %zu values for all programs, in line %u; a "
                           "program's own can take the place of one value",
                           own->name, of_all->values.list.count, of_all->pos.line);
    }
}

static bool is_zipped(const struct sim_experiment *x, const struct sim_param *param)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (&x->params.items[i] != param && x->params.items[i].axis == param->axis)
            return true;
    return false;
}

void sim_suite_lay_out(struct sim_experiment *experiment, struct lib_fields *r)
{
    struct sim_experiment *x = experiment;
    const struct sim_param *program = sim_params_find(&x->params, 0, x->params.count,
                                                      "program");
    size_t first = 0;
    check_own(x, r);
    for (size_t i = 0; i < x->entries.count; i++) {
        struct sim_entry *e = &x->entries.items[i];
        const double length = lay_out(x, e);
        if (length > SIM_MAX_RUNS || (length > 1 && is_zipped(x, program))) {
            const char *most = length > SIM_MAX_RUNS ? "10000000" : "1, in a zip";
            LIB_TEXT_OWN count = {0};
            lib_text_count(&count, length);
            lib_diag_error(
                r->diags, LIB_DIAG_LIMIT, r->source, program->values.list.items[i].pos,
                "the program has %s combinations of its own; it may have at most %s",
                count.bytes, most);
            return;
        }
        e->first = first;
        e->length = (size_t)length;
        first += e->length;
    }
    if (x->entries.count)
        x->axes.items[program->axis].length = first;
}

const struct sim_entry *sim_suite_find(const struct sim_experiment *experiment,
                                       size_t place)
{
    const struct sim_entry *entries = experiment->entries.items;
    size_t low = 0, high = experiment->entries.count;
    if (high == 0)
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].first <= place)
            low = middle;
        else
            high = middle;
    }
    return &entries[low];
}

const struct sim_param *sim_suite_own(const struct sim_experiment *experiment, size_t e,
                                      const char *name)
{
    const struct sim_entry *entry = &experiment->entries.items[e];
    return sim_params_find(&experiment->own, entry->own, entry->own + entry->own_count,
                           name);
}
