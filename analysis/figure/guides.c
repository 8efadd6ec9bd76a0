#include "analysis/figure/guides.h"

#include <math.h>

#include "analysis/figure/words.h"

static const double HEIGHT = 0.28, AWAY = 0.11;

struct candidate {
    double left, bottom;
};

enum { MOST = 48 };

/* Positions along a line, as shares, in the order of preference. */
static const double along[] = {1, 0, 0.75, 0.5, 0.25, 0.875, 0.625, 0.375, 0.125};
enum { ALONG = sizeof along / sizeof along[0] };

static size_t beside_y(double at, double width, const struct analysis_room *room,
                       struct candidate *list)
{
    for (size_t i = 0; i < ALONG; i++) {
        double left = 0.1 + along[i] * (room->width - width - 0.15);
        list[i] = (struct candidate){left, at + AWAY};
        list[ALONG + i] = (struct candidate){left, at - AWAY - HEIGHT};
    }
    return 2 * ALONG;
}

static size_t beside_x(double at, double width, const struct analysis_room *room,
                       struct candidate *list)
{
    for (size_t i = 0; i < ALONG; i++) {
        double bottom = 0.1 + along[i] * (room->height - HEIGHT - 0.15);
        list[i] = (struct candidate){at + AWAY, bottom};
        list[ALONG + i] = (struct candidate){at - AWAY - width, bottom};
    }
    return 2 * ALONG;
}

/* Lists places above and below the line, from its upper end: at tenths of the axis, then
 * between. */
static size_t beside_diagonal(const struct analysis_plot_axis *x,
                              const struct analysis_plot_axis *y, double width,
                              struct candidate *list)
{
    size_t count = 0;
    for (int i = 0; i < 18; i++) {
        const double share = i < 8 ? 0.9 - 0.1 * i : 0.95 - 0.1 * (i - 8);
        double right = share * x->length;
        double up = analysis_axis_share(y, analysis_axis_at(x, share)) * y->length;
        if (count + 2 > MOST || !(up >= 0 && up <= y->length))
            continue;
        list[count++] = (struct candidate){right - width - AWAY, up + 0.02};
        list[count++] = (struct candidate){right + AWAY, up - HEIGHT - 0.02};
    }
    return count;
}

static bool is_inside(double share)
{
    return share >= 0 && share <= 1;
}

bool analysis_guides_label(const struct analysis_chart *chart, size_t line,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y,
                           const struct analysis_room *room, struct analysis_box *box)
{
    const struct analysis_reference *r = &chart->references.items[line];
    struct candidate list[MOST];
    size_t count = 0;
    if (!r->label)
        return false;
    double width = analysis_words_width(r->label);
    double over = analysis_axis_share(x, r->at), up = analysis_axis_share(y, r->at);
    if (r->kind == ANALYSIS_REFERENCE_DIAGONAL)
        count = beside_diagonal(x, y, width, list);
    else if (r->kind == ANALYSIS_REFERENCE_Y && is_inside(up))
        count = beside_y(up * y->length, width, room, list);
    else if (r->kind == ANALYSIS_REFERENCE_X && is_inside(over))
        count = beside_x(over * x->length, width, room, list);
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < count && fewest > 0; i++) {
        const struct analysis_box at = {list[i].left, list[i].bottom,
                                        list[i].left + width, list[i].bottom + HEIGHT};
        const size_t hidden = analysis_room_hidden(room, &at);
        if (hidden < fewest)
            *box = at;
        fewest = hidden < fewest ? hidden : fewest;
    }
    return fewest < SIZE_MAX;
}

void analysis_guides_write(const struct analysis_chart *chart,
                           const struct analysis_plot_axis *x,
                           const struct analysis_plot_axis *y, struct lib_text *out)
{
    static const char style[] = "nohead back lc rgb \"#606060\" dt (4,4) lw 0.8";
    for (size_t i = 0; i < chart->references.count; i++) {
        const struct analysis_reference *r = &chart->references.items[i];
        if (r->kind == ANALYSIS_REFERENCE_Y && is_inside(analysis_axis_share(y, r->at)))
            lib_text_printf(
                out, "set arrow from graph 0, first %.10g to graph 1, first %.10g %s\n",
                r->at / y->factor, r->at / y->factor, style);
        if (r->kind == ANALYSIS_REFERENCE_X && is_inside(analysis_axis_share(x, r->at)))
            lib_text_printf(
                out, "set arrow from first %.10g, graph 0 to first %.10g, graph 1 %s\n",
                r->at / x->factor, r->at / x->factor, style);
    }
}
