#include "analysis/view/cube.h"

#include <math.h>

#include "analysis/view/choice.h"
#include "analysis/view/derived.h"

static void choose(struct analysis_cube *cube, const struct traces_reader *frame)
{
    for (size_t run = 0; run < frame->run_count; run++) {
        enum analysis_choice choice = analysis_choose(frame, run,
                                                      cube->view->output->where);
        if (choice == ANALYSIS_CHOICE_SHOWN)
            *LIB_VEC_PUSH(&cube->runs) = run;
        if (choice == ANALYSIS_CHOICE_FAILED && cube->view->marks_failed)
            *LIB_VEC_PUSH(&cube->failed_runs) = run;
        cube->failed += choice == ANALYSIS_CHOICE_FAILED;
    }
}

static void add_keys(const struct analysis_cube *cube, struct analysis_keys *keys,
                     const struct traces_reader *frame)
{
    size_t failed = 0;
    for (size_t i = 0; i <= cube->runs.count; i++) {
        const size_t run = i < cube->runs.count ? cube->runs.items[i] : SIZE_MAX;
        while (failed < cube->failed_runs.count && cube->failed_runs.items[failed] < run)
            analysis_keys_add(keys, frame, cube->failed_runs.items[failed++]);
        if (run != SIZE_MAX)
            analysis_keys_add(keys, frame, run);
    }
}

void analysis_cube_start(struct analysis_cube *cube, const struct analysis_view *view,
                         const struct traces_reader *frame)
{
    *cube = (struct analysis_cube){
        .view = view, .arena = lib_arena_new(), .apart = "", .hidden_text = ""};
    choose(cube, frame);
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++) {
        analysis_keys_start(&cube->keys[d], cube->arena, view->dimensions[d]);
        add_keys(cube, &cube->keys[d], frame);
        analysis_keys_sort(&cube->keys[d], frame);
    }
}

static size_t index_of(const struct analysis_cube *cube, size_t panel, size_t series,
                       size_t row, size_t value)
{
    size_t series_count = cube->keys[ANALYSIS_SERIES].list.count;
    size_t row_count = cube->keys[ANALYSIS_ROW].list.count;
    size_t key = (panel * series_count + series) * row_count + row;
    return key * cube->view->values->count + value;
}

size_t analysis_cube_place_count(const struct analysis_cube *cube)
{
    return index_of(cube, cube->keys[ANALYSIS_PANEL].list.count, 0, 0, 0);
}

void analysis_cube_lay_out(struct analysis_cube *cube)
{
    cube->places = lib_mem_new((analysis_cube_place_count(cube) + 1) *
                               sizeof *cube->places);
}

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value)
{
    return &cube->places[index_of(cube, panel, series, row, value)];
}

size_t analysis_cube_find(const struct analysis_cube *cube,
                          const struct traces_reader *frame, size_t run)
{
    size_t at[ANALYSIS_DIMENSIONS];
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        at[d] = analysis_keys_find(&cube->keys[d], frame, run);
    return index_of(cube, at[ANALYSIS_PANEL], at[ANALYSIS_SERIES], at[ANALYSIS_ROW], 0);
}

double analysis_cube_number(const struct analysis_view_spec *output,
                            const struct traces_reader *frame, size_t run,
                            const struct traces_column *column)
{
    const double number = analysis_column_number(frame, run, column);
    if (!output->per.count)
        return number;
    const double parts = traces_reader_number(frame, run, output->per.items[0]);
    return parts != 0 ? number / parts : NAN;
}

void analysis_cube_put(struct analysis_cube *cube, size_t place, double number)
{
    if (!isnan(number))
        *LIB_VEC_PUSH(&cube->places[place].numbers) = number;
}

void analysis_cube_sum_up(struct analysis_cube *cube)
{
    const struct analysis_view_spec *o = cube->view->output;
    for (size_t i = 0; i < analysis_cube_place_count(cube); i++) {
        struct analysis_place *place = &cube->places[i];
        place->summary = analysis_summarise(place->numbers.items, place->numbers.count,
                                            (enum analysis_of)o->of,
                                            (enum analysis_spread)o->spread);
    }
}

double analysis_cube_below(const struct analysis_cube *cube, size_t series, size_t value,
                           enum analysis_of of)
{
    const size_t count = cube->keys[ANALYSIS_ROW].list.count;
    double *numbers = lib_mem_new((count + 1) * sizeof *numbers), number = NAN;
    bool is_whole = true;
    for (size_t row = 0; row < count; row++) {
        numbers[row] = analysis_cube_place(cube, 0, series, row, value)->summary.value;
        is_whole &= !isnan(numbers[row]);
    }
    if (is_whole)
        number = analysis_summarise(numbers, count, of, ANALYSIS_NONE).value;
    lib_mem_free(numbers);
    return number;
}

void analysis_cube_free(struct analysis_cube *cube)
{
    for (size_t i = 0; cube->places && i < analysis_cube_place_count(cube); i++)
        LIB_VEC_FREE(&cube->places[i].numbers);
    lib_mem_free(cube->places);
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        analysis_keys_free(&cube->keys[d]);
    LIB_VEC_FREE(&cube->runs, &cube->failed_runs, &cube->across);
    analysis_hidden_free(&cube->hidden);
    lib_arena_free(cube->arena);
    if (cube->details)
        analysis_details_free(cube->details);
    lib_mem_free(cube->details);
}
