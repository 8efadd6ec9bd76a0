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
#define COMMON VIEW_FIELD
#define KEY VIEW_FIELD
#define TABLE VIEW_FIELD
#include "analysis/view/outputs.def"
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
