/* Ranges of numbers, the same in experiments and on the command line: from a first value up
 * to and with a last one, in steps. */
#ifndef SIM_VALUES_RANGE_H
#define SIM_VALUES_RANGE_H

#include "sim/values/values.h"

/* As they are written. The step may be NULL: 1. */
struct sim_range {
    const char *first, *last, *step;
};

/* Adds the values of a range, at least one: whole numbers where all three are, else reals,
 * the k-th of them first + k * step. Texts live in the arena. false: there are none, or too
 * many; why is added to `why`. */
bool sim_range_add(const struct sim_range *range, struct lib_arena *arena,
                   struct lib_pos pos, struct sim_values *values, struct lib_text *why);

#endif
