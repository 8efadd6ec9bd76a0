/* Ranges of numbers in experiments and on the command line: from a first value to a last one,
 * inclusive, in steps. */
#ifndef SIM_VALUES_RANGE_H
#define SIM_VALUES_RANGE_H

#include "sim/values/values.h"

/* Range as the user wrote it. `step` may be NULL for 1. */
struct sim_range {
    const char *first, *last, *step;
};

/* Splits FIRST..LAST or FIRST..LAST:STEP, without checking that the parts are numbers. Returns
 * false if `text` has no "..". Strings live in the arena or in `text`. */
bool sim_range_read(struct sim_range *range, struct lib_arena *arena, const char *text);

/* Reals of a range, counted in decimal: 0 to 0.3 in steps of 0.1 has four values. */
struct sim_reals {
    double first, last, step;
    double steps; /* number of values - 1; less than 0: the range is empty */
};

/* Reads a range of reals. Returns false if first, last or step is not a finite number, or if the
 * step is 0. */
bool sim_reals_read(struct sim_reals *reals, const struct sim_range *range);

/* Returns value k, first + k * step, or last if rounding leads beyond it. */
double sim_reals_at(const struct sim_reals *reals, size_t k);

/* Adds the values first + k * step of a range. They are integers if first, last and step are.
 * Strings live in the arena. Returns false and adds the reason to `why` if there are no values or
 * too many. */
bool sim_range_add(const struct sim_range *range, struct lib_arena *arena,
                   struct lib_pos pos, struct sim_values *values, struct lib_text *why);

#endif
