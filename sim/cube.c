#include "sim/cube.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base.h"
#include "sim/once.h"

/* --- views ------------------------------------------------------------------------------ */

static const analysis_column_list no_columns;

struct sim_view sim_view_of_table(const struct sim_table_output *table)
{
    return (struct sim_view){
        .output = &table->common,
        .dimensions = {&no_columns, &table->columns, &table->rows},
        .values = &table->common.values,
    };
}

/* Of a heat map the second axis is one of the keys, and the colour what is shown there. */
struct sim_view sim_view_of_figure(const struct sim_figure *figure)
{
    bool heat = figure->kind == SIM_FIGURE_HEAT;
    return (struct sim_view){
        .output = &figure->common,
        .dimensions = {&figure->panels, heat ? &figure->common.values : &figure->by,
                       &figure->x},
        .values = heat ? &figure->z : &figure->common.values,
    };
}

const char *sim_view_suffix(const struct sim_view *view)
{
    static const char *const suffixes[] = {" (ratio)", " (speedup)", " (percent)"};
    return view->output->base ? suffixes[view->output->relative] : "";
}

static void want_all(const analysis_column_list *columns, struct traces_reader *frame)
{
    for (size_t i = 0; i < columns->count; i++)
        traces_reader_want(frame, columns->items[i]);
}

