#include "analysis/figure/line_ends.h"

#include <math.h>

#include "analysis/figure/marks.h"
#include "analysis/figure/words.h"

/* Maximum distance of a name from the end of a line without a leader; minimum distance between
 * names; maximum distance of an end from the right edge, for a name beside the panel. */
static const double MAX_MOVED = 0.18, BETWEEN = 0.32, MAX_BEFORE = 0.6;

/* Gap between panel and name; the same with a leader; height of a name; gap between the end of a
 * line and a name in the panel. */
static const double GAP = 0.12, LED_GAP = 0.42, HEIGHT = 0.28, AWAY = 0.12;

/* --- ends ------------------------------------------------------------------------------- */

struct place {
    double x, y;
};

static struct place place_of(const struct analysis_point *point,
                             const struct analysis_plot_axis *x,
                             const struct analysis_plot_axis *y)
{
    return (struct place){analysis_axis_share(x, point->x) * x->length,
                          analysis_axis_share(y, point->y) * y->length};
}

static bool is_in_panel(const struct place *at, const struct analysis_plot_axis *x,
                        const struct analysis_plot_axis *y)
{
    return at->x >= -1e-6 && at->x <= x->length + 1e-6 && at->y >= -1e-6 &&
           at->y <= y->length + 1e-6;
}

/* Returns the part of the way from `from` to `to` that is between 0 and `length`. */
static double part_within(double from, double to, double length)
{
    return to > length ? (length - from) / (to - from) : to < 0 ? from / (from - to) : 1;
}

static bool find_end(const struct analysis_curve *curve,
                     const struct analysis_plot_axis *x,
                     const struct analysis_plot_axis *y, struct place *end)
{
    for (size_t i = curve->points.count; i-- > 0;) {
        *end = place_of(&curve->points.items[i], x, y);
        if (!is_in_panel(end, x, y))
            continue;
        if (i + 1 < curve->points.count) {
            const struct place next = place_of(&curve->points.items[i + 1], x, y);
            const double part = fmin(part_within(end->x, next.x, x->length),
                                     part_within(end->y, next.y, y->length));
            *end = (struct place){end->x + part * (next.x - end->x),
                                  end->y + part * (next.y - end->y)};
        }
        return true;
    }
    return false;
}

/* --- names beside the panel --------------------------------------------------------------- */

/* from the lowest to the highest */
struct column {
    struct analysis_line_end *ends[ANALYSIS_LINE_ENDS];
    size_t count;
};

static void add_to_column(struct column *column, struct analysis_line_end *end)
{
    size_t at = column->count++;
    for (; at > 0 && column->ends[at - 1]->middle > end->middle; at--)
        column->ends[at] = column->ends[at - 1];
    column->ends[at] = end;
}

static void move_apart(const struct column *column)
{
    for (int round = 0; round < 50; round++)
        for (size_t i = 1; i < column->count; i++) {
            double *low = &column->ends[i - 1]->middle, *high = &column->ends[i]->middle;
            const double lack = BETWEEN - (*high - *low);
            if (lack > 0) {
                *low -= lack / 2;
                *high += lack / 2;
            }
        }
}

static void move_inside(const struct column *column, double height)
{
    double limit = height + HEIGHT / 2;
    for (size_t i = column->count; i-- > 0; limit -= BETWEEN) {
        column->ends[i]->middle = fmin(column->ends[i]->middle, limit);
        limit = column->ends[i]->middle;
    }
    limit = -HEIGHT / 2;
    for (size_t i = 0; i < column->count; i++, limit += BETWEEN) {
        column->ends[i]->middle = fmax(column->ends[i]->middle, limit);
        limit = column->ends[i]->middle;
    }
}

/* Places a column of names right of `right`; further away if leaders are needed. Returns whether
 * all are near the ends of their lines. */
static bool place_column(struct column *column, double right, double height)
{
    bool are_near = true;
    move_apart(column);
    for (size_t i = 0; i < column->count; i++)
        are_near &= fabs(column->ends[i]->middle - column->ends[i]->end_y) <= MAX_MOVED;
    if (!are_near)
        move_inside(column, height);
    for (size_t i = 0; i < column->count; i++) {
        struct analysis_line_end *end = column->ends[i];
        end->left = right + (are_near ? GAP : LED_GAP);
        end->is_led_to = fabs(end->middle - end->end_y) > MAX_MOVED;
    }
    return are_near;
}

static bool place_beside(struct analysis_line_end *ends, size_t count, double width,
                         double height)
{
    struct column column = {.count = 0};
    for (size_t i = 0; i < count; i++)
        if (ends[i].is_shown && ends[i].is_beside)
            add_to_column(&column, &ends[i]);
    return place_column(&column, width, height);
}

/* --- names inside the panel --------------------------------------------------------------- */

static struct analysis_box box_of(const struct analysis_chart *chart, size_t curve,
                                  const struct analysis_line_end *end)
{
    return (struct analysis_box){end->left, end->middle - HEIGHT / 2,
                                 end->left +
                                     analysis_words_width(chart->curve_names[curve]),
                                 end->middle + HEIGHT / 2};
}

