/* The cubes of tables and figures: their views, and what they have beyond bases: values
 * relative to one, and each run once. */
#include <inttypes.h>
#include <math.h>

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
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        want_all(view->dimensions[d], frame);
    want_all(view->values, frame);
    for (size_t i = 0; (named = analysis_condition_column(view->output->where, i)); i++)
        traces_reader_want(frame, named);
    analysis_baselines_want(view, frame);
    if (view->output->is_detailed)
        analysis_details_want(frame);
    analysis_counted_runs_want(frame);
}

/* --- runs ------------------------------------------------------------------------------- */

static void put_run(struct analysis_cube *cube, const struct analysis_baselines *bases,
                    struct analysis_counted_runs *once, const struct traces_reader *frame,
                    size_t run)
{
    const analysis_column_list *values = cube->view->values;
    const bool is_relative = cube->view->output->base;
    size_t place = analysis_cube_find(cube, frame, run), found = 0;
    size_t base = analysis_baselines_find(bases, frame, run);
    bool counts = analysis_counted_runs_take(once, frame, run, place,
                                             analysis_baselines_source(bases, base));
    for (size_t v = 0; v < values->count; v++) {
        double number = traces_reader_number(frame, run, values->items[v]);
        if (is_relative)
            number = analysis_baselines_compare(bases, base, v, number);
        if (counts)
            analysis_cube_put(cube, place + v, number);
        found += !isnan(number);
    }
    if (found || !is_relative)
        cube->shown++;
    else
        cube->no_base++;
}

static void put_runs(struct analysis_cube *cube, const struct traces_reader *frame)
{
    struct analysis_baselines bases;
    struct analysis_counted_runs once;
    analysis_baselines_make(&bases, cube->view, frame);
    cube->mixed = bases.mixed;
    analysis_counted_runs_start(&once, frame, cube->arena);
    for (size_t i = 0; i < cube->runs.count; i++)
        put_run(cube, &bases, &once, frame, cube->runs.items[i]);
    analysis_counted_runs_free(&once);
    analysis_baselines_free(&bases);
}

/* Only what is shown can be: it has a place for each combination of keys, also where there
 * is no run. */
static bool is_too_large(const struct analysis_cube *cube)
{
    uint64_t count = cube->view->values->count;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        if (__builtin_mul_overflow(count, cube->keys[d].list.count, &count))
            return true;
    return count > ANALYSIS_CUBE_MOST;
}

bool analysis_cube_make(struct analysis_cube *cube, const struct analysis_view *view,
                        const struct traces_reader *frame)
{
    analysis_cube_start(cube, view, frame);
    if (is_too_large(cube))
        return false;
    analysis_cube_lay_out(cube);
    put_runs(cube, frame);
    analysis_cube_sum_up(cube);
    return true;
}

bool analysis_cube_make_of_details(struct analysis_cube *cube,
                                   const struct analysis_view *view,
                                   struct traces_reader *runs)
{
    struct analysis_details *details = lib_mem_new(sizeof *details);
    bool good = analysis_details_make(details, runs, view->output, view->values);
    if (good)
        good = analysis_cube_make(cube, view, &details->rows);
    else
        *cube = (struct analysis_cube){.view = view, .arena = lib_arena_new()};
    cube->details = details;
    return good;
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
    const size_t there = frame->runs ? frame->runs->run_count : frame->run_count;
    uint64_t missing = frame->asked > there ? frame->asked - there : 0;
    write_part(text, cube->failed, "that failed");
    write_part(text, missing, "that have not been run");
    write_part(text, cube->no_base, "that have nothing to be compared with");
}
