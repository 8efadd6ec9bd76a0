/* Derivatives of forms, in reverse mode (paper 1, section 4).
 *
 * The gradient of a routine f is a routine f.grad. Its parameters are those of f, followed by an
 * adjoint for each result of f that holds reals: the derivative of the output by that result. Its
 * results are the adjoints of the parameters of f that hold reals, in order, and of the wanted
 * cells. Its form is that of f, followed by the derivatives of f's entries in reverse order;
 * entries of f that these do not use are pruned. The derivatives of a conditional are further
 * blocks of that conditional, so that they can use its values.
 *
 * Adjoints of one value are added in the order of its uses from the end of the form on; those by
 * the arguments of one call in the order of the arguments. So sums do not depend on order of
 * arrival.
 *
 * programs/gradient/rules.c and programs/gradient/tensors.c have the derivatives of instructions,
 * programs/gradient/arrays.c and programs/gradient/elements.c those of arrays. */
#ifndef PROGRAMS_GRADIENT_DIFFERENTIATE_H
#define PROGRAMS_GRADIENT_DIFFERENTIATE_H

#include "programs/gradient/form.h"

/* Returns the gradient of a routine by its parameters and by the wanted cells; the same routine
 * each time. */
uint32_t form_gradient(struct form_program *program, uint32_t of,
                       const struct form_ids *wanted, enum form_giving giving);

/* Returns the paired gradient: each call in f is paired with the call of its gradient. Both are one
 * call, under one label, so that the gradient finds the values that the call has computed (paper 1,
 * section 4). */
uint32_t form_paired_gradient(struct form_program *program, uint32_t of,
                              const struct form_ids *wanted, enum form_giving giving);

/* Returns the gradient of a routine that makes an element. With `pairs` it is one routine with the
 * element's, in which calls are paired too. */
uint32_t form_gradient_of_elements(struct form_program *program, uint32_t of,
                                   const struct form_ids *wanted, bool pairs,
                                   enum form_giving giving);

/* Makes the form of a gradient. */
void form_differentiate(struct form_program *program, uint32_t routine);

/* Whether a routine, or one that it calls, reads a cell. */
bool form_reaches(struct form_program *program, uint32_t routine, uint32_t cell);

/* Whether a value of the type has a derivative. */
static inline bool form_is_real(enum isa_type type)
{
    return !isa_type_is_address(type) &&
           (isa_type_leaf(type) == ISA_REAL || isa_type_leaf(type) == ISA_TENSOR);
}

/* --- internal to programs/gradient/ --------------------------------------------------- */

struct deferred;

/* State while a gradient is made. */
struct differ {
    struct form_program *program;
    struct form *form; /* form of the gradient; its first values are those of f */
    const struct form_ids *wanted;
    uint32_t of; /* f */
    bool pairs;
    /* Number of values: those of f, then a FORM_CELL for each wanted cell, from first_cell on; two
     * more for each, its rows in deferred form, from first_part on; and a FORM_SITE for each site,
     * from first_site on. */
    uint32_t count;
    uint32_t first_cell, first_part, first_site;
    enum form_giving giving;
    uint8_t *kinds; /* enum form_deferral, per wanted cell */
    bool *joined;   /* whether rows were concatenated, per wanted cell */
    /* Per value: the wanted cell that it is, or FORM_NONE; whether it depends on what the gradient
     * is taken by; the conditional in whose block it is made, or NULL; and the side of that. */
    uint32_t *cell_of;
    bool *active;
    struct form_branch **home;
    uint8_t *home_side;
};

/* Adjoints that are known in a block, per value; or FORM_NONE. */
struct adjoints {
    uint32_t *of;
};

/* Adds a contribution to the adjoint of a value, unless it is not active. */
void differ_add(struct differ *d, struct form_place p, struct adjoints *a, uint32_t value,
                uint32_t contribution);

/* Adds a contribution to the gradient, in deferred form, of wanted cell number `wanted`. */
void differ_add_deferred(struct differ *d, struct form_place p, struct adjoints *a,
                         uint32_t wanted, struct deferred contribution);

/* Whether the value of an instruction has a derivative by its operands. */
bool differ_is_smooth(const struct form_entry *e);

/* The following functions add the contributions of an entry, the adjoint of whose result is `y`, to
 * the adjoints of its operands: of a COMPUTE; */
void differ_compute(struct differ *d, struct form_place p, struct adjoints *a,
                    const struct form_entry *e, uint32_t y);

/* of instructions on tensors; */
bool differ_is_of_tensors(enum isa_op op);
bool differ_is_smooth_use(uint32_t index); /* of the `index` of a MAP or COMBINE */
void differ_compute_tensor(struct differ *d, struct form_place p, struct adjoints *a,
                           const struct form_entry *e, uint32_t y);
void differ_convert(struct differ *d, struct form_place p, struct adjoints *a,
                    const struct form_entry *e, uint32_t y);

/* and of entries with arrays. */
void differ_fetch(struct differ *d, struct form_place p, struct adjoints *a,
                  const struct form_entry *e, uint32_t y);
void differ_list(struct differ *d, struct form_place p, struct adjoints *a,
                 const struct form_entry *e, uint32_t y);
void differ_sum(struct differ *d, struct form_place p, struct adjoints *a,
                const struct form_entry *e, uint32_t y);

/* As above for a TABULATE; `y` has the adjoints of the results that hold reals, in order. */
void differ_tabulate(struct differ *d, struct form_place p, struct adjoints *a,
                     struct form_entry *e, const struct form_ids *y);

/* Returns the cells whose derivatives are wanted and which the results of a routine depend on. */
struct form_ids differ_wanted_of(struct differ *d, uint32_t routine);

/* Adds a zero of the type and shape of a value. */
uint32_t form_zero(struct form_place p, uint32_t like);

/* Adds a + b, for reals, tensors, or arrays. */
uint32_t form_add(struct form_place p, uint32_t a, uint32_t b);

#endif
