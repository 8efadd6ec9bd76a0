#include "analysis/view/view_spec.h"

#include <ctype.h>
#include <string.h>

static const char *const relative_names[] = {"ratio", "speedup", "percent"};
static const char *const kind_names[] = {"lines", "points", "bars", "boxes", "heat"};
static const char *const scale_names[] = {"linear", "log2", "log10"};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum wanted { ANY_COLUMN, A_NUMBER };

/* The output that is being read, with the columns that there are. */
struct target {
    struct analysis_view_specs *outputs;
    struct analysis_view_spec *common;
    struct analysis_table_spec *table; /* one of these */
    struct analysis_figure *figure;
    analysis_column_list *list; /* that is being read */
    enum wanted wanted;
};

enum { ALL_KINDS = (1 << TRACES_COLUMN_KIND_COUNT) - 1 };

/* --- columns ------------------------------------------------------------------------ */

static void add_column(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    const struct traces_columns *columns = t->outputs->columns;
    const char *name = lib_fields_entry(r, i)->value;
    const struct traces_column *c = traces_columns_find(columns, name);
    if (!c)
        lib_fields_wrong(
            r, i, "there is no column `%s`%s", name,
            lib_fields_hint(r, traces_columns_nearest(columns, name, ALL_KINDS)));
    else if (t->wanted == A_NUMBER && c->type != TRACES_TYPE_INT &&
             c->type != TRACES_TYPE_REAL)
        lib_fields_wrong(r, i, "expected a column of numbers, found `%s`, of %s", name,
                         traces_column_type_name(c->type));
    else
        *LIB_VEC_PUSH(t->list) = c;
}

static void read_columns(struct lib_fields *r, size_t i, struct target *t,
                         analysis_column_list *list, enum wanted wanted)
{
    t->list = list;
    t->wanted = wanted;
    lib_fields_each(r, i, "the name of a column, or a list of them", add_column, t);
}

static void read_values(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_columns(r, i, t, &t->common->values, A_NUMBER);
}

static void read_rows(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_columns(r, i, t, &t->table->rows, ANY_COLUMN);
}

static void read_table_columns(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_columns(r, i, t, &t->table->columns, ANY_COLUMN);
}

static void read_one(struct lib_fields *r, size_t i, struct target *t,
                     analysis_column_list *list, enum wanted wanted)
{
    if (lib_fields_entry(r, i)->kind == LIB_YAML_SEQUENCE)
        lib_fields_expected(r, i, "the name of one column");
    else
        read_columns(r, i, t, list, wanted);
}

static void read_x(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_one(r, i, t, &t->figure->x, ANY_COLUMN);
}

static void read_z(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_one(r, i, t, &t->figure->z, A_NUMBER);
}

static void read_by(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_columns(r, i, t, &t->figure->by, ANY_COLUMN);
}

static void read_panels(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_columns(r, i, t, &t->figure->panels, ANY_COLUMN);
}

/* --- other values ------------------------------------------------------------------- */

static void read_name(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
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

static void read_caption(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_text(r, i, &((struct target *)into)->common->caption);
}

static void read_of(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, analysis_of_names, ANALYSIS_OF_COUNT, &t->common->of);
}

static void read_spread(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, analysis_spread_names, ANALYSIS_SPREAD_COUNT,
                      &t->common->spread);
}

static void read_condition(struct lib_fields *r, size_t i, const struct target *t,
                           struct analysis_condition **condition)
{
    const struct analysis_names names = {.columns = t->outputs->columns,
                                         .kinds = ALL_KINDS};
    const char *text;
    if (lib_fields_text(r, i, &text))
        *condition = analysis_condition_read(r->arena, &names, text, r->source,
                                             lib_fields_entry(r, i)->value_pos, r->diags);
}

static void read_where(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_condition(r, i, t, &t->common->where);
}

static void read_base(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    read_condition(r, i, t, &t->common->base);
}

static void read_relative(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, relative_names, COUNT_OF(relative_names),
                      &t->common->relative);
}

static void read_digits(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_whole(r, i, 1, 17, &((struct target *)into)->table->digits);
}

static void read_kind(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, kind_names, COUNT_OF(kind_names), &t->figure->kind);
}

static void read_x_label(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_text(r, i, &((struct target *)into)->figure->x_label);
}

