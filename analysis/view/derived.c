#include "analysis/view/derived.h"

#include "analysis/condition/condition.h"

#include <math.h>
#include <string.h>

struct derived {
    struct traces_column column; /* must be first: a pointer to it points to the struct */
    const struct analysis_condition *formula;
};

struct place {
    const struct traces_reader *frame;
    size_t run;
};

bool analysis_derived_is(const char *text)
{
    return strpbrk(text, "*/%+-()") != NULL;
}

const struct traces_column *analysis_derived_read(struct lib_fields *r, size_t i,
                                                  const struct traces_columns *columns)
{
    const struct lib_yaml_entry *entry = lib_fields_entry(r, i);
    const struct analysis_names names = {.columns = columns,
                                         .kinds = (1 << TRACES_COLUMN_KIND_COUNT) - 1};
    struct derived *derived = LIB_ARENA_NEW(r->arena, struct derived);
    derived->formula = analysis_formula_read(r->arena, &names, entry->value, r->source,
                                             entry->value_pos, r->diags);
    derived->column = (struct traces_column){
        .name = lib_arena_copy(r->arena, entry->value, strlen(entry->value)),
        .kind = TRACES_COLUMN_OUTCOME,
        .type = TRACES_TYPE_REAL,
        .unit = "",
        .meaning = "computed of other columns",
        .is_derived = true,
    };
    return derived->formula ? &derived->column : NULL;
}

static const struct analysis_condition *formula_of(const struct traces_column *column)
{
    return ((const struct derived *)(const void *)column)->formula;
}

void analysis_column_want(struct traces_reader *frame, const struct traces_column *column)
{
    const struct traces_column *named;
    if (!column || !column->is_derived) {
        traces_reader_want(frame, column);
        return;
    }
    for (size_t i = 0; (named = analysis_condition_column(formula_of(column), i)); i++)
        traces_reader_want(frame, named);
}

static struct traces_cell cell_at(const struct traces_column *column, const void *context)
{
    const struct place *place = context;
    return traces_reader_cell(place->frame, place->run, column);
}

double analysis_column_number(const struct traces_reader *frame, size_t run,
                              const struct traces_column *column)
{
    if (!column->is_derived)
        return traces_reader_number(frame, run, column);
    const struct place place = {frame, run};
    const struct traces_cell cell = analysis_formula_value(formula_of(column), cell_at,
                                                           &place);
    const double number = traces_cell_number(&cell);
    return isfinite(number) ? number : NAN;
}
