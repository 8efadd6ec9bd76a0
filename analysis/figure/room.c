#include "analysis/figure/room.h"

#include <math.h>

#include "analysis/figure/marks.h"

struct panel {
    struct analysis_room *room;
    const struct analysis_chart *chart;
    const struct analysis_plot_axis *x, *y;
};

static double across(const struct panel *p, double x)
{
    return analysis_axis_share(p->x, x) * p->x->length;
}

static double up(const struct panel *p, double y)
{
    return analysis_axis_share(p->y, y) * p->y->length;
}

static void add_stroke(const struct panel *p, double x1, double y1, double x2, double y2)
{
    if (isfinite(x1) && isfinite(y1) && isfinite(x2) && isfinite(y2))
        *LIB_VEC_PUSH(&p->room->strokes) = (struct analysis_stroke){x1, y1, x2, y2};
}

static void add_point(const struct panel *p, const struct analysis_point *point)
{
    double x = across(p, point->x), y = up(p, point->y);
    add_stroke(p, x, y, x, y);
    if (isfinite(point->low) && isfinite(point->high))
        add_stroke(p, x,
                   point->low > 0 || p->y->scale == ANALYSIS_SCALE_LINEAR
                       ? up(p, point->low)
                       : 0,
                   x, up(p, point->high));
}

static void add_part(const struct panel *p, const struct analysis_point *point)
{
    const double half = analysis_marks_stack_width(p->chart) / 2;
    const struct analysis_box box = {across(p, point->x - half), up(p, point->low),
                                     across(p, point->x + half), up(p, point->y)};
    analysis_room_take(p->room, &box);
}

static void add_bar(const struct panel *p, size_t curve,
                    const struct analysis_point *point)
{
    double offset = analysis_marks_bar_offset(p->chart->curve_count, curve);
    double half = analysis_marks_bar_width(p->chart->curve_count) / 2;
    double most = isfinite(point->high) ? fmax(point->high, point->y) : point->y;
    bool is_linear = p->y->scale == ANALYSIS_SCALE_LINEAR;
    double least = p->chart->kind == ANALYSIS_FIGURE_BOXES ? point->low
                   : is_linear                             ? fmin(0, point->y)
                                                           : p->y->least;
    struct analysis_box box = {across(p, point->x + offset - half), up(p, least),
                               across(p, point->x + offset + half),
                               up(p, is_linear ? fmax(0, most) : most)};
    analysis_room_take(p->room, &box);
}

static void add_curve(const struct panel *p, size_t curve, const struct analysis_curve *c)
{
    enum analysis_figure_kind kind = p->chart->kind;
    for (size_t i = 0; i < c->points.count; i++) {
        const struct analysis_point *now = &c->points.items[i];
        if (kind == ANALYSIS_FIGURE_BARS || kind == ANALYSIS_FIGURE_BOXES) {
            add_bar(p, curve, now);
            continue;
        }
        if (kind == ANALYSIS_FIGURE_STACKED) {
            add_part(p, now);
            continue;
        }
        add_point(p, now);
        if ((kind == ANALYSIS_FIGURE_LINES || kind == ANALYSIS_FIGURE_STEPS) && i > 0) {
            const struct analysis_point *last = &c->points.items[i - 1];
            double from = kind == ANALYSIS_FIGURE_STEPS ? now->x : last->x;
            add_stroke(p, across(p, last->x), up(p, last->y), across(p, from),
                       up(p, last->y));
            add_stroke(p, across(p, from), up(p, last->y), across(p, now->x),
                       up(p, now->y));
        }
    }
}

static void add_failed(const struct panel *p, const struct analysis_panel *of)
{
    for (size_t i = 0; i < of->failed.count; i++) {
        const double x = across(p,
                                analysis_marks_failed_x(p->chart, &of->failed.items[i]));
        const double y = analysis_marks_failed_height(p->chart, of, i);
        add_stroke(p, x, y, x, y);
    }
}

