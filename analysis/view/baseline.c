#include "analysis/view/baseline.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/derive.h"

static const struct traces_column *repetition(const struct traces_reader *frame)
{
    return traces_reader_column(frame, "repetition");
}

/* What runs are made with, and are expected to have in common with their base. */
static bool is_parameter(const struct traces_column *column)
{
    return column->kind == TRACES_COLUMN_SETTING || column->kind == TRACES_COLUMN_INPUT ||
           strcmp(column->name, "program") == 0 || strcmp(column->name, "strategy") == 0;
}

void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct analysis_condition *base = view->output->base;
    for (size_t i = 0; (named = analysis_condition_column(base, i)); i++)
        traces_reader_want(frame, named);
    for (size_t i = 0; base && i < frame->columns.list.count; i++)
        if (is_parameter(&frame->columns.list.items[i]))
            traces_reader_want(frame, &frame->columns.list.items[i]);
    if (base)
        traces_reader_want(frame, repetition(frame));
}

/* --- what they are made of -------------------------------------------------------------- */

static void add_column(analysis_column_list *columns,
                       const struct analysis_condition *base,
                       const struct traces_column *column)
{
    if (!analysis_condition_names(base, column))
        *LIB_VEC_PUSH(columns) = column;
}

/* In which columns runs must be like their base. */
static void list_columns(analysis_column_list *columns, const struct analysis_view *view,
                         const struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct analysis_view_spec *output = view->output;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        for (size_t i = 0; i < view->dimensions[d]->count; i++)
            add_column(columns, output->base, view->dimensions[d]->items[i]);
    for (size_t i = 0; (named = analysis_condition_column(output->where, i)); i++)
        if (named->kind <= TRACES_COLUMN_INPUT)
            add_column(columns, output->base, named);
    *LIB_VEC_PUSH(columns) = repetition(frame);
}

/* Another run makes another source, in whichever base it stands. */
static uint64_t add_source(uint64_t source, const struct traces_reader *frame, size_t run)
{
    const struct traces_column *identity = traces_reader_column(frame, "identity");
    if (!identity)
        return run + 1; /* every run is another one */
    const char *text = traces_reader_cell(frame, run, identity).text;
    return text ? XXH3_64bits_withSeed(text, strlen(text), source) : source;
}

static bool is_alike(const struct traces_reader *frame,
                     const struct traces_column *column, size_t run, size_t other)
{
    const struct traces_cell a = traces_reader_cell(frame, run, column),
                             b = traces_reader_cell(frame, other, column);
    if (a.type != b.type)
        return false;
    return a.type == TRACES_CELL_TEXT ? strcmp(a.text, b.text) == 0
           : a.type == TRACES_CELL_REAL
               ? a.real == b.real
               : a.type == TRACES_CELL_NULL || a.integer == b.integer;
}

/* A parameter in which two runs of a base differ, but those that the condition names. A machine is
 * all of its settings. */
static const struct traces_column *find_mixed(const struct analysis_baselines *bases,
                                              const struct traces_reader *frame,
                                              size_t run, size_t other)
{
    const struct analysis_condition *base = bases->output.where;
    const struct traces_column *machine = traces_reader_column(frame, "machine");
    const bool of_machines = machine && analysis_condition_names(base, machine);
    for (size_t i = 0; i < frame->columns.list.count; i++) {
        const struct traces_column *column = &frame->columns.list.items[i];
        const bool is_free = of_machines && column->kind == TRACES_COLUMN_SETTING;
        if (is_parameter(column) && !is_free && !analysis_condition_names(base, column) &&
            !is_alike(frame, column, run, other))
            return column;
    }
    return NULL;
}

static void put_run(struct analysis_baselines *bases, const struct traces_reader *frame,
                    size_t run)
{
    const analysis_column_list *values = bases->view.values;
    size_t base = analysis_baselines_find(bases, frame, run);
    size_t place = analysis_cube_find(&bases->cube, frame, run);
    size_t *first = &bases->first[base];
    if (*first == SIZE_MAX)
        *first = run;
    else if (!bases->mixed)
        bases->mixed = find_mixed(bases, frame, run, *first);
    bases->sources[base] = add_source(bases->sources[base], frame, run);
    for (size_t v = 0; v < values->count; v++)
        analysis_cube_put(&bases->cube, place + v,
                          traces_reader_number(frame, run, values->items[v]));
}

void analysis_baselines_make(struct analysis_baselines *bases,
                             const struct analysis_view *view,
                             const struct traces_reader *frame)
{
    static const analysis_column_list none;
    const struct analysis_view_spec *output = view->output;
    struct analysis_cube *cube = &bases->cube;
    *bases = (struct analysis_baselines){
        .relative = (enum analysis_relative)output->relative};
    if (!output->base)
        return;
    list_columns(&bases->columns, view, frame);
    bases->output = (struct analysis_view_spec){
        .where = output->base, .of = ANALYSIS_MEAN, .spread = ANALYSIS_NONE};
    bases->view = (struct analysis_view){
        &bases->output, {&none, &none, &bases->columns}, view->values};
    analysis_cube_start(cube, &bases->view, frame);
    analysis_cube_lay_out(cube);
    bases->sources = LIB_ARENA_ARRAY(cube->arena, uint64_t,
                                     cube->keys[ANALYSIS_ROW].list.count + 1);
    bases->first = LIB_ARENA_ARRAY(cube->arena, size_t,
                                   cube->keys[ANALYSIS_ROW].list.count + 1);
    for (size_t i = 0; i < cube->keys[ANALYSIS_ROW].list.count; i++)
        bases->first[i] = SIZE_MAX;
    for (size_t i = 0; i < cube->runs.count; i++)
        put_run(bases, frame, cube->runs.items[i]);
    analysis_cube_sum_up(cube);
}

void analysis_baselines_free(struct analysis_baselines *bases)
{
    analysis_cube_free(&bases->cube);
    LIB_VEC_FREE(&bases->columns);
}

/* --- comparing -------------------------------------------------------------------------- */

size_t analysis_baselines_find(const struct analysis_baselines *bases,
                               const struct traces_reader *frame, size_t run)
{
    return bases->sources
               ? analysis_keys_find(&bases->cube.keys[ANALYSIS_ROW], frame, run)
               : SIZE_MAX;
}

uint64_t analysis_baselines_source(const struct analysis_baselines *bases, size_t base)
{
    return base == SIZE_MAX ? 0 : bases->sources[base];
}

double analysis_baselines_compare(const struct analysis_baselines *bases, size_t base,
                                  size_t value, double number)
{
    if (base == SIZE_MAX)
        return NAN;
    double mean = analysis_cube_place(&bases->cube, 0, 0, base, value)->summary.value;
    switch (bases->relative) {
    case ANALYSIS_RELATIVE_RATIO:
        return number / mean;
    case ANALYSIS_RELATIVE_SPEEDUP:
        return mean / number;
    default:
        return analysis_percent(number, mean);
    }
}
