#include "analysis/view/view_spec_internal.h"

#include <ctype.h>
#include <string.h>

bool view_is_number(const struct traces_column *column)
{
    return column->type == TRACES_TYPE_INT || column->type == TRACES_TYPE_REAL;
}

void view_not_a_number(struct lib_fields *r, size_t i, const struct traces_column *c)
{
    lib_fields_wrong(r, i, "expected a column of numbers, found `%s`, of %s", c->name,
                     traces_column_type_name(c->type));
}

static void add_column(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    const struct traces_columns *columns = t->columns;
    const char *name = lib_fields_entry(r, i)->value;
    const bool may_be_formula = t->wanted == VIEW_A_VALUE || t->wanted == VIEW_ANY_VALUE;
    const bool must_be_number = t->wanted == VIEW_A_VALUE || t->wanted == VIEW_A_NUMBER;
    const struct traces_column *c = traces_columns_find(columns, name);
    if (!c && may_be_formula && analysis_derived_is(name))
        c = analysis_derived_read(r, i, columns);
    else if (!c)
        lib_fields_wrong(r, i, "there is no column `%s`%s", name,
                         analysis_column_hint(r, columns, name));
    if (c && must_be_number && !view_is_number(c))
        view_not_a_number(r, i, c);
    else if (c)
        *LIB_VEC_PUSH(t->list) = c;
}

void view_read_columns(struct lib_fields *r, size_t i, struct view_target *t,
                       analysis_column_list *list, enum view_wanted wanted)
{
    t->columns = t->outputs->columns;
    t->list = list;
    t->wanted = wanted;
    lib_fields_each(r, i, "the name of a column, or a list of them", add_column, t);
}

void view_read_list(struct lib_fields *r, size_t i, void *into)
{
    view_read_columns(r, i, into, r->place, (enum view_wanted)r->field->least);
}

void view_read_one(struct lib_fields *r, size_t i, void *into)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SCALAR)
        lib_fields_expected(r, i, "the name of one column");
    else
        view_read_list(r, i, into);
}

void view_read_name(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    const char *name;
    if (!lib_fields_text(r, i, &name))
        return;
    for (const char *p = name; *p; p++) {
        if (isalnum((unsigned char)*p) || *p == '_' || (*p == '-' && p > name))
            continue;
        lib_fields_expected(r, i, "a word of letters, digits, `-` and `_`");
        return;
    }
    t->common->name = name;
    t->common->pos = lib_fields_entry(r, i)->value_pos;
}

void view_read_one_of(struct lib_fields *r, size_t i, unsigned *of)
{
    lib_fields_choice(r, i, analysis_of_names, ANALYSIS_OF_COUNT, of);
}

void view_read_of(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    t->common->has_of = true;
    view_read_one_of(r, i, &t->common->of);
}

void view_read_condition(struct lib_fields *r, size_t i, void *into)
{
    const struct view_target *t = into;
    const struct analysis_names names = {.columns = t->outputs->columns,
                                         .kinds = VIEW_ALL_KINDS};
    struct analysis_condition **condition = r->place;
    const char *text;
    if (lib_fields_text(r, i, &text))
        *condition = analysis_condition_read(r->arena, &names, text, r->source,
                                             lib_fields_entry(r, i)->value_pos, r->diags);
}

/* Returns the length of a key through "labels."; the key may begin with "figures.". */
static size_t labels_prefix(const struct lib_yaml_entry *e)
{
    return (size_t)(strstr(e->key, "labels") - e->key) + strlen("labels.");
}

static void read_label(struct lib_fields *r, size_t i, struct view_target *t,
                       size_t prefix)
{
    const char *key = lib_fields_entry(r, i)->key + prefix;
    const bool is_axis = *key >= 'x' && *key <= 'z' && !key[1];
    if (is_axis && !t->figure)
        lib_fields_wrong_key(r, i,
                             "a table has no axis `%s`; a label is that of a column, "
                             "such as `cycles: TEXT`",
                             key);
    else if (!is_axis)
        analysis_labels_read(r, i, prefix, t->outputs->columns, &t->common->labels);
    else
        lib_fields_text(r, i,
                        *key == 'x'   ? &t->figure->x_label
                        : *key == 'y' ? &t->figure->y_label
                                      : &t->figure->z_label);
}

