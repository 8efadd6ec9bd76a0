/* Cubes of tables and figures: what they show, values relative to a base, and each run once. */
#include <inttypes.h>
#include <math.h>

#include "analysis/view/baseline.h"
#include "analysis/view/choice.h"
#include "analysis/view/counted_runs.h"
#include "analysis/view/derived.h"

static const analysis_column_list no_columns;

struct analysis_view analysis_view_of_table(const struct analysis_table_spec *table)
{
    return (struct analysis_view){
        .output = &table->common,
        .dimensions = {&no_columns, &table->columns, &table->rows},
        .values = &table->common.values,
        .shown_by = "`rows` or `columns`",
    };
}

/* Points over a statistic show single runs, as equal numbers are chance. The second axis of a heat
 * map is a key, and the colour the value. */
struct analysis_view analysis_view_of_figure(const struct analysis_figure *figure)
{
    bool heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    const bool of_parameter = figure->x.items[0]->kind <= TRACES_COLUMN_INPUT;
    return (struct analysis_view){
        .output = &figure->common,
        .dimensions = {&figure->panels, heat ? &figure->common.values : &figure->by,
                       &figure->x},
        .values = heat ? &figure->z : &figure->common.values,
        .marks_failed = !figure->common.is_detailed && of_parameter,
        .shows_each = figure->kind == ANALYSIS_FIGURE_POINTS && !of_parameter &&
                      !figure->common.is_detailed && !figure->common.has_of &&
                      figure->common.spread == ANALYSIS_NONE,
        .shown_by = heat ? "`panels`" : "`by` or `panels`",
        .shows_quartiles = figure->kind == ANALYSIS_FIGURE_BOXES,
    };
}

static void want_all(const analysis_column_list *columns, struct traces_reader *frame)
{
    for (size_t i = 0; i < columns->count; i++)
        analysis_column_want(frame, columns->items[i]);
}

void analysis_view_want(const struct analysis_view *view, struct traces_reader *frame)
{
    const struct traces_column *named;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        want_all(view->dimensions[d], frame);
    want_all(view->values, frame);
    want_all(&view->output->per, frame);
    for (size_t i = 0; (named = analysis_condition_column(view->output->where, i)); i++)
        traces_reader_want(frame, named);
    traces_reader_want_varying(frame);
    analysis_baselines_want(view, frame);
    if (view->output->is_detailed)
        analysis_details_want(frame);
    analysis_counted_runs_want(frame);
}

struct work {
    struct analysis_cube *cube;
    const struct traces_reader *frame;
    struct analysis_baselines bases;
    struct analysis_counted_runs once;
    analysis_shown_list shown;
    bool leaves_bases; /* whether bases are not shown */
};

static bool is_base(const struct work *w, size_t run)
{
    const struct analysis_condition *base = w->cube->view->output->base;
    return base && analysis_choose(w->frame, run, base) == ANALYSIS_CHOICE_SHOWN;
}

/* Whether bases share cells with other runs. If so, bases are not shown, as their 1 (or 0 %) would
 * falsify means. */
static bool mixes_bases(const struct work *w)
{
    const struct analysis_cube *cube = w->cube;
    enum { BASE = 1, OTHER };
    unsigned char *kinds = lib_mem_new(analysis_cube_place_count(cube) + 1);
    bool mixes = false;
    for (size_t i = 0; cube->view->output->base && i < cube->runs.count; i++) {
        const size_t run = cube->runs.items[i];
        unsigned char *kind = &kinds[analysis_cube_find(cube, w->frame, run)];
        *kind |= is_base(w, run) ? BASE : OTHER;
        mixes |= *kind == (BASE | OTHER);
    }
    lib_mem_free(kinds);
    return mixes;
}

static void put_run(struct work *w, size_t run)
{
    struct analysis_cube *cube = w->cube;
    const analysis_column_list *values = cube->view->values;
    const bool is_relative = cube->view->output->base;
    size_t place = analysis_cube_find(cube, w->frame, run), found = 0;
    size_t base = analysis_baselines_find(&w->bases, w->frame, run);
    bool counts = analysis_counted_runs_take(&w->once, w->frame, run, place,
                                             analysis_baselines_source(&w->bases, base));
    for (size_t v = 0; v < values->count; v++) {
        double number = analysis_cube_number(cube->view->output, w->frame, run,
                                             values->items[v]);
        if (is_relative)
            number = analysis_baselines_compare(&w->bases, base, v, number);
        if (counts)
            analysis_cube_put(cube, place + v, number);
        found += !isnan(number);
    }
    if (is_relative)
        analysis_baselines_find_across(&w->bases, w->frame, run, base, &cube->across);
    if (counts && found)
        *LIB_VEC_PUSH(&w->shown) = (struct analysis_shown){run, place};
    if (found || !is_relative) {
        cube->shown++;
        return;
    }
    if (cube->no_base++ == 0 && base == SIZE_MAX) {
        struct lib_text apart = {0};
        analysis_baselines_write_apart(&w->bases, w->frame, run, &apart);
        cube->apart = lib_arena_keep(cube->arena, &apart);
    }
}

