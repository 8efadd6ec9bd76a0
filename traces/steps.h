/* Steps: values of each cycle (or depth) of a run, in as many columns as a figure can show. A
 * column of several cycles has the mean and the max of their values, so that a figure can show
 * either. */
#ifndef TRACES_STEPS_H
#define TRACES_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* Max number of columns. In a figure as wide as a column of a paper each is an eighth of a
 * millimetre wide. */
enum { TRACES_STEPS_MAX = 500 };

struct traces_steps {
    uint64_t width; /* places, as cycles, depths or PEs, per column */
    size_t count;
    struct traces_step_column {
        double sum; /* sum of the values of all places of the column */
        double places, greatest;
    } * columns; /* owned */
};

/* Returns the least width of columns for places 0 to length - 1, if values are at most `grain`
 * places apart: a multiple of `grain`, so that no column is empty. */
uint64_t traces_steps_width(uint64_t length, uint64_t grain);

void traces_steps_start(struct traces_steps *steps, uint64_t length, uint64_t width);
void traces_steps_free(struct traces_steps *steps);

/* Adds a value for each of `length` places from `from` on. Places beyond the columns are
 * ignored. */
void traces_steps_add(struct traces_steps *steps, uint64_t from, uint64_t length,
                      double value);

/* Return the mean and the max of the values of a column; NaN if it has none. */
double traces_steps_mean(const struct traces_steps *steps, size_t i);
double traces_steps_greatest(const struct traces_steps *steps, size_t i);

#endif
