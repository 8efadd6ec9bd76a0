#include "analysis/view/view_spec.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const relative_names[] = {"ratio", "speedup", "percent"};
static const char *const kind_names[] = {"lines", "points", "bars",   "boxes",
                                         "heat",  "steps",  "stacked"};
const char *const analysis_thin_names[ANALYSIS_THIN_COUNT] = {"mean", "max"};
static const char *const scale_names[] = {"linear", "log2", "log10"};
static const char *const axes_names[] = {"shared", "own"};
static const char *const legend_names[] = {"auto",  "direct", "inside",
                                           "right", "below",  "none"};
static const char *const heads_names[] = {"names", "labels"};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum wanted { ANY_COLUMN, A_NUMBER };

/* The output that is being read, with the columns that there are. */
struct target {
    struct analysis_view_specs *outputs;
    struct analysis_view_spec *common;
    struct analysis_table_spec *table; /* one of these */
    struct analysis_figure *figure;
    const struct traces_columns *columns; /* that there are, */
    analysis_column_list *list;           /* for the list that is being read */
    enum wanted wanted;
    analysis_column_list details; /* of a figure of details: what is shown */
    bool has_kind;
    size_t y_at; /* the entry of a figure's `y` */
};

enum { ALL_KINDS = (1 << TRACES_COLUMN_KIND_COUNT) - 1 };

/* --- columns ------------------------------------------------------------------------ */

static bool is_number(const struct traces_column *column)
{
    return column->type == TRACES_TYPE_INT || column->type == TRACES_TYPE_REAL;
}

static void not_a_number(struct lib_fields *r, size_t i, const struct traces_column *c)
{
    lib_fields_wrong(r, i, "expected a column of numbers, found `%s`, of %s", c->name,
                     traces_column_type_name(c->type));
}

static void add_column(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    const struct traces_columns *columns = t->columns;
    const char *name = lib_fields_entry(r, i)->value;
    const struct traces_column *c = traces_columns_find(columns, name);
    if (!c)
        lib_fields_wrong(r, i, "there is no column `%s`%s", name,
                         analysis_column_hint(r, columns, name));
    else if (t->wanted == A_NUMBER && !is_number(c))
        not_a_number(r, i, c);
    else
        *LIB_VEC_PUSH(t->list) = c;
}

static void read_columns(struct lib_fields *r, size_t i, struct target *t,
                         analysis_column_list *list, enum wanted wanted)
{
    t->columns = t->outputs->columns;
    t->list = list;
    t->wanted = wanted;
    lib_fields_each(r, i, "the name of a column, or a list of them", add_column, t);
}

/* Of a heat map anything, else numbers: which kind it is may stand behind. */
static void read_y(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    t->y_at = i;
    read_columns(r, i, t, &t->common->values, ANY_COLUMN);
}

