#include "analysis/table/sheet.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The sheet that is being made. */
struct work {
    const struct analysis_cube *cube;
    struct lib_arena *arena;
    const struct analysis_table_spec *table;
    const char *suffix; /* appended to the names of values */
    enum analysis_label_marks marks;
};

static const char *keep_text(struct work *w, struct lib_text *text)
{
    const char *kept = lib_arena_copy(w->arena, lib_text_get(text), text->length);
    lib_text_free(text);
    return kept;
}

/* --- numbers ---------------------------------------------------------------------------- */

static bool is_whole(double number)
{
    return isnan(number) || (fabs(number) < 1e15 && number == nearbyint(number));
}

/* Whether all that is shown of a value in a series is whole. */
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

/* Returns the number of decimals of a number with `digits` significant digits. */
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

/* The decimals of a column: as many digits as wanted of its greatest number, so that the
 * points are in line; -1 where that would leave less than two digits of another. */
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

/* `decimals` -1: as the number needs. */
static const char *make_cell(struct work *w, const struct analysis_summary *s,
                             int decimals)
{
    struct lib_text text = {0};
    if (isnan(s->value))
        return NULL;
    if (decimals < 0 || decimals > MAX_DECIMALS)
        decimals = decimals_of(s->value, (unsigned)w->table->digits);
    write_number(&text, s->value, decimals, (unsigned)w->table->digits);
    if (isnan(s->low))
        return keep_text(w, &text);
    bool is_range = w->cube->view->output->spread == ANALYSIS_RANGE;
    lib_text_puts(&text, is_range ? " [" : " ± ");
    write_number(&text, is_range ? s->low : s->high - s->value, decimals,
                 (unsigned)w->table->digits);
    if (is_range) {
        lib_text_puts(&text, ", ");
        write_number(&text, s->high, decimals, (unsigned)w->table->digits);
        lib_text_puts(&text, "]");
    }
    return keep_text(w, &text);
}

/* --- labels ----------------------------------------------------------------------------- */

/* Returns a label with the marks that were asked for; NULL for none. */
static const char *mark_label(struct work *w, const char *label)
{
    return w->marks == ANALYSIS_LABELS_MARKED ? analysis_latex_raw(w->arena, label)
                                              : label;
}

static const char *label_of(struct work *w, const struct traces_column *column)
{
    return mark_label(w,
                      analysis_labels_of_column(&w->cube->view->output->labels, column));
}

/* Returns the label of a value, or NULL. */
static const char *value_label_of(struct work *w, const struct traces_column *column,
                                  const struct traces_cell *cell)
{
    return mark_label(
        w, analysis_labels_of_value(&w->cube->view->output->labels, column, cell));
}

/* --- the sheet -------------------------------------------------------------------------- */

static const char *make_head(struct work *w, size_t value)
{
    const struct analysis_view *view = w->cube->view;
    const struct traces_column *column = view->values->items[value];
    const char *label = label_of(w, column);
    return lib_arena_printf(w->arena, "%s%s", label ? label : column->name, w->suffix);
}

/* Returns true if a column of keys has texts or labels, and so is left-aligned. */
static bool is_text_column(const struct analysis_keys *keys, size_t c,
                           const struct analysis_labels *labels)
{
    const struct traces_column *column = keys->columns->items[c];
    bool text = column->type == TRACES_TYPE_TEXT;
    for (size_t i = 0; i < keys->list.count && !text; i++)
        text = analysis_labels_of_value(labels, column, &keys->list.items[i][c]);
    return text;
}

/* Returns true if two series have the same values in the first `count` keys. */
static bool begin_alike(const struct analysis_keys *keys, size_t a, size_t b,
                        size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (!analysis_cells_are_alike(&keys->list.items[a][c], &keys->list.items[b][c]))
            return false;
    return true;
}

/* Returns the name of a group in the line of a key: blank where it continues the group before
 * it, and "without n" where a program lacks the key n. */
static const char *name_group(struct work *w, size_t group, size_t level)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    const struct traces_cell *cell = &keys->list.items[group][level];
    struct lib_text text = {0};
    if (level + 1 < keys->columns->count && group > 0 &&
        begin_alike(keys, group - 1, group, level + 1))
        return "";
    if (cell->type == TRACES_CELL_NULL)
        return lib_arena_printf(w->arena, "without %s",
                                analysis_labels_name(NULL, keys->columns->items[level]));
    const char *label = value_label_of(w, keys->columns->items[level], cell);
    if (label)
        return label;
    traces_cell_write_short(keys->columns->items[level], cell, &text);
    return keep_text(w, &text);
}

/* Returns true if each group is one column, whose head is then a name of the group. */
static bool has_single_columns(const struct analysis_cube *cube)
{
    return cube->keys[ANALYSIS_SERIES].columns->count && cube->view->values->count == 1;
}

/* Returns what stands over groups: "cycles by order, n", or "order, n" where heads name values. */
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
    return keep_text(w, &text);
}

