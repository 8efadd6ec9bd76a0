#include "analysis/figure/marks.h"

#include <math.h>

/* --- styles ----------------------------------------------------------------------------- */

/* Eight colours with a contrast of at least 3:1 against white. Their lightness (L* of CIELAB: 35 61
 * 50 0 28 56 19 43) differs by at least 5, that of the first four by 11, so that greys and colours
 * seen with a red-green deficiency differ. Points and dashes differ too. */
enum { COLOURS = ANALYSIS_MARKS_COLOURS, DASHES = 4 };
static const char *const colours[COLOURS] = {"#1A4AB7", "#D1812A", "#4E8352", "#000000",
                                             "#851401", "#3F8BC9", "#540161", "#875678"};
static const int points[COLOURS] = {7, 5, 9, 13, 6, 4, 11, 8};
static const char *const dashes[DASHES] = {"1", "(10,3)", "(4,2)", "(10,2,2,2)"};

/* Patterns of gnuplot, drawn in white over a colour. */
enum { HATCHES = 7, MAX_HATCHED = 256 };
static const int hatches[HATCHES] = {0, 5, 2, 4, 1, 7, 6};

struct analysis_look analysis_marks_look(const struct analysis_chart *chart, size_t curve)
{
    return chart->looks ? chart->looks[curve] : (struct analysis_look){curve, curve};
}

size_t analysis_marks_styles(enum analysis_figure_kind kind)
{
    switch (kind) {
    case ANALYSIS_FIGURE_LINES:
    case ANALYSIS_FIGURE_POINTS:
        return COLOURS; /* by points */
    case ANALYSIS_FIGURE_STEPS:
        return DASHES;
    case ANALYSIS_FIGURE_BARS:
        return HATCHES;
    default:
        return 0;
    }
}

const char *analysis_marks_colour(size_t colour)
{
    return colours[colour % COLOURS];
}

int analysis_marks_point(size_t style)
{
    return points[style % COLOURS];
}

const char *analysis_marks_dash(size_t style)
{
    return dashes[(style + style / COLOURS) % DASHES];
}

int analysis_marks_hatch(size_t style)
{
    return hatches[(style + style / COLOURS) % HATCHES];
}

int analysis_marks_hatch_of(const struct analysis_chart *chart, size_t curve)
{
    const bool is_hatched = (chart->looks || chart->kind == ANALYSIS_FIGURE_STACKED) &&
                            chart->x.place_count <= MAX_HATCHED;
    return is_hatched ? analysis_marks_hatch(analysis_marks_look(chart, curve).style) : 0;
}

void analysis_marks_write_types(const struct analysis_chart *chart, struct lib_text *out)
{
    const bool has_more = chart->looks && chart->curve_count > ANALYSIS_CHART_CURVES;
    const size_t count = has_more ? chart->curve_count : ANALYSIS_CHART_CURVES;
    for (size_t i = 0; i < count; i++) {
        const struct analysis_look look = i < chart->curve_count
                                              ? analysis_marks_look(chart, i)
                                              : (struct analysis_look){i, i};
        lib_text_printf(out, "set linetype %zu lc rgb \"%s\" lw 1.5 dt %s pt %d ps 0.5\n",
                        i + 1, analysis_marks_colour(look.colour),
                        analysis_marks_dash(look.style),
                        analysis_marks_point(look.style));
    }
}

bool analysis_marks_have_points(const struct analysis_chart *chart)
{
    enum { MOST = 40 };
    size_t most = 0;
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t c = 0; c < chart->curve_count; c++) {
            size_t count = chart->panels[p].curves[c].points.count;
            most = count > most ? count : most;
        }
    return chart->kind != ANALYSIS_FIGURE_STEPS &&
           (chart->kind != ANALYSIS_FIGURE_LINES || most <= MOST);
}

double analysis_marks_bar_width(size_t curves)
{
    return 0.8 / (double)curves;
}

double analysis_marks_stack_width(const struct analysis_chart *chart)
{
    enum { MAX_APART = 64 };
    const bool touch = chart->x.place_width > 0 || chart->x.place_count > MAX_APART;
    return touch ? 1.06 : 0.8; /* at 1, a seam would be visible */
}

double analysis_marks_bar_offset(size_t curves, size_t curve)
{
    return ((double)curve - ((double)curves - 1) / 2) * analysis_marks_bar_width(curves);
}

/* --- curves ----------------------------------------------------------------------------- */

struct work {
    const struct analysis_chart *chart;
    double x, y; /* divisors of shown numbers */
    struct lib_text *out;
    bool is_first; /* whether the plot command has no part yet */
};

