#include "analysis/figure/plot.h"

#include <math.h>

/* --- order ------------------------------------------------------------------------------ */

static bool is_number(const struct traces_column *column)
{
    return column->type == TRACES_TYPE_INT || column->type == TRACES_TYPE_REAL;
}

/* The places of keys, those of numbers from the least on. By insertion: keys are few, and
 * most often in order already. */
static size_t *order_of(const struct analysis_keys *keys, bool by_size,
                        struct lib_arena *arena)
{
    size_t *order = LIB_ARENA_ARRAY(arena, size_t, keys->list.count + 1);
    for (size_t i = 0; i < keys->list.count; i++) {
        size_t at = i;
        double number = by_size ? analysis_cell_number(&keys->list.items[i][0]) : 0;
        for (; by_size && at > 0; at--) {
            if (!(analysis_cell_number(&keys->list.items[order[at - 1]][0]) > number))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

void analysis_plot_start(struct analysis_plot *plot, const struct analysis_figure *figure,
                         const struct analysis_cube *cube)
{
    bool heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    bool number = is_number(figure->x.items[0]);
    *plot = (struct analysis_plot){
        .figure = figure, .cube = cube, .arena = lib_arena_new()};
    plot->has_places = !number || heat || figure->kind == ANALYSIS_FIGURE_BARS ||
                       figure->kind == ANALYSIS_FIGURE_BOXES;
    plot->rows = order_of(&cube->keys[ANALYSIS_ROW], number, plot->arena);
    plot->series = order_of(&cube->keys[ANALYSIS_SERIES], heat, plot->arena);
    plot->data = lib_arena_printf(plot->arena, "%s.dat", figure->common.name);
}

void analysis_plot_end(struct analysis_plot *plot)
{
    lib_arena_free(plot->arena);
}

/* --- what is drawn ---------------------------------------------------------------------- */

size_t analysis_plot_panels(const struct analysis_plot *plot)
{
    return plot->cube->keys[ANALYSIS_PANEL].list.count;
}

size_t analysis_plot_curves(const struct analysis_plot *plot)
{
    return plot->cube->keys[ANALYSIS_SERIES].list.count * plot->cube->view->values->count;
}

const struct analysis_place *analysis_plot_place(const struct analysis_plot *plot,
                                                 size_t panel, size_t curve, size_t row)
{
    size_t values = plot->cube->view->values->count;
    return analysis_cube_place(plot->cube, panel, plot->series[curve / values],
                               plot->rows[row], curve % values);
}

double analysis_plot_x(const struct analysis_plot *plot, size_t row)
{
    return plot->has_places
               ? (double)row
               : analysis_cell_number(
                     &plot->cube->keys[ANALYSIS_ROW].list.items[plot->rows[row]][0]);
}

bool analysis_plot_shows(const struct analysis_plot *plot, size_t row,
                         const struct analysis_place *place)
{
    double x = analysis_plot_x(plot, row), y = place->summary.value;
    bool x_good = isfinite(x) && (plot->has_places || x > 0 ||
                                  plot->figure->x_scale == ANALYSIS_SCALE_LINEAR);
    bool y_good = isfinite(y) &&
                  (y > 0 || plot->figure->y_scale == ANALYSIS_SCALE_LINEAR);
    return x_good && y_good;
}

/* --- data ------------------------------------------------------------------------------- */

static void write_number(struct lib_text *out, double number)
{
    if (number == nearbyint(number) && fabs(number) < 0x1p53)
        lib_text_printf(out, "%.0f", number == 0 ? 0 : number);
    else if (isfinite(number))
        lib_text_real(out, number);
    else
        lib_text_puts(out, "NaN");
}

static void write_line(struct lib_text *out, const double *numbers, size_t count,
                       size_t runs)
{
    for (size_t i = 0; i < count; i++) {
        write_number(out, numbers[i]);
        lib_text_puts(out, " ");
    }
    lib_text_printf(out, "%zu\n", runs);
}

static void write_place(const struct analysis_plot *plot, size_t curve, size_t row,
                        const struct analysis_place *place, struct lib_text *out)
{
    const struct analysis_summary *s = &place->summary;
    const double *sorted = place->numbers.items;
    double x = analysis_plot_x(plot, row);
    if (plot->figure->kind == ANALYSIS_FIGURE_BOXES)
        write_line(out,
                   (double[]){x, sorted[0], analysis_quantile(sorted, s->count, 0.25),
                              analysis_quantile(sorted, s->count, 0.5),
                              analysis_quantile(sorted, s->count, 0.75),
                              sorted[s->count - 1]},
                   6, s->count);
    else if (plot->figure->kind == ANALYSIS_FIGURE_HEAT)
        write_line(out, (double[]){x, (double)curve, s->value}, 3, s->count);
    else
        write_line(out, (double[]){x, s->value, s->low, s->high}, 4, s->count);
}

static void write_key(const struct analysis_keys *keys, size_t i, struct lib_text *out)
{
    struct lib_text key = {0};
    analysis_keys_write(keys, i, &key);
    if (key.length)
        lib_text_printf(out, "%s; ", key.bytes);
    lib_text_free(&key);
}

/* A block is never empty, or gnuplot would count the next one as this. */
static void write_block(struct analysis_plot *plot, size_t panel, size_t curve,
                        struct lib_text *out)
{
    const struct analysis_cube *cube = plot->cube;
    size_t values = cube->view->values->count, lines = 0;
    lib_text_puts(out, "# ");
    write_key(&cube->keys[ANALYSIS_PANEL], panel, out);
    write_key(&cube->keys[ANALYSIS_SERIES], plot->series[curve / values], out);
    lib_text_printf(out, "%s%s\n", cube->view->values->items[curve % values]->name,
                    analysis_view_suffix(cube->view));
    for (size_t row = 0; row < cube->keys[ANALYSIS_ROW].list.count; row++) {
        const struct analysis_place *place = analysis_plot_place(plot, panel, curve, row);
        if (analysis_plot_shows(plot, row, place)) {
            write_place(plot, curve, row, place, out);
            lines++;
        } else if (place->summary.count) {
            plot->hidden++;
        }
    }
    lib_text_puts(out, lines ? "\n\n" : "NaN NaN NaN NaN 0\n\n\n");
}

static const char *line_of(enum analysis_figure_kind kind)
{
    return kind == ANALYSIS_FIGURE_BOXES
               ? "x least quartile median quartile greatest runs"
           : kind == ANALYSIS_FIGURE_HEAT ? "x y z runs"
                                          : "x value low high runs";
}

/* A heat map is one block per panel. */
void analysis_plot_write_data(struct analysis_plot *plot, struct lib_text *out)
{
    lib_text_printf(out, "# %s\n", line_of(plot->figure->kind));
    for (size_t panel = 0; panel < analysis_plot_panels(plot); panel++)
        for (size_t curve = 0; curve < analysis_plot_curves(plot); curve++)
            write_block(plot, panel, curve, out);
}
