#include "sim/experiment/fit_views.h"

#include "analysis/view/cube.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/walk.h"

#include <string.h>

enum { RUNS_MAX = 100000 };

/* --- what is decided before a run ------------------------------------------------------------- */

/* Whether each completed run has a number in a column. */
static bool is_certain(const struct sim_experiment *x, const struct traces_column *column)
{
    if (column->stat)
        return column->stat->kind == TRACES_STAT_COUNT && x->windows.count == 0;
    return column->kind == TRACES_COLUMN_SETTING && column->type == TRACES_TYPE_INT;
}

static bool is_known(const struct traces_column *column)
{
    return !sim_column_is_of_outcome(column) || strcmp(column->name, "status") == 0;
}

static bool is_condition_known(const struct analysis_condition *condition)
{
    const struct traces_column *named;
    for (size_t i = 0; (named = analysis_condition_column(condition, i)); i++)
        if (!is_known(named))
            return false;
    return true;
}

/* A view of results that do not exist yet. Leaves out columns of details, as all rows of a run
 * average over the same runs. Run numbers replace unknown values. */
struct view_before {
    struct analysis_view view;
    analysis_column_list dimensions[ANALYSIS_DIMENSIONS], values; /* owned */
};

static void free_view(struct view_before *before)
{
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        LIB_VEC_FREE(&before->dimensions[d]);
    LIB_VEC_FREE(&before->values);
}

static bool is_of_detail(const struct sim_experiment *x,
                         const struct traces_column *column)
{
    for (size_t i = 0; i < x->columns.list.count; i++)
        if (column == &x->columns.list.items[i])
            return false;
    return true;
}

/* Copies the columns of the dimensions. Returns false if they depend on results. */
static bool find_places(struct view_before *before, const struct sim_experiment *x)
{
    const struct analysis_view_spec *o = before->view.output;
    if (!is_condition_known(o->where) || !is_condition_known(o->base))
        return false;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++) {
        const analysis_column_list *columns = before->view.dimensions[d];
        for (size_t i = 0; i < columns->count; i++) {
            if (is_of_detail(x, columns->items[i]))
                continue;
            if (!is_known(columns->items[i]))
                return false;
            *LIB_VEC_PUSH(&before->dimensions[d]) = columns->items[i];
        }
        before->view.dimensions[d] = &before->dimensions[d];
    }
    return true;
}

/* Whether runs usually have a number in a column; a ratio may be 0 / 0, a window empty. */
static bool is_expected(const struct sim_experiment *x,
                        const struct traces_column *column)
{
    return is_of_detail(x, column) || column->stat || is_certain(x, column);
}

/* Prepares a view; free it in any case. Returns false if only results decide what it hides. */
static bool see_view(struct view_before *before, const struct sim_experiment *x,
                     const struct traces_reader *frame, const struct analysis_view *view)
{
    bool is_one_certain = false, is_one_expected = false;
    *before = (struct view_before){.view = *view};
    if (!find_places(before, x))
        return false;
    for (size_t i = 0; i < view->values->count; i++) {
        const struct traces_column *column = view->values->items[i];
        is_one_certain |= !is_of_detail(x, column) && is_certain(x, column);
        is_one_expected |= is_expected(x, column);
    }
    if (!is_one_certain) {
        *LIB_VEC_PUSH(&before->values) = traces_reader_column(frame, "number");
        before->view.values = &before->values;
    }
    return is_one_expected;
}

static size_t view_count(const struct sim_experiment *x)
{
    return x->outputs.tables.count + x->outputs.figures.count;
}

/* Returns view `i`; tables come first. */
static struct analysis_view view_of(const struct sim_experiment *x, size_t i)
{
    const size_t tables = x->outputs.tables.count;
    return i < tables ? analysis_view_of_table(&x->outputs.tables.items[i])
                      : analysis_view_of_figure(&x->outputs.figures.items[i - tables]);
}

/* --- results as they will be ------------------------------------------------------------------ */

static bool may_vary(const struct sim_experiment *x, const struct traces_column *column)
{
    if (column->kind != TRACES_COLUMN_SETTING)
        return true;
    bool varies = x->machines.count > 1;
    for (size_t i = 0; i < x->params.count && !varies; i++)
        varies = strcmp(x->params.items[i].name, column->name) == 0 &&
                 x->params.items[i].values.list.count > 1;
    for (size_t i = 0; i < x->own.count && !varies; i++)
        varies = strcmp(x->own.items[i].name, column->name) == 0;
    return varies;
}

/* Whether a column is a parameter of runs: not their number, repetition or seed. */
static bool is_parameter(const struct traces_column *column)
{
    return column->kind <= TRACES_COLUMN_INPUT && column->fact != SIM_FACT_NUMBER &&
           column->fact != SIM_FACT_REPETITION && column->fact != SIM_FACT_SEED;
}

/* As in results, a run without random numbers has no seed. Texts are copied, as the walk reuses its
 * arena. */
static struct traces_cell cell_of(const struct traces_column *column,
                                  const struct sim_config *config, size_t run,
                                  struct lib_arena *arena)
{
    if (column->fact == SIM_FACT_NUMBER)
        return traces_cell_int((int64_t)run + 1);
    if (column->fact == SIM_FACT_SEED && !sim_config_draws(config))
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    struct traces_cell cell = sim_config_cell(config, column, arena);
    if (cell.type == TRACES_CELL_TEXT && cell.text)
        cell.text = lib_arena_copy(arena, cell.text, strlen(cell.text));
    return cell;
}

