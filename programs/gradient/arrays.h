/* Building blocks of derivatives by arrays: new routines, and arrays of zeros, sums and parts. */
#ifndef PROGRAMS_GRADIENT_ARRAYS_H
#define PROGRAMS_GRADIENT_ARRAYS_H

#include "programs/gradient/differentiate.h"

/* A routine that is being made: form_make begins it, form_give adds a result. Its parameters are
 * the values 0, 1, ... */
struct form_maker {
    struct form_place p;
    uint32_t routine;
};

struct form_maker form_make(struct form_program *program, const char *name,
                            const enum isa_type *params, uint32_t param_count,
                            const enum isa_type *results, uint32_t result_count,
                            struct lib_pos pos);
void form_give(const struct form_maker *m, uint32_t value);

/* Begins a routine that makes one array element, of type `element`, from its index, parameter 0,
 * and from values with the types of `arguments`. form_end_element adds the element to it, and to
 * `p` the array of `length` elements. Returns the array. */
struct form_maker form_make_element(struct form_place p, const char *name,
                                    enum isa_type element, const uint32_t *arguments,
                                    uint32_t count);
uint32_t form_end_element(const struct form_maker *m, uint32_t element,
                          struct form_place p, uint32_t length, const uint32_t *arguments,
                          uint32_t count);

/* A routine of arrays, at most FORM_HALVES_MAX, and a range [low, high) of at least one of their
 * elements, which calls itself for both halves of the range. `types` are those of the arrays, then
 * int twice; the results have the types of elements. form_end_halves adds the results: those of a
 * range of more than one element are `both`. */
enum { FORM_HALVES_MAX = 3 };
struct form_halves {
    struct form_maker m;
    struct form_entry *is_one;      /* conditional: the range has one element */
    uint32_t only[FORM_HALVES_MAX]; /* that element of each array */
    struct form_place more;         /* for more than one element */
    const uint32_t *low, *high;     /* results for the two halves */
};

struct form_halves form_make_halves(struct form_program *program, const char *name,
                                    const enum isa_type *types, uint32_t count);
void form_end_halves(const struct form_halves *h, const uint32_t *both, uint32_t count);

/* Adds arrays of length `length`, whose elements `routine` computes from the index and
 * `arguments`. */
struct form_entry *form_tabulate(struct form_place p, uint32_t length, uint32_t routine,
                                 const uint32_t *arguments, uint32_t count);

/* Adds the sum of an array. The sum of no elements is a zero with the type and shape of value
 * `like`. */
uint32_t form_total(struct form_place p, uint32_t array, uint32_t like);
/* Adds an array with the length of array `like`: `count` elements of `elements`, then zeros. */
uint32_t form_extend(struct form_place p, uint32_t elements, uint32_t count,
                     uint32_t like);

/* Adds the zero that is the adjoint, of type `type`, of an element that is not read at a site: 0.0,
 * a tensor of rank 0, or an empty array. */
uint32_t form_site_zero(struct form_place p, enum isa_type type);

#endif
