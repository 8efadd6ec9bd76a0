#include "analysis/view/baseline.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/derive.h"

static const struct traces_column *repetition(const struct traces_reader *frame)
{
    return traces_reader_column(frame, "repetition");
}

void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct analysis_condition *base = view->output->base;
    for (size_t i = 0; (named = analysis_condition_column(base, i)); i++)
        traces_reader_want(frame, named);
    if (base) {
        traces_reader_want(frame, repetition(frame));
        traces_reader_want(frame, traces_reader_column(frame, "seed"));
    }
}

/* Counts the different combinations of values in all columns except `but` (may be NULL). */
static size_t count_keys(const struct traces_reader *frame,
                         const analysis_column_list *all, const struct traces_column *but)
{
    struct lib_arena *arena = lib_arena_new();
    analysis_column_list columns = {0};
    struct analysis_keys keys;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i] != but)
            *LIB_VEC_PUSH(&columns) = all->items[i];
    analysis_keys_start(&keys, arena, &columns);
    for (size_t run = 0; run < frame->run_count; run++)
        analysis_keys_add(&keys, frame, run);
    const size_t count = keys.list.count;
    analysis_keys_free(&keys);
    LIB_VEC_FREE(&columns);
    lib_arena_free(arena);
    return count;
}

static void remove_column(analysis_column_list *columns,
                          const struct traces_column *column)
{
    size_t kept = 0;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->items[i] != column)
            columns->items[kept++] = columns->items[i];
    columns->count = kept;
}

/* Removes settings and inputs that other columns determine, as they change with what the condition
 * names: pe.count with the nodes of a cluster. One of two columns that determine each other is
 * kept. */
static void remove_following(struct analysis_baselines *bases, analysis_column_list *all,
                             const struct traces_reader *frame)
{
    const struct analysis_condition *base = bases->output.where;
    for (size_t i = 0; i < frame->varying.count; i++) {
        const struct traces_column *column = frame->varying.items[i];
        const bool may_follow = column->kind == TRACES_COLUMN_SETTING ||
                                column->kind == TRACES_COLUMN_INPUT;
        if (!may_follow || analysis_condition_names(base, column) ||
            count_keys(frame, all, column) < count_keys(frame, all, NULL))
            continue;
        remove_column(all, column);
        remove_column(&bases->columns, column);
        if (column->kind == TRACES_COLUMN_INPUT)
            *LIB_VEC_PUSH(&bases->following) = column;
    }
}

/* Adds the column of seeds if runs share seeds. If every run has its own, no base has an equal
 * one. */
static void add_seed(struct analysis_baselines *bases, analysis_column_list *all,
                     const struct traces_reader *frame)
{
    const struct traces_column *seed = traces_reader_column(frame, "seed");
    analysis_column_list alone = {0};
    if (!seed || analysis_condition_names(bases->output.where, seed))
        return;
    *LIB_VEC_PUSH(&alone) = seed;
    *LIB_VEC_PUSH(all) = repetition(frame);
    *LIB_VEC_PUSH(all) = seed;
    if (count_keys(frame, &alone, NULL) < count_keys(frame, all, NULL))
        *LIB_VEC_PUSH(&bases->columns) = seed;
    LIB_VEC_FREE(&alone);
}

/* Lists the columns in which a run and its base must be equal: all that vary, except those that the
 * condition names or determines. Settings of machines are compared, not their names. */
static void list_columns(struct analysis_baselines *bases,
                         const struct traces_reader *frame)
{
    const struct analysis_condition *base = bases->output.where;
    const struct traces_column *named, *machine = traces_reader_column(frame, "machine");
    analysis_column_list all = {0};
    for (size_t i = 0; (named = analysis_condition_column(base, i)); i++)
        if (named->kind <= TRACES_COLUMN_INPUT)
            *LIB_VEC_PUSH(&all) = named;
    for (size_t i = 0; i < frame->varying.count; i++) {
        const struct traces_column *column = frame->varying.items[i];
        if (column == machine || analysis_condition_names(base, column))
            continue;
        *LIB_VEC_PUSH(&all) = column;
        *LIB_VEC_PUSH(&bases->columns) = column;
    }
    remove_following(bases, &all, frame);
    *LIB_VEC_PUSH(&bases->columns) = repetition(frame);
    add_seed(bases, &all, frame);
    LIB_VEC_FREE(&all);
}

static uint64_t add_source(uint64_t source, const struct traces_reader *frame, size_t run)
{
    const struct traces_column *identity = traces_reader_column(frame, "identity");
    if (!identity)
        return run + 1; /* without identities, all runs differ */
    const char *text = traces_reader_cell(frame, run, identity).text;
    return text ? XXH3_64bits_withSeed(text, strlen(text), source) : source;
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
    bases->sources[base] = add_source(bases->sources[base], frame, run);
    for (size_t v = 0; v < values->count; v++)
        analysis_cube_put(
            &bases->cube, place + v,
            analysis_cube_number(&bases->output, frame, run, values->items[v]));
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
    bases->output = (struct analysis_view_spec){.where = output->base,
                                                .of = ANALYSIS_MEAN,
                                                .spread = ANALYSIS_NONE,
                                                .per = output->per};
    list_columns(bases, frame);
    bases->view = (struct analysis_view){
        .output = &bases->output,
        .dimensions = {&none, &none, &bases->columns},
        .values = view->values,
    };
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
    LIB_VEC_FREE(&bases->columns, &bases->following);
}

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

static bool is_equal(const struct traces_reader *frame,
                     const struct traces_column *column, size_t run, size_t other)
{
    const struct traces_cell a = traces_reader_cell(frame, run, column),
                             b = traces_reader_cell(frame, other, column);
    return analysis_cells_are_alike(&a, &b);
}

void analysis_baselines_write_apart(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    struct lib_text *text)
{
    const analysis_column_list *columns = &bases->columns;
    size_t nearest = SIZE_MAX, least = SIZE_MAX;
    for (size_t base = 0; base < bases->cube.keys[ANALYSIS_ROW].list.count; base++) {
        size_t differ = 0;
        for (size_t i = 0; i < columns->count; i++)
            differ += !is_equal(frame, columns->items[i], run, bases->first[base]);
        nearest = differ < least ? base : nearest;
        least = differ < least ? differ : least;
    }
    for (size_t i = 0, some = 0; nearest != SIZE_MAX && i < columns->count; i++)
        if (!is_equal(frame, columns->items[i], run, bases->first[nearest]))
            lib_text_printf(text, "%s`%s`", some++ ? ", " : "", columns->items[i]->name);
}

void analysis_baselines_find_across(const struct analysis_baselines *bases,
                                    const struct traces_reader *frame, size_t run,
                                    size_t base, analysis_column_list *across)
{
    for (size_t i = 0; base != SIZE_MAX && i < bases->following.count; i++) {
        const struct traces_column *column = bases->following.items[i];
        bool is_new = !is_equal(frame, column, run, bases->first[base]);
        for (size_t k = 0; k < across->count; k++)
            is_new &= across->items[k] != column;
        if (is_new)
            *LIB_VEC_PUSH(across) = column;
    }
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
