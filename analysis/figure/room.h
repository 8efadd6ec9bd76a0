/* Free room in a panel: what is drawn there, and whether a rectangle is free. Lengths are in cm,
 * from the lower left corner of the panel. */
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

/* Lists the rectangles and lines that the points, lines and bars of a panel occupy, on the axes `x`
 * and `y`. */
void analysis_room_start(struct analysis_room *room, const struct analysis_chart *chart,
                         size_t panel, const struct analysis_plot_axis *x,
                         const struct analysis_plot_axis *y);
void analysis_room_free(struct analysis_room *room);

void analysis_room_take(struct analysis_room *room, const struct analysis_box *box);

/* Returns the number of lines (strokes) and rectangles (boxes) that `box` would hide; SIZE_MAX if
 * `box` is not inside the panel. */
size_t analysis_room_hidden(const struct analysis_room *room,
                            const struct analysis_box *box);

bool analysis_room_is_free(const struct analysis_room *room,
                           const struct analysis_box *box);

/* Finds a free rectangle of this size, in a corner if possible. Returns false if there is none. */
bool analysis_room_find(const struct analysis_room *room, double width, double height,
                        struct analysis_box *box);

#endif
