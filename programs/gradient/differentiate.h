/* Derivatives of routines (functions) in reverse mode, from their forms (paper 1, section 4).
 *
 * The gradient of a routine f is a routine f.grad. Its parameters are those of f, followed by an
 * adjoint for each result of f that holds reals: the derivative of the output by that result. Its
 * results are the adjoints of the parameters of f that hold reals, in order, and of the wanted
 * cells (the params by which a derivative is taken). Its form is that of f, followed by the
 * derivatives of f's entries in reverse order; entries of f that these do not use are pruned. The
 * derivatives of a conditional are further blocks of that conditional, to use its values.
 *
 * Adjoints of one value are added in the order of its uses, from the end of the form on, and
 * those by the arguments of one call in the order of the arguments. So sums do not depend on the
 * order of arrival. */
#ifndef PROGRAMS_GRADIENT_DIFFERENTIATE_H
#define PROGRAMS_GRADIENT_DIFFERENTIATE_H

#include "lib/arena_map.h"
#include "programs/form/form.h"

/* Returns the gradient of routine `of` by its parameters and the params `wanted`. Adds that routine
 * the first time. `kind`: FORM_GRADIENT; or FORM_PAIR, a routine that computes what `of` does, too.
 * `manner`: flags of enum form_manner. With FORM_PAIRED it calls a function and the function's
 * gradient by one call, under one tag, so that the gradient can use values that the function has
 * computed (paper 1, section 4). */
uint32_t form_gradient(struct form_program *program, enum form_routine_kind kind,
                       unsigned manner, enum form_giving giving, uint32_t of,
                       const struct form_ids *wanted);

/* Makes the form (list of operations) of a routine that is a gradient. */
void form_differentiate(struct form_program *program, uint32_t routine);

/* Whether a routine, or one that it calls, reads a cell (a param or constant). */
bool form_reaches(struct form_program *program, uint32_t routine, uint32_t cell);

static inline bool form_is_real(enum isa_type type)
{
    return !isa_type_is_address(type) &&
           (isa_type_leaf(type) == ISA_REAL || isa_type_leaf(type) == ISA_TENSOR);
}

/* --- internal to programs/gradient/ --------------------------------------------------- */

struct deferred;

/* State while the gradient of a routine f is made. */
struct differ {
    struct form_program *program;
    /* form of the gradient; its first values are the values of routine f */
    struct form *form;
    const struct form_ids *wanted;
    uint32_t of;
    bool pairs, loops; /* the manner (enum form_manner) */
    /* Number of values that may have an adjoint: those of routine f; from first_cell on, one for
     * each wanted param, whose adjoint is its gradient; from first_part on, two for each, for rows;
     * from first_site on, one for each site (array read). */
    uint32_t count;
    uint32_t first_cell, first_part, first_site;
    /* Place where the derivatives of an entry are added, and the adjoints that are known there. */
    struct form_place p;
    struct adjoints *a;
    enum form_giving giving;
    uint8_t *kinds; /* for each wanted param: enum form_deferral of its gradient */
    bool *joined;   /* for each wanted param: whether rows were concatenated */
    /* For each value: the wanted param that it is, or FORM_NONE (`cell_of`); whether it depends on
     * what the derivative is taken by (`active`); the conditional in whose block it is made, or
     * NULL (`home`), and which of the two blocks that is (`home_side`). */
    uint32_t *cell_of;
    bool *active;
    const struct form_branch **home;
    uint8_t *home_side;
    /* For each conditional: adjoints of values in its two blocks; NULL: none yet. */
    struct adjoints **sides;
};

/* Adjoints known in a block, as a block has few of those of all values. */
struct adjoints {
    struct lib_arena_map ids; /* key: 1 + value; FORM_NONE: no adjoint, any more */
};

/* Returns the place of the adjoint of a value, which holds FORM_NONE if there is none. It is valid
 * until the next call. */
static inline uint32_t *differ_adjoint(struct differ *d, struct adjoints *a,
                                       uint32_t value)
{
    return lib_arena_map_at(d->program->arena, &a->ids, 1 + (uint64_t)value, FORM_NONE);
}

/* Returns the manner of the gradient of what a function calls, paired with it or not. */
static inline unsigned differ_manner(const struct differ *d, bool is_paired)
{
    return (is_paired ? FORM_PAIRED : 0) | (d->loops ? FORM_LOOPING : 0);
}

/* Adds a contribution to the adjoint of a value, unless no derivative by the value is needed. */
void differ_add(struct differ *d, uint32_t value, uint32_t contribution);

/* Adds a contribution in deferred form to the gradient by param d->wanted->items[wanted]. */
void differ_add_deferred(struct differ *d, uint32_t wanted, struct deferred contribution);

/* Whether the value of an instruction has a derivative by its operands. */
bool differ_is_smooth(const struct form_entry *e);

/* Adds what an instruction contributes to the adjoints of its operands; `y` is the adjoint of
 * its result. */
void differ_compute(struct differ *d, const struct form_entry *e, uint32_t y);

void differ_convert(struct differ *d, const struct form_entry *e, uint32_t y);

/* Adds what an operation that makes or reads an array contributes to the adjoints of its
 * operands; `y` is the adjoint of its result. */
void differ_fetch(struct differ *d, const struct form_entry *e, uint32_t y);
void differ_list(struct differ *d, const struct form_entry *e, uint32_t y);
void differ_sum(struct differ *d, const struct form_entry *e, uint32_t y);

/* Adds what an operation that makes arrays element by element contributes to the adjoints of its
 * operands; `y` has the adjoints of its results that hold reals. */
void differ_tabulate(struct differ *d, struct form_entry *e, const struct form_ids *y);

/* Returns the wanted params on which results of `routine` depend. */
struct form_ids differ_wanted_of(struct differ *d, uint32_t routine);

/* Adds a zero with the type and shape of value `like`. */
uint32_t form_zero(struct form_place p, uint32_t like);

/* Adds a + b, for reals, tensors or arrays. */
uint32_t form_add(struct form_place p, uint32_t a, uint32_t b);

#endif
