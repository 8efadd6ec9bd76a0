#include "analysis/view/cube.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/view/baseline.h"
#include "analysis/view/counted_runs.h"

/* --- views ------------------------------------------------------------------------------ */

static const analysis_column_list no_columns;

struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table)
{
    return (struct analysis_view){
        .output = &table->common,
        .dimensions = {&no_columns, &table->columns, &table->rows},
        .values = &table->common.values,
    };
}

/* Of a heat map the second axis is one of the keys, and the colour what is shown there. */
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure)
{
    bool heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    return (struct analysis_view){
        .output = &figure->common,
        .dimensions = {&figure->panels, heat ? &figure->common.values : &figure->by,
                       &figure->x},
        .values = heat ? &figure->z : &figure->common.values,
    };
}

const char *analysis_view_suffix(const struct analysis_view *view)
{
    static const char *const suffixes[] = {" (ratio)", " (speedup)", " (percent)"};
    return view->output->base ? suffixes[view->output->relative] : "";
}

static void want_all(const analysis_column_list *columns, struct traces_reader *frame)
{
    for (size_t i = 0; i < columns->count; i++)
        traces_reader_want(frame, columns->items[i]);
}

void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct analysis_condition *where = view->output->where;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        want_all(view->dimensions[d], frame);
    want_all(view->values, frame);
    for (size_t i = 0; where && (named = analysis_condition_column(where, i)); i++)
        traces_reader_want(frame, named);
    analysis_baselines_want(view, frame);
    analysis_counted_runs_want(frame);
}

/* --- which runs ------------------------------------------------------------------------- */

struct at {
    const struct traces_reader *frame;
    size_t run;
};

static struct traces_cell cell_at(const struct traces_column *column, const void *context)
{
    const struct at *at = context;
    return traces_reader_cell(at->frame, at->run, column);
}

static bool is_chosen(const struct analysis_cube *cube, const struct traces_reader *frame,
                      size_t run)
{
    const struct analysis_condition *where = cube->view->output->where;
    const struct at at = {frame, run};
    return !where || analysis_condition_holds(where, cell_at, &at);
}

static bool is_completed(const struct traces_reader *frame, size_t run)
{
    struct traces_cell status = traces_reader_cell(frame, run,
                                                   traces_reader_column(frame, "status"));
    return status.type == TRACES_CELL_TEXT && strcmp(status.text, "completed") == 0;
}

/* Those that are shown, in order; owned by the caller. */
typedef LIB_VEC(size_t) run_list;

static void choose(struct analysis_cube *cube, const struct traces_reader *frame,
                   run_list *runs)
{
    for (size_t run = 0; run < frame->run_count; run++) {
        if (!is_chosen(cube, frame, run))
            continue;
        if (is_completed(frame, run))
            *LIB_VEC_PUSH(runs) = run;
        else
            cube->failed++;
    }
}

/* --- places ----------------------------------------------------------------------------- */

static size_t count_of(const struct analysis_cube *cube,
                       enum analysis_dimension dimension)
{
    return cube->keys[dimension].list.count;
}

static size_t index_of(const struct analysis_cube *cube, size_t panel, size_t series,
                       size_t row, size_t value)
{
    return ((panel * count_of(cube, ANALYSIS_SERIES) + series) *
                count_of(cube, ANALYSIS_ROW) +
            row) *
               cube->view->values->count +
           value;
}

static size_t place_count(const struct analysis_cube *cube)
{
    return index_of(cube, count_of(cube, ANALYSIS_PANEL), 0, 0, 0);
}

const struct analysis_place *analysis_cube_place(const struct analysis_cube *cube,
                                                 size_t panel, size_t series, size_t row,
                                                 size_t value)
{
    return &cube->places[index_of(cube, panel, series, row, value)];
}

static double number_of(const struct analysis_cube *cube,
                        const struct analysis_baselines *bases,
                        const struct traces_reader *frame, size_t run, size_t value)
{
    if (cube->view->output->base)
        return analysis_baselines_compare(bases, frame, run, value);
    struct traces_cell cell = traces_reader_cell(frame, run,
                                                 cube->view->values->items[value]);
    return analysis_cell_number(&cell);
}

