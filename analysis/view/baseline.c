#include "analysis/view/baseline.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/derive.h"

static bool names(const struct analysis_condition *condition,
                  const struct traces_column *column)
{
    const struct traces_column *named;
    for (size_t i = 0; (named = analysis_condition_column(condition, i)); i++)
        if (named == column)
            return true;
    return false;
}

static const struct traces_column *repetition(const struct traces_reader *frame)
{
    return traces_reader_column(frame, "repetition");
}

/* What runs must have in common with their base. */
static void add_column(struct analysis_baselines *bases,
                       const struct traces_column *column)
{
    const struct analysis_condition *base = bases->view->output->base;
    if (base && !names(base, column))
        *LIB_VEC_PUSH(&bases->columns) = column;
}

void analysis_baselines_start(struct analysis_baselines *bases,
                              const struct analysis_view *view,
                              const struct traces_reader *frame, struct lib_arena *arena)
{
    *bases = (struct analysis_baselines){.view = view};
    const struct traces_column *named;
    const struct analysis_condition *where = view->output->where;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        for (size_t i = 0; i < view->dimensions[d]->count; i++)
            add_column(bases, view->dimensions[d]->items[i]);
    for (size_t i = 0; where && (named = analysis_condition_column(where, i)); i++)
        if (named->kind <= TRACES_COLUMN_INPUT)
            add_column(bases, named);
    *LIB_VEC_PUSH(&bases->columns) = repetition(frame);
    analysis_keys_start(&bases->keys, arena, &bases->columns);
}

void analysis_baselines_free(struct analysis_baselines *bases)
{
    for (size_t i = 0; i < bases->list.count; i++)
        LIB_VEC_FREE(&bases->list.items[i].numbers);
    LIB_VEC_FREE(&bases->list);
    LIB_VEC_FREE(&bases->sources);
    analysis_keys_free(&bases->keys);
    LIB_VEC_FREE(&bases->columns);
}

void analysis_baselines_want(const struct analysis_view *view,
                             struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct analysis_condition *base = view->output->base;
    if (!base)
        return;
    traces_reader_want(frame, repetition(frame));
    for (size_t i = 0; (named = analysis_condition_column(base, i)); i++)
        traces_reader_want(frame, named);
}

struct at {
    const struct traces_reader *frame;
    size_t run;
};

static struct traces_cell cell_at(const struct traces_column *column, const void *context)
{
    const struct at *at = context;
    return traces_reader_cell(at->frame, at->run, column);
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

void analysis_baselines_add(struct analysis_baselines *bases,
                            const struct traces_reader *frame, size_t run)
{
    const struct at at = {frame, run};
    const analysis_column_list *values = bases->view->values;
    if (!analysis_condition_holds(bases->view->output->base, cell_at, &at))
        return;
    size_t key = analysis_keys_add(&bases->keys, frame, run);
    while (bases->list.count < (key + 1) * values->count)
        *LIB_VEC_PUSH(&bases->list) = (struct analysis_place){0};
    if (key == bases->sources.count)
        *LIB_VEC_PUSH(&bases->sources) = 0;
    bases->sources.items[key] = add_source(bases->sources.items[key], frame, run);
    for (size_t v = 0; v < values->count; v++) {
        struct traces_cell cell = traces_reader_cell(frame, run, values->items[v]);
        double number = analysis_cell_number(&cell);
        if (!isnan(number))
            *LIB_VEC_PUSH(&bases->list.items[key * values->count + v].numbers) = number;
    }
}

static double relate(double number, double base, enum analysis_relative relative)
{
    switch (relative) {
    case ANALYSIS_RELATIVE_RATIO:
        return number / base;
    case ANALYSIS_RELATIVE_SPEEDUP:
        return base / number;
    default:
        return analysis_percent(number, base);
    }
}

uint64_t analysis_baselines_source(const struct analysis_baselines *bases,
                                   const struct traces_reader *frame, size_t run)
{
    size_t key = bases->sources.count ? analysis_keys_find(&bases->keys, frame, run)
                                      : SIZE_MAX;
    return key == SIZE_MAX ? 0 : bases->sources.items[key];
}

double analysis_baselines_compare(const struct analysis_baselines *bases,
                                  const struct traces_reader *frame, size_t run,
                                  size_t value)
{
    const analysis_column_list *values = bases->view->values;
    struct traces_cell cell = traces_reader_cell(frame, run, values->items[value]);
    size_t key = analysis_keys_find(&bases->keys, frame, run);
    if (key == SIZE_MAX)
        return NAN;
    struct analysis_place *base = &bases->list.items[key * values->count + value];
    double mean = analysis_summarise(base->numbers.items, base->numbers.count,
                                     ANALYSIS_MEAN, ANALYSIS_NONE)
                      .value;
    return relate(analysis_cell_number(&cell), mean, bases->view->output->relative);
}