/* y = x is a curve if only one axis is logarithmic. */
static void add_reference(const struct panel *p, const struct analysis_reference *r)
{
    enum { PIECES = 16 };
    double w = p->x->length, h = p->y->length;
    if (r->kind == ANALYSIS_REFERENCE_Y) {
        add_stroke(p, 0, up(p, r->at), w, up(p, r->at));
    } else if (r->kind == ANALYSIS_REFERENCE_X) {
        add_stroke(p, across(p, r->at), 0, across(p, r->at), h);
    } else {
        for (int i = 0; i < PIECES; i++)
            add_stroke(p, w * i / PIECES,
                       up(p, analysis_axis_at(p->x, (double)i / PIECES)),
                       w * (i + 1) / PIECES,
                       up(p, analysis_axis_at(p->x, (double)(i + 1) / PIECES)));
    }
}

void analysis_room_start(struct analysis_room *room, const struct analysis_chart *chart,
                         size_t panel, const struct analysis_plot_axis *x,
                         const struct analysis_plot_axis *y)
{
    *room = (struct analysis_room){.width = x->length, .height = y->length};
    const struct panel p = {room, chart, x, y};
    for (size_t c = 0; c < chart->curve_count; c++)
        add_curve(&p, c, &chart->panels[panel].curves[c]);
    add_failed(&p, &chart->panels[panel]);
    for (size_t i = 0; i < chart->references.count; i++)
        add_reference(&p, &chart->references.items[i]);
}

void analysis_room_free(struct analysis_room *room)
{
    LIB_VEC_FREE(&room->strokes, &room->boxes);
}

void analysis_room_take(struct analysis_room *room, const struct analysis_box *box)
{
    *LIB_VEC_PUSH(&room->boxes) = *box;
}

static const double CLEAR = 0.1, INSET = 0.1;

static bool overlaps(const struct analysis_box *a, const struct analysis_box *b)
{
    return a->left < b->right + CLEAR && b->left < a->right + CLEAR &&
           a->bottom < b->top + CLEAR && b->bottom < a->top + CLEAR;
}

/* Returns which part of a line is between two bounds, as shares of the line (Liang and Barsky,
 * 1984). */
static bool clip(double from, double step, double least, double greatest, double *first,
                 double *last)
{
    if (step == 0)
        return from >= least && from <= greatest;
    double a = (least - from) / step, b = (greatest - from) / step;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
    return *first <= *last;
}

static bool crosses(const struct analysis_box *box, const struct analysis_stroke *s)
{
    double first = 0, last = 1;
    return clip(s->x1, s->x2 - s->x1, box->left - CLEAR, box->right + CLEAR, &first,
                &last) &&
           clip(s->y1, s->y2 - s->y1, box->bottom - CLEAR, box->top + CLEAR, &first,
                &last);
}

size_t analysis_room_hidden(const struct analysis_room *room,
                            const struct analysis_box *box)
{
    size_t count = 0;
    if (box->left < 0 || box->bottom < 0 || box->right > room->width ||
        box->top > room->height)
        return SIZE_MAX;
    for (size_t i = 0; i < room->boxes.count; i++)
        count += overlaps(box, &room->boxes.items[i]);
    for (size_t i = 0; i < room->strokes.count; i++)
        count += crosses(box, &room->strokes.items[i]);
    return count;
}

bool analysis_room_is_free(const struct analysis_room *room,
                           const struct analysis_box *box)
{
    return analysis_room_hidden(room, box) == 0;
}

bool analysis_room_find(const struct analysis_room *room, double width, double height,
                        struct analysis_box *box)
{
    static const double shares[] = {1, 0, 0.5, 0.25, 0.75};
    enum { COUNT = sizeof shares / sizeof shares[0] };
    double free_width = room->width - width - 2 * INSET;
    double free_height = room->height - height - INSET;
    for (size_t v = 0; v < COUNT; v++)
        for (size_t h = 0; h < COUNT; h++) {
            double left = INSET + shares[h] * free_width;
            double bottom = INSET / 2 + shares[v] * free_height;
            *box = (struct analysis_box){left, bottom, left + width, bottom + height};
            if (analysis_room_is_free(room, box))
                return true;
        }
    return false;
}
