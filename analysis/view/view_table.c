/* Tables of experiments. */
#include "analysis/view/view_spec_internal.h"

#include <stddef.h>

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
    LIB_FIELD("rows", READ, "COLUMNS", "Runs alike in these are one row",
              .read = view_read_list, VIEW_OF_TABLE(rows), .least = VIEW_ANY_COLUMN),
    LIB_FIELD("columns", READ, "COLUMNS", "A group of columns for each of their values",
              .read = view_read_list, VIEW_OF_TABLE(columns), .least = VIEW_ANY_COLUMN),
    LIB_FIELD("values", READ, "COLUMNS", "What is shown: numbers", .read = view_read_list,
              VIEW_OF_COMMON(values), .least = VIEW_A_VALUE),
    LIB_FIELD("below", READ, "mean|median|min|max|sum|geomean, or a list of them",
              "Rows below the others: what the numbers above them come to",
              .read = read_below),
    LIB_FIELD("digits", U64, "N",
              "Significant digits of the greatest number of a column, unless all are "
              "whole, 1 to 17; by default 4",
              VIEW_OF_TABLE(digits), .least = 1, .most = 17),
    LIB_FIELD(
        "latex", CHOICE, "escaped|raw",
        "What labels and the caption are in LaTeX: texts, or LaTeX; by default escaped",
        VIEW_OF_TABLE(latex)),
    LIB_FIELD(
        "csv", CHOICE, "names|labels",
        "What stands at the head of columns of comma-separated values; by default names",
        VIEW_OF_TABLE(heads)),
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
