#include <math.h>
#include <string.h>

#include "analysis/table/sheet.h"
#include "analysis/view/keys.h"
#include "sim/compare/comparison.h"
#include "traces/results/export.h"

/* --- what is shown ------------------------------------------------------------------ */

static const char standard[] = "cycles,speedup,calls,firings,span,tokens,network_tokens,"
                               "peak_live_tokens,peak_tags,peak_graph_nodes";
static const char speedup_name[] = "speedup";

static bool read_name(struct sim_shown *shown, const struct traces_columns *columns,
                      const char *name, struct lib_diags *diags)
{
    const struct traces_column *column = traces_columns_find(columns, name);
    bool is_speedup = strcmp(name, speedup_name) == 0;
    if (is_speedup || (column && column->stat)) {
        shown->columns[shown->count++] = is_speedup ? NULL : column;
        return true;
    }
    const char *nearest = traces_columns_nearest(columns, name,
                                                 1 << TRACES_COLUMN_STATISTIC);
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, (struct lib_pos){0},
                   "--columns: there is no statistic `%s`%s%s%s", name,
                   nearest ? "; did you mean `" : "", nearest ? nearest : "",
                   nearest ? "`?" : "; see hiaton settings --statistics");
    return false;
}

bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags)
{
    const struct sim_experiment *x = &comparison->experiment;
    size_t most = 1;
    names = names ? names : standard;
    for (const char *p = names; *p; p++)
        most += *p == ',';
    *shown = (struct sim_shown){
        .columns = LIB_ARENA_ARRAY(x->arena, const struct traces_column *, most)};
    for (const char *end; names; names = *end ? end + 1 : NULL) {
        end = names + strcspn(names, ",");
        const char *name = lib_arena_copy(x->arena, names, (size_t)(end - names));
        if (!read_name(shown, &x->columns, name, diags))
            return false;
    }
    return true;
}

/* Whether all sides have the same of it where they agree; a speedup is of a single one. */
static bool is_common(const struct sim_comparison *c, const struct traces_column *column)
{
    if (!column)
        return c->side_count == 2;
    return strcmp(column->name, "calls") == 0 ||
           strcmp(column->name, "loop_iterations") == 0;
}

/* --- cells -------------------------------------------------------------------------- */

/* What is being written. */
struct work {
    const struct sim_comparison *c;
    const struct sim_shown *shown;
    struct lib_arena *arena;
    bool exact; /* all digits */
};

