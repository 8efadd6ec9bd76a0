#include <math.h>

#include "analysis/table/sheet.h"
#include "traces/results/export.h"

/* Suffixes of the numbers of one value: the value, and the ends of its spread. */
static const char *const parts[] = {"", ".low", ".high"};

static size_t part_count(const struct analysis_cube *cube)
{
    return cube->view->output->spread == ANALYSIS_NONE ? 1 : 3;
}

struct work {
    const struct analysis_cube *cube;
    /* NULL: names and values are written as in the results */
    const struct analysis_labels *labels;
    const char *suffix;
};

/* Writes "[inputs.n=10,machine=ideal]", or nothing; with labels " [n = 10]". */
static void write_series(const struct work *w, size_t i, struct lib_text *out)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    if (keys->columns->count == 0)
        return;
    lib_text_puts(out, w->labels ? " [" : "[");
    if (w->labels)
        analysis_keys_write(keys, i, w->labels, out);
    for (size_t c = 0; c < keys->columns->count && !w->labels; c++) {
        lib_text_printf(out, "%s%s=", c ? "," : "", keys->columns->items[c]->name);
        traces_cell_write(&keys->list.items[i][c], out);
    }
    lib_text_puts(out, "]");
}

static const char *name_of(const struct work *w, const struct traces_column *column)
{
    const char *label = analysis_labels_of_column(w->labels, column);
    return label ? label : column->name;
}

static void write_heads(const struct work *w, struct lib_text *out)
{
    const struct analysis_cube *cube = w->cube;
    const struct analysis_view *view = cube->view;
    const analysis_column_list *keys = cube->keys[ANALYSIS_ROW].columns;
    LIB_TEXT_OWN head = {0};
    for (size_t c = 0; c < keys->count; c++) {
        lib_text_puts(out, c ? "," : "");
        lib_csv_word(out, name_of(w, keys->items[c]));
    }
    for (size_t s = 0; s < cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t v = 0; v < view->values->count; v++)
            for (size_t p = 0; p < part_count(cube); p++) {
                lib_text_clear(&head);
                lib_text_printf(&head, "%s%s", name_of(w, view->values->items[v]),
                                w->suffix);
                write_series(w, s, &head);
                lib_text_puts(&head, parts[p]);
                lib_text_puts(out, ",");
                lib_csv_word(out, head.bytes);
            }
    lib_text_puts(out, "\n");
}

/* Writes integers without a decimal point. */
static void write_number(struct lib_text *out, double number)
{
    lib_text_puts(out, ",");
    if (isnan(number))
        return;
    if (fabs(number) < 0x1p53 && number == nearbyint(number))
        lib_text_printf(out, "%.0f", number == 0 ? 0 : number);
    else
        lib_text_real(out, number);
}

static void write_key(const struct work *w, const struct traces_column *column,
                      const struct traces_cell *cell, struct lib_text *out)
{
    const char *label = analysis_labels_of_value(w->labels, column, cell);
    if (label)
        lib_csv_word(out, label);
    else
        traces_export_value(out, column, cell);
}

static void write_row(const struct work *w, size_t row, struct lib_text *out)
{
    const struct analysis_cube *cube = w->cube;
    const struct analysis_keys *keys = &cube->keys[ANALYSIS_ROW];
    for (size_t c = 0; c < keys->columns->count; c++) {
        lib_text_puts(out, c ? "," : "");
        write_key(w, keys->columns->items[c], &keys->list.items[row][c], out);
    }
    for (size_t s = 0; s < cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t v = 0; v < cube->view->values->count; v++) {
            const struct analysis_summary *sum =
                &analysis_cube_place(cube, 0, s, row, v)->summary;
            const double numbers[] = {sum->value, sum->low, sum->high};
            for (size_t p = 0; p < part_count(cube); p++)
                write_number(out, numbers[p]);
        }
    lib_text_puts(out, "\n");
}

static void write_below(const struct work *w, enum analysis_of of, struct lib_text *out)
{
    const struct analysis_cube *cube = w->cube;
    const struct analysis_keys *keys = &cube->keys[ANALYSIS_ROW];
    lib_csv_word(out, analysis_of_words[of]);
    for (size_t c = 1; c < keys->columns->count; c++)
        lib_text_puts(out, ",");
    for (size_t s = 0; s < cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t v = 0; v < cube->view->values->count; v++)
            for (size_t p = 0; p < part_count(cube); p++)
                write_number(out, p ? NAN : analysis_cube_below(cube, s, v, of));
    lib_text_puts(out, "\n");
}

void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    const struct analysis_labels *labels = table->heads == ANALYSIS_HEADS_LABELS
                                               ? &cube->view->output->labels
                                               : NULL;
    const struct work w = {cube, labels, analysis_cube_suffix(cube, labels, true, arena)};
    write_heads(&w, out);
    for (size_t r = 0; r < cube->keys[ANALYSIS_ROW].list.count; r++)
        write_row(&w, r, out);
    for (size_t i = 0; i < table->below.count; i++)
        write_below(&w, (enum analysis_of)table->below.items[i], out);
    lib_arena_free(arena);
}
