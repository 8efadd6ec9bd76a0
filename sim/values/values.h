/* Values of a parameter in an experiment file: one, a list, a range, powers of two
 * (doc/experiments.md, Values). */
#ifndef SIM_VALUES_VALUES_H
#define SIM_VALUES_VALUES_H

#include "lib/fields.h"

/* Value of a parameter, spelled as in an experiment file. The string lives in the arena of its
 * reader. */
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

enum { SIM_MAX_VALUES = 1000000 };

enum sim_values_repeats { SIM_VALUES_EACH_ONCE, SIM_VALUES_MAY_REPEAT };

/* Adds the values of YAML entry `i`, at least one. `words` describes a value in messages ("the name
 * of a machine"); NULL: values are numbers and may be ranges. Returns false and adds diagnostics
 * on errors. */
bool sim_values_read(struct lib_fields *r, size_t i, const char *words,
                     enum sim_values_repeats repeats, struct sim_values *values);

#endif