static void mark_failed(const struct work *w, size_t run)
{
    const struct analysis_condition *base = w->cube->view->output->base;
    const bool is_left = w->leaves_bases &&
                         analysis_choose(w->frame, run, base) == ANALYSIS_CHOICE_FAILED;
    if (!is_left)
        w->cube->places[analysis_cube_find(w->cube, w->frame, run)].failed++;
}

static void put_runs(struct analysis_cube *cube, const struct traces_reader *frame)
{
    struct work w = {.cube = cube, .frame = frame};
    struct lib_text text = {0};
    analysis_baselines_make(&w.bases, cube->view, frame);
    analysis_counted_runs_start(&w.once, frame, cube->arena);
    w.leaves_bases = mixes_bases(&w);
    for (size_t i = 0; i < cube->runs.count; i++)
        if (!w.leaves_bases || !is_base(&w, cube->runs.items[i]))
            put_run(&w, cube->runs.items[i]);
    for (size_t i = 0; i < cube->failed_runs.count; i++)
        mark_failed(&w, cube->failed_runs.items[i]);
    analysis_hidden_find(&cube->hidden, frame, &w.shown);
    analysis_hidden_write(&cube->hidden, frame, &w.shown, &text);
    cube->hidden_text = lib_arena_keep(cube->arena, &text);
    LIB_VEC_FREE(&w.shown);
    analysis_counted_runs_free(&w.once);
    analysis_baselines_free(&w.bases);
}

/* Whether a cell for each combination of keys, with or without runs, is too much. */
static bool is_too_large(const struct analysis_cube *cube)
{
    uint64_t count = cube->view->values->count;
    for (int d = 0; d < ANALYSIS_DIMENSIONS; d++)
        if (__builtin_mul_overflow(count, cube->keys[d].list.count, &count))
            return true;
    return count > ANALYSIS_CUBE_MAX;
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
        *cube = (struct analysis_cube){
            .view = view, .arena = lib_arena_new(), .apart = "", .hidden_text = ""};
    cube->details = details;
    return good;
}

bool analysis_cube_hides(const struct analysis_cube *cube)
{
    return cube->hidden.columns.count && !cube->view->output->has_of &&
           !cube->view->shows_each;
}

void analysis_cube_write_hidden(const struct analysis_cube *cube, struct lib_text *text)
{
    const struct analysis_view *view = cube->view;
    const struct analysis_view_spec *output = view->output;
    lib_text_printf(text,
                    "`%s`: a number would be the %s over %s; add them to %s, choose one "
                    "value by `where`, or ask for it by `of: %s`",
                    output->name, analysis_of_words[output->of], cube->hidden_text,
                    view->shown_by, analysis_of_names[output->of]);
}

static const char *names_of(const analysis_column_list *columns,
                            const struct analysis_labels *labels, struct lib_arena *arena)
{
    const char *names = "";
    for (size_t i = 0; i < columns->count; i++)
        names = lib_arena_printf(arena, "%s%s%s", names, i ? ", " : "",
                                 analysis_labels_name(labels, columns->items[i]));
    return names;
}

const char *analysis_cube_over(const struct analysis_cube *cube,
                               const struct analysis_labels *labels,
                               struct lib_arena *arena)
{
    const struct analysis_hidden *hidden = &cube->hidden;
    const struct analysis_view *view = cube->view;
    const char *of = view->shows_quartiles ? "quartiles"
                                           : analysis_of_words[view->output->of];
    if (view->shows_each)
        return "";
    if (hidden->columns.count)
        return lib_arena_printf(arena, "%s over %s%s", of,
                                names_of(&hidden->columns, labels, arena),
                                hidden->most > 1 ? ", repetition" : "");
    return hidden->most > 1
               ? lib_arena_printf(arena, "%s of %s%zu repetitions", of,
                                  hidden->least < hidden->most ? "up to " : "",
                                  hidden->most)
               : "";
}

const char *analysis_cube_across(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 struct lib_arena *arena)
{
    const char *names = names_of(&cube->across, labels, arena);
    return *names ? lib_arena_printf(arena, ", across %s", names) : "";
}

const char *analysis_cube_suffix(const struct analysis_cube *cube,
                                 const struct analysis_labels *labels,
                                 bool names_relative, struct lib_arena *arena)
{
    static const char *const relative[] = {"ratio", "speedup", "percent"};
    const struct analysis_view_spec *output = cube->view->output;
    const char *compared = output->base && names_relative
                               ? lib_arena_printf(
                                     arena, "%s%s", relative[output->relative],
                                     analysis_cube_across(cube, labels, arena))
                               : "";
    const char *over = cube->hidden.columns.count
                           ? analysis_cube_over(cube, labels, arena)
                           : "";
    const char *per = output->per.count
                          ? lib_arena_printf(
                                arena, " per %s",
                                analysis_labels_name(labels, output->per.items[0]))
                          : "";
    return *compared || *over ? lib_arena_printf(arena, "%s (%s%s%s)", per, compared,
                                                 *compared && *over ? ", " : "", over)
                              : per;
}

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
    if (cube->no_base && *cube->apart)
        lib_text_printf(text, " (no base has their %s)", cube->apart);
}
