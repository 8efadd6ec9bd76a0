#include "analysis/table/sheet.h"
#include "lib/findings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The sheet that is being made. */
struct work {
    const struct analysis_cube *cube;
    struct lib_arena *arena;
    const struct analysis_table_spec *table;
    const char *suffix; /* appended to the names of values */
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

/* --- the sheet -------------------------------------------------------------------------- */

static const char *make_head(struct work *w, size_t value)
{
    const struct analysis_view *view = w->cube->view;
    const struct traces_column *column = view->values->items[value];
    const char *label = analysis_labels_of_column(&view->output->labels, column);
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

static void make_heads(struct work *w, struct analysis_sheet *sheet)
{
    const struct analysis_keys *rows = &w->cube->keys[ANALYSIS_ROW];
    const analysis_column_list *keys = rows->columns;
    const struct analysis_labels *labels = &w->cube->view->output->labels;
    const char **heads = LIB_ARENA_ARRAY(w->arena, const char *, sheet->width + 1);
    bool *is_text = LIB_ARENA_ARRAY(w->arena, bool, sheet->width + 1);
    for (size_t c = 0; c < sheet->width; c++) {
        bool is_key = c < keys->count;
        const char *label = is_key ? analysis_labels_of_column(labels, keys->items[c])
                                   : NULL;
        heads[c] = label    ? label
                   : is_key ? keys->items[c]->name
                            : make_head(w, (c - keys->count) % sheet->group_width);
        is_text[c] = is_key && is_text_column(rows, c, labels);
    }
    sheet->heads = heads;
    sheet->is_text = is_text;
}

static void make_groups(struct work *w, struct analysis_sheet *sheet)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    const char **groups = LIB_ARENA_ARRAY(w->arena, const char *, keys->list.count + 1);
    for (size_t i = 0; i < keys->list.count; i++) {
        struct lib_text text = {0};
        analysis_keys_write(keys, i, &w->cube->view->output->labels, &text);
        groups[i] = keep_text(w, &text);
    }
    sheet->groups = groups;
    sheet->group_count = keys->columns->count ? keys->list.count : 0;
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
            const char *label = analysis_labels_of_value(&w->cube->view->output->labels,
                                                         keys->columns->items[c], cell);
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
                         const struct analysis_table_spec *table)
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
    struct work w = {
        cube, sheet->arena, table,
        analysis_cube_suffix(cube, &cube->view->output->labels, sheet->arena)};
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

/* --- writing ---------------------------------------------------------------------------- */

static struct lib_table *make_table(const struct analysis_sheet *sheet, const char *name,
                                    const char *caption, struct lib_findings *f)
{
    lib_findings_start(f, NULL, true);
    struct lib_table *t = lib_findings_table(f, name, caption);
    for (size_t c = 0; c < sheet->width; c++) {
        struct lib_column *column = lib_table_column(t, sheet->heads[c]);
        column->side = sheet->is_text[c] ? LIB_SIDE_LEFT : LIB_SIDE_RIGHT;
        if (sheet->group_count && c >= sheet->key_count)
            column->group = sheet->groups[(c - sheet->key_count) / sheet->group_width];
    }
    for (size_t i = 0; i < sheet->height * sheet->width; i++)
        lib_table_word(t, sheet->cells[i]);
    t->sum_rows = sheet->below;
    t->shows_all = true;
    t->note = sheet->note;
    return t;
}

void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out)
{
    struct lib_findings f;
    if (*caption)
        lib_text_printf(out, "%s\n\n", caption);
    lib_table_write_text(make_table(sheet, "", "", &f), 0, out);
    lib_findings_free(&f);
}

void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out)
{
    struct lib_findings f;
    lib_table_write_latex(make_table(sheet, name, caption, &f), out);
    lib_findings_free(&f);
}