static void read_y_label(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_text(r, i, &((struct target *)into)->figure->y_label);
}

static void read_x_scale(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, scale_names, COUNT_OF(scale_names), &t->figure->x_scale);
}

static void read_y_scale(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, scale_names, COUNT_OF(scale_names), &t->figure->y_scale);
}

/* --- one output --------------------------------------------------------------------- */

#define COMMON_FIELDS                                                                    \
    {.name = "name",                                                                     \
     .read = read_name,                                                                  \
     .value = "WORD",                                                                    \
     .help = "Of its files; once in an experiment"},                                     \
        {.name = "caption",                                                              \
         .read = read_caption,                                                           \
         .value = "TEXT",                                                                \
         .help = "What stands over it"},                                                 \
        {.name = "of",                                                                   \
         .read = read_of,                                                                \
         .value = "mean|median|min|max|sum",                                             \
         .help = "What several runs come to; by default mean"},                          \
        {.name = "spread",                                                               \
         .read = read_spread,                                                            \
         .value = "none|sd|ci95|range",                                                  \
         .help = "Shown beside it; by default none"},                                    \
        {.name = "where",                                                                \
         .read = read_where,                                                             \
         .value = "CONDITION",                                                           \
         .help = "Which runs; also on statistics and status"},                           \
        {.name = "relative.to",                                                          \
         .read = read_base,                                                              \
         .value = "CONDITION",                                                           \
         .help = "Compares each run with its base: the run for which it holds, and "     \
                 "that is alike in all else that is shown"},                             \
    {                                                                                    \
        .name = "relative.as", .read = read_relative, .value = "ratio|speedup|percent",  \
        .help = "How: value / base, base / value, or 100 * (base - value) / base; by "   \
                "default ratio"                                                          \
    }

static const struct lib_field table_fields[] = {
    COMMON_FIELDS,
    {.name = "rows",
     .read = read_rows,
     .value = "COLUMNS",
     .help = "Runs alike in these are one row"},
    {.name = "columns",
     .read = read_table_columns,
     .value = "COLUMNS",
     .help = "A group of columns for each of their values"},
    {.name = "values",
     .read = read_values,
     .value = "COLUMNS",
     .help = "What is shown: numbers"},
    {.name = "digits",
     .read = read_digits,
     .value = "N",
     .help = "Significant digits of the greatest number of a column, unless all are "
             "whole, 1 to 17; by default 4"},
};

static const struct lib_field figure_fields[] = {
    COMMON_FIELDS,
    {.name = "kind",
     .read = read_kind,
     .value = "lines|points|bars|boxes|heat",
     .help = "How it is drawn; by default lines"},
    {.name = "x", .read = read_x, .value = "COLUMN", .help = "The x axis"},
    {.name = "y",
     .read = read_values,
     .value = "COLUMNS",
     .help = "What is shown: numbers; of heat, the y axis"},
    {.name = "z",
     .read = read_z,
     .value = "COLUMN",
     .help = "What the colours of heat show"},
    {.name = "by",
     .read = read_by,
     .value = "COLUMNS",
     .help = "A line for each of their values"},
    {.name = "panels",
     .read = read_panels,
     .value = "COLUMNS",
     .help = "A panel for each of their values"},
    {.name = "labels.x",
     .read = read_x_label,
     .value = "TEXT",
     .help = "Instead of name and unit"},
    {.name = "labels.y",
     .read = read_y_label,
     .value = "TEXT",
     .help = "Instead of name and unit"},
    {.name = "scale.x",
     .read = read_x_scale,
     .value = "linear|log2|log10",
     .help = "Of the x axis; by default linear"},
    {.name = "scale.y",
     .read = read_y_scale,
     .value = "linear|log2|log10",
     .help = "Of the y axis; by default linear"},
};

const struct lib_field_table analysis_table_keys = {table_fields, COUNT_OF(table_fields)};
const struct lib_field_table analysis_figure_keys = {figure_fields,
                                                     COUNT_OF(figure_fields)};

/* Something that an output must have was not given. An error in what was given is an error
 * already, so this is only said where there was none. */
static void say_missing(struct lib_fields *r, size_t i, const char *what, const char *key)
{
    lib_fields_wrong(r, i, "%s has no `%s`", what, key);
}

