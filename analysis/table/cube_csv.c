#include <math.h>

#include "analysis/table/sheet.h"
#include "traces/results/export.h"

/* The numbers of one value: itself, and the ends of its spread. */
static const char *const parts[] = {"", ".low", ".high"};

static size_t part_count(const struct analysis_cube *cube)
{
    return cube->view->output->spread == ANALYSIS_NONE ? 1 : 3;
}

/* "[inputs.n=10,machine=ideal]", or nothing. */
static void write_series(const struct analysis_keys *keys, size_t i, struct lib_text *out)
{
    for (size_t c = 0; c < keys->columns->count; c++) {
        lib_text_printf(out, "%s%s=", c ? "," : "[", keys->columns->items[c]->name);
        traces_cell_write(&keys->list.items[i][c], out);
    }
    lib_text_puts(out, keys->columns->count ? "]" : "");
}

static void write_heads(const struct analysis_cube *cube, struct lib_text *out)
{
    const struct analysis_view *view = cube->view;
    const analysis_column_list *keys = cube->keys[ANALYSIS_ROW].columns;
    struct lib_text head = {0};
    for (size_t c = 0; c < keys->count; c++) {
        lib_text_puts(out, c ? "," : "");
        traces_export_field(out, keys->items[c]->name);
    }
    for (size_t s = 0; s < cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t v = 0; v < view->values->count; v++)
            for (size_t p = 0; p < part_count(cube); p++) {
                lib_text_clear(&head);
                lib_text_printf(&head, "%s%s", view->values->items[v]->name,
                                analysis_view_suffix(view));
                write_series(&cube->keys[ANALYSIS_SERIES], s, &head);
                lib_text_puts(&head, parts[p]);
                lib_text_puts(out, ",");
                traces_export_field(out, head.bytes);
            }
    lib_text_puts(out, "\n");
    lib_text_free(&head);
}

/* A whole number without a point, as it would stand in the results. */
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

static void write_row(const struct analysis_cube *cube, size_t row, struct lib_text *out)
{
    const struct analysis_keys *keys = &cube->keys[ANALYSIS_ROW];
    struct lib_text field = {0};
    for (size_t c = 0; c < keys->columns->count; c++) {
        lib_text_clear(&field);
        traces_cell_write(&keys->list.items[row][c], &field);
        lib_text_puts(out, c ? "," : "");
        const struct traces_column *column = keys->columns->items[c];
        if (traces_column_is_name(traces_column_kind_name(column->kind),
                                  traces_column_type_name(column->type), column->name))
            traces_export_name(out, lib_text_get(&field));
        else
            traces_export_field(out, lib_text_get(&field));
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
    lib_text_free(&field);
}

void analysis_cube_write_csv(const struct analysis_cube *cube, struct lib_text *out)
{
    write_heads(cube, out);
    for (size_t r = 0; r < cube->keys[ANALYSIS_ROW].list.count; r++)
        write_row(cube, r, out);
}
