#include <math.h>
#include <string.h>

#include "analysis/figure/plot_axis.h"

/* Okabe and Ito, "Color Universal Design", 2008: colours that stay apart for all eyes; the
 * yellow, too light for lines, comes last. Beyond eight the lines are dashed. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#F0E442"};
static const int points[] = {7, 5, 9, 11, 13, 4, 6, 8};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* Nuñez, Anderton, Renslow, PLOS ONE 2018 (cividis): as the same to all eyes as can be. */
static const char palette[] =
    "set palette defined (0 \"#00224e\", 1 \"#2b446e\", 2 \"#575d6d\", 3 \"#7d7c78\", "
    "4 \"#a69d75\", 5 \"#d3c164\", 6 \"#fee838\")\n";

/* Lengths in cm. */
static const double WIDTH = 8.5, LINE = 0.38, SAMPLE = 0.6, GAP = 0.25;

struct layout {
    double width, height;
    double left, right, bottom, top; /* of a panel, around its axes */
    double legend, legend_column;    /* over the first; width of one of its columns */
    double axes_width, axes_height;
    size_t columns, rows; /* of panels */
    size_t legend_columns;
    bool breaks; /* the label of a y axis has two lines */
};

struct work {
    const struct analysis_plot *plot;
    struct lib_text *out;
    struct layout layout;
    size_t curves;
};

static bool is_heat(const struct work *w)
{
    return w->plot->figure->kind == ANALYSIS_FIGURE_HEAT;
}

/* --- layout ----------------------------------------------------------------------------- */

