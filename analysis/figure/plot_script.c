#include <math.h>
#include <string.h>

#include "analysis/figure/guides.h"
#include "analysis/figure/legend.h"
#include "analysis/figure/line_ends.h"
#include "analysis/figure/marks.h"
#include "analysis/figure/plot.h"
#include "analysis/figure/words.h"

/* cividis, which looks similar to all eyes: Nuñez, Anderton, Renslow, PLOS ONE 2018. */
static const char palette[] =
    "set palette defined (0 \"#00224e\", 1 \"#2b446e\", 2 \"#575d6d\", 3 \"#7d7c78\", "
    "4 \"#a69d75\", 5 \"#d3c164\", 6 \"#fee838\")\n";

/* In cm: width of a column of a paper; height of a line; gap between tick and text; width of the
 * colour box; edge of the figure; shortest x axis. */
static const double WIDTH = 8.5, LINE = 0.36, TICK = 0.32, BOX = 0.25, EDGE = 0.1,
                    MIN_AXIS = 1;

struct layout {
    struct analysis_sheet_size size;
    double left, right, bottom, top; /* space around the axes of a panel */
    double axes_width, axes_height;
    /* space for the label of the x axis, below the last panel or below each */
    double under;
    double row_under;                 /* the same, below each panel */
    size_t columns, rows;             /* of panels */
    size_t x_lines, y_lines, z_lines; /* number of lines in the labels of axes */
    size_t title_lines;
    enum analysis_legend legend;
    struct analysis_legend_layout form; /* of the legend, unless at line ends */
    size_t legend_panel;                /* panel that contains the legend */
    struct analysis_box legend_box;
};

struct work {
    const struct analysis_chart *chart;
    const char *forms; /* of the figure: "pdf svg" */
    struct lib_text *out;
    struct layout layout;
};

struct axes {
    struct analysis_plot_axis x, y, z;
};

static bool is_heat(const struct work *w)
{
    return w->chart->kind == ANALYSIS_FIGURE_HEAT;
}

static struct axes make_axes(const struct work *w, size_t panel)
{
    const struct layout *l = &w->layout;
    struct axes axes = {
        .x = analysis_axis_x(w->chart, panel, l->axes_width),
        .y = analysis_axis_y(w->chart, panel, l->axes_height),
        .z = analysis_axis_z(w->chart, panel, l->axes_height),
    };
    return axes;
}

/* --- layout: around the axes ------------------------------------------------------------- */

static struct analysis_lines wrap_label(const struct work *w,
                                        const struct analysis_plot_axis *axis)
{
    struct lib_arena *arena = w->chart->arena;
    return analysis_words_wrap(arena, analysis_axis_label(axis, arena),
                               axis->length + 0.6);
}

static size_t more_lines(const struct work *w, const struct analysis_plot_axis *axis,
                         size_t lines)
{
    const size_t count = wrap_label(w, axis).count;
    return count > lines ? count : lines;
}

static struct analysis_lines wrap_title(const struct work *w, size_t panel)
{
    const struct layout *l = &w->layout;
    return analysis_words_wrap(w->chart->arena, w->chart->panels[panel].title,
                               l->left + l->axes_width + l->right - EDGE);
}

static double height_of_axes(const struct work *w)
{
    if (w->chart->panel_count > 1)
        return 3.0;
    if (is_heat(w) && w->chart->height > 0)
        return w->chart->height;
    return is_heat(w) ? fmin(fmax(0.42 * (double)w->chart->curve_count, 3.0), 6.0) : 4.2;
}

