#include "analysis/figure/legend.h"

#include <math.h>

#include "analysis/figure/marks.h"
#include "analysis/figure/words.h"

static const double LINE = ANALYSIS_LEGEND_LINE, SAMPLE = 0.7, BESIDE = 0.1, GAP = 0.3;

/* --- form ------------------------------------------------------------------------------- */

double analysis_legend_widest(const struct analysis_chart *chart)
{
    double widest = 0;
    for (size_t i = 0; i < chart->curve_count; i++)
        widest = fmax(widest, analysis_words_width(chart->curve_names[i]));
    return widest;
}

/* "pe.count:" */
static const char *title_of(const struct analysis_chart *chart)
{
    return *chart->legend_title
               ? lib_arena_printf(chart->arena, "%s:", chart->legend_title)
               : "";
}

struct analysis_legend_form analysis_legend_form(const struct analysis_chart *chart,
                                                 size_t columns)
{
    size_t count = chart->curve_count ? chart->curve_count : 1;
    double title = analysis_words_width(title_of(chart));
    struct analysis_legend_form form = {
        .lines = (count + columns - 1) / columns,
        .column = SAMPLE + BESIDE + analysis_legend_widest(chart) + GAP,
        .title = title > 0 ? title + 0.2 : 0,
    };
    form.columns = (count + form.lines - 1) / form.lines;
    form.title_in_front = form.lines == 1 && form.columns > 1;
    double names = (double)form.columns * form.column - GAP;
    size_t lines = form.lines + (form.title > 0 && !form.title_in_front);
    form.width = form.title_in_front ? form.title + names : fmax(names, title);
    form.height = LINE * (double)lines;
    return form;
}

struct analysis_legend_form analysis_legend_fit(const struct analysis_chart *chart,
                                                double width)
{
    size_t columns = chart->curve_count;
    while (columns > 1 && analysis_legend_form(chart, columns).width > width)
        columns--;
    return analysis_legend_form(chart, columns ? columns : 1);
}

bool analysis_legend_find(const struct analysis_chart *chart,
                          const struct analysis_room *room,
                          struct analysis_legend_form *form, struct analysis_box *box)
{
    for (size_t columns = 1; columns <= chart->curve_count; columns++) {
        *form = analysis_legend_form(chart, columns);
        if (form->height <= 0.6 * room->height &&
            analysis_room_find(room, form->width, form->height, box))
            return true;
    }
    return false;
}

/* --- commands --------------------------------------------------------------------------- */

void analysis_legend_write_words(const char *words,
                                 const struct analysis_sheet_size *size, double x,
                                 double y, const char *colour, struct lib_text *out)
{
    lib_text_puts(out, "set label ");
    analysis_words_write(out, words, ANALYSIS_WORDS_LABEL);
    lib_text_printf(out, " at screen %.4f, screen %.4f left", x / size->width,
                    y / size->height);
    if (colour)
        lib_text_printf(out, " tc rgb \"%s\"", colour);
    lib_text_puts(out, "\n");
}

/* A piece of the curve, or of its bars. */
static void write_sample(const struct analysis_chart *chart, size_t curve,
                         const struct analysis_sheet_size *size, double x, double y,
                         struct lib_text *out)
{
    double left = x / size->width, right = (x + SAMPLE) / size->width;
    const char *colour = analysis_marks_colour(curve);
    if (analysis_chart_has_bars(chart) || chart->kind == ANALYSIS_FIGURE_BOXES) {
        lib_text_printf(
            out,
            "set object rectangle from screen %.4f, screen %.4f to screen %.4f, "
            "screen %.4f fc rgb \"%s\" fs solid %s noborder\n",
            left, (y - 0.1) / size->height, right, (y + 0.1) / size->height, colour,
            chart->kind == ANALYSIS_FIGURE_BOXES ? "0.4" : "1");
        return;
    }
    if (chart->kind == ANALYSIS_FIGURE_LINES || chart->kind == ANALYSIS_FIGURE_STEPS)
        lib_text_printf(
            out,
            "set arrow from screen %.4f, screen %.4f to screen %.4f, screen %.4f "
            "nohead lt %zu\n",
            left, y / size->height, right, y / size->height, curve + 1);
    if (analysis_marks_have_points(chart))
        lib_text_printf(out,
                        "set label \"\" at screen %.4f, screen %.4f point pt %d ps 0.5 "
                        "lc rgb \"%s\"\n",
                        (left + right) / 2, y / size->height, analysis_marks_point(curve),
                        colour);
}

/* Returns the line of a name. In one column, parts are in the order of the stack. */
static size_t line_of(const struct analysis_chart *chart,
                      const struct analysis_legend_form *form, size_t i)
{
    const bool is_stack = chart->kind == ANALYSIS_FIGURE_STACKED && form->columns == 1;
    return is_stack ? chart->curve_count - 1 - i : i;
}

/* Column by column, at places of its own: gnuplot's key is laid out by each terminal in
 * another way. */
void analysis_legend_write(const struct analysis_chart *chart,
                           const struct analysis_legend_form *form,
                           const struct analysis_sheet_size *size, double left,
                           double top, enum analysis_legend_ground ground,
                           struct lib_text *out)
{
    double first = form->title_in_front ? form->title : 0;
    double y = top - LINE / 2;
    lib_text_printf(out,
                    "set object rectangle from screen %.4f, screen %.4f to screen %.4f, "
                    "screen %.4f back fc rgb \"white\" fs %s noborder\n",
                    (left - 0.05) / size->width, (top - form->height) / size->height,
                    (left + form->width + 0.05) / size->width, top / size->height,
                    ground == ANALYSIS_LEGEND_ON_GRID ? "transparent solid 0.6"
                                                      : "solid 1");
    if (form->title > 0)
        analysis_legend_write_words(title_of(chart), size, left, y, NULL, out);
    if (form->title > 0 && !form->title_in_front)
        y -= LINE;
    for (size_t i = 0; i < chart->curve_count; i++) {
        double x = left + first + (double)(i / form->lines) * form->column;
        double at = y - LINE * (double)(line_of(chart, form, i) % form->lines);
        write_sample(chart, i, size, x, at, out);
        analysis_legend_write_words(chart->curve_names[i], size, x + SAMPLE + BESIDE, at,
                                    NULL, out);
    }
}