static void write_part(struct work *w, size_t index, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void write_part(struct work *w, size_t index, const char *format, ...)
{
    va_list ap;
    lib_text_printf(w->out, "%s\"%s\" index %zu using ",
                    w->is_first ? "plot " : ", \\\n     ", w->chart->data, index);
    w->is_first = false;
    va_start(ap, format);
    lib_text_vprintf(w->out, format, ap);
    va_end(ap);
}

/* Returns a column for gnuplot: "($2/1000)" or "2". */
static const char *scaled(const struct work *w, int column, double factor)
{
    return factor == 1 ? lib_arena_printf(w->chart->arena, "%d", column)
                       : lib_arena_printf(w->chart->arena, "($%d/%.0f)", column, factor);
}

/* Returns an end of a band. Without spread at this x, it is the value. In gnuplot, an expression
 * that reads a NaN is NaN. */
static const char *band_end(const struct work *w, int column)
{
    return lib_arena_printf(w->chart->arena, "((strcol(%d) eq \"NaN\" ? $2 : $%d)/%.0f)",
                            column, column, w->y);
}

/* Arrows with flat heads: yerrorbars would leave a hole at the point. */
static void write_error_bars(struct work *w, size_t index, const char *x, int style)
{
    write_part(w, index,
               "%s:%s:(0):(($4-$3)/%.0f) with vectors heads size graph 0.008,90 lt %d dt "
               "1 lw 0.7",
               x, scaled(w, 3, w->y), w->y, style);
}

static void write_lines(struct work *w, size_t index, int style)
{
    const char *x = scaled(w, 1, w->x);
    if (w->chart->has_spread)
        write_part(w, index,
                   "%s:%s:%s with filledcurves lt %d fs transparent solid 0.25 noborder",
                   x, band_end(w, 3), band_end(w, 4), style);
    write_part(w, index, "%s:%s with %s lt %d", x, scaled(w, 2, w->y),
               analysis_marks_have_points(w->chart) ? "linespoints" : "lines", style);
}

static void write_points(struct work *w, size_t index, int style)
{
    const char *x = scaled(w, 1, w->x);
    if (w->chart->has_spread)
        write_error_bars(w, index, x, style);
    write_part(w, index, "%s:%s with points lt %d", x, scaled(w, 2, w->y), style);
}

static void write_bars(struct work *w, size_t index, const char *x, int style)
{
    const double width = 0.9 * analysis_marks_bar_width(w->chart->curve_count);
    const int hatch = analysis_marks_hatch_of(w->chart, (size_t)style - 1);
    write_part(w, index, "%s:%s:(%.4f) with boxes lt %d dt 1 fs solid 1 noborder", x,
               scaled(w, 2, w->y), width, style);
    if (hatch)
        write_part(w, index,
                   "%s:%s:(%.4f) with boxes lc rgb \"#ffffff\" fs transparent pattern %d "
                   "noborder",
                   x, scaled(w, 2, w->y), width, hatch);
    if (w->chart->has_spread)
        write_error_bars(w, index, x, -1);
}

static void write_stacked(struct work *w, size_t index, int style)
{
    const double half = analysis_marks_stack_width(w->chart) / 2;
    write_part(w, index,
               "1:2:($1-%.2f):($1+%.2f):%s:%s with boxxyerror lt %d dt 1 lw 0.1 fs solid "
               "1 noborder",
               half, half, scaled(w, 3, w->y), scaled(w, 2, w->y), style);
    const int hatch = analysis_marks_hatch_of(w->chart, (size_t)style - 1);
    if (hatch)
        write_part(w, index,
                   "1:2:($1-%.2f):($1+%.2f):%s:%s with boxxyerror lc rgb \"#ffffff\" fs "
                   "transparent pattern %d noborder",
                   half, half, scaled(w, 3, w->y), scaled(w, 2, w->y), hatch);
}

static void write_boxes(struct work *w, size_t index, const char *x, int style)
{
    double width = 0.8 * analysis_marks_bar_width(w->chart->curve_count);
    const char *median = scaled(w, 4, w->y);
    write_part(w, index,
               "%s:%s:%s:%s:%s:(%.4f) with candlesticks lt %d dt 1 lw 1 fs solid 0.4 "
               "whiskerbars 0.5",
               x, scaled(w, 3, w->y), scaled(w, 2, w->y), scaled(w, 6, w->y),
               scaled(w, 5, w->y), width, style);
    write_part(w, index, "%s:%s:%s:%s:%s:(%.4f) with candlesticks lt -1 lw 1.2", x,
               median, median, median, median, width);
}

static void write_curve(struct work *w, size_t index, size_t curve)
{
    const struct analysis_chart *chart = w->chart;
    int style = (int)curve + 1;
    const char *x = lib_arena_printf(
        chart->arena, "($1%+.4f)", analysis_marks_bar_offset(chart->curve_count, curve));
    switch (chart->kind) {
    case ANALYSIS_FIGURE_LINES:
        write_lines(w, index, style);
        break;
    case ANALYSIS_FIGURE_POINTS:
        write_points(w, index, style);
        break;
    case ANALYSIS_FIGURE_BARS:
        write_bars(w, index, x, style);
        break;
    case ANALYSIS_FIGURE_BOXES:
        write_boxes(w, index, x, style);
        break;
    case ANALYSIS_FIGURE_STEPS:
        write_part(w, index, "%s:%s with steps lt %d", scaled(w, 1, w->x),
                   scaled(w, 2, w->y), style);
        break;
    case ANALYSIS_FIGURE_STACKED:
        write_stacked(w, index, style);
        break;
    case ANALYSIS_FIGURE_HEAT:
        break;
    }
}

/* Draws y = x. Other reference lines are straight, and drawn as arrows. */
static void write_diagonals(struct work *w)
{
    for (size_t i = 0; i < w->chart->references.count; i++) {
        if (w->chart->references.items[i].kind != ANALYSIS_REFERENCE_DIAGONAL)
            continue;
        lib_text_printf(w->out,
                        "%sx*%.0f/%.0f with lines lc rgb \"#606060\" dt (4,4) lw 0.8",
                        w->is_first ? "plot " : ", \\\n     ", w->x, w->y);
        w->is_first = false;
    }
}

/* Maximum number of cells drawn as boxes. Boxes have sharp edges, but take about 200 bytes of SVG,
 * and blend with the paper if thinner than a dot of PNG. An image is small and has exact
 * colours. */
enum { MAX_BOXES = 4000 };

static void write_heat(struct work *w, size_t panel, double factor)
{
    const size_t curves = w->chart->curve_count, first = panel * curves;
    const bool is_image = curves * w->chart->x.place_count * w->chart->panel_count >
                          MAX_BOXES;
    const char *cells = lib_arena_printf(w->chart->arena, "\"%s\" index %zu:%zu using",
                                         w->chart->data, first, first + curves - 1);
    const char *z = scaled(w, 3, factor);
    if (is_image)
        lib_text_printf(w->out, "plot %s 1:2:%s with image\n", cells, z);
    else
        lib_text_printf(w->out,
                        "if (form eq \"png\") {\n"
                        "    plot %s 1:2:%s with image\n"
                        "} else {\n"
                        "    plot %s 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):%s "
                        "with boxxyerror fs solid 1 noborder lc palette\n"
                        "}\n",
                        cells, z, cells, z);
}

double analysis_marks_failed_x(const struct analysis_chart *chart,
                               const struct analysis_failed *failed)
{
    const bool is_beside = chart->kind == ANALYSIS_FIGURE_BARS ||
                           chart->kind == ANALYSIS_FIGURE_BOXES;
    return failed->x +
           (is_beside ? analysis_marks_bar_offset(chart->curve_count, failed->curve) : 0);
}

double analysis_marks_failed_height(const struct analysis_chart *chart,
                                    const struct analysis_panel *panel, size_t failed)
{
    const struct analysis_failed *all = panel->failed.items;
    const double x = analysis_marks_failed_x(chart, &all[failed]);
    size_t below = 0;
    for (size_t i = 0; i < failed; i++)
        below += analysis_marks_failed_x(chart, &all[i]) == x;
    return 0.15 + 0.2 * (double)below;
}

/* Crosses have a white edge, and the colour of the curve; over bars and cells they are black. */
void analysis_marks_write_failed(const struct analysis_chart *chart, size_t panel,
                                 const struct analysis_plot_axis *x,
                                 const struct analysis_plot_axis *y, struct lib_text *out)
{
    const bool is_heat = chart->kind == ANALYSIS_FIGURE_HEAT;
    const bool is_line = !is_heat && !analysis_chart_has_bars(chart);
    const struct analysis_panel *p = &chart->panels[panel];
    for (size_t i = 0; i < p->failed.count; i++) {
        const struct analysis_failed *failed = &p->failed.items[i];
        const double height = is_heat
                                  ? (double)failed->curve
                                  : analysis_marks_failed_height(chart, p, i) / y->length;
        const char *at = lib_arena_printf(
            chart->arena,
            "set label \"\" at first %.10g, %s %.4g front point pt 2 ps 0.6",
            analysis_marks_failed_x(chart, failed) / x->factor,
            is_heat ? "first" : "graph", height);
        lib_text_printf(
            out, "%s lw 4 lc rgb \"#ffffff\"\n%s lw 1.5 lc rgb \"%s\"\n", at, at,
            is_line
                ? analysis_marks_colour(analysis_marks_look(chart, failed->curve).colour)
                : "#000000");
    }
}

void analysis_marks_write_panel(const struct analysis_chart *chart, size_t panel,
                                const struct analysis_plot_axis *x,
                                const struct analysis_plot_axis *y,
                                const struct analysis_plot_axis *z, struct lib_text *out)
{
    struct work w = {chart, x->factor, y->factor, out, true};
    if (chart->kind == ANALYSIS_FIGURE_HEAT) {
        write_heat(&w, panel, z->factor);
        return;
    }
    write_diagonals(&w);
    for (size_t curve = 0; curve < chart->curve_count; curve++)
        write_curve(&w, panel * chart->curve_count + curve, curve);
    lib_text_puts(out, "\n");
}