static void check_number(struct lib_fields *r, size_t i, void *into)
{
    const struct target *t = into;
    const struct traces_column *c = traces_columns_find(t->outputs->columns,
                                                        lib_fields_entry(r, i)->value);
    if (!is_number(c))
        not_a_number(r, i, c);
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

/* --- details ------------------------------------------------------------------------- */

/* "; expected one of actual|ideal". A column of runs was perhaps meant for `by`. */
static const char *detail_hint(struct lib_fields *r, const struct target *t,
                               const char *name)
{
    const char *nearest = traces_columns_nearest(t->columns, name, ALL_KINDS);
    struct lib_text text = {0};
    if (nearest)
        return lib_fields_hint(r, nearest);
    for (size_t i = 0; i < t->columns->list.count; i++)
        lib_text_printf(&text, "%s%s", i ? "|" : "; expected one of ",
                        t->columns->list.items[i].name);
    if (traces_columns_find(t->outputs->columns, name))
        lib_text_printf(&text, " (for a line of each value of `%s`: `by`)", name);
    const char *kept = lib_arena_copy(r->arena, text.bytes, text.length);
    lib_text_free(&text);
    return kept;
}

static void add_detail(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    const char *name = lib_fields_entry(r, i)->value;
    const struct traces_column *c = traces_columns_find(t->columns, name);
    if (c)
        *LIB_VEC_PUSH(&t->details) = c;
    else
        lib_fields_wrong(r, i, "there is no `%s` in the `%s` of a run%s", name,
                         traces_detail_names[t->common->detail], detail_hint(r, t, name));
}

/* What a figure shows of the series, the profile or the PEs of runs. */
static void read_detail(struct lib_fields *r, size_t i, struct target *t,
                        enum traces_detail detail)
{
    if (t->common->is_detailed) {
        lib_fields_wrong_key(r, i, "a figure shows `%s` or `%s`, not both",
                             traces_detail_names[t->common->detail],
                             traces_detail_names[detail]);
        return;
    }
    t->common->is_detailed = true;
    t->common->detail = detail;
    t->columns = traces_detail_values(detail);
    lib_fields_each(r, i, "the name of a column, or a list of them", add_detail, t);
}

static void read_series(struct lib_fields *r, size_t i, void *into)
{
    read_detail(r, i, into, TRACES_DETAIL_SERIES);
}

static void read_profile(struct lib_fields *r, size_t i, void *into)
{
    read_detail(r, i, into, TRACES_DETAIL_PROFILE);
}

static void read_pe(struct lib_fields *r, size_t i, void *into)
{
    read_detail(r, i, into, TRACES_DETAIL_PE);
}

static void read_thin(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, analysis_thin_names, ANALYSIS_THIN_COUNT, &t->common->thin);
}

static void move_list(analysis_column_list *to, analysis_column_list *from)
{
    *to = *from;
    *from = (analysis_column_list){0};
}

/* The actual profile is over cycles, the ideal one over depths. */
static void label_profile(struct analysis_figure *figure)
{
    const bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    const analysis_column_list *shown = is_heat ? &figure->z : &figure->common.values;
    const char **label = is_heat ? &figure->z_label : &figure->y_label;
    size_t ideal = 0;
    for (size_t i = 0; i < shown->count; i++)
        ideal += strcmp(shown->items[i]->name, "ideal") == 0;
    const bool all = ideal == shown->count;
    if (!figure->x_label)
        figure->x_label = !ideal ? "cycle" : all ? "depth" : "cycle (ideal: depth)";
    if (!*label)
        *label = !ideal ? "firings per cycle"
                 : all  ? "firings per depth"
                        : "firings per cycle or depth";
}

/* x is the place; what is shown is y, or the colours of a heat map. */
static void complete_details(struct lib_fields *r, size_t i, struct target *t)
{
    struct analysis_figure *figure = t->figure;
    const enum traces_detail detail = t->common->detail;
    const char *name = traces_detail_names[detail];
    const struct traces_column *place = traces_detail_columns(detail)->list.items;
    if (!t->has_kind)
        figure->kind = detail == TRACES_DETAIL_PE ? ANALYSIS_FIGURE_BARS
                                                  : ANALYSIS_FIGURE_STEPS;
    const bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    if (figure->x.count)
        lib_fields_wrong(r, i, "with `%s` the x axis is `%s`: leave out `x`", name,
                         place->name);
    else if (!is_heat && t->common->values.count)
        lib_fields_wrong(r, i, "`%s` says what is shown: leave out `y`", name);
    else if (is_heat && (figure->z.count || t->details.count != 1))
        lib_fields_wrong(r, i, "`%s` says what the colours show: one column, and no `z`",
                         name);
    else if (t->common->base)
        lib_fields_wrong(r, i, "what `%s` shows cannot be relative", name);
    else
        move_list(is_heat ? &figure->z : &t->common->values, &t->details);
    if (!figure->x.count)
        *LIB_VEC_PUSH(&figure->x) = place;
    if (detail == TRACES_DETAIL_PE && !figure->x_label)
        figure->x_label = "PE";
    if (detail == TRACES_DETAIL_PROFILE)
        label_profile(figure);
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
    t->has_kind = true;
    lib_fields_choice(r, i, kind_names, COUNT_OF(kind_names), &t->figure->kind);
}