static void put_run(struct analysis_cube *cube, const struct analysis_baselines *bases,
                    struct analysis_counted_runs *once, const struct traces_reader *frame,
                    size_t run)
{
    size_t at[ANALYSIS_DIMENSIONS], put = 0;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        at[d] = analysis_keys_find(&cube->keys[d], frame, run);
    bool counts = analysis_counted_runs_take(
        once, frame, run,
        index_of(cube, at[ANALYSIS_PANEL], at[ANALYSIS_SERIES], at[ANALYSIS_ROW], 0),
        analysis_baselines_source(bases, frame, run));
    for (size_t v = 0; v < cube->view->values->count; v++) {
        double number = number_of(cube, bases, frame, run, v);
        size_t i = index_of(cube, at[ANALYSIS_PANEL], at[ANALYSIS_SERIES],
                            at[ANALYSIS_ROW], v);
        if (!isnan(number) && counts)
            *LIB_VEC_PUSH(&cube->places[i].numbers) = number;
        put += !isnan(number);
    }
    if (put || !cube->view->output->base)
        cube->shown++;
    else
        cube->no_base++;
}

static bool is_too_large(const struct analysis_cube *cube)
{
    uint64_t count = cube->view->values->count;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        if (__builtin_mul_overflow(count, count_of(cube, d), &count))
            return true;
    return count > ANALYSIS_CUBE_MOST;
}

static void sum_up(struct analysis_cube *cube)
{
    const struct analysis_view_spec *o = cube->view->output;
    for (size_t i = 0; i < place_count(cube); i++) {
        struct analysis_place *place = &cube->places[i];
        place->summary = analysis_summarise(place->numbers.items, place->numbers.count,
                                            (enum analysis_of)o->of,
                                            (enum analysis_spread)o->spread);
    }
}

static void fill(struct analysis_cube *cube, const struct traces_reader *frame,
                 const run_list *runs)
{
    struct analysis_baselines bases;
    struct analysis_counted_runs once;
    analysis_baselines_start(&bases, cube->view, frame, cube->arena);
    analysis_counted_runs_start(&once, frame, cube->arena);
    for (size_t run = 0; run < frame->run_count && cube->view->output->base; run++)
        if (is_completed(frame, run))
            analysis_baselines_add(&bases, frame, run);
    cube->places = lib_mem_new((place_count(cube) + 1) * sizeof *cube->places);
    for (size_t i = 0; i < runs->count; i++)
        put_run(cube, &bases, &once, frame, runs->items[i]);
    sum_up(cube);
    analysis_counted_runs_free(&once);
    analysis_baselines_free(&bases);
}

bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame)
{
    run_list runs = {0};
    *cube = (struct analysis_cube){.view = view, .arena = lib_arena_new()};
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        analysis_keys_start(&cube->keys[d], cube->arena, view->dimensions[d]);
    choose(cube, frame, &runs);
    for (size_t i = 0; i < runs.count; i++)
        for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
            analysis_keys_add(&cube->keys[d], frame, runs.items[i]);
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        analysis_keys_sort(&cube->keys[d], frame);
    bool good = !is_too_large(cube);
    if (good)
        fill(cube, frame, &runs);
    LIB_VEC_FREE(&runs);
    return good;
}

void analysis_cube_free(struct analysis_cube *cube)
{
    for (size_t i = 0; cube->places && i < place_count(cube); i++)
        LIB_VEC_FREE(&cube->places[i].numbers);
    lib_mem_free(cube->places);
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        analysis_keys_free(&cube->keys[d]);
    lib_arena_free(cube->arena);
}

/* --- what is left out ------------------------------------------------------------------- */

static void write_part(struct lib_text *text, uint64_t count, const char *what)
{
    if (count)
        lib_text_printf(text, "%s%" PRIu64 " %s",
                        text->length ? ", " : "left out: ", count, what);
}

void analysis_cube_write_left_out(const struct analysis_cube *cube,
                                  const struct traces_reader *frame,
                                  struct lib_text *text)
{
    uint64_t missing = frame->asked > frame->run_count ? frame->asked - frame->run_count
                                                       : 0;
    write_part(text, cube->failed, "that failed");
    write_part(text, missing, "that have not been run");
    write_part(text, cube->no_base, "that have nothing to be compared with");
}
