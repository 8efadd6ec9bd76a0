#include "analysis/figure/legend.h"

#include <math.h>

#include "analysis/figure/marks.h"
#include "analysis/figure/words.h"

static const double LINE = ANALYSIS_LEGEND_LINE, SAMPLE = 0.7, BESIDE = 0.1, GAP = 0.3,
                    BETWEEN = 0.6;

/* --- form ------------------------------------------------------------------------------- */

double analysis_legend_widest(const struct analysis_chart *chart)
{
    double widest = 0;
    for (size_t i = 0; i < chart->curve_count; i++)
        widest = fmax(widest, analysis_words_width(chart->curve_names[i]));
    return widest;
}

/* --- lists ------------------------------------------------------------------------------ */

enum { COLOUR_OF_STYLES = 3 }; /* black */

static size_t lists_of(const struct analysis_chart *chart)
{
    return chart->looks && chart->keys[0].count ? 2 : 1;
}

/* Returns a list of names as a chart whose curves are the names: of all curves, or of colours or
 * styles. */
static struct analysis_chart list_of(const struct analysis_chart *chart, size_t list)
{
    struct analysis_chart own = *chart;
    if (lists_of(chart) == 1)
        return own;
    const struct analysis_legend_key *key = &chart->keys[list];
    struct analysis_look *looks = LIB_ARENA_ARRAY(chart->arena, struct analysis_look,
                                                  key->count + 1);
    for (size_t i = 0; i < key->count; i++)
        looks[i] = list == 0 ? (struct analysis_look){i, 0}
                             : (struct analysis_look){COLOUR_OF_STYLES, i};
    own.looks = looks;
    own.curve_names = key->names;
    own.curve_count = key->count;
    own.legend_title = key->title;
    return own;
}

static const char *title_of(const struct analysis_chart *chart)
{
    return *chart->legend_title
               ? lib_arena_printf(chart->arena, "%s:", chart->legend_title)
               : "";
}

