#include "analysis/figure/chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void analysis_chart_start(struct analysis_chart *chart, size_t panels, size_t curves)
{
    static const struct analysis_axis axis = {
        .label = "", .note = "", .range = {NAN, NAN}};
    struct lib_arena *arena = lib_arena_new();
    *chart = (struct analysis_chart){
        .arena = arena,
        .name = "",
        .caption = "",
        .x = axis,
        .y = axis,
        .z = axis,
        .panel_count = panels,
        .curve_count = curves,
        .panels = LIB_ARENA_ARRAY(arena, struct analysis_panel, panels + 1),
        .legend_title = "",
    };
    for (size_t i = 0; i < panels; i++) {
        struct analysis_curve *of = LIB_ARENA_ARRAY(arena, struct analysis_curve,
                                                    curves + 1);
        for (size_t c = 0; c < curves; c++)
            of[c] = (struct analysis_curve){0};
        chart->panels[i] = (struct analysis_panel){
            .title = "", .curves = of, .x_note = ""};
    }
}

void analysis_chart_free(struct analysis_chart *chart)
{
    for (size_t i = 0; i < chart->panel_count; i++) {
        LIB_VEC_FREE(&chart->panels[i].failed);
        for (size_t c = 0; c < chart->curve_count; c++)
            LIB_VEC_FREE(&chart->panels[i].curves[c].points);
    }
    lib_arena_free(chart->arena);
}

struct analysis_chart analysis_chart_of_panel(const struct analysis_chart *chart,
                                              size_t panel)
{
    struct analysis_chart own = *chart;
    own.panels = &chart->panels[panel];
    own.panel_count = 1;
    if (own.panels->curve_names) {
        own.curve_names = own.panels->curve_names;
        own.curve_count = own.panels->curve_count;
    }
    return own;
}

const char *analysis_chart_steps_note(struct lib_arena *arena, uint64_t width,
                                      uint64_t finest, enum analysis_thin thin)
{
    const char *of = width <= finest             ? ""
                     : thin == ANALYSIS_THIN_MAX ? " (greatest)"
                                                 : " (means)";
    return width == 1 ? ""
                      : lib_arena_printf(arena, ", in steps of %" PRIu64 "%s", width, of);
}

double analysis_chart_value(const struct analysis_chart *chart,
                            const struct analysis_point *point)
{
    return chart->kind == ANALYSIS_FIGURE_HEAT ? point->z : point->y;
}

static bool can_show(const struct analysis_axis *axis, double number)
{
    return isfinite(number) &&
           (number > 0 || axis->place_count || axis->scale == ANALYSIS_SCALE_LINEAR);
}

void analysis_chart_add(struct analysis_chart *chart, size_t panel, size_t curve,
                        const struct analysis_point *point)
{
    const struct analysis_axis *values = chart->kind == ANALYSIS_FIGURE_HEAT ? &chart->z
                                                                             : &chart->y;
    if (can_show(&chart->x, point->x) && can_show(&chart->y, point->y) &&
        can_show(values, analysis_chart_value(chart, point)))
        *LIB_VEC_PUSH(&chart->panels[panel].curves[curve].points) = *point;
    else
        chart->hidden++;
}

void analysis_chart_add_failed(struct analysis_chart *chart, size_t panel, size_t curve,
                               double x)
{
    if (can_show(&chart->x, x))
        *LIB_VEC_PUSH(&chart->panels[panel].failed) = (struct analysis_failed){x, curve};
}

/* Returns where the next part is stacked at x; 0 at the axis. */
static double end_of(const struct analysis_panel *panel, size_t curves, double x)
{
    for (size_t c = curves; c-- > 0;)
        for (size_t i = 0; i < panel->curves[c].points.count; i++)
            if (panel->curves[c].points.items[i].x == x)
                return panel->curves[c].points.items[i].y;
    return 0;
}

static struct analysis_point *point_at(const struct analysis_curve *curve, double x)
{
    for (size_t i = 0; i < curve->points.count; i++)
        if (curve->points.items[i].x == x)
            return &curve->points.items[i];
    return NULL;
}

/* Shares of 0 are 0. */
static void share(struct analysis_curve *parts, size_t count, struct analysis_point *all)
{
    const double whole = all->y;
    double rest = whole;
    for (size_t c = 0; c < count; c++) {
        struct analysis_point *part = point_at(&parts[c], all->x);
        if (!part)
            continue;
        rest -= part->y;
        part->y = whole == 0 ? 0 : part->y / whole;
    }
    all->y = whole == 0 ? 0 : rest / whole;
}

void analysis_chart_share(struct analysis_chart *chart, size_t curves)
{
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t c = 0; c + curves <= chart->curve_count; c += curves) {
            struct analysis_curve *parts = &chart->panels[p].curves[c];
            struct analysis_curve *whole = &parts[curves - 1];
            for (size_t i = 0; i < whole->points.count; i++)
                share(parts, curves - 1, &whole->points.items[i]);
        }
}

