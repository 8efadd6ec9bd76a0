/* Derivatives of forms, in reverse mode (paper 1, section 4).
 *
 * The gradient of a routine f is a routine f.grad. It takes what f takes and, for each result of
 * f that holds reals, the derivative of the output by it: its adjoint. It gives the adjoints of
 * those parameters of f that hold reals, in order, and those of the cells that are wanted. Its
 * form is that of f, and behind it the derivatives of f's entries in reverse; what of f they do
 * not use is pruned. The derivatives of a conditional go on with it, so that they use what it
 * made.
 *
 * Adjoints of one value are added in the order in which its uses are met from the end of the form
 * on, within a call those by its arguments in order. No order of arrival takes part.
 *
 * The inside of programs/gradient: programs/gradient/rules.c and programs/gradient/tensors.c say
 * what instructions contribute, programs/gradient/arrays.c and programs/gradient/elements.c what
 * arrays do. */
#ifndef PROGRAMS_GRADIENT_DIFFERENTIATE_H
#define PROGRAMS_GRADIENT_DIFFERENTIATE_H

#include "programs/gradient/form.h"

/* Returns the gradient of a routine, by the cells too; the same one each time. */
uint32_t form_gradient(struct form_program *program, uint32_t of,
                       const struct form_ids *wanted, enum form_giving giving);

/* The same, where each call of f is paired with that of its gradient: it runs once, under one
 * label, and the gradient finds what the call has computed (paper 1, section 4). */
uint32_t form_paired_gradient(struct form_program *program, uint32_t of,
                              const struct form_ids *wanted, enum form_giving giving);

/* Returns the gradient of what makes an element; or, if it is paired, both in one, where calls are
 * paired too. */
uint32_t form_gradient_of_elements(struct form_program *program, uint32_t of,
                                   const struct form_ids *wanted, bool pairs,
                                   enum form_giving giving);

/* Makes its form. */
void form_differentiate(struct form_program *program, uint32_t routine);

/* Whether a routine reads a cell, itself or in what it calls. */
bool form_reaches(struct form_program *program, uint32_t routine, uint32_t cell);

/* Whether a value of the type has a derivative. */
static inline bool form_is_real(enum isa_type type)
{
    return !isa_type_is_address(type) &&
           (isa_type_leaf(type) == ISA_REAL || isa_type_leaf(type) == ISA_TENSOR);
}

/* --- inside -------------------------------------------------------------------------------- */

struct deferred;

struct differ {
    struct form_program *program;
    struct form *form; /* of the gradient; its first values are those of f */
    const struct form_ids *wanted;
    uint32_t of; /* f */
    bool pairs;
    uint32_t
        count; /* values of f, three FORM_CELLs for each wanted cell, a FORM_SITE for each site */
    uint32_t first_cell; /* the first of these */
    uint32_t first_part; /* of each wanted cell, two more: its rows in deferred form */
    uint32_t first_site;
    enum form_giving giving;
    uint8_t *kinds; /* per wanted cell: enum form_deferral */
    bool *joined;   /* per wanted cell: rows were put behind others */
    uint32_t
        *cell_of; /* per value: the number of the wanted cell that it is; or FORM_NONE */
    bool *active; /* per value: it depends on what is differentiated by */
    struct form_branch *
        *home; /* per value: the conditional in whose block it is made; NULL: none */
    uint8_t *home_side;
};

/* Adjoints in a block, as far as they are known: per value, or FORM_NONE. */
struct adjoints {
    uint32_t *of;
};

/* Adds a contribution to the adjoint of a value, unless it is not active. */
void differ_add(struct differ *d, struct form_place p, struct adjoints *a, uint32_t value,
                uint32_t contribution);

/* The same of a wanted cell, by its number, whose gradient is deferred. */
void differ_add_deferred(struct differ *d, struct form_place p, struct adjoints *a,
                         uint32_t wanted, struct deferred contribution);

/* Whether an instruction makes a value that depends on its operands smoothly. */
bool differ_is_smooth(const struct form_entry *e);

/* What a COMPUTE contributes, of whose result the adjoint is `y`. */
void differ_compute(struct differ *d, struct form_place p, struct adjoints *a,
                    const struct form_entry *e, uint32_t y);

/* The same of instructions on tensors. */
bool differ_is_of_tensors(enum isa_op op);
bool differ_is_smooth_use(uint32_t index); /* of a MAP or COMBINE */
void differ_compute_tensor(struct differ *d, struct form_place p, struct adjoints *a,
                           const struct form_entry *e, uint32_t y);
void differ_convert(struct differ *d, struct form_place p, struct adjoints *a,
                    const struct form_entry *e, uint32_t y);

/* The same of entries with arrays. */
void differ_fetch(struct differ *d, struct form_place p, struct adjoints *a,
                  const struct form_entry *e, uint32_t y);
void differ_list(struct differ *d, struct form_place p, struct adjoints *a,
                 const struct form_entry *e, uint32_t y);
void differ_sum(struct differ *d, struct form_place p, struct adjoints *a,
                const struct form_entry *e, uint32_t y);
/* `y`: adjoints of the results that hold reals, in order. */
void differ_tabulate(struct differ *d, struct form_place p, struct adjoints *a,
                     struct form_entry *e, const struct form_ids *y);

/* Cells that are wanted and that the routine reaches. */
struct form_ids differ_wanted_of(struct differ *d, uint32_t routine);

/* A zero such as the value. */
uint32_t form_zero(struct form_place p, uint32_t like);

/* a + b, of reals, tensors, or arrays. */
uint32_t form_add(struct form_place p, uint32_t a, uint32_t b);

#endif