static void lay_out_sides(struct work *w)
{
    struct layout *l = &w->layout;
    double ticks = 0, colours = 0;
    for (size_t panel = 0; panel < w->chart->panel_count; panel++) {
        struct analysis_plot_axis y = analysis_axis_y(w->chart, panel, l->axes_height);
        struct analysis_plot_axis z = analysis_axis_z(w->chart, panel, l->axes_height);
        ticks = fmax(ticks, analysis_axis_widest(&y));
        colours = fmax(colours, analysis_axis_widest(&z));
        l->y_lines = more_lines(w, &y, l->y_lines);
        l->z_lines = is_heat(w) ? more_lines(w, &z, l->z_lines) : 0;
    }
    l->left = EDGE + LINE * (double)l->y_lines + ticks + TICK;
    l->right = is_heat(w) ? 2 * BOX + TICK + colours + LINE * (double)l->z_lines + EDGE
                          : 0.3;
}

/* Returns the space for the half of the last tick's text that is beyond the axis. */
static double beside_last_tick(const struct work *w)
{
    double most = 0;
    for (size_t panel = 0; panel < w->chart->panel_count; panel++) {
        struct analysis_plot_axis x = analysis_axis_x(w->chart, panel,
                                                      w->layout.axes_width);
        if (x.tick_count == 0 || x.has_places)
            return 0;
        const struct analysis_tick *last = &x.ticks[x.tick_count - 1];
        double after = (1 - analysis_axis_share(&x, last->at)) * x.length;
        most = fmax(most, analysis_words_width(last->letters) / 2 - after + 0.05);
    }
    return most;
}

static void lay_out_width(struct work *w, double beside)
{
    struct layout *l = &w->layout;
    const double least = (l->left + l->right + MIN_AXIS) * (double)l->columns + beside;
    l->size.width = fmax(l->size.width, least);
    l->axes_width = (l->size.width - beside) / (double)l->columns - l->left - l->right;
}

/* --- layout: the legend ------------------------------------------------------------------ */

enum wish { IF_CLEAR, IN_ANY_CASE };

static bool lay_out_direct(struct work *w, enum wish wish)
{
    struct layout *l = &w->layout;
    const double width = analysis_line_ends_width(w->chart);
    bool is_clear = width <= 2.2;
    if (w->chart->kind != ANALYSIS_FIGURE_LINES ||
        w->chart->curve_count > ANALYSIS_LINE_ENDS)
        return false;
    for (size_t panel = 0; panel < w->chart->panel_count; panel++) {
        const struct axes axes = make_axes(w, panel);
        is_clear &= analysis_line_ends_are_clear(w->chart, panel, &axes.x, &axes.y);
    }
    if (!is_clear && wish == IF_CLEAR)
        return false;
    l->legend = ANALYSIS_LEGEND_DIRECT;
    l->right = (is_clear ? 0.12 : 0.42) + width + EDGE;
    if (*w->chart->legend_title)
        l->top = fmax(l->top, LINE + 0.2);
    return true;
}

/* Finds the free room in a panel, without the labels of its reference lines. */
static void start_room(const struct work *w, size_t panel, const struct axes *axes,
                       struct analysis_room *room)
{
    struct analysis_box box;
    analysis_room_start(room, w->chart, panel, &axes->x, &axes->y);
    for (size_t i = 0; i < w->chart->references.count; i++)
        if (analysis_guides_label(w->chart, i, &axes->x, &axes->y, room, &box))
            analysis_room_take(room, &box);
}

static bool lay_out_inside(struct work *w)
{
    struct layout *l = &w->layout;
    bool found = false;
    for (size_t panel = 0; panel < w->chart->panel_count && !found; panel++) {
        struct axes axes = make_axes(w, panel);
        struct analysis_room room;
        start_room(w, panel, &axes, &room);
        found = analysis_legend_find(w->chart, &room, &l->form, &l->legend_box);
        l->legend_panel = panel;
        analysis_room_free(&room);
    }
    l->legend = found ? ANALYSIS_LEGEND_INSIDE : l->legend;
    return found;
}

static void lay_out_right(struct work *w)
{
    struct layout *l = &w->layout;
    l->legend = ANALYSIS_LEGEND_RIGHT;
    l->form = analysis_legend_lay_out(w->chart, 1);
    lay_out_width(w, l->form.width + EDGE);
}

