/* What derivatives by arrays are made of: routines made by hand, and arrays of zeros, sums and
 * pieces. */
#ifndef PROGRAMS_GRADIENT_ARRAYS_H
#define PROGRAMS_GRADIENT_ARRAYS_H

#include "programs/gradient/differentiate.h"

/* A routine whose form is being made: its parameters are the values 0, 1, ... */
struct form_maker {
    struct form_place p;
    uint32_t routine;
};

struct form_maker form_make(struct form_program *program, const char *name,
                            const enum isa_type *params, uint32_t param_count,
                            const enum isa_type *results, uint32_t result_count,
                            struct lib_pos pos);
void form_give(const struct form_maker *m, uint32_t value);

/* Arrays of `length`, of which `routine` makes the elements of the index and `arguments`. */
struct form_entry *form_tabulate(struct form_place p, uint32_t length, uint32_t routine,
                                 const uint32_t *arguments, uint32_t count);

/* The sum of all elements; `like`: what a zero would be. */
uint32_t form_total(struct form_place p, uint32_t array, uint32_t like);
uint32_t form_total_of_cell(struct form_place p, uint32_t array, uint32_t cell);

/* An array such as `like` that has the elements of another one, which may be shorter, and zeros
 * behind. */
uint32_t form_extend(struct form_place p, uint32_t elements, uint32_t count,
                     uint32_t like);

#endif