/* What a curve is called in the legend; the arena's. */
static const char *curve_name(const struct work *w, size_t curve)
{
    const struct analysis_cube *cube = w->plot->cube;
    size_t values = cube->view->values->count;
    struct lib_text text = {0};
    analysis_keys_write(&cube->keys[ANALYSIS_SERIES], w->plot->series[curve / values],
                        &text);
    if (values > 1) {
        const struct traces_column *value = cube->view->values->items[curve % values];
        lib_text_printf(&text, "%s%s", text.length ? ", " : "",
                        analysis_plot_name(w->plot, value));
    }
    const char *kept = lib_arena_copy(w->plot->arena, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return kept;
}

static void lay_out_legend(struct work *w)
{
    struct layout *l = &w->layout;
    double widest = 0;
    if (w->curves < 2 || is_heat(w))
        return;
    for (size_t i = 0; i < w->curves; i++)
        widest = fmax(widest, analysis_plot_width(curve_name(w, i)));
    l->legend_column = SAMPLE + 0.1 + widest + GAP;
    size_t fit = (size_t)((l->width + GAP - 0.1) / l->legend_column);
    l->legend_columns = fit < 1 ? 1 : fit < w->curves ? fit : w->curves;
    size_t lines = (w->curves + l->legend_columns - 1) / l->legend_columns;
    l->legend = LINE * (double)lines + 0.15;
}

static double height_of_axes(const struct work *w)
{
    if (analysis_plot_panels(w->plot) > 1)
        return 3.0;
    size_t rows = w->plot->cube->keys[ANALYSIS_SERIES].list.count;
    return is_heat(w) ? fmin(fmax(0.42 * (double)rows, 3.0), 6.0) : 4.2;
}

static bool some_label_breaks(const struct work *w)
{
    bool breaks = false;
    for (size_t panel = 0; panel < analysis_plot_panels(w->plot); panel++) {
        struct analysis_plot_axis y = analysis_plot_y_axis(w->plot, panel);
        y.length = w->layout.axes_height;
        breaks |= analysis_plot_breaks(&y);
    }
    struct analysis_plot_axis z = analysis_plot_z_axis(w->plot);
    z.length = w->layout.axes_height;
    return breaks || (is_heat(w) && analysis_plot_breaks(&z));
}

/* Up to three panels stand in one column, more in two, at the width of a page. */
static void lay_out(struct work *w)
{
    struct layout *l = &w->layout;
    size_t panels = analysis_plot_panels(w->plot);
    struct analysis_plot_axis x = analysis_plot_x_axis(w->plot),
                              y = analysis_plot_y_axis(w->plot, 0);
    bool one = panels == 1;
    l->columns = panels <= 3 ? 1 : 2;
    l->rows = (panels + l->columns - 1) / l->columns;
    l->width = l->columns == 1 ? WIDTH : 2 * WIDTH + 0.5;
    lay_out_legend(w);
    l->axes_height = height_of_axes(w);
    l->breaks = some_label_breaks(w);
    l->left = (is_heat(w) ? 0.8 + analysis_plot_widest(&y) : 1.55) +
              (l->breaks ? 0.3 : 0);
    l->right = is_heat(w) ? 1.9 + (l->breaks ? 0.3 : 0) : 0.3;
    l->top = one ? 0.15 : 0.5;
    l->axes_width = l->width / (double)l->columns - l->left - l->right;
    x.length = l->axes_width;
    l->bottom = 0.95 + (analysis_plot_rotates(&x) ? 0.72 * analysis_plot_widest(&x) : 0);
    l->height = l->legend + (double)l->rows * (l->top + l->axes_height + l->bottom);
}

/* --- the head --------------------------------------------------------------------------- */

static void write_head(const struct work *w)
{
    const struct analysis_view_spec *o = &w->plot->figure->common;
    size_t length = strcspn(o->caption, "\n");
    lib_text_printf(w->out, "# %s%s%.*s\n", o->name, length ? ": " : "", (int)length,
                    o->caption);
    lib_text_printf(w->out,
                    "# `gnuplot %s.gp' draws %s.pdf and %s.svg from %s (gnuplot 5.4).\n",
                    o->name, o->name, o->name, w->plot->data);
    lib_text_puts(w->out, "\nset encoding utf8\n");
    for (int i = 0; i < 2 * COLOURS; i++)
        lib_text_printf(
            w->out, "set linetype %d lc rgb \"%s\" lw 1.5 dt %d pt %d ps 0.5\n", i + 1,
            colours[i % COLOURS], i < COLOURS ? 1 : 2, points[i % COLOURS]);
    lib_text_puts(w->out,
                  "unset key\nset tics nomirror out scale 0.5\nset border 3 lw 0.7\n"
                  "set grid ytics lt -1 lw 0.4 lc rgb \"#d0d0d0\" dt 1\n");
    if (is_heat(w))
        lib_text_printf(w->out, "set border 15\nunset grid\n%s", palette);
}

/* Letters are of 8 points in both: a nominal point of pdfcairo is 4/3 of one, a pixel of
 * SVG 3/4. The two differ in how far under an axis they put what stands there. */
static void write_terminals(const struct work *w)
{
    const struct layout *l = &w->layout;
    static const double pixels = 96 / 2.54;
    lib_text_printf(
        w->out,
        "\ndo for [form in \"pdf svg\"] {\n"
        "if (form eq \"pdf\") {\n"
        "    set terminal pdfcairo enhanced font \"Helvetica,8\" fontscale 0.75 "
        "size %.2fcm,%.2fcm\n"
        "    up = 0.2\n"
        "} else {\n"
        "    set terminal svg enhanced font \"Helvetica,10.67\" linewidth 0.7 "
        "size %.0f,%.0f\n"
        "    up = 0.6\n"
        "}\n"
        "set output \"%s.\".form\n"
        "set xtics offset 0,up\n",
        l->width, l->height, l->width * pixels, l->height * pixels,
        w->plot->figure->common.name);
}

/* --- curves ----------------------------------------------------------------------------- */

/* Where a bar or box of a curve stands beside its place, and how wide it is. */
static double bar_width(const struct work *w)
{
    return 0.8 / (double)w->curves;
}

static double bar_offset(const struct work *w, size_t curve)
{
    return ((double)curve - ((double)w->curves - 1) / 2) * bar_width(w);
}

static void write_part(const struct work *w, size_t index, const char *before,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
static void write_part(const struct work *w, size_t index, const char *before,
                       const char *format, ...)
{
    va_list ap;
    lib_text_printf(w->out, "%s\"%s\" index %zu using ", before, w->plot->data, index);
    va_start(ap, format);
    lib_text_vprintf(w->out, format, ap);
    va_end(ap);
}

static const char next[] = ", \\\n     ";

static bool has_spread(const struct work *w)
{
    return w->plot->figure->common.spread != ANALYSIS_NONE;
}

/* "($2/1000)", "2". */
static const char *scaled(const struct work *w, int column, double factor)
{
    return factor == 1 ? lib_arena_printf(w->plot->arena, "%d", column)
                       : lib_arena_printf(w->plot->arena, "($%d/%.0f)", column, factor);
}

/* An end of a band; where a place has no spread, beside some that have one, the band is as thin
 * as the line. An expression of gnuplot that has looked at a NaN is one. */
static const char *band_end(const struct work *w, int column, double factor)
{
    return lib_arena_printf(w->plot->arena, "((strcol(%d) eq \"NaN\" ? $2 : $%d)/%.0f)",
                            column, column, factor);
}

/* As arrows with flat heads: yerrorbars would leave a hole where the point is. */
static void write_error_bars(const struct work *w, size_t index, const char *before,
                             const char *x, double factor, int style)
{
    write_part(
        w, index, before,
        "%s:%s:(0):(($4-$3)/%.0f) with vectors heads size graph 0.008,90 lt %d lw 0.7", x,
        scaled(w, 3, factor), factor, style);
}

/* Beside a line a band, beside points and bars a bar of errors. */
static void write_curve(const struct work *w, size_t index, size_t curve, double factor,
                        const char *before)
{
    enum analysis_figure_kind kind = w->plot->figure->kind;
    int style = (int)curve + 1;
    const char *y = scaled(w, 2, factor), *low = scaled(w, 3, factor);
    const char *x = "1";
    if (kind == ANALYSIS_FIGURE_BARS || kind == ANALYSIS_FIGURE_BOXES)
        x = lib_arena_printf(w->plot->arena, "($1%+.4f)", bar_offset(w, curve));
    switch (kind) {
    case ANALYSIS_FIGURE_LINES:
        if (has_spread(w)) {
            write_part(w, index, before,
                       "%s:%s:%s with filledcurves lt %d fs transparent solid 0.25 "
                       "noborder",
                       x, band_end(w, 3, factor), band_end(w, 4, factor), style);
            before = next;
        }
        write_part(w, index, before, "%s:%s with linespoints lt %d", x, y, style);
        break;
    case ANALYSIS_FIGURE_POINTS:
        if (has_spread(w)) {
            write_error_bars(w, index, before, x, factor, style);
            before = next;
        }
        write_part(w, index, before, "%s:%s with points lt %d", x, y, style);
        break;
    case ANALYSIS_FIGURE_BARS:
        write_part(w, index, before, "%s:%s:(%.4f) with boxes lt %d fs solid 1 noborder",
                   x, y, 0.9 * bar_width(w), style);
        break;
    case ANALYSIS_FIGURE_BOXES:
        write_part(w, index, before,
                   "%s:%s:%s:%s:%s:(%.4f) with candlesticks lt %d lw 1 fs solid 0.4 "
                   "whiskerbars 0.5",
                   x, low, y, scaled(w, 6, factor), scaled(w, 5, factor),
                   0.8 * bar_width(w), style);
        break;
    case ANALYSIS_FIGURE_STEPS:
        write_part(w, index, before, "%s:%s with steps lt %d", x, y, style);
        break;
    case ANALYSIS_FIGURE_HEAT:
        break;
    }
}

/* Drawn over a curve, without a line in the legend. */
static void write_over(const struct work *w, size_t index, size_t curve, double factor)
{
    enum analysis_figure_kind kind = w->plot->figure->kind;
    const char *x = lib_arena_printf(w->plot->arena, "($1%+.4f)", bar_offset(w, curve));
    if (kind == ANALYSIS_FIGURE_BARS && has_spread(w))
        write_error_bars(w, index, next, x, factor, -1);
    if (kind == ANALYSIS_FIGURE_BOXES)
        write_part(w, index, next, "%s:%s:%s:%s:%s:(%.4f) with candlesticks lt -1 lw 1.2",
                   x, scaled(w, 4, factor), scaled(w, 4, factor), scaled(w, 4, factor),
                   scaled(w, 4, factor), 0.8 * bar_width(w));
}

static void write_curves(const struct work *w, size_t panel, double factor)
{
    size_t first = panel * w->curves;
    for (size_t curve = 0; curve < w->curves; curve++) {
        write_curve(w, first + curve, curve, factor, curve ? next : "plot ");
        write_over(w, first + curve, curve, factor);
    }
    lib_text_puts(w->out, "\n");
}

static void write_heat(const struct work *w, size_t panel, double factor)
{
    size_t first = panel * w->curves;
    lib_text_printf(w->out,
                    "plot \"%s\" index %zu:%zu using "
                    "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):%s "
                    "with boxxyerror fs solid 1 noborder lc palette\n",
                    w->plot->data, first, first + w->curves - 1, scaled(w, 3, factor));
}

/* --- panels ----------------------------------------------------------------------------- */

/* The left end and the top of a panel's axes, in cm from the left and from below. */
static void find_panel(const struct layout *l, size_t panel, double *left, double *top)
{
    double column = (double)(panel % l->columns), row = (double)(panel / l->columns);
    *left = column * l->width / (double)l->columns + l->left;
    *top = l->height - l->legend - row * (l->top + l->axes_height + l->bottom) - l->top;
}

/* Where a panel's axes are, as shares of the figure. */
static void write_margins(const struct work *w, double left, double top)
{
    const struct layout *l = &w->layout;
    lib_text_printf(w->out,
                    "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                    "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
                    left / l->width, (left + l->axes_width) / l->width, top / l->height,
                    (top - l->axes_height) / l->height);
}

/* A piece of the curve, or of its bars, `x` and `y` in cm. */
static void write_sample(const struct work *w, size_t curve, double x, double y)
{
    const struct layout *l = &w->layout;
    enum analysis_figure_kind kind = w->plot->figure->kind;
    double left = x / l->width, right = (x + SAMPLE) / l->width;
    const char *colour = colours[curve % COLOURS];
    if (kind == ANALYSIS_FIGURE_BARS || kind == ANALYSIS_FIGURE_BOXES) {
        lib_text_printf(
            w->out,
            "set object rectangle from screen %.4f, screen %.4f to screen %.4f, "
            "screen %.4f fc rgb \"%s\" fs solid %s noborder\n",
            left, (y - 0.1) / l->height, right, (y + 0.1) / l->height, colour,
            kind == ANALYSIS_FIGURE_BARS ? "1" : "0.4");
        return;
    }
    if (kind == ANALYSIS_FIGURE_LINES)
        lib_text_printf(
            w->out,
            "set arrow from screen %.4f, screen %.4f to screen %.4f, screen %.4f "
            "nohead lt %zu\n",
            left, y / l->height, right, y / l->height, curve + 1);
    lib_text_printf(w->out,
                    "set label \"\" at screen %.4f, screen %.4f point pt %d ps 0.5 "
                    "lc rgb \"%s\"\n",
                    (left + right) / 2, y / l->height, points[curve % COLOURS], colour);
}

/* Column by column, at places of its own: gnuplot's key is laid out by each terminal in
 * another way. */
static void write_legend(const struct work *w)
{
    const struct layout *l = &w->layout;
    size_t columns = l->legend_columns ? l->legend_columns : 1;
    size_t lines = (w->curves + columns - 1) / columns;
    size_t used = (w->curves + lines - 1) / lines;
    double first = (l->width - (double)used * l->legend_column + GAP) / 2;
    for (size_t i = 0; i < w->curves && l->legend_columns; i++) {
        double x = first + (double)(i / lines) * l->legend_column;
        double y = l->height - 0.08 - LINE * ((double)(i % lines) + 0.5);
        write_sample(w, i, x, y);
        lib_text_puts(w->out, "set label ");
        analysis_plot_write_string(w->out, curve_name(w, i));
        lib_text_printf(w->out, " at screen %.4f, screen %.4f left\n",
                        (x + SAMPLE + 0.1) / l->width, y / l->height);
    }
}

static void write_title(const struct work *w, size_t panel, double left, double top)
{
    const struct layout *l = &w->layout;
    struct lib_text text = {0};
    analysis_keys_write(&w->plot->cube->keys[ANALYSIS_PANEL], panel, &text);
    lib_text_puts(w->out, "set label ");
    analysis_plot_write_string(w->out, lib_text_get(&text));
    lib_text_printf(w->out, " at screen %.4f, screen %.4f center\n",
                    (left + l->axes_width / 2) / l->width, (top + 0.22) / l->height);
    lib_text_free(&text);
}

static void write_panel(const struct work *w, size_t panel)
{
    const struct layout *l = &w->layout;
    struct analysis_plot_axis x = analysis_plot_x_axis(w->plot),
                              y = analysis_plot_y_axis(w->plot, panel);
    double left, top;
    find_panel(l, panel, &left, &top);
    x.length = l->axes_width;
    x.label_x = (left + l->axes_width / 2) / l->width;
    x.label_y = (top - l->axes_height - l->bottom + 0.22) / l->height;
    y.length = l->axes_height;
    y.label_x = (left - l->left + (l->breaks ? 0.45 : 0.3)) / l->width;
    x.line = LINE / l->height;
    y.line = LINE / l->width;
    y.label_y = (top - l->axes_height / 2) / l->height;
    lib_text_puts(w->out, "\nunset label\nunset arrow\nunset object\n");
    write_margins(w, left, top);
    if (panel == 0)
        write_legend(w);
    if (analysis_plot_panels(w->plot) > 1)
        write_title(w, panel, left, top);
    analysis_plot_write_axis(&x, w->out);
    analysis_plot_write_axis(&y, w->out);
    if (is_heat(w)) {
        struct analysis_plot_axis z = analysis_plot_z_axis(w->plot);
        z.length = l->axes_height;
        z.label_x = 1 - (l->breaks ? 0.4 : 0.25) / l->width;
        z.label_y = y.label_y;
        z.line = y.line;
        analysis_plot_write_axis(&z, w->out);
        write_heat(w, panel, z.factor);
    } else {
        write_curves(w, panel, y.factor);
    }
}

void analysis_plot_write_script(const struct analysis_plot *plot, struct lib_text *out)
{
    struct work w = {.plot = plot, .out = out, .curves = analysis_plot_curves(plot)};
    bool several = analysis_plot_panels(plot) > 1;
    lay_out(&w);
    write_head(&w);
    write_terminals(&w);
    lib_text_puts(out, several ? "set multiplot\n" : "");
    for (size_t panel = 0; panel < analysis_plot_panels(plot); panel++)
        write_panel(&w, panel);
    lib_text_puts(out, several ? "unset multiplot\n" : "");
    lib_text_puts(out, "unset output\n}\n");
}