static bool is_taken(const struct analysis_view_specs *outputs,
                     const struct analysis_view_spec *output)
{
    bool taken = false;
    for (size_t i = 0; i < outputs->tables.count; i++) {
        const struct analysis_view_spec *o = &outputs->tables.items[i].common;
        taken |= o != output && o->name && strcmp(o->name, output->name) == 0;
    }
    for (size_t i = 0; i < outputs->figures.count; i++) {
        const struct analysis_view_spec *o = &outputs->figures.items[i].common;
        taken |= o != output && o->name && strcmp(o->name, output->name) == 0;
    }
    return taken;
}

static void check_common(struct lib_fields *r, size_t i, const struct target *t,
                         const char *what, const char *values)
{
    const struct analysis_view_spec *o = t->common;
    if (!o->name)
        say_missing(r, i, what, "name");
    if (o->values.count == 0)
        say_missing(r, i, what, values);
    bool of_mean = o->spread == ANALYSIS_SD || o->spread == ANALYSIS_CI95;
    if (of_mean && o->of != ANALYSIS_MEAN)
        lib_fields_wrong(r, i, "the spread `%s` is that of a mean, and `of` is `%s`",
                         analysis_spread_names[o->spread], analysis_of_names[o->of]);
    if (o->name && is_taken(t->outputs, o))
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, o->pos,
                       "there is a table or figure `%s` already", o->name);
}

static void read_table(struct lib_fields *r, size_t i,
                       struct analysis_view_specs *outputs)
{
    size_t errors = r->diags->errors;
    struct analysis_table_spec *table = LIB_VEC_PUSH(&outputs->tables);
    *table = (struct analysis_table_spec){.common.caption = "", .digits = 4};
    struct target t = {.outputs = outputs, .common = &table->common, .table = table};
    lib_fields_mapping(r, i, "a table", table_fields, COUNT_OF(table_fields), &t);
    if (r->diags->errors > errors)
        return;
    check_common(r, i, &t, "the table", "values");
    if (table->rows.count == 0)
        say_missing(r, i, "the table", "rows");
}

static void read_figure(struct lib_fields *r, size_t i,
                        struct analysis_view_specs *outputs)
{
    size_t errors = r->diags->errors;
    struct analysis_figure *figure = LIB_VEC_PUSH(&outputs->figures);
    *figure = (struct analysis_figure){.common.caption = ""};
    struct target t = {.outputs = outputs, .common = &figure->common, .figure = figure};
    lib_fields_mapping(r, i, "a figure", figure_fields, COUNT_OF(figure_fields), &t);
    if (r->diags->errors > errors)
        return;
    check_common(r, i, &t, "the figure", "y");
    if (figure->x.count == 0)
        say_missing(r, i, "the figure", "x");
    bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    if (is_heat && figure->z.count == 0)
        say_missing(r, i, "a heat map", "z");
    if (!is_heat && figure->z.count)
        lib_fields_wrong(r, i, "only a heat map (kind: heat) has a `z`");
}

/* --- lists of them ------------------------------------------------------------------ */

void analysis_view_specs_read_tables(struct lib_fields *r, size_t i,
                                     struct analysis_view_specs *outputs)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE)
        lib_fields_expected(r, i, "a list of tables");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_table(r, c, outputs);
}

void analysis_view_specs_read_figures(struct lib_fields *r, size_t i,
                                      struct analysis_view_specs *outputs)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE)
        lib_fields_expected(r, i, "a list of figures");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_figure(r, c, outputs);
}

void analysis_view_specs_free(struct analysis_view_specs *outputs)
{
    for (size_t i = 0; i < outputs->tables.count; i++) {
        struct analysis_table_spec *t = &outputs->tables.items[i];
        LIB_VEC_FREE(&t->common.values);
        LIB_VEC_FREE(&t->rows);
        LIB_VEC_FREE(&t->columns);
    }
    for (size_t i = 0; i < outputs->figures.count; i++) {
        struct analysis_figure *f = &outputs->figures.items[i];
        LIB_VEC_FREE(&f->common.values);
        LIB_VEC_FREE(&f->x);
        LIB_VEC_FREE(&f->z);
        LIB_VEC_FREE(&f->by);
        LIB_VEC_FREE(&f->panels);
    }
    LIB_VEC_FREE(&outputs->tables);
    LIB_VEC_FREE(&outputs->figures);
}