/* Places a name after, above or below the end of its line, where it hides least. */
static void place_inside(const struct analysis_chart *chart, size_t curve,
                         struct analysis_line_end *end, struct analysis_room *room)
{
    const double width = analysis_words_width(chart->curve_names[curve]);
    const double side = AWAY + HEIGHT / 2;
    const struct place places[] = {
        {end->end_x + AWAY, end->end_y},
        {end->end_x + AWAY, end->end_y + side},
        {end->end_x + AWAY, end->end_y - side},
        {end->end_x - width / 2, end->end_y + side},
        {end->end_x - width / 2, end->end_y - side},
        {end->end_x - width, end->end_y + side},
        {end->end_x - width, end->end_y - side},
    };
    size_t fewest = SIZE_MAX, best = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        end->left = places[i].x;
        end->middle = places[i].y;
        const struct analysis_box box = box_of(chart, curve, end);
        const size_t hidden = analysis_room_hidden(room, &box);
        best = hidden < fewest ? i : best;
        fewest = hidden < fewest ? hidden : fewest;
    }
    end->left = places[best].x;
    end->middle = places[best].y;
    const struct analysis_box box = box_of(chart, curve, end);
    analysis_room_take(room, &box);
}

/* Places the names of lines that end inside the panel, below each other if several end at one x. */
static void place_all_inside(const struct analysis_chart *chart,
                             struct analysis_line_end *ends, double height,
                             struct analysis_room *room)
{
    bool is_placed[ANALYSIS_LINE_ENDS] = {false};
    for (size_t i = 0; i < chart->curve_count; i++) {
        struct column column = {.count = 0};
        if (!ends[i].is_shown || ends[i].is_beside || is_placed[i])
            continue;
        for (size_t k = i; k < chart->curve_count; k++)
            if (ends[k].is_shown && !ends[k].is_beside && !is_placed[k] &&
                fabs(ends[k].end_x - ends[i].end_x) < 0.05) {
                add_to_column(&column, &ends[k]);
                is_placed[k] = true;
            }
        if (column.count > 1)
            place_column(&column, ends[i].end_x, height);
        else
            place_inside(chart, i, &ends[i], room);
    }
}

void analysis_line_ends_take(const struct analysis_chart *chart,
                             const struct analysis_line_end *ends,
                             struct analysis_room *room)
{
    for (size_t i = 0; i < chart->curve_count; i++)
        if (ends[i].is_shown && !ends[i].is_beside) {
            const struct analysis_box box = box_of(chart, i, &ends[i]);
            analysis_room_take(room, &box);
        }
}

/* --- all names ---------------------------------------------------------------------------- */

static void find_ends(const struct analysis_chart *chart, size_t panel,
                      const struct analysis_plot_axis *x,
                      const struct analysis_plot_axis *y, struct analysis_line_end *ends)
{
    for (size_t i = 0; i < chart->curve_count; i++) {
        struct place end = {0, 0};
        ends[i] = (struct analysis_line_end){
            .is_shown = find_end(&chart->panels[panel].curves[i], x, y, &end)};
        ends[i].end_x = end.x;
        ends[i].end_y = ends[i].middle = end.y;
        ends[i].is_beside = x->length - end.x <= MAX_BEFORE;
    }
}

bool analysis_line_ends_are_clear(const struct analysis_chart *chart, size_t panel,
                                  const struct analysis_plot_axis *x,
                                  const struct analysis_plot_axis *y)
{
    struct analysis_line_end ends[ANALYSIS_LINE_ENDS];
    double last = NAN;
    if (chart->curve_count > ANALYSIS_LINE_ENDS)
        return false;
    for (size_t i = 0; i < chart->curve_count; i++) {
        const struct analysis_curve *c = &chart->panels[panel].curves[i];
        if (c->points.count == 0)
            return false;
        const struct analysis_point *point = &c->points.items[c->points.count - 1];
        const struct place at = place_of(point, x, y);
        if (!is_in_panel(&at, x, y) || (i > 0 && point->x != last))
            return false;
        last = point->x;
    }
    find_ends(chart, panel, x, y, ends);
    bool are_clear = true;
    for (size_t i = 0; i < chart->curve_count; i++)
        are_clear &= ends[i].is_beside;
    return are_clear && place_beside(ends, chart->curve_count, x->length, y->length);
}

void analysis_line_ends_place(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_plot_axis *x,
                              const struct analysis_plot_axis *y,
                              struct analysis_line_end *ends)
{
    struct analysis_room room;
    find_ends(chart, panel, x, y, ends);
    place_beside(ends, chart->curve_count, x->length, y->length);
    analysis_room_start(&room, chart, panel, x, y);
    place_all_inside(chart, ends, y->length, &room);
    analysis_room_free(&room);
}

double analysis_line_ends_width(const struct analysis_chart *chart)
{
    return fmax(analysis_legend_widest(chart), analysis_words_width(chart->legend_title));
}

void analysis_line_ends_write(const struct analysis_chart *chart, size_t panel,
                              const struct analysis_line_end *ends,
                              const struct analysis_sheet_size *size, double left,
                              double bottom, struct lib_text *out)
{
    double highest = 0, title = 0;
    for (size_t i = 0; i < chart->curve_count; i++) {
        const struct analysis_line_end *end = &ends[i];
        const double x = left + end->left, y = bottom + end->middle;
        const char *colour = analysis_marks_colour(analysis_marks_look(chart, i).colour);
        if (!end->is_shown)
            continue;
        analysis_legend_write_words(chart->curve_names[i], size, x, y, colour, out);
        if (end->is_led_to)
            lib_text_printf(out,
                            "set arrow from screen %.4f, screen %.4f to screen %.4f, "
                            "screen %.4f nohead lw 0.6 lc rgb \"%s\"\n",
                            (left + end->end_x + 0.05) / size->width,
                            (bottom + end->end_y) / size->height,
                            (x - 0.05) / size->width, y / size->height, colour);
        if (end->is_beside) {
            highest = fmax(highest, end->middle);
            title = end->left;
        }
    }
    if (panel == 0 && *chart->legend_title && title > 0)
        analysis_legend_write_words(chart->legend_title, size, left + title,
                                    bottom + highest + ANALYSIS_LEGEND_LINE, NULL, out);
}