static void lay_out_below(struct work *w)
{
    struct layout *l = &w->layout;
    l->legend = ANALYSIS_LEGEND_BELOW;
    l->form = analysis_legend_fit(w->chart, l->size.width - 2 * EDGE);
}

static bool has_own_names(const struct work *w)
{
    return w->chart->panel_count && w->chart->panels[0].curve_names;
}

/* Names the curves of each panel in its title, if they are several. */
static void lay_out_over(struct work *w)
{
    struct layout *l = &w->layout;
    for (size_t panel = 0; panel < w->chart->panel_count; panel++) {
        const struct analysis_chart own = analysis_chart_of_panel(w->chart, panel);
        struct analysis_legend_layout form = analysis_legend_fit(&own, l->axes_width);
        if (own.curve_count > 1)
            l->top = fmax(l->top, form.height + 0.2);
    }
}

/* By default the legend is at the ends of lines if these are far enough apart, else inside a panel
 * if it fits, else below. */
static void lay_out_legend(struct work *w)
{
    struct layout *l = &w->layout;
    enum analysis_legend wanted = w->chart->legend;
    bool automatic = wanted == ANALYSIS_LEGEND_AUTO;
    l->legend = ANALYSIS_LEGEND_NONE;
    if (w->chart->curve_count < 2 || is_heat(w) || wanted == ANALYSIS_LEGEND_NONE)
        return;
    if (has_own_names(w))
        return lay_out_over(w);
    if (automatic || wanted == ANALYSIS_LEGEND_DIRECT)
        if (lay_out_direct(w, automatic ? IF_CLEAR : IN_ANY_CASE)) {
            lay_out_width(w, 0);
            return;
        }
    if (wanted == ANALYSIS_LEGEND_RIGHT)
        lay_out_right(w);
    else if ((!automatic && wanted != ANALYSIS_LEGEND_INSIDE) || !lay_out_inside(w))
        lay_out_below(w);
}

/* By default up to three panels are in one column, more in two as wide as a page. A figure is
 * widened if axes would have no room. */
static void lay_out(struct work *w)
{
    struct layout *l = &w->layout;
    size_t panels = w->chart->panel_count;
    l->columns = w->chart->beside ? w->chart->beside : panels <= 3 ? 1 : 2;
    l->columns = l->columns < panels ? l->columns : panels > 0 ? panels : 1;
    l->rows = (panels + l->columns - 1) / l->columns;
    l->size.width = w->chart->width > 0 ? w->chart->width
                    : l->columns == 1   ? WIDTH
                                        : 2 * WIDTH + 0.5;
    l->axes_height = height_of_axes(w);
    l->top = panels == 1 || has_own_names(w) ? 0.2 : 0.5;
    lay_out_sides(w);
    lay_out_width(w, 0);
    if (!is_heat(w))
        l->right = fmax(l->right, beside_last_tick(w));
    lay_out_width(w, 0);
    lay_out_legend(w);
    struct analysis_plot_axis x = analysis_axis_x(w->chart, 0, l->axes_width);
    for (size_t panel = 0; panel < panels; panel++) {
        const struct axes axes = make_axes(w, panel);
        const size_t lines = panels > 1 ? wrap_title(w, panel).count : 1;
        l->x_lines = more_lines(w, &axes.x, l->x_lines);
        l->title_lines = lines > l->title_lines ? lines : l->title_lines;
    }
    l->top += LINE * (double)(l->title_lines - (l->title_lines > 0));
    l->under = LINE * (double)l->x_lines + 0.04;
    if (w->chart->has_own_x) {
        l->row_under = l->under;
        l->under = 0;
    }
    l->bottom = l->row_under + 0.48 +
                (x.is_turned ? 0.72 * analysis_axis_widest(&x) - 0.1 : 0);
    l->size.height = (double)l->rows * (l->top + l->axes_height + l->bottom) + l->under +
                     (l->legend == ANALYSIS_LEGEND_BELOW ? l->form.height + 0.1 : 0) +
                     0.05;
}

