/* Values per cycle (or depth, or PE), condensed into as many columns as a figure can show. A column
 * covers several cycles and has the mean and maximum of their values. */
#ifndef TRACES_STEPS_H
#define TRACES_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* Maximum number of columns of a figure. Each is 1/8 mm wide if the figure is as wide as a column
 * of a paper. */
enum { TRACES_STEPS_MAX = 500 };

struct traces_steps {
    uint64_t width; /* cycles, depths or PEs per column of the figure */
    size_t count;
    struct traces_step_column {
        /* sum of the values of all cycles (or depths, or PEs) that the column covers */
        double sum;
        double places, greatest;
    } * columns; /* owned */
};

/* Returns the smallest width of a column, in cycles (or depths, or PEs), with which
 * TRACES_STEPS_MAX columns cover `length` of them. It is a multiple of `grain`, the largest
 * distance between values, so that no column is empty. */
uint64_t traces_steps_width(uint64_t length, uint64_t grain);

void traces_steps_start(struct traces_steps *steps, uint64_t length, uint64_t width);
void traces_steps_free(struct traces_steps *steps);

/* Adds `value` for each of `length` cycles (or depths, or PEs), of which `from` is the first.
 * Ignores those after the last column. */
void traces_steps_add(struct traces_steps *steps, uint64_t from, uint64_t length,
                      double value);

/* Return the mean and the maximum of the values in column `i`; NaN if it has none. */
double traces_steps_mean(const struct traces_steps *steps, size_t i);
double traces_steps_greatest(const struct traces_steps *steps, size_t i);

#endif