static void make_heads(struct work *w, struct analysis_sheet *sheet)
{
    const struct analysis_keys *rows = &w->cube->keys[ANALYSIS_ROW];
    const analysis_column_list *keys = rows->columns;
    const struct analysis_labels *labels = &w->cube->view->output->labels;
    const char **heads = LIB_ARENA_ARRAY(w->arena, const char *, sheet->width + 1);
    bool *is_text = LIB_ARENA_ARRAY(w->arena, bool, sheet->width + 1);
    const size_t levels = w->cube->keys[ANALYSIS_SERIES].columns->count;
    for (size_t c = 0; c < sheet->width; c++) {
        bool is_key = c < keys->count;
        const char *label = is_key ? label_of(w, keys->items[c]) : NULL;
        heads[c] = label    ? label
                   : is_key ? keys->items[c]->name
                   : has_single_columns(w->cube)
                       ? name_group(w, c - keys->count, levels - 1)
                       : make_head(w, (c - keys->count) % sheet->group_width);
        is_text[c] = is_key && is_text_column(rows, c, labels);
    }
    sheet->heads = heads;
    sheet->is_text = is_text;
}

static void make_groups(struct work *w, struct analysis_sheet *sheet)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    const size_t count = keys->list.count;
    if (!keys->columns->count)
        return;
    sheet->title = make_title(w);
    sheet->group_count = count;
    sheet->level_count = keys->columns->count - has_single_columns(w->cube);
    const char **levels = LIB_ARENA_ARRAY(w->arena, const char *,
                                          sheet->level_count *count + 1);
    for (size_t i = 0; i < sheet->level_count * count; i++)
        levels[i] = name_group(w, i % count, i / count);
    sheet->levels = levels;
}

static void make_keys(struct work *w, struct analysis_sheet *sheet)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_ROW];
    const size_t rows = keys->list.count;
    for (size_t i = 0; i < sheet->below; i++)
        for (size_t c = 0; c < sheet->key_count; c++)
            sheet->cells[(rows + i) * sheet->width + c] =
                c ? "" : analysis_of_words[w->table->below.items[i]];
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < sheet->key_count; c++) {
            struct lib_text text = {0};
            const struct traces_cell *cell = &keys->list.items[r][c];
            if (c + 1 < sheet->key_count && r > 0 && begin_alike(keys, r - 1, r, c + 1)) {
                sheet->cells[r * sheet->width + c] = "";
                continue;
            }
            const char *label = value_label_of(w, keys->columns->items[c], cell);
            if (label)
                lib_text_puts(&text, label);
            else
                traces_cell_write(cell, &text);
            sheet->cells[r * sheet->width + c] = keep_text(w, &text);
        }
}

static void make_values(struct work *w, struct analysis_sheet *sheet)
{
    for (size_t c = sheet->key_count; c < sheet->width; c++) {
        size_t series = (c - sheet->key_count) / sheet->group_width;
        size_t value = (c - sheet->key_count) % sheet->group_width;
        const bool is_count = is_whole_column(w->cube, series, value);
        int decimals = is_count ? 0 : decimals_of_column(w, series, value);
        const size_t rows = sheet->height - sheet->below;
        for (size_t r = 0; r < rows; r++)
            sheet->cells[r * sheet->width + c] = make_cell(
                w, &analysis_cube_place(w->cube, 0, series, r, value)->summary, decimals);
        for (size_t i = 0; i < sheet->below; i++) {
            const double number = analysis_cube_below(
                w->cube, series, value, (enum analysis_of)w->table->below.items[i]);
            sheet->cells[(rows + i) * sheet->width + c] = make_cell(
                w, &(struct analysis_summary){1, number, NAN, NAN},
                is_count && !is_whole(number) ? -1 : decimals);
        }
    }
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
    if (!has_spread(cube))
        return "";
    switch (cube->view->output->spread) {
    case ANALYSIS_SD:
        return "±: standard deviation";
    case ANALYSIS_CI95:
        return "±: 95 % interval of the mean (Student's t)";
    case ANALYSIS_RANGE:
        return "[least, greatest]";
    default:
        return "";
    }
}

/* Returns the line under the table: how many repetitions, and which spread. Heads name
 * parameters. */
static const char *make_note(const struct work *w)
{
    const char *over = w->cube->hidden.columns.count
                           ? ""
                           : analysis_cube_over(w->cube, NULL, w->arena);
    const char *spread = spread_note(w->cube);
    return lib_arena_printf(w->arena, "%s%s%s", over, *over && *spread ? "; " : "",
                            spread);
}

void analysis_sheet_make(struct analysis_sheet *sheet, const struct analysis_cube *cube,
                         const struct analysis_table_spec *table,
                         enum analysis_label_marks marks)
{
    size_t keys = cube->keys[ANALYSIS_ROW].columns->count;
    size_t values = cube->view->values->count;
    *sheet = (struct analysis_sheet){
        .arena = lib_arena_new(),
        .key_count = keys,
        .width = keys + cube->keys[ANALYSIS_SERIES].list.count * values,
        .height = cube->keys[ANALYSIS_ROW].list.count + table->below.count,
        .below = table->below.count,
        .group_width = values,
    };
    const struct analysis_labels *labels = marks == ANALYSIS_LABELS_PLAIN
                                               ? &cube->view->output->labels
                                               : NULL; /* a suffix has no marks */
    struct work w = {cube, sheet->arena, table,
                     analysis_cube_suffix(cube, labels, sheet->arena), marks};
    sheet->note = make_note(&w);
    sheet->cells = LIB_ARENA_ARRAY(sheet->arena, const char *,
                                   sheet->width * sheet->height + 1);
    make_heads(&w, sheet);
    make_groups(&w, sheet);
    make_keys(&w, sheet);
    make_values(&w, sheet);
}

void analysis_sheet_free(struct analysis_sheet *sheet)
{
    lib_arena_free(sheet->arena);
}
