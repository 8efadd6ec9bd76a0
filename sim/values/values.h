/* The values of a parameter in an experiment file: one, a list, a range, powers of two
 * (doc/experiments.md, Values). */
#ifndef SIM_VALUES_VALUES_H
#define SIM_VALUES_VALUES_H

#include "lib/fields.h"

/* A value as the file spells it, or would spell it; lives in the arena of the reader. */
struct sim_value {
    const char *text;
    struct lib_pos pos;
    union { /* parsed value, set by the caller (sim/experiment/experiment.h) */
        uint64_t number;
        const void *field;
    };
};

struct sim_values {
    LIB_VEC(struct sim_value) list; /* owned */
};

enum { SIM_MAX_VALUES = 1000000 }; /* greatest number of values of a parameter */

enum sim_values_repeats { SIM_VALUES_EACH_ONCE, SIM_VALUES_MAY_REPEAT };

/* Adds the values of entry `i`, at least one. If `words` is not NULL, the values are not numbers
 * and cannot be ranges; it then names what is expected, as "the name of a machine". Returns false
 * and adds diagnostics on errors. */
bool sim_values_read(struct lib_fields *r, size_t i, const char *words,
                     enum sim_values_repeats repeats, struct sim_values *values);

#endif
