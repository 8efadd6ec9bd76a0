/* Where in a panel there is room: what is drawn there, and whether a rectangle is free of it.
 * Lengths are in cm, from the lower left corner. */
#ifndef ANALYSIS_FIGURE_ROOM_H
#define ANALYSIS_FIGURE_ROOM_H

#include "analysis/figure/axis.h"

struct analysis_box {
    double left, bottom, right, top;
};

struct analysis_stroke {
    double x1, y1, x2, y2;
};

struct analysis_room {
    double width, height;
    LIB_VEC(struct analysis_stroke) strokes; /* owned */
    LIB_VEC(struct analysis_box) boxes;      /* owned */
};

/* Of a panel with such axes. */
void analysis_room_start(struct analysis_room *room, const struct analysis_chart *chart,
                         size_t panel, const struct analysis_plot_axis *x,
                         const struct analysis_plot_axis *y);
void analysis_room_free(struct analysis_room *room);

/* Something more is there. */
void analysis_room_take(struct analysis_room *room, const struct analysis_box *box);

/* Whether a rectangle lies inside, and nothing is drawn there. */
bool analysis_room_is_free(const struct analysis_room *room,
                           const struct analysis_box *box);

/* Where a rectangle of a size has room: corners first. */
bool analysis_room_find(const struct analysis_room *room, double width, double height,
                        struct analysis_box *box);

#endif