/* --- the head --------------------------------------------------------------------------- */

static void write_head(const struct work *w)
{
    const struct analysis_chart *c = w->chart;
    size_t length = strcspn(c->caption, "\n");
    lib_text_printf(w->out, "# %s%s%.*s\n", c->name, length ? ": " : "", (int)length,
                    c->caption);
    lib_text_printf(w->out, "# `gnuplot %s.gp' draws", c->name);
    for (const char *p = w->forms; *p; p += strcspn(p, " "), p += strspn(p, " "))
        lib_text_printf(w->out, "%s %s.%.*s", p > w->forms ? " and" : "", c->name,
                        (int)strcspn(p, " "), p);
    lib_text_printf(w->out, " from %s (gnuplot 5.4).\n", c->data);
    lib_text_puts(w->out, "\nset encoding utf8\n");
    analysis_marks_write_types(c, w->out);
    lib_text_puts(w->out,
                  "unset key\nset tics nomirror out scale 0.5\nset border 3 lw 0.7\n"
                  "set grid ytics back lt -1 lw 0.4 lc rgb \"#d0d0d0\" dt 1\n");
    if (is_heat(w))
        lib_text_printf(w->out, "set border 15\nunset grid\n%s", palette);
}

/* In dots of 1/300 inch; else the terminal uses larger units. */
static void write_png_terminal(const struct work *w)
{
    static const double dots = 300;
    lib_text_printf(w->out,
                    "if (form eq \"png\") {\n"
                    "    set terminal pngcairo enhanced font \"Helvetica,8\" fontscale "
                    "%.4f linewidth %.4f pointscale %.4f size %.0f,%.0f\n"
                    "    up = 0.2\n}\n",
                    dots / 72 * 0.75, dots / 144, dots / 144,
                    w->layout.size.width / 2.54 * dots,
                    w->layout.size.height / 2.54 * dots);
}

/* Letters have 8 points in both formats: a nominal point of pdfcairo is 4/3 of one, a pixel of SVG
 * is 3/4. Texts below an axis have different distances. As readers of SVG may lack a font, several
 * of equal widths are named; an unescaped comma would end the name for gnuplot. The background of
 * SVG is white, as black letters would be unreadable on a dark page. */
static void write_terminals(const struct work *w)
{
    const struct layout *l = &w->layout;
    static const double pixels = 96 / 2.54;
    lib_text_printf(
        w->out,
        "\ndo for [form in \"%s\"] {\n"
        "if (form eq \"pdf\") {\n"
        "    set terminal pdfcairo enhanced font \"Helvetica,8\" fontscale 0.75 "
        "size %.2fcm,%.2fcm\n"
        "    up = 0.2\n"
        "} else {\n"
        "    set terminal svg enhanced background \"#ffffff\" font "
        "\"Helvetica&#44;Arial&#44;sans-serif,10.67\" "
        "linewidth 0.7 size %.0f,%.0f\n"
        "    up = 0.6\n"
        "}\n",
        w->forms, l->size.width, l->size.height, l->size.width * pixels,
        l->size.height * pixels);
    if (strstr(w->forms, "png"))
        write_png_terminal(w);
    lib_text_printf(w->out, "set output \"%s.\".form\nset xtics offset 0,up\n",
                    w->chart->name);
}

/* --- words ------------------------------------------------------------------------------ */

enum align { LEFT, CENTER };

static void write_words(const struct work *w, const char *words, double x, double y,
                        enum align align, const char *more)
{
    lib_text_puts(w->out, "set label ");
    analysis_words_write(w->out, words, ANALYSIS_WORDS_LABEL);
    lib_text_printf(w->out, " at screen %.4f, screen %.4f %s%s\n",
                    x / w->layout.size.width, y / w->layout.size.height,
                    align == LEFT ? "left" : "center", more);
}

