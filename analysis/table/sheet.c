#include "analysis/table/sheet.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

struct work {
    struct lib_findings *findings;
    struct lib_table *sheet;
    const struct analysis_cube *cube;
    const struct analysis_table_spec *table;
    /* index of the first value column; the columns of the series follow */
    size_t keys, values;
    const char *suffix;     /* appended to the names of values */
    const char *own_suffix; /* suffix of values that have a label in the table */
    enum analysis_label_marks marks;
};

static bool is_whole(double number)
{
    return isnan(number) || (fabs(number) < 1e15 && number == nearbyint(number));
}

static bool is_whole_column(const struct analysis_cube *cube, size_t series, size_t value)
{
    for (size_t r = 0; r < cube->keys[ANALYSIS_ROW].list.count; r++) {
        const struct analysis_summary *s =
            &analysis_cube_place(cube, 0, series, r, value)->summary;
        if (!is_whole(s->value) || !is_whole(s->low) || !is_whole(s->high))
            return false;
    }
    return true;
}

enum { MAX_DECIMALS = 30 };

static int decimals_of(double number, unsigned digits)
{
    char text[48];
    int exponent;
    if (number == 0 || !isfinite(number))
        return (int)digits - 1;
    snprintf(text, sizeof text, "%.*e", (int)digits - 1, number);
    sscanf(text, "%*[^e]e%d", &exponent);
    int decimals = (int)digits - 1 - exponent;
    return decimals < 0 ? 0 : decimals;
}

static void write_number(struct lib_text *text, double number, int decimals,
                         unsigned digits)
{
    bool plain = number == 0 || (fabs(number) < 1e15 && fabs(number) >= 1e-4);
    if (plain)
        lib_text_printf(text, "%.*f", decimals, number);
    else
        lib_text_printf(text, "%.*e", (int)digits - 1, number);
}

/* Returns the decimals of a column: its greatest number has `digits` digits and the points align;
 * -1 if another number would keep fewer than two digits. */
static int decimals_of_column(const struct work *w, size_t series, size_t value)
{
    int least = INT_MAX, two_digits = 0;
    for (size_t r = 0; r < w->cube->keys[ANALYSIS_ROW].list.count; r++) {
        double number = analysis_cube_place(w->cube, 0, series, r, value)->summary.value;
        if (number == 0 || !isfinite(number))
            continue;
        int wanted = decimals_of(number, (unsigned)w->table->digits),
            two = decimals_of(number, 2);
        least = wanted < least ? wanted : least;
        two_digits = two > two_digits ? two : two_digits;
    }
    return two_digits <= least ? least : -1;
}

/* `decimals` -1: as many as the number needs. */
static struct lib_value make_cell(struct work *w, const struct analysis_summary *s,
                                  int decimals)
{
    struct lib_text text = {0};
    if (isnan(s->value))
        return lib_none();
    if (decimals < 0 || decimals > MAX_DECIMALS)
        decimals = decimals_of(s->value, (unsigned)w->table->digits);
    write_number(&text, s->value, decimals, (unsigned)w->table->digits);
    const bool is_range = w->cube->view->output->spread == ANALYSIS_RANGE;
    if (!isnan(s->low)) {
        lib_text_puts(&text, is_range ? " [" : " ± ");
        write_number(&text, is_range ? s->low : s->high - s->value, decimals,
                     (unsigned)w->table->digits);
    }
    if (!isnan(s->low) && is_range) {
        lib_text_puts(&text, ", ");
        write_number(&text, s->high, decimals, (unsigned)w->table->digits);
        lib_text_puts(&text, "]");
    }
    return lib_word(lib_arena_keep(w->findings->arena, &text));
}

/* Returns a text marked as LaTeX, in the arena. Returns "" and NULL unchanged. */
static const char *latex_raw(struct lib_arena *arena, const char *text)
{
    return text && *text
               ? lib_arena_printf(arena, LIB_LATEX_RAW_BEGIN "%s" LIB_LATEX_RAW_END, text)
               : text;
}

/* Returns a label with the marks that the caller of the sheet wants; NULL for NULL. */
static const char *mark_label(struct work *w, const char *label)
{
    return w->marks == ANALYSIS_LABELS_MARKED ? latex_raw(w->findings->arena, label)
                                              : label;
}

static const char *label_of(struct work *w, const struct traces_column *column)
{
    return mark_label(w,
                      analysis_labels_of_column(&w->cube->view->output->labels, column));
}

static const char *value_label_of(struct work *w, const struct traces_column *column,
                                  const struct traces_cell *cell)
{
    return mark_label(
        w, analysis_labels_of_value(&w->cube->view->output->labels, column, cell));
}

