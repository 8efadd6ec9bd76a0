/* Steps: a value for each cycle (or depth, or PE), condensed into as many columns as a figure can
 * show. A column covers several cycles, and has the mean and max of their values. */
#ifndef TRACES_STEPS_H
#define TRACES_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* Max number of columns. In a figure as wide as a column of a paper, each is 1/8 mm wide. */
enum { TRACES_STEPS_MAX = 500 };

struct traces_steps {
    uint64_t width; /* cycles, depths or PEs per column */
    size_t count;
    struct traces_step_column {
        double sum; /* sum of the values in the column */
        double places, greatest;
    } * columns; /* owned */
};

/* Returns the smallest width of columns for places 0 to length - 1. It is a multiple of `grain`,
 * the largest distance between places that have values, so that no column is empty. */
uint64_t traces_steps_width(uint64_t length, uint64_t grain);

void traces_steps_start(struct traces_steps *steps, uint64_t length, uint64_t width);
void traces_steps_free(struct traces_steps *steps);

/* Adds a value to each of the `length` places from `from` on. Places after the last column are
 * ignored. */
void traces_steps_add(struct traces_steps *steps, uint64_t from, uint64_t length,
                      double value);

/* Return the mean and the max of the values of a column; NaN if it has none. */
double traces_steps_mean(const struct traces_steps *steps, size_t i);
double traces_steps_greatest(const struct traces_steps *steps, size_t i);

#endif