/* Positions the label itself, with its middle at (x, y): gnuplot's position depends on the
 * terminal. */
static void write_axis_label(const struct work *w, const struct analysis_plot_axis *axis,
                             double x, double y)
{
    const bool is_x = *axis->letter == 'x';
    const struct analysis_lines label = wrap_label(w, axis);
    for (size_t i = 0; i < label.count; i++) {
        const double off = LINE * ((double)i - ((double)label.count - 1) / 2);
        write_words(w, label.lines[i], x + (is_x ? 0 : off), y - (is_x ? off : 0), CENTER,
                    is_x ? "" : " rotate by 90");
    }
}

/* --- panels ----------------------------------------------------------------------------- */

/* Sets the lower left corner of a panel's axes, in cm from that of the figure. */
static void find_panel(const struct layout *l, size_t panel, double *left, double *bottom)
{
    size_t column = panel % l->columns, row = panel / l->columns;
    double width = l->left + l->axes_width + l->right;
    *left = (double)column * width + l->left;
    *bottom = l->size.height - (double)row * (l->top + l->axes_height + l->bottom) -
              l->top - l->axes_height;
}

static void write_margins(const struct work *w, double left, double bottom)
{
    const struct layout *l = &w->layout;
    lib_text_printf(w->out,
                    "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                    "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
                    left / l->size.width, (left + l->axes_width) / l->size.width,
                    (bottom + l->axes_height) / l->size.height, bottom / l->size.height);
}

static void write_legend(const struct work *w, size_t panel, const struct axes *axes,
                         double left, double bottom)
{
    const struct layout *l = &w->layout;
    const struct analysis_legend_layout *form = &l->form;
    double x = -1, top = 0;
    const struct analysis_chart own = analysis_chart_of_panel(w->chart, panel);
    if (has_own_names(w) && own.curve_count > 1) {
        const struct analysis_legend_layout over = analysis_legend_fit(&own,
                                                                       l->axes_width);
        analysis_legend_write(&own, &over, &l->size,
                              left + (l->axes_width - over.width) / 2,
                              bottom + l->axes_height + over.height + 0.1,
                              ANALYSIS_LEGEND_ON_PAPER, w->out);
    }
    if (l->legend == ANALYSIS_LEGEND_DIRECT) {
        struct analysis_line_end ends[ANALYSIS_LINE_ENDS];
        analysis_line_ends_place(w->chart, panel, &axes->x, &axes->y, ends);
        analysis_line_ends_write(w->chart, panel, ends, &l->size, left, bottom, w->out);
    } else if (l->legend == ANALYSIS_LEGEND_INSIDE && panel == l->legend_panel) {
        x = left + l->legend_box.left;
        top = bottom + l->legend_box.top;
    } else if (l->legend == ANALYSIS_LEGEND_BELOW && panel == 0) {
        x = (l->size.width - form->width) / 2;
        top = form->height + 0.05;
    } else if (l->legend == ANALYSIS_LEGEND_RIGHT && panel == 0) {
        x = l->size.width - form->width - EDGE;
        top = bottom + l->axes_height;
    }
    if (x >= 0)
        analysis_legend_write(w->chart, form, &l->size, x, top,
                              l->legend == ANALYSIS_LEGEND_INSIDE
                                  ? ANALYSIS_LEGEND_ON_GRID
                                  : ANALYSIS_LEGEND_ON_PAPER,
                              w->out);
}