static const char *make_head(struct work *w, size_t value)
{
    const struct analysis_view *view = w->cube->view;
    const struct traces_column *column = view->values->items[value];
    const char *label = label_of(w, column);
    struct analysis_labels own = view->output->labels;
    own.outer = NULL;
    return lib_arena_printf(w->findings->arena, "%s%s", label ? label : column->name,
                            analysis_labels_of_column(&own, column) ? w->own_suffix
                                                                    : w->suffix);
}

/* Whether a column of keys has text or labels, and is therefore left-aligned. */
static bool is_text_column(const struct analysis_keys *keys, size_t c,
                           const struct analysis_labels *labels)
{
    const struct traces_column *column = keys->columns->items[c];
    bool text = column->type == TRACES_TYPE_TEXT;
    for (size_t i = 0; i < keys->list.count && !text; i++)
        text = analysis_labels_of_value(labels, column, &keys->list.items[i][c]);
    return text;
}

static bool begin_alike(const struct analysis_keys *keys, size_t a, size_t b,
                        size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (!analysis_cells_are_alike(&keys->list.items[a][c], &keys->list.items[b][c]))
            return false;
    return true;
}

/* Returns the name of a group in the line of a key; blank if it continues the group before;
 * "without n" for a program without input n. */
static const char *name_group(struct work *w, size_t group, size_t level)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    const struct traces_cell *cell = &keys->list.items[group][level];
    struct lib_text text = {0};
    if (level + 1 < keys->columns->count && group > 0 &&
        begin_alike(keys, group - 1, group, level + 1))
        return "";
    if (cell->type == TRACES_CELL_NULL)
        return lib_arena_printf(w->findings->arena, "without %s",
                                analysis_labels_name(NULL, keys->columns->items[level]));
    const char *label = value_label_of(w, keys->columns->items[level], cell);
    if (label)
        return label;
    traces_cell_write_short(keys->columns->items[level], cell, &text);
    return lib_arena_keep(w->findings->arena, &text);
}

/* Whether each group has one column, which the name of the group then heads. */
static bool has_single_columns(const struct analysis_cube *cube)
{
    return cube->keys[ANALYSIS_SERIES].columns->count && cube->view->values->count == 1;
}

/* Returns the title over groups, such as "cycles by order, n"; or "order, n" if column heads name
 * values. */
static const char *make_title(struct work *w)
{
    const analysis_column_list *columns = w->cube->keys[ANALYSIS_SERIES].columns;
    struct lib_text text = {0};
    if (has_single_columns(w->cube))
        lib_text_printf(&text, "%s by ", make_head(w, 0));
    for (size_t c = 0; c < columns->count; c++)
        lib_text_printf(
            &text, "%s%s", c ? ", " : "",
            analysis_labels_name(&w->cube->view->output->labels, columns->items[c]));
    return lib_arena_keep(w->findings->arena, &text);
}

static void add_columns(struct work *w)
{
    const struct analysis_keys *rows = &w->cube->keys[ANALYSIS_ROW],
                               *series = &w->cube->keys[ANALYSIS_SERIES];
    for (size_t c = 0; c < w->keys; c++) {
        const struct traces_column *key = rows->columns->items[c];
        struct lib_column *column = lib_table_column(w->sheet, key->name);
        column->label = label_of(w, key);
        column->side = is_text_column(rows, c, &w->cube->view->output->labels)
                           ? LIB_SIDE_LEFT
                           : LIB_SIDE_RIGHT;
    }
    for (size_t i = 0; i < series->list.count * w->values; i++)
        lib_table_column(w->sheet, has_single_columns(w->cube)
                                       ? name_group(w, i, series->columns->count - 1)
                                       : make_head(w, i % w->values))
            ->side = LIB_SIDE_RIGHT;
}

/* Adds the title over all series, and a line of heads for each key, except the last if groups have
 * single columns. */
static void add_levels(struct work *w)
{
    const struct analysis_keys *series = &w->cube->keys[ANALYSIS_SERIES];
    const size_t width = w->sheet->columns.count;
    if (!series->columns->count)
        return;
    const size_t levels = 1 + series->columns->count - has_single_columns(w->cube);
    const char **heads = LIB_ARENA_ARRAY(w->findings->arena, const char *, levels *width);
    for (size_t level = 0; level < levels; level++)
        for (size_t c = w->keys; c < width; c++)
            heads[level * width + c] = level > 0 && (c - w->keys) % w->values == 0
                                           ? name_group(w, (c - w->keys) / w->values,
                                                        level - 1)
                                       : c == w->keys ? make_title(w)
                                                      : "";
    w->sheet->levels = heads;
    w->sheet->level_count = levels;
}