/* What stands behind "labels" in a key: its place, as the key may begin with "figures.". */
static size_t labels_prefix(const struct lib_yaml_entry *e)
{
    return (size_t)(strstr(e->key, "labels") - e->key) + strlen("labels.");
}

/* An axis of a figure, or else a column. */
static void read_label(struct lib_fields *r, size_t i, struct target *t, size_t prefix)
{
    const char *key = lib_fields_entry(r, i)->key + prefix;
    bool is_axis = t->figure && *key >= 'x' && *key <= 'z' && !key[1];
    if (!is_axis)
        analysis_labels_read(r, i, prefix, t->outputs->columns, &t->common->labels);
    else
        lib_fields_text(r, i,
                        *key == 'x'   ? &t->figure->x_label
                        : *key == 'y' ? &t->figure->y_label
                                      : &t->figure->z_label);
}

static void read_labels(struct lib_fields *r, size_t i, void *into)
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

static bool read_end(struct lib_fields *r, size_t i, double *end)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind == LIB_YAML_SCALAR && strcmp(e->value, "auto") == 0)
        return true;
    if (e->kind == LIB_YAML_SCALAR && lib_text_to_real(e->value, end) && isfinite(*end))
        return true;
    lib_fields_expected(r, i, "a number or auto");
    return false;
}

static void read_range(struct lib_fields *r, size_t i, struct analysis_range *range)
{
    double ends[2] = {NAN, NAN};
    size_t count = 0;
    for (size_t c = i; lib_fields_entry(r, i)->kind == LIB_YAML_SEQUENCE &&
                       (c = lib_fields_inside(r, i, c)) != SIZE_MAX;
         count++)
        if (count < 2 && !read_end(r, c, &ends[count]))
            return;
    *range = (struct analysis_range){ends[0], ends[1]};
    if (count != 2)
        lib_fields_expected(r, i, "[least, greatest], numbers or auto");
    else if (ends[0] >= ends[1])
        lib_fields_wrong(r, i, "%s: expected [least, greatest], found [%g, %g]",
                         lib_fields_entry(r, i)->key, ends[0], ends[1]);
}

static void read_x_range(struct lib_fields *r, size_t i, void *into)
{
    read_range(r, i, &((struct target *)into)->figure->x_range);
}

static void read_y_range(struct lib_fields *r, size_t i, void *into)
{
    read_range(r, i, &((struct target *)into)->figure->y_range);
}

static void read_z_range(struct lib_fields *r, size_t i, void *into)
{
    read_range(r, i, &((struct target *)into)->figure->z_range);
}

static void read_axes(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, axes_names, COUNT_OF(axes_names), &t->figure->axes);
}

static void read_legend(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, legend_names, COUNT_OF(legend_names), &t->figure->legend);
}

static void read_references(struct lib_fields *r, size_t i, void *into)
{
    analysis_references_read(r, i, &((struct target *)into)->figure->references);
}

static void read_heads(struct lib_fields *r, size_t i, void *into)
{
    struct target *t = into;
    lib_fields_choice(r, i, heads_names, COUNT_OF(heads_names), &t->table->heads);
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
        {.name = "labels",                                                               \
         .read = read_labels,                                                            \
         .is_open = true,                                                                \
         .value = "{COLUMN: TEXT or a mapping, ...}",                                    \
         .help = "What columns and values are called in it; x, y and z are its axes",    \
         .item = ".COLUMN",                                                              \
         .inside = &analysis_label_keys},                                                \
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
    {.name = "csv",
     .read = read_heads,
     .value = "names|labels",
     .help = "What stands at the head of columns of comma-separated values; by default "
             "names"},
};

