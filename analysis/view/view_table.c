/* Tables of experiments. */
#include "analysis/view/view_spec_internal.h"

#include <stddef.h>

static void read_values(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    view_read_columns(r, i, t, &t->common->values, VIEW_A_VALUE);
}

static void read_rows(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    view_read_columns(r, i, t, &t->table->rows, VIEW_ANY_COLUMN);
}

static void read_table_columns(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    view_read_columns(r, i, t, &t->table->columns, VIEW_ANY_COLUMN);
}

static void add_below(struct lib_fields *r, size_t i, void *into)
{
    unsigned of = 0;
    view_read_one_of(r, i, &of);
    *LIB_VEC_PUSH(&((struct view_target *)into)->table->below) = of;
}

static void read_below(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_each(r, i, "mean, geomean, ..., or a list of them", add_below, into);
}

static const struct lib_field table_fields[] = {
    VIEW_COMMON_FIELDS,
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
    {.name = "below",
     .read = read_below,
     .value = "mean|median|min|max|sum|geomean, or a list of them",
     .help = "Rows below the others: what the numbers above them come to"},
    {.name = "digits",
     .kind = LIB_FIELD_U64,
     .via = offsetof(struct view_target, table),
     .at = offsetof(struct analysis_table_spec, digits),
     .least = 1,
     .most = 17,
     .value = "N",
     .help = "Significant digits of the greatest number of a column, unless all are "
             "whole, 1 to 17; by default 4"},
    {.name = "latex",
     .kind = LIB_FIELD_CHOICE,
     .via = offsetof(struct view_target, table),
     .at = offsetof(struct analysis_table_spec, latex),
     .value = "escaped|raw",
     .help = "What labels and the caption are in LaTeX: texts, or LaTeX; by default "
             "escaped"},
    {.name = "csv",
     .kind = LIB_FIELD_CHOICE,
     .via = offsetof(struct view_target, table),
     .at = offsetof(struct analysis_table_spec, heads),
     .value = "names|labels",
     .help = "What stands at the head of columns of comma-separated values; by default "
             "names"},
};

const struct lib_field_table analysis_table_keys = {table_fields,
                                                    VIEW_COUNT_OF(table_fields)};

void view_read_table(struct lib_fields *r, size_t i, struct analysis_view_specs *outputs)
{
    size_t errors = r->diags->errors;
    struct analysis_table_spec *table = LIB_VEC_PUSH(&outputs->tables);
    *table = (struct analysis_table_spec){.common.caption = "", .digits = 4};
    table->common.labels.outer = outputs->labels;
    struct view_target t = {.outputs = outputs, .common = &table->common, .table = table};
    lib_fields_mapping(r, i, "a table", table_fields, VIEW_COUNT_OF(table_fields), &t);
    if (r->diags->errors > errors)
        return;
    view_check_common(r, i, &t, "the table", "values");
    if (table->rows.count == 0)
        view_say_missing(r, i, "the table", "rows");
    for (size_t b = 0; b < table->below.count; b++)
        if (table->below.items[b] == ANALYSIS_GEOMEAN)
            view_check_geomean(r, i, &table->common);
}