static struct analysis_legend_form make_form(const struct analysis_chart *chart,
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

static struct analysis_legend_layout join(const struct analysis_legend_form *forms,
                                          size_t count, bool is_beside)
{
    struct analysis_legend_layout layout = {.count = count, .is_beside = is_beside};
    for (size_t i = 0; i < count; i++) {
        const struct analysis_legend_form *form = layout.forms + i;
        layout.forms[i] = forms[i];
        layout.width = is_beside ? layout.width + (i ? BETWEEN : 0) + form->width
                                 : fmax(layout.width, form->width);
        layout.height = is_beside ? fmax(layout.height, form->height)
                                  : layout.height + form->height;
    }
    return layout;
}

struct analysis_legend_layout analysis_legend_lay_out(const struct analysis_chart *chart,
                                                      size_t columns)
{
    struct analysis_legend_form forms[2];
    for (size_t i = 0; i < lists_of(chart); i++) {
        const struct analysis_chart list = list_of(chart, i);
        const size_t most = list.curve_count ? list.curve_count : 1;
        forms[i] = make_form(&list, columns < most ? columns : most);
    }
    return join(forms, lists_of(chart), false);
}

struct analysis_legend_layout analysis_legend_fit(const struct analysis_chart *chart,
                                                  double width)
{
    struct analysis_legend_form forms[2];
    for (size_t i = 0; i < lists_of(chart); i++) {
        const struct analysis_chart list = list_of(chart, i);
        size_t columns = list.curve_count ? list.curve_count : 1;
        while (columns > 1 && make_form(&list, columns).width > width)
            columns--;
        forms[i] = make_form(&list, columns);
    }
    const struct analysis_legend_layout beside = join(forms, lists_of(chart), true);
    return beside.width <= width ? beside : join(forms, lists_of(chart), false);
}

bool analysis_legend_find(const struct analysis_chart *chart,
                          const struct analysis_room *room,
                          struct analysis_legend_layout *layout, struct analysis_box *box)
{
    for (size_t columns = 1; columns <= chart->curve_count; columns++) {
        *layout = analysis_legend_lay_out(chart, columns);
        if (layout->height <= 0.6 * room->height &&
            analysis_room_find(room, layout->width, layout->height, box))
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

/* Whether samples have points: not those of colours if styles have points. */
static bool has_point(const struct analysis_chart *chart, size_t list)
{
    return analysis_marks_have_points(chart) &&
           !(lists_of(chart) > 1 && list == 0 && chart->kind == ANALYSIS_FIGURE_LINES);
}

static void write_line(const struct analysis_chart *chart, size_t curve, double left,
                       double right, double y, struct lib_text *out)
{
    const struct analysis_look look = analysis_marks_look(chart, curve);
    lib_text_printf(out,
                    "set arrow from screen %.4f, screen %.4f to screen %.4f, screen %.4f "
                    "nohead ",
                    left, y, right, y);
    if (chart->looks)
        lib_text_printf(out, "lc rgb \"%s\" lw 1.5 dt %s\n",
                        analysis_marks_colour(look.colour),
                        analysis_marks_dash(look.style));
    else
        lib_text_printf(out, "lt %zu\n", curve + 1);
}

static void write_box(double left, double bottom, double right, double top,
                      const char *colour, const char *fill, struct lib_text *out)
{
    lib_text_printf(out,
                    "set object rectangle from screen %.4f, screen %.4f to screen %.4f, "
                    "screen %.4f fc rgb \"%s\" fs %s noborder\n",
                    left, bottom, right, top, colour, fill);
}

static void write_sample(const struct analysis_chart *chart, size_t list, size_t curve,
                         const struct analysis_sheet_size *size, double x, double y,
                         struct lib_text *out)
{
    double left = x / size->width, right = (x + SAMPLE) / size->width;
    const struct analysis_look look = analysis_marks_look(chart, curve);
    const char *colour = analysis_marks_colour(look.colour);
    const int hatch = analysis_marks_hatch_of(chart, curve);
    if (analysis_chart_has_bars(chart) || chart->kind == ANALYSIS_FIGURE_BOXES) {
        write_box(left, (y - 0.1) / size->height, right, (y + 0.1) / size->height, colour,
                  chart->kind == ANALYSIS_FIGURE_BOXES ? "solid 0.4" : "solid 1", out);
        if (hatch)
            write_box(left, (y - 0.1) / size->height, right, (y + 0.1) / size->height,
                      "#ffffff",
                      lib_arena_printf(chart->arena, "transparent pattern %d", hatch),
                      out);
        return;
    }
    if (chart->kind == ANALYSIS_FIGURE_LINES || chart->kind == ANALYSIS_FIGURE_STEPS)
        write_line(chart, curve, left, right, y / size->height, out);
    if (has_point(chart, list))
        lib_text_printf(out,
                        "set label \"\" at screen %.4f, screen %.4f point pt %d ps 0.5 "
                        "lc rgb \"%s\"\n",
                        (left + right) / 2, y / size->height,
                        analysis_marks_point(look.style), colour);
}

/* Returns the line of a name. In one column, names have the order of stacked parts. */
static size_t line_of(const struct analysis_chart *chart,
                      const struct analysis_legend_form *form, size_t i)
{
    const bool is_stack = chart->kind == ANALYSIS_FIGURE_STACKED && form->columns == 1;
    return is_stack ? chart->curve_count - 1 - i : i;
}

static void write_list(const struct analysis_chart *chart, size_t list,
                       const struct analysis_legend_form *form,
                       const struct analysis_sheet_size *size, double left, double top,
                       struct lib_text *out)
{
    double first = form->title_in_front ? form->title : 0;
    double y = top - LINE / 2;
    if (form->title > 0)
        analysis_legend_write_words(title_of(chart), size, left, y, NULL, out);
    if (form->title > 0 && !form->title_in_front)
        y -= LINE;
    for (size_t i = 0; i < chart->curve_count; i++) {
        double x = left + first + (double)(i / form->lines) * form->column;
        double at = y - LINE * (double)(line_of(chart, form, i) % form->lines);
        write_sample(chart, list, i, size, x, at, out);
        analysis_legend_write_words(chart->curve_names[i], size, x + SAMPLE + BESIDE, at,
                                    NULL, out);
    }
}

/* Positions each item itself: gnuplot's own key looks different in each terminal. */
void analysis_legend_write(const struct analysis_chart *chart,
                           const struct analysis_legend_layout *layout,
                           const struct analysis_sheet_size *size, double left,
                           double top, enum analysis_legend_ground ground,
                           struct lib_text *out)
{
    lib_text_printf(out,
                    "set object rectangle from screen %.4f, screen %.4f to screen %.4f, "
                    "screen %.4f back fc rgb \"white\" fs %s noborder\n",
                    (left - 0.05) / size->width, (top - layout->height) / size->height,
                    (left + layout->width + 0.05) / size->width, top / size->height,
                    ground == ANALYSIS_LEGEND_ON_GRID ? "transparent solid 0.6"
                                                      : "solid 1");
    for (size_t i = 0; i < layout->count; i++) {
        const struct analysis_chart list = list_of(chart, i);
        const struct analysis_legend_form *form = &layout->forms[i];
        write_list(&list, i, form, size, left, top, out);
        left += layout->is_beside ? form->width + BETWEEN : 0;
        top -= layout->is_beside ? 0 : form->height;
    }
}