static const struct lib_field figure_fields[] = {
    COMMON_FIELDS,
    {.name = "kind",
     .read = read_kind,
     .value = "lines|points|bars|boxes|heat|steps|stacked",
     .help = "How it is drawn; by default lines"},
    {.name = "x", .read = read_x, .value = "COLUMN", .help = "The x axis"},
    {.name = "y",
     .read = read_y,
     .value = "COLUMNS",
     .help = "What is shown: numbers; of heat, the y axis: any column"},
    {.name = "z",
     .read = read_z,
     .value = "COLUMN",
     .help = "What the colours of heat show"},
    {.name = "series",
     .read = read_series,
     .value = "COLUMNS",
     .help = "Instead of x and y: columns of the series, over time"},
    {.name = "profile",
     .read = read_profile,
     .value = "actual|ideal, or a list of both",
     .help = "Instead of x and y: the parallelism profile"},
    {.name = "pe",
     .read = read_pe,
     .value = "COLUMNS",
     .help = "Instead of x and y: statistics of each PE"},
    {.name = "thin",
     .read = read_thin,
     .value = "mean|max",
     .help = "What a step over time shows of several rows; by default mean"},
    {.name = "by",
     .read = read_by,
     .value = "COLUMNS",
     .help = "A line for each of their values"},
    {.name = "panels",
     .read = read_panels,
     .value = "COLUMNS",
     .help = "A panel for each of their values"},
    {.name = "scale.x",
     .read = read_x_scale,
     .value = "linear|log2|log10",
     .help = "Of the x axis; by default linear"},
    {.name = "scale.y",
     .read = read_y_scale,
     .value = "linear|log2|log10",
     .help = "Of the y axis; by default linear"},
    {.name = "range.x",
     .read = read_x_range,
     .value = "[LEAST, GREATEST]",
     .help = "Ends of the x axis, numbers or auto"},
    {.name = "range.y",
     .read = read_y_range,
     .value = "[LEAST, GREATEST]",
     .help = "Ends of the y axis, numbers or auto"},
    {.name = "range.z",
     .read = read_z_range,
     .value = "[LEAST, GREATEST]",
     .help = "Ends of the colours of heat, numbers or auto"},
    {.name = "axes",
     .read = read_axes,
     .value = "shared|own",
     .help = "Whether panels have one scale; by default shared"},
    {.name = "legend",
     .read = read_legend,
     .value = "auto|direct|inside|right|below|none",
     .help = "Where names of lines stand; by default auto"},
    {.name = "references",
     .read = read_references,
     .value = "LINES, also mappings",
     .help = "Lines to compare with: y = x, or y or x = NUMBER",
     .item = "[]",
     .inside = &analysis_reference_keys},
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
    table->common.labels.outer = outputs->labels;
    struct target t = {.outputs = outputs, .common = &table->common, .table = table};
    lib_fields_mapping(r, i, "a table", table_fields, COUNT_OF(table_fields), &t);
    if (r->diags->errors > errors)
        return;
    check_common(r, i, &t, "the table", "values");
    if (table->rows.count == 0)
        say_missing(r, i, "the table", "rows");
}

bool analysis_figure_has_places(const struct analysis_figure *figure)
{
    return !is_number(figure->x.items[0]) || figure->kind == ANALYSIS_FIGURE_BARS ||
           figure->kind == ANALYSIS_FIGURE_BOXES ||
           figure->kind == ANALYSIS_FIGURE_HEAT ||
           figure->kind == ANALYSIS_FIGURE_STACKED;
}

static bool is_given(const struct analysis_range *range)
{
    return !isnan(range->least) || !isnan(range->greatest);
}

