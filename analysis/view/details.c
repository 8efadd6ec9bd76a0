#include "analysis/view/details.h"

#include <math.h>

#include "analysis/view/choice.h"
#include "traces/steps.h"

struct run {
    enum analysis_choice choice;
    bool has_rows;
    uint64_t widest;
    struct traces_steps *steps; /* per column of the detail; owned */
};

struct work {
    struct analysis_details *details;
    const struct traces_reader *runs;
    const struct analysis_view_spec *output;
    const struct traces_columns *columns;
    bool *wanted;
    struct run *list;
    uint64_t length; /* length of the longest run */
    const analysis_column_list *shown;
};

static bool has_steps(const struct work *w)
{
    return traces_detail_is_over_time(w->output->detail);
}

static void choose(struct work *w)
{
    for (size_t i = 0; i < w->runs->run_count; i++)
        w->list[i].choice = analysis_choose(w->runs, i, w->output->where);
}

/* Returns the run with a number, or NULL if it is not shown. Runs are sorted by number. */
static struct run *find_run(const struct work *w, int64_t number)
{
    const struct traces_column *column = traces_reader_column(w->runs, "number");
    size_t low = 0, high = w->runs->run_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (traces_reader_cell(w->runs, middle, column).integer < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < w->runs->run_count &&
                 w->list[low].choice == ANALYSIS_CHOICE_SHOWN &&
                 traces_reader_cell(w->runs, low, column).integer == number;
    return found ? &w->list[low] : NULL;
}

static void measure(const struct traces_detail_row *row, void *context)
{
    struct work *w = context;
    struct run *run = find_run(w, row->number);
    if (!run)
        return;
    uint64_t end = row->from + row->width;
    w->length = end > w->length ? end : w->length;
    run->widest = row->width > run->widest ? row->width : run->widest;
}

static void details_take(const struct traces_detail_row *row, void *context)
{
    struct work *w = context;
    struct run *run = find_run(w, row->number);
    if (!run)
        return;
    if (!run->steps)
        run->steps = lib_mem_new(w->columns->list.count * sizeof *run->steps);
    struct traces_steps *steps = &run->steps[row->column];
    if (!steps->columns)
        traces_steps_start(steps, w->length, w->details->width);
    run->has_rows = true;
    if (!isnan(row->value))
        traces_steps_add(steps, row->from, row->width, row->value);
}

/* Uses the widest row of each run, as its last row may be narrower. */
static void set_width(struct work *w)
{
    uint64_t widest = 1, finest = UINT64_MAX;
    for (size_t i = 0; i < w->runs->run_count; i++) {
        uint64_t width = w->list[i].widest;
        widest = width > widest ? width : widest;
        finest = width && width < finest ? width : finest;
    }
    w->details->width = has_steps(w) ? traces_steps_width(w->length, widest) : 1;
    w->details->finest = finest;
}

static bool read_rows(struct work *w, struct traces_database *store)
{
    if (!traces_detail_read(store, w->output->detail, w->wanted, measure, w))
        return false;
    set_width(w);
    return traces_detail_read(store, w->output->detail, w->wanted, details_take, w);
}

static size_t step_count(const struct work *w)
{
    uint64_t width = w->details->width;
    return w->length / width + (w->length % width > 0);
}

static size_t most_rows(const struct work *w)
{
    size_t count = 0;
    for (size_t i = 0; i < w->runs->run_count; i++)
        count += w->list[i].has_rows ? step_count(w) + 1 : 1;
    return count;
}

static double value_at(const struct work *w, const struct run *run, size_t column,
                       size_t step)
{
    const struct traces_steps *steps = &run->steps[column];
    double value = NAN;
    if (steps->columns && step < steps->count)
        value = w->output->thin == ANALYSIS_THIN_MAX ? traces_steps_greatest(steps, step)
                                                     : traces_steps_mean(steps, step);
    return isnan(value) && has_steps(w) ? 0 : value;
}

static void add_row(struct work *w, size_t run)
{
    struct traces_reader *rows = &w->details->rows;
    rows->run_of[rows->run_count++] = run;
}

static void add_step(struct work *w, size_t run, size_t step)
{
    const size_t count = w->columns->list.count;
    const struct traces_reader *rows = &w->details->rows;
    struct traces_cell *cells = &rows->details[rows->run_count * count];
    bool any = false;
    for (size_t c = 1; c < count; c++) {
        double value = w->wanted[c] ? value_at(w, &w->list[run], c, step) : NAN;
        cells[c] = traces_cell_real(value);
        any |= !isnan(value);
    }
    cells[0] = traces_cell_int((int64_t)(step * w->details->width));
    if (any)
        add_row(w, run);
}

static void add_rows(struct work *w)
{
    struct traces_reader *rows = &w->details->rows;
    size_t most = most_rows(w), steps = step_count(w);
    rows->run_of = LIB_ARENA_ARRAY(rows->arena, size_t, most + 1);
    rows->details = LIB_ARENA_ARRAY(rows->arena, struct traces_cell,
                                    (most + 1) * w->columns->list.count);
    for (size_t run = 0; run < w->runs->run_count; run++) {
        if (w->list[run].choice == ANALYSIS_CHOICE_FAILED)
            add_row(w, run); /* without cells, so that it counts once as failed */
        for (size_t step = 0; w->list[run].has_rows && step < steps + has_steps(w);
             step++)
            add_step(w, run, step);
    }
}

static void free_runs(struct work *w)
{
    for (size_t i = 0; i < w->runs->run_count; i++) {
        for (size_t c = 0; w->list[i].steps && c < w->columns->list.count; c++)
            traces_steps_free(&w->list[i].steps[c]);
        lib_mem_free(w->list[i].steps);
    }
    lib_mem_free(w->list);
}

void analysis_details_want(struct traces_reader *runs)
{
    traces_reader_want(runs, traces_reader_column(runs, "number"));
}

bool analysis_details_make(struct analysis_details *details, struct traces_reader *runs,
                           const struct analysis_view_spec *output,
                           const analysis_column_list *columns)
{
    *details = (struct analysis_details){.width = 1};
    traces_reader_start_details(&details->rows, runs, output->detail);
    struct work w = {
        .details = details,
        .runs = runs,
        .output = output,
        .columns = traces_detail_columns(output->detail),
        .list = lib_mem_new((runs->run_count + 1) * sizeof *w.list),
    };
    w.wanted = LIB_ARENA_ARRAY(details->rows.arena, bool, w.columns->list.count);
    for (size_t i = 0; i < columns->count; i++)
        w.wanted[columns->items[i] - w.columns->list.items] = true;
    choose(&w);
    bool good = read_rows(&w, &runs->store);
    if (good)
        add_rows(&w);
    free_runs(&w);
    return good;
}

void analysis_details_free(struct analysis_details *details)
{
    lib_arena_free(details->rows.arena);
}