static void write_guides(const struct work *w, size_t panel, const struct axes *axes,
                         double left, double bottom)
{
    struct analysis_room room;
    struct analysis_box box;
    if (is_heat(w))
        return;
    analysis_guides_write(w->chart, &axes->x, &axes->y, w->out);
    analysis_room_start(&room, w->chart, panel, &axes->x, &axes->y);
    if (w->layout.legend == ANALYSIS_LEGEND_DIRECT) {
        struct analysis_line_end ends[ANALYSIS_LINE_ENDS];
        analysis_line_ends_place(w->chart, panel, &axes->x, &axes->y, ends);
        analysis_line_ends_take(w->chart, ends, &room);
    }
    for (size_t i = 0; i < w->chart->references.count; i++)
        if (analysis_guides_label(w->chart, i, &axes->x, &axes->y, &room, &box)) {
            const bool is_free = analysis_room_is_free(&room, &box);
            write_words(w, w->chart->references.items[i].label, left + box.left,
                        bottom + (box.bottom + box.top) / 2, LEFT,
                        is_free ? " tc rgb \"#404040\"" : " front tc rgb \"#404040\"");
            analysis_room_take(&room, &box);
        }
    analysis_room_free(&room);
}

static void write_colours(const struct work *w, const struct axes *axes, double left,
                          double bottom)
{
    const struct layout *l = &w->layout;
    lib_text_printf(w->out,
                    "set colorbox user origin screen %.4f, screen %.4f size screen %.4f, "
                    "screen %.4f\n",
                    (left + l->axes_width + BOX) / l->size.width, bottom / l->size.height,
                    BOX / l->size.width, l->axes_height / l->size.height);
    write_axis_label(w, &axes->z,
                     left + l->axes_width + l->right - EDGE -
                         LINE / 2 * (double)l->z_lines,
                     bottom + l->axes_height / 2);
    analysis_axis_write(&axes->z, w->out);
}

static void write_panel(const struct work *w, size_t panel)
{
    const struct layout *l = &w->layout;
    const struct analysis_chart *chart = w->chart;
    struct axes axes = make_axes(w, panel);
    double left, bottom;
    find_panel(l, panel, &left, &bottom);
    double middle = left + l->axes_width / 2;
    lib_text_puts(w->out, "\nunset label\nunset arrow\nunset object\n");
    write_margins(w, left, bottom);
    write_legend(w, panel, &axes, left, bottom);
    if (chart->panel_count > 1) {
        const struct analysis_lines title = wrap_title(w, panel);
        for (size_t i = 0; i < title.count; i++)
            write_words(w, title.lines[i], middle,
                        bottom + l->axes_height + 0.22 +
                            LINE * (double)(title.count - 1 - i),
                        CENTER, "");
    }
    if (chart->has_own_x || panel + l->columns >= chart->panel_count)
        write_axis_label(w, &axes.x, middle,
                         bottom - l->bottom + l->row_under / 2 - l->under / 2);
    write_axis_label(w, &axes.y, left - l->left + EDGE + LINE / 2 * (double)l->y_lines,
                     bottom + l->axes_height / 2);
    analysis_axis_write(&axes.x, w->out);
    analysis_axis_write(&axes.y, w->out);
    write_guides(w, panel, &axes, left, bottom);
    if (is_heat(w))
        write_colours(w, &axes, left, bottom);
    analysis_marks_write_failed(chart, panel, &axes.x, &axes.y, w->out);
    analysis_marks_write_panel(chart, panel, &axes.x, &axes.y, &axes.z, w->out);
}

void analysis_plot_write_script(const struct analysis_chart *chart, const char *forms,
                                struct lib_text *out)
{
    struct work w = {.chart = chart, .forms = forms, .out = out};
    bool several = chart->panel_count > 1;
    lay_out(&w);
    write_head(&w);
    write_terminals(&w);
    lib_text_puts(out, several ? "set multiplot\n" : "");
    for (size_t panel = 0; panel < chart->panel_count; panel++)
        write_panel(&w, panel);
    lib_text_puts(out, several ? "unset multiplot\n" : "");
    lib_text_puts(out, "unset output\n}\n");
}