void analysis_chart_stack(struct analysis_chart *chart)
{
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t c = 0; c < chart->curve_count; c++)
            for (size_t i = 0; i < chart->panels[p].curves[c].points.count; i++) {
                struct analysis_point *point =
                    &chart->panels[p].curves[c].points.items[i];
                point->low = end_of(&chart->panels[p], c, point->x);
                point->y += point->low;
            }
}

/* --- data ------------------------------------------------------------------------------- */

static void write_number(struct lib_text *out, double number)
{
    if (number == nearbyint(number) && fabs(number) < 0x1p53)
        lib_text_printf(out, "%.0f ", number == 0 ? 0 : number);
    else if (isfinite(number))
        lib_text_real(out, number), lib_text_puts(out, " ");
    else
        lib_text_puts(out, "NaN ");
}

static void write_line(struct lib_text *out, const double *numbers, size_t count,
                       size_t runs)
{
    for (size_t i = 0; i < count; i++)
        write_number(out, numbers[i]);
    lib_text_printf(out, "%zu\n", runs);
}

static void write_point(const struct analysis_chart *chart,
                        const struct analysis_point *p, struct lib_text *out)
{
    if (chart->kind == ANALYSIS_FIGURE_BOXES)
        write_line(
            out,
            (double[]){p->x, p->low, p->quartiles[0], p->y, p->quartiles[1], p->high}, 6,
            p->runs);
    else if (chart->kind == ANALYSIS_FIGURE_HEAT)
        write_line(out, (double[]){p->x, p->y, p->z}, 3, p->runs);
    else
        write_line(out, (double[]){p->x, p->y, p->low, p->high}, 4, p->runs);
}

/* Writes a whole row of a heat map, as an image needs it; NaN for cells without a point. */
static void write_cells(const struct analysis_chart *chart,
                        const struct analysis_curve *curve, size_t row, size_t places,
                        struct lib_text *out)
{
    size_t next = 0;
    for (size_t x = 0; x < places; x++) {
        const struct analysis_point none = {.x = (double)x, .y = (double)row, .z = NAN};
        const bool is_there = next < curve->points.count &&
                              curve->points.items[next].x == (double)x;
        write_point(chart, is_there ? &curve->points.items[next++] : &none, out);
    }
}

static void write_gap(const struct analysis_chart *chart, double x, struct lib_text *out)
{
    const struct analysis_point gap = {x, NAN, NAN, NAN, NAN, {NAN, NAN}, 0};
    write_point(chart, &gap, out);
}

static void write_points(const struct analysis_chart *chart,
                         const struct analysis_panel *panel, size_t curve,
                         struct lib_text *out)
{
    const struct analysis_curve *c = &panel->curves[curve];
    const struct analysis_failed *failed = panel->failed.items;
    size_t next = 0, count = panel->failed.count;
    for (size_t i = 0; i <= c->points.count; i++) {
        const double x = i < c->points.count ? c->points.items[i].x : INFINITY;
        for (; next < count && (failed[next].curve != curve || failed[next].x < x);
             next++)
            if (failed[next].curve == curve)
                write_gap(chart, failed[next].x, out);
        next += next < count && failed[next].x == x;
        if (i < c->points.count)
            write_point(chart, &c->points.items[i], out);
    }
}

/* Newlines would end the comment. */
static void write_comment(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p; p++)
        lib_text_add(out, *p == '\n' ? " " : p, 1);
}

/* A block must not be empty, or gnuplot would miscount blocks. */
static void write_block(const struct analysis_chart *chart, size_t panel, size_t curve,
                        struct lib_text *out)
{
    const struct analysis_curve *c = &chart->panels[panel].curves[curve];
    const size_t places = analysis_chart_x(chart, panel)->place_count;
    const bool is_empty = chart->kind == ANALYSIS_FIGURE_HEAT ? !places
                                                              : !c->points.count;
    const char *title = chart->panels[panel].title;
    const struct analysis_chart own = analysis_chart_of_panel(chart, panel);
    lib_text_puts(out, "# ");
    write_comment(out, title);
    lib_text_puts(out, *title ? "; " : "");
    write_comment(out, chart->legend_title);
    lib_text_puts(out, *chart->legend_title ? ": " : "");
    const char *const *names = own.data_names ? own.data_names : own.curve_names;
    write_comment(out, curve < own.curve_count ? names[curve] : "");
    lib_text_puts(out, "\n");
    if (chart->kind == ANALYSIS_FIGURE_HEAT)
        write_cells(chart, c, curve, places, out);
    else
        write_points(chart, &chart->panels[panel], curve, out);
    lib_text_puts(out, is_empty ? "NaN NaN NaN NaN 0\n\n\n" : "\n\n");
}

void analysis_chart_write_data(const struct analysis_chart *chart, struct lib_text *out)
{
    lib_text_printf(out, "# %s\n",
                    chart->kind == ANALYSIS_FIGURE_BOXES
                        ? "x least quartile median quartile greatest runs"
                    : chart->kind == ANALYSIS_FIGURE_HEAT ? "x y z runs"
                                                          : "x value low high runs");
    for (size_t panel = 0; panel < chart->panel_count; panel++)
        for (size_t curve = 0; curve < chart->curve_count; curve++)
            write_block(chart, panel, curve, out);
}
