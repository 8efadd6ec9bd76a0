/* Steps: what there was in each cycle (or depth) of a run, in as many columns as a figure can
 * show. A column that stands for several cycles has their mean and the greatest of them, so that
 * whoever draws them can say which it is. */
#ifndef TRACES_STEPS_H
#define TRACES_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* The most columns: at the width of a column of a paper each is an eighth of a millimetre. */
enum { TRACES_STEPS_MAX = 500 };

struct traces_steps {
    uint64_t width; /* places per column */
    size_t count;
    struct traces_step_column {
        double sum; /* of the values of its places */
        double places, greatest;
    } * columns; /* owned */
};

/* The least width for places 0 to length - 1, whose values are `grain` places apart at most: a
 * multiple of it, so that no column is empty. */
uint64_t traces_steps_width(uint64_t length, uint64_t grain);

void traces_steps_start(struct traces_steps *steps, uint64_t length, uint64_t width);
void traces_steps_free(struct traces_steps *steps);

/* Each of `length` places from `from` on has the value; what is beyond the columns is left out. */
void traces_steps_add(struct traces_steps *steps, uint64_t from, uint64_t length,
                      double value);

/* Of the places of a column that have a value; NaN: none has. */
double traces_steps_mean(const struct traces_steps *steps, size_t i);
double traces_steps_greatest(const struct traces_steps *steps, size_t i);

#endif