static const char *text_of(const struct work *w, const struct traces_cell *cell)
{
    if (cell->type == TRACES_CELL_NULL)
        return NULL;
    if (cell->type == TRACES_CELL_REAL && !w->exact)
        return lib_arena_printf(w->arena, "%.4g", cell->real);
    struct lib_text text = {0};
    traces_cell_write(cell, &text);
    const char *kept = lib_arena_copy(w->arena, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return kept;
}

static const char *input_text(const struct work *w, size_t row, size_t input)
{
    const struct work exact = {.arena = w->arena, .exact = true};
    struct traces_cell cell = sim_comparison_input(w->c, row, input, w->arena);
    return text_of(&exact, &cell);
}

static const char *speedup_text(const struct work *w, size_t row, enum sim_side side)
{
    struct traces_cell cell = traces_cell_real(sim_comparison_speedup(w->c, row, side));
    if (cell.type == TRACES_CELL_NULL || w->exact)
        return text_of(w, &cell);
    return lib_arena_printf(w->arena, "%.2f", cell.real);
}

static const char *stat_text(const struct work *w, size_t row, enum sim_side side,
                             const struct traces_column *column)
{
    if (!column)
        return side == SIM_SIDE_STATIC ? "" : speedup_text(w, row, side);
    if (!sim_comparison_has(w->c, row, side))
        return NULL;
    struct traces_cell cell = sim_outcome_cell(sim_comparison_outcome(w->c, row, side),
                                               column, w->arena);
    return text_of(w, &cell);
}

/* Its result, or how it ended. */
static const char *side_text(const struct work *w, size_t row, enum sim_side side)
{
    return sim_comparison_has(w->c, row, side)
               ? lib_text_get(&sim_comparison_outcome(w->c, row, side)->result)
               : sim_comparison_status(w->c, row, side);
}

/* The same of all, where it is the same. */
static const char *row_text(const struct work *w, size_t row)
{
    const char *first = side_text(w, row, SIM_SIDE_STATIC), *all = first;
    bool same = true;
    for (enum sim_side s = SIM_SIDE_EXPANDING; s < w->c->side_count; s++) {
        const char *text = side_text(w, row, s);
        same &= strcmp(first, text) == 0;
        all = lib_arena_printf(w->arena, "%s / %s", all, text);
    }
    return same ? first : all;
}

static const char *common_text(const struct work *w, size_t row,
                               const struct traces_column *column)
{
    if (!column)
        return speedup_text(w, row, SIM_SIDE_EXPANDING);
    return sim_comparison_agrees(w->c, row) ? stat_text(w, row, SIM_SIDE_STATIC, column)
                                            : NULL;
}

static const char *head_of(const struct traces_column *column)
{
    return column ? column->name : "speedup %";
}

/* --- sheets ------------------------------------------------------------------------- */

/* A sheet that is being filled from left to right, row by row. */
struct filling {
    const char **heads, **cells;
    bool *is_text;
    size_t width, used, cell_count;
};

static void start(struct filling *f, struct lib_arena *arena, size_t width, size_t height)
{
    *f = (struct filling){
        .heads = LIB_ARENA_ARRAY(arena, const char *, width + 1),
        .cells = LIB_ARENA_ARRAY(arena, const char *, width *height + 1),
        .is_text = LIB_ARENA_ARRAY(arena, bool, width + 1),
        .width = width,
    };
}

/* What the cells below a head are: numbers stand to the right, texts to the left. */
enum cells { NUMBERS, TEXTS };

static void add_head(struct filling *f, const char *head, enum cells below)
{
    f->is_text[f->used] = below == TEXTS;
    f->heads[f->used++] = head;
}

static void add_cell(struct filling *f, const char *cell)
{
    f->cells[f->cell_count++] = cell;
}

static void add_inputs(struct filling *f, const struct work *w, size_t row)
{
    for (size_t i = 0; i < w->c->input_count; i++)
        add_cell(f, input_text(w, row, i));
}

static void add_input_heads(struct filling *f, const struct sim_comparison *c)
{
    for (size_t i = 0; i < c->input_count; i++)
        add_head(f, c->inputs[i]->input,
                 c->inputs[i]->type == TRACES_TYPE_BOOL ? TEXTS : NUMBERS);
}

/* Tuples, lists and statuses are texts. */
static enum cells results_are(const struct work *w)
{
    double number;
    for (size_t row = 0; row < w->c->row_count; row++)
        if (!lib_text_to_real(row_text(w, row), &number))
            return TEXTS;
    return NUMBERS;
}

static struct analysis_sheet sheet_of(const struct filling *f, struct lib_arena *arena,
                                      size_t key_count)
{
    return (struct analysis_sheet){
        .arena = arena,
        .key_count = key_count,
        .width = f->width,
        .height = f->cell_count / f->width,
        .is_text = f->is_text,
        .heads = f->heads,
        .cells = f->cells,
        .note = "",
    };
}

enum { MAX_RESULT = 60, KEPT_OF_RESULT = 48 };

/* The result of a side, cut behind one of its commas if it is too long for a table. */
static const char *cut_text(const struct work *w, size_t row, enum sim_side side,
                            bool *is_cut)
{
    const char *text = side_text(w, row, side);
    const size_t length = strlen(text);
    if (!sim_comparison_has(w->c, row, side) || length <= MAX_RESULT)
        return text;
    size_t kept = KEPT_OF_RESULT;
    while (kept > 0 && text[kept] != ',')
        kept--;
    *is_cut = true;
    return lib_arena_printf(w->arena, "%.*s, ... (%zu bytes)",
                            (int)(kept ? kept : KEPT_OF_RESULT), text, length);
}

/* The one speedup that there is of two sides stands at the first of them. */
static const char *shown_text(const struct work *w, size_t row, enum sim_side side,
                              const struct traces_column *column)
{
    if (column || !is_common(w->c, column))
        return stat_text(w, row, side, column);
    return side == SIM_SIDE_STATIC ? speedup_text(w, row, SIM_SIDE_EXPANDING) : "";
}

/* The strategies one above the other: a terminal is not as wide as both are. */
bool sim_comparison_write_text(const struct sim_comparison *comparison,
                               const struct sim_shown *shown, struct lib_text *out)
{
    bool is_cut = false;
    struct lib_arena *arena = lib_arena_new();
    const struct work w = {.c = comparison, .shown = shown, .arena = arena};
    struct filling f;
    start(&f, arena, comparison->input_count + 2 + shown->count,
          comparison->row_count * comparison->side_count);
    add_input_heads(&f, comparison);
    add_head(&f, "strategy", TEXTS);
    add_head(&f, "result", results_are(&w));
    for (size_t i = 0; i < shown->count; i++)
        add_head(&f, head_of(shown->columns[i]), NUMBERS);
    for (size_t row = 0; row < comparison->row_count; row++)
        for (enum sim_side s = 0; s < comparison->side_count; s++) {
            add_inputs(&f, &w, row);
            add_cell(&f, comparison->names[s]);
            add_cell(&f, cut_text(&w, row, s, &is_cut));
            for (size_t i = 0; i < shown->count; i++)
                add_cell(&f, shown_text(&w, row, s, shown->columns[i]));
        }
    const struct analysis_sheet sheet = sheet_of(&f, arena, comparison->input_count + 1);
    analysis_sheet_write_text(&sheet, "", out);
    lib_arena_free(arena);
    return is_cut;
}

/* The columns of the table for LaTeX: what is common in front, then both strategies of each
 * other statistic, which name a group. */
static void add_grouped_heads(struct filling *f, const struct work *w,
                              const char **groups)
{
    size_t group_count = 0;
    add_input_heads(f, w->c);
    add_head(f, "result", results_are(w));
    for (size_t i = 0; i < w->shown->count; i++) {
        if (is_common(w->c, w->shown->columns[i]))
            add_head(f, head_of(w->shown->columns[i]), NUMBERS);
        else
            groups[group_count++] = head_of(w->shown->columns[i]);
    }
    for (size_t i = 0; i < group_count * w->c->side_count; i++)
        add_head(f, w->c->names[i % w->c->side_count], NUMBERS);
}

static void add_grouped_row(struct filling *f, const struct work *w, size_t row)
{
    add_inputs(f, w, row);
    add_cell(f, row_text(w, row));
    for (size_t i = 0; i < w->shown->count; i++)
        if (is_common(w->c, w->shown->columns[i]))
            add_cell(f, common_text(w, row, w->shown->columns[i]));
    for (size_t i = 0; i < w->shown->count; i++)
        for (enum sim_side s = 0; s < w->c->side_count; s++)
            if (!is_common(w->c, w->shown->columns[i]))
                add_cell(f, stat_text(w, row, s, w->shown->columns[i]));
}

void sim_comparison_write_latex(const struct sim_comparison *comparison,
                                const struct sim_shown *shown, struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    const struct work w = {.c = comparison, .shown = shown, .arena = arena};
    const char **groups = LIB_ARENA_ARRAY(arena, const char *, shown->count + 1);
    size_t group_count = 0;
    for (size_t i = 0; i < shown->count; i++)
        group_count += !is_common(comparison, shown->columns[i]);
    size_t keys = comparison->input_count + 1 + shown->count - group_count;
    struct filling f;
    start(&f, arena, keys + group_count * comparison->side_count, comparison->row_count);
    add_grouped_heads(&f, &w, groups);
    for (size_t row = 0; row < comparison->row_count; row++)
        add_grouped_row(&f, &w, row);
    struct analysis_sheet sheet = sheet_of(&f, arena, keys);
    sheet.level_count = 1;
    sheet.levels = groups;
    sheet.group_count = group_count;
    sheet.group_width = comparison->side_count;
    analysis_sheet_write_latex(&sheet, "", "", out);
    lib_arena_free(arena);
}

/* --- comma-separated values --------------------------------------------------------- */

/* `separator` from the field before: "," or, at the start of a line, nothing. */
static void add_field(struct lib_text *out, const char *separator, const char *text)
{
    lib_text_puts(out, separator);
    traces_export_field(out, text ? text : "");
}

/* The same of a column; NULL: of the speedup. */
static void add_value(struct lib_text *out, const char *separator,
                      const struct traces_column *column, const char *text)
{
    bool is_name = column && traces_column_is_name(traces_column_kind_name(column->kind),
                                                   traces_column_type_name(column->type),
                                                   column->name);
    lib_text_puts(out, separator);
    if (is_name)
        traces_export_name(out, text ? text : "");
    else
        traces_export_field(out, text ? text : "");
}

/* Static has no speedup. */
static enum sim_side first_of(const struct traces_column *column)
{
    return column ? SIM_SIDE_STATIC : SIM_SIDE_EXPANDING;
}

/* "expanding.placed.cycles"; "speedup.placed". */
static void write_head(const struct sim_comparison *c, enum sim_side side,
                       const struct traces_column *column, struct lib_text *out)
{
    if (column)
        lib_text_printf(out, ",%s.%s", c->keys[side], column->name);
    else
        lib_text_printf(out, ",%s%s", speedup_name, strchr(c->keys[side], '.'));
}

/* Names as in the JSON object: inputs.n, static.cycles. */
static void write_heads(const struct work *w, struct lib_text *out)
{
    for (size_t i = 0; i < w->c->input_count; i++)
        add_field(out, i ? "," : "", w->c->inputs[i]->name);
    add_field(out, w->c->input_count ? "," : "", "result");
    for (enum sim_side s = 0; s < w->c->side_count; s++)
        lib_text_printf(out, ",%s.status", w->c->keys[s]);
    for (size_t i = 0; i < w->shown->count; i++) {
        const struct traces_column *column = w->shown->columns[i];
        if (is_common(w->c, column))
            lib_text_printf(out, ",%s", column ? column->name : speedup_name);
        else
            for (enum sim_side s = first_of(column); s < w->c->side_count; s++)
                write_head(w->c, s, column, out);
    }
    lib_text_puts(out, "\n");
}

static void write_row(const struct work *w, size_t row, struct lib_text *out)
{
    for (size_t i = 0; i < w->c->input_count; i++)
        add_field(out, i ? "," : "", input_text(w, row, i));
    lib_text_puts(out, w->c->input_count ? "," : "");
    if (sim_comparison_agrees(w->c, row))
        traces_export_name(out, row_text(w, row));
    for (enum sim_side s = 0; s < w->c->side_count; s++)
        add_field(out, ",", sim_comparison_status(w->c, row, s));
    for (size_t i = 0; i < w->shown->count; i++) {
        const struct traces_column *column = w->shown->columns[i];
        if (is_common(w->c, column))
            add_value(out, ",", column, common_text(w, row, column));
        else
            for (enum sim_side s = first_of(column); s < w->c->side_count; s++)
                add_value(out, ",", column, stat_text(w, row, s, column));
    }
    lib_text_puts(out, "\n");
}

void sim_comparison_write_csv(const struct sim_comparison *comparison,
                              const struct sim_shown *shown, struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    const struct work w = {
        .c = comparison, .shown = shown, .arena = arena, .exact = true};
    write_heads(&w, out);
    for (size_t row = 0; row < comparison->row_count; row++)
        write_row(&w, row, out);
    lib_arena_free(arena);
}