/* Returns `completed`, a number or nothing, for a column of results. */
static struct traces_cell outcome_of(const struct sim_experiment *x,
                                     const struct traces_column *column)
{
    if (strcmp(column->name, "status") == 0)
        return traces_cell_text("completed");
    return is_certain(x, column) ? traces_cell_real(1)
                                 : (struct traces_cell){.type = TRACES_CELL_NULL};
}

static void find_varying(struct traces_reader *frame)
{
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        const struct traces_cell *cells = frame->cells[c];
        bool varies = false;
        for (size_t run = 1; cells && run < frame->run_count && !varies; run++)
            varies = !analysis_cells_are_alike(&cells[0], &cells[run]);
        if (varies && is_parameter(&frame->columns.list.items[c]))
            *LIB_VEC_PUSH(&frame->varying) = &frame->columns.list.items[c];
    }
}

static void fill(struct traces_reader *frame, const struct sim_experiment *x,
                 const struct sim_runs *runs, const bool *wanted)
{
    struct sim_walk *walk = sim_walk_new(x);
    const size_t columns = frame->columns.list.count;
    for (size_t run = 0; run < runs->list.count && frame->run_count < RUNS_MAX; run++) {
        if (wanted && !wanted[run])
            continue;
        const struct sim_config *config = sim_walk_to_run(walk, &runs->list.items[run]);
        for (size_t c = 0; c < columns; c++) {
            const struct traces_column *column = &frame->columns.list.items[c];
            if (!frame->cells[c])
                continue;
            struct traces_cell *cell = &frame->cells[c][frame->run_count];
            if (sim_column_is_of_outcome(column))
                *cell = outcome_of(x, column);
            else if (frame->run_count && !may_vary(x, column))
                *cell = frame->cells[c][0];
            else
                *cell = cell_of(column, config, run, frame->arena);
        }
        frame->run_count++;
    }
    sim_walk_free(walk);
}

/* Requests the columns of views that can be checked, and parameters that may vary. */
static void want(const struct sim_experiment *x, struct traces_reader *frame)
{
    for (size_t i = 0; i < view_count(x); i++) {
        const struct analysis_view view = view_of(x, i);
        struct view_before before;
        if (see_view(&before, x, frame, &view))
            analysis_view_want(&before.view, frame);
        free_view(&before);
    }
    for (size_t c = 0; c < frame->columns.list.count; c++) {
        const struct traces_column *column = &frame->columns.list.items[c];
        if (is_parameter(column) && may_vary(x, column))
            traces_reader_want(frame, column);
    }
    traces_reader_want(frame, traces_reader_column(frame, "status"));
}

/* Makes results as if all runs had completed, as far as views need them. */
static struct traces_reader *make_frame(const struct sim_experiment *x,
                                        const struct sim_runs *runs, const bool *wanted)
{
    struct traces_reader *frame = lib_mem_new(sizeof *frame);
    const size_t all = runs->list.count < RUNS_MAX ? runs->list.count : RUNS_MAX;
    frame->arena = lib_arena_new();
    frame->columns = x->columns;
    frame->has_varying = true;
    frame->cells = LIB_ARENA_ARRAY(frame->arena, struct traces_cell *,
                                   x->columns.list.count + 1);
    want(x, frame);
    for (size_t c = 0; c < x->columns.list.count; c++)
        if (frame->cells[c])
            frame->cells[c] = LIB_ARENA_ARRAY(frame->arena, struct traces_cell, all + 1);
    fill(frame, x, runs, wanted);
    frame->asked = frame->run_count;
    find_varying(frame);
    return frame;
}

static void free_frame(struct traces_reader *frame)
{
    LIB_VEC_FREE(&frame->varying);
    lib_arena_free(frame->arena);
    lib_mem_free(frame);
}

/* --- views ------------------------------------------------------------------------------------ */

/* Skips a view with a base if runs were left out: the base may be among them. */
static bool check_view(const struct sim_experiment *x, const struct analysis_view *view,
                       const struct traces_reader *frame, struct lib_diags *diags)
{
    struct view_before before;
    struct analysis_cube cube;
    LIB_TEXT_OWN why = {0};
    if (!see_view(&before, x, frame, view) ||
        (view->output->base && frame->run_count == RUNS_MAX)) {
        free_view(&before);
        return true;
    }
    const bool hides = analysis_cube_make(&cube, &before.view, frame) &&
                       analysis_cube_hides(&cube);
    if (hides) {
        analysis_cube_write_hidden(&cube, &why);
        lib_diag_error(diags, LIB_DIAG_MEANING, x->source, view->output->pos, "%s",
                       lib_text_get(&why));
    }
    analysis_cube_free(&cube);
    free_view(&before);
    return !hides;
}

bool sim_views_fit(const struct sim_experiment *x, const struct sim_runs *runs,
                   const bool *wanted, struct lib_diags *diags)
{
    bool good = true;
    if (view_count(x) == 0)
        return true;
    struct traces_reader *frame = make_frame(x, runs, wanted);
    for (size_t i = 0; i < view_count(x); i++) {
        const struct analysis_view view = view_of(x, i);
        good &= check_view(x, &view, frame, diags);
    }
    free_frame(frame);
    return good;
}