static void check_log(struct lib_fields *r, size_t i, const char *letter, unsigned scale,
                      const struct analysis_range *range)
{
    if (scale != ANALYSIS_SCALE_LINEAR && (range->least <= 0 || range->greatest <= 0))
        lib_fields_wrong(r, i, "range.%s: a logarithmic axis has only what is above 0",
                         letter);
}

/* Parts add up to a whole where they are numbers of one kind, which a linear axis shows. */
static void check_stacked(struct lib_fields *r, size_t i, const struct analysis_figure *f)
{
    if (f->common.spread != ANALYSIS_NONE)
        lib_fields_wrong(r, i, "stacked bars have no spread; `kind: bars` has");
    else if (f->common.base)
        lib_fields_wrong(r, i,
                         "values relative to others do not add up: no `relative` "
                         "with `kind: stacked`");
    else if (f->y_scale != ANALYSIS_SCALE_LINEAR)
        lib_fields_wrong(r, i, "scale.y: stacked bars need a linear axis");
}

/* What is asked of axes must be axes of numbers. */
static void check_axes(struct lib_fields *r, size_t i, const struct analysis_figure *f)
{
    bool is_heat = f->kind == ANALYSIS_FIGURE_HEAT;
    bool has_places = analysis_figure_has_places(f);
    if (is_given(&f->x_range) && has_places)
        lib_fields_wrong(r, i, "range.x: each x has a place of its own here, no number");
    if (is_given(&f->y_range) && is_heat)
        lib_fields_wrong(r, i, "range.y: of a heat map the values are `z`");
    if (is_given(&f->z_range) && !is_heat)
        lib_fields_wrong(r, i, "range.z: only a heat map (kind: heat) has a `z`");
    check_log(r, i, "x", f->x_scale, &f->x_range);
    check_log(r, i, "y", f->y_scale, &f->y_range);
    for (size_t n = 0; n < f->references.count; n++) {
        const struct analysis_reference *line = &f->references.items[n];
        bool of_x = line->kind != ANALYSIS_REFERENCE_Y;
        if (is_heat || (of_x && has_places))
            lib_diag_error(r->diags, LIB_DIAG_TYPE, r->source, line->pos,
                           is_heat ? "a heat map has no reference lines"
                                   : "each x has a place of its own here, no number, so "
                                     "that only `y = NUMBER` can be drawn");
    }
}

static void read_figure(struct lib_fields *r, size_t i,
                        struct analysis_view_specs *outputs)
{
    static const struct analysis_range none = {NAN, NAN};
    size_t errors = r->diags->errors;
    struct analysis_figure *figure = LIB_VEC_PUSH(&outputs->figures);
    *figure = (struct analysis_figure){
        .common.caption = "", .x_range = none, .y_range = none, .z_range = none};
    figure->common.labels.outer = outputs->labels;
    struct target t = {.outputs = outputs, .common = &figure->common, .figure = figure};
    lib_fields_mapping(r, i, "a figure", figure_fields, COUNT_OF(figure_fields), &t);
    if (r->diags->errors == errors && figure->kind != ANALYSIS_FIGURE_HEAT &&
        figure->common.values.count)
        lib_fields_each(r, t.y_at, "the name of a column, or a list of them",
                        check_number, &t);
    if (r->diags->errors == errors && t.common->is_detailed)
        complete_details(r, i, &t);
    LIB_VEC_FREE(&t.details);
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
    if (figure->kind == ANALYSIS_FIGURE_STEPS && figure->common.spread != ANALYSIS_NONE)
        lib_fields_wrong(r, i, "steps have no spread; `kind: lines` has");
    if (figure->kind == ANALYSIS_FIGURE_STACKED)
        check_stacked(r, i, figure);
    if (r->diags->errors == errors)
        check_axes(r, i, figure);
}

/* --- lists of them ------------------------------------------------------------------ */

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
        LIB_VEC_FREE(&f->references);
    }
    LIB_VEC_FREE(&outputs->tables);
    LIB_VEC_FREE(&outputs->figures);
}