static const char *make_key(struct work *w, size_t row, size_t c)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_ROW];
    const struct traces_cell *cell = &keys->list.items[row][c];
    struct lib_text text = {0};
    if (c + 1 < w->keys && row > 0 && begin_alike(keys, row - 1, row, c + 1))
        return "";
    const char *label = value_label_of(w, keys->columns->items[c], cell);
    if (label)
        return label;
    traces_cell_write(cell, &text);
    return lib_arena_keep(w->findings->arena, &text);
}

static void make_values(struct work *w, size_t series, size_t value)
{
    const size_t width = w->sheet->columns.count;
    const size_t rows = w->cube->keys[ANALYSIS_ROW].list.count;
    const bool is_count = is_whole_column(w->cube, series, value);
    const int decimals = is_count ? 0 : decimals_of_column(w, series, value);
    struct lib_value *cells =
        &w->sheet->cells.items[w->keys + series * w->values + value];
    for (size_t r = 0; r < rows; r++)
        cells[r * width] = make_cell(
            w, &analysis_cube_place(w->cube, 0, series, r, value)->summary, decimals);
    for (size_t i = 0; i < w->table->below.count; i++) {
        const double number = analysis_cube_below(
            w->cube, series, value, (enum analysis_of)w->table->below.items[i]);
        cells[(rows + i) * width] = make_cell(
            w, &(struct analysis_summary){1, number, NAN, NAN},
            is_count && !is_whole(number) ? -1 : decimals);
    }
}

static void add_cells(struct work *w)
{
    const size_t rows = w->cube->keys[ANALYSIS_ROW].list.count;
    for (size_t r = 0; r < rows + w->sheet->sum_rows; r++)
        for (size_t c = 0; c < w->sheet->columns.count; c++)
            lib_table_word(w->sheet,
                           c >= w->keys ? NULL
                           : r < rows   ? make_key(w, r, c)
                           : c == 0 ? analysis_of_words[w->table->below.items[r - rows]]
                                    : "");
    for (size_t series = 0; series < w->cube->keys[ANALYSIS_SERIES].list.count; series++)
        for (size_t value = 0; value < w->values; value++)
            make_values(w, series, value);
}

static bool has_spread(const struct analysis_cube *cube)
{
    for (size_t s = 0; s < cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t r = 0; r < cube->keys[ANALYSIS_ROW].list.count; r++)
            for (size_t v = 0; v < cube->view->values->count; v++)
                if (!isnan(analysis_cube_place(cube, 0, s, r, v)->summary.low))
                    return true;
    return false;
}

static const char *spread_note(const struct analysis_cube *cube)
{
    static const char *const notes[] = {
        [ANALYSIS_NONE] = "",
        [ANALYSIS_SD] = "±: standard deviation",
        [ANALYSIS_CI95] = "±: 95 % interval of the mean (Student's t)",
        [ANALYSIS_RANGE] = "[least, greatest]",
    };
    return has_spread(cube) ? notes[cube->view->output->spread] : "";
}

static const char *make_note(const struct work *w)
{
    const char *over = w->cube->hidden.columns.count
                           ? ""
                           : analysis_cube_over(w->cube, NULL, w->findings->arena);
    const char *spread = spread_note(w->cube);
    return *over || *spread ? lib_arena_printf(w->findings->arena, "%s%s%s", over,
                                               *over && *spread ? "; " : "", spread)
                            : NULL;
}

const struct lib_table *analysis_sheet_add(struct lib_findings *findings,
                                           const struct analysis_cube *cube,
                                           const struct analysis_table_spec *table,
                                           enum analysis_label_marks marks)
{
    const struct analysis_view_spec *output = cube->view->output;
    const struct analysis_labels *labels = marks == ANALYSIS_LABELS_PLAIN
                                               ? &output->labels
                                               : NULL; /* a suffix is not marked */
    struct work w = {
        .findings = findings,
        .cube = cube,
        .table = table,
        .keys = cube->keys[ANALYSIS_ROW].columns->count,
        .values = cube->view->values->count,
        .suffix = analysis_cube_suffix(cube, labels, true, findings->arena),
        .own_suffix = analysis_cube_suffix(cube, labels, false, findings->arena),
        .marks = marks,
    };
    w.sheet = lib_findings_table(findings, output->name,
                                 marks == ANALYSIS_LABELS_PLAIN
                                     ? output->caption
                                     : latex_raw(findings->arena, output->caption));
    w.sheet->sum_rows = table->below.count;
    w.sheet->shows_all = true;
    w.sheet->has_latex = marks == ANALYSIS_LABELS_MARKED;
    w.sheet->note = make_note(&w);
    add_columns(&w);
    add_levels(&w);
    add_cells(&w);
    return w.sheet;
}