void view_read_labels(struct lib_fields *r, size_t i, void *into)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    size_t prefix = labels_prefix(e);
    if (strlen(e->key) > prefix)
        read_label(r, i, into, prefix);
    else if (e->kind != LIB_YAML_MAPPING)
        lib_fields_expected(r, i, "a mapping of columns: {COLUMN: TEXT}");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_label(r, c, into, prefix);
}

void view_say_missing(struct lib_fields *r, size_t i, const char *what, const char *key)
{
    lib_fields_wrong(r, i, "%s has no `%s`", what, key);
}

/* Returns "table" or "figure" if another output of that kind has the same name, else NULL. A table
 * and a figure may share a name: their files differ. */
static const char *find_namesake(const struct analysis_view_specs *outputs,
                                 const struct analysis_view_spec *output)
{
    bool in_tables = false, in_figures = false, is_table = false;
    for (size_t i = 0; i < outputs->tables.count; i++) {
        const struct analysis_view_spec *o = &outputs->tables.items[i].common;
        is_table |= o == output;
        in_tables |= o != output && o->name && strcmp(o->name, output->name) == 0;
    }
    for (size_t i = 0; i < outputs->figures.count; i++) {
        const struct analysis_view_spec *o = &outputs->figures.items[i].common;
        in_figures |= o != output && o->name && strcmp(o->name, output->name) == 0;
    }
    return is_table ? in_tables ? "table" : NULL : in_figures ? "figure" : NULL;
}

void view_check_geomean(struct lib_fields *r, size_t i,
                        const struct analysis_view_spec *common)
{
    if (common->base && common->relative == ANALYSIS_RELATIVE_PERCENT)
        lib_fields_wrong(
            r, i, "percents may be below 0, and have no geometric mean; `as: ratio` has");
}

void view_check_common(struct lib_fields *r, size_t i, const struct view_target *t,
                       const char *what, const char *values)
{
    const struct analysis_view_spec *o = t->common;
    if (!o->name)
        view_say_missing(r, i, what, "name");
    if (o->values.count == 0)
        view_say_missing(r, i, what, values);
    bool of_mean = o->spread == ANALYSIS_SD || o->spread == ANALYSIS_CI95;
    if (of_mean && o->of != ANALYSIS_MEAN)
        lib_fields_wrong(r, i, "the spread `%s` is that of a mean, and `of` is `%s`",
                         analysis_spread_names[o->spread], analysis_of_names[o->of]);
    if (o->of == ANALYSIS_GEOMEAN)
        view_check_geomean(r, i, o);
    if (o->per.count && o->is_detailed)
        lib_fields_wrong(r, i,
                         "`per` divides numbers of runs, not those beside their rows");
    const char *namesake = o->name ? find_namesake(t->outputs, o) : NULL;
    if (namesake)
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, o->pos,
                       "another %s has the name `%s`", namesake, o->name);
}

void analysis_view_specs_read_labels(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs)
{
    if (!outputs->labels)
        outputs->labels = LIB_ARENA_NEW(r->arena, struct analysis_labels);
    analysis_labels_read(r, i, strlen("labels."), outputs->columns, outputs->labels);
}

void analysis_view_specs_read_tables(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE)
        lib_fields_expected(r, i, "a list of tables");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            view_read_table(r, c, outputs);
}

void analysis_view_specs_read_figures(struct lib_fields *r, size_t i,
                                      struct analysis_view_specs *outputs)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE)
        lib_fields_expected(r, i, "a list of figures");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            view_read_figure(r, c, outputs);
}

void analysis_view_specs_free(struct analysis_view_specs *outputs)
{
    for (size_t i = 0; i < outputs->tables.count; i++) {
        struct analysis_table_spec *t = &outputs->tables.items[i];
        LIB_VEC_FREE(&t->common.values, &t->common.per, &t->rows, &t->below, &t->columns);
    }
    for (size_t i = 0; i < outputs->figures.count; i++) {
        struct analysis_figure *f = &outputs->figures.items[i];
        LIB_VEC_FREE(&f->common.values, &f->common.per, &f->x, &f->z, &f->whole, &f->by);
        LIB_VEC_FREE(&f->panels, &f->references);
    }
    LIB_VEC_FREE(&outputs->tables, &outputs->figures);
}