void sim_view_want(const struct sim_view *view, struct traces_reader *frame)
{
    const struct traces_column *named;
    const struct sim_condition *where = view->output->where;
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        want_all(view->dimensions[d], frame);
    want_all(view->values, frame);
    for (size_t i = 0; where && (named = sim_condition_column(where, i)); i++)
        traces_reader_want(frame, named);
    sim_bases_want(view, frame);
    sim_once_want(frame);
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

static bool is_chosen(const struct sim_cube *cube, const struct traces_reader *frame,
                      size_t run)
{
    const struct sim_condition *where = cube->view->output->where;
    const struct at at = {frame, run};
    return !where || sim_condition_holds(where, cell_at, &at);
}

static bool is_completed(const struct traces_reader *frame, size_t run)
{
    struct traces_cell status = traces_reader_cell(frame, run,
                                                   traces_reader_column(frame, "status"));
    return status.type == TRACES_CELL_TEXT && strcmp(status.text, "completed") == 0;
}

/* Those that are shown, in order; owned by the caller. */
typedef LIB_VEC(size_t) run_list;

static void choose(struct sim_cube *cube, const struct traces_reader *frame,
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

static size_t count_of(const struct sim_cube *cube, enum sim_dimension dimension)
{
    return cube->keys[dimension].list.count;
}

static size_t index_of(const struct sim_cube *cube, size_t panel, size_t series,
                       size_t row, size_t value)
{
    return ((panel * count_of(cube, SIM_SERIES) + series) * count_of(cube, SIM_ROW) +
            row) *
               cube->view->values->count +
           value;
}

static size_t place_count(const struct sim_cube *cube)
{
    return index_of(cube, count_of(cube, SIM_PANEL), 0, 0, 0);
}

const struct sim_place *sim_cube_place(const struct sim_cube *cube, size_t panel,
                                       size_t series, size_t row, size_t value)
{
    return &cube->places[index_of(cube, panel, series, row, value)];
}

static double number_of(const struct sim_cube *cube, const struct sim_bases *bases,
                        const struct traces_reader *frame, size_t run, size_t value)
{
    if (cube->view->output->base)
        return sim_bases_compare(bases, frame, run, value);
    struct traces_cell cell = traces_reader_cell(frame, run,
                                                 cube->view->values->items[value]);
    return analysis_cell_number(&cell);
}

static void put_run(struct sim_cube *cube, const struct sim_bases *bases,
                    struct sim_once *once, const struct traces_reader *frame, size_t run)
{
    size_t at[SIM_DIMENSIONS], put = 0;
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        at[d] = sim_keys_find(&cube->keys[d], frame, run);
    bool counts = sim_once_take(
        once, frame, run, index_of(cube, at[SIM_PANEL], at[SIM_SERIES], at[SIM_ROW], 0),
        sim_bases_source(bases, frame, run));
    for (size_t v = 0; v < cube->view->values->count; v++) {
        double number = number_of(cube, bases, frame, run, v);
        size_t i = index_of(cube, at[SIM_PANEL], at[SIM_SERIES], at[SIM_ROW], v);
        if (!isnan(number) && counts)
            *LIB_VEC_PUSH(&cube->places[i].numbers) = number;
        put += !isnan(number);
    }
    if (put || !cube->view->output->base)
        cube->shown++;
    else
        cube->no_base++;
}

static bool is_too_large(const struct sim_cube *cube)
{
    uint64_t count = cube->view->values->count;
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        if (__builtin_mul_overflow(count, count_of(cube, d), &count))
            return true;
    return count > SIM_CUBE_MOST;
}

static void sum_up(struct sim_cube *cube)
{
    const struct sim_output *o = cube->view->output;
    for (size_t i = 0; i < place_count(cube); i++) {
        struct sim_place *place = &cube->places[i];
        place->summary = analysis_summarise(place->numbers.items, place->numbers.count,
                                            (enum analysis_of)o->of,
                                            (enum analysis_spread)o->spread);
    }
}

static void fill(struct sim_cube *cube, const struct traces_reader *frame,
                 const run_list *runs)
{
    struct sim_bases bases;
    struct sim_once once;
    sim_bases_start(&bases, cube->view, frame, cube->arena);
    sim_once_start(&once, frame, cube->arena);
    for (size_t run = 0; run < frame->run_count && cube->view->output->base; run++)
        if (is_completed(frame, run))
            sim_bases_add(&bases, frame, run);
    cube->places = lib_mem_new((place_count(cube) + 1) * sizeof *cube->places);
    for (size_t i = 0; i < runs->count; i++)
        put_run(cube, &bases, &once, frame, runs->items[i]);
    sum_up(cube);
    sim_once_free(&once);
    sim_bases_free(&bases);
}

bool sim_cube_make(struct sim_cube *cube, const struct sim_view *view,
                   const struct traces_reader *frame)
{
    run_list runs = {0};
    *cube = (struct sim_cube){.view = view, .arena = lib_arena_new()};
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        sim_keys_start(&cube->keys[d], cube->arena, view->dimensions[d]);
    choose(cube, frame, &runs);
    for (size_t i = 0; i < runs.count; i++)
        for (int d = 0; d < SIM_DIMENSIONS; d++)
            sim_keys_add(&cube->keys[d], frame, runs.items[i]);
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        sim_keys_sort(&cube->keys[d], frame);
    bool good = !is_too_large(cube);
    if (good)
        fill(cube, frame, &runs);
    LIB_VEC_FREE(&runs);
    return good;
}

void sim_cube_free(struct sim_cube *cube)
{
    for (size_t i = 0; cube->places && i < place_count(cube); i++)
        LIB_VEC_FREE(&cube->places[i].numbers);
    lib_mem_free(cube->places);
    for (int d = 0; d < SIM_DIMENSIONS; d++)
        sim_keys_free(&cube->keys[d]);
    lib_arena_free(cube->arena);
}

/* --- what is left out ------------------------------------------------------------------- */

static void write_part(struct lib_text *text, uint64_t count, const char *what)
{
    if (count)
        lib_text_printf(text, "%s%" PRIu64 " %s",
                        text->length ? ", " : "left out: ", count, what);
}

void sim_cube_write_left_out(const struct sim_cube *cube,
                             const struct traces_reader *frame, struct lib_text *text)
{
    uint64_t missing = frame->asked > frame->run_count ? frame->asked - frame->run_count
                                                       : 0;
    write_part(text, cube->failed, "that failed");
    write_part(text, missing, "that have not been run");
    write_part(text, cube->no_base, "that have nothing to be compared with");
}
