/* Gradients of params in deferred form: a call leaves rows, of which one tensor is made later.
 *
 * Each call of a recursive function contributes to the gradient of a param. As a tensor of the
 * param's shape, a contribution costs a product, or zeros around a few rows, and a sum of two such
 * tensors at each return. In deferred form a call leaves only the operands:
 *   products  for matmul(x, w): the rows of x, and those of the adjoint. The gradient is the
 *             transpose of the first, times the second.
 *   columns   for matmul(w, x), where x has at most two axes: the columns of the adjoint, and those
 *             of x. The gradient is the first, times the transpose of the second.
 *   rows      for gather(w, i): the indices, and the rows of the adjoint. The gradient is zeros to
 *             which these rows are added.
 * Gradients are added by concatenating their lists of rows (or columns).
 *
 * Such a gradient is three values: a tensor, which deferred_compact makes if too many rows would
 * have to be copied, and two lists of rows. Each may be empty, that is, have length 0 along axis
 * 0; columns have length 0 along axis 1 too. */
#ifndef PROGRAMS_GRADIENT_DEFERRED_H
#define PROGRAMS_GRADIENT_DEFERRED_H

#include "programs/gradient/differentiate.h"

enum form_deferral {
    FORM_DENSE, /* the gradient is one tensor, without rows */
    FORM_PRODUCTS,
    FORM_COLUMNS,
    FORM_ROWS,
};

/* A gradient in deferred form: three values, a tensor and two lists of rows. FORM_NONE: the value
 * is known to be empty. */
struct deferred {
    uint32_t dense;
    uint32_t left;  /* rows of x, columns of adjoints, or indices of rows */
    uint32_t right; /* rows of adjoints, or columns of x */
};

/* Whether the gradient of a routine may be returned as rows instead of a tensor. */
bool form_may_defer(const struct form_program *program, uint32_t routine);

/* Returns the form of the gradient by param `cell` that all uses of the param allow, in a routine
 * and in the routines that it calls. */
enum form_deferral form_deferral_of(struct form_program *program, uint32_t routine,
                                    uint32_t cell);

/* Returns the form in which the gradient of a routine returns the gradient by param `cell` if it
 * returns rows for the params `giving`. */
enum form_deferral form_given_as(struct form_program *program, enum form_giving giving,
                                 uint32_t routine, uint32_t cell);

/* Whether an operation may call its routine many times: in a recursion, or for each array
 * element. */
bool form_is_often(struct form_program *program, const struct form_entry *e);

/* Whether a routine often calls (form_is_often) another whose gradient may return the gradient by
 * param `cell` as rows. */
bool form_calls_deferred(struct form_program *program, uint32_t routine, uint32_t cell);

/* Adds an empty value for part 0 (tensor), 1 or 2 (rows) of a gradient in deferred form. */
uint32_t form_nothing(struct form_place p, enum form_deferral kind, unsigned part);

/* Returns the type of part 0 (tensor), 1 or 2 (rows) of a gradient in deferred form. */
static inline enum isa_type deferred_type(enum form_deferral kind, unsigned part)
{
    return kind == FORM_ROWS && part == 1 ? FORM_WHOLES : ISA_TENSOR;
}

/* Adds two gradients with rows; the rows of b come after those of a. */
struct deferred deferred_add(struct form_place p, enum form_deferral kind,
                             struct deferred a, struct deferred b);

/* Returns gradient `a`; if it has too many rows, adds them to its tensor. `joined`: rows were
 * concatenated since the last call; if false, the number of rows is not checked. */
struct deferred deferred_compact(struct form_place p, enum form_deferral kind,
                                 uint32_t cell, struct deferred a, bool joined);

/* Returns the gradient by param `cell` as one tensor, to which its rows are added. */
uint32_t deferred_dense(struct form_place p, enum form_deferral kind, uint32_t cell,
                        struct deferred a);

/* Sums an array of gradients with rows; their three values are in three arrays. Adds in the
 * order of the built-in `sum`, which is a tree. */
void deferred_total(struct form_place p, enum form_deferral kind, uint32_t cell,
                    const uint32_t arrays[3], uint32_t totals[3]);

/* Adds the contribution of a product, with adjoint y, to the gradient by param w as rows: of
 * matmul(x, w), if `kind` is FORM_PRODUCTS, or matmul(w, x), if it is FORM_COLUMNS. Returns false,
 * and adds nothing, if that gradient has another form. */
bool differ_defer_product(struct differ *d, enum form_deferral kind, uint32_t w,
                          uint32_t x, uint32_t y);
/* Adds the contribution of gather(w, rows), with adjoint y, to the gradient by param w as rows.
 * Returns false, and adds nothing, if that gradient has another form than FORM_ROWS. */
bool differ_defer_rows(struct differ *d, uint32_t w, uint32_t rows, uint32_t y);

/* --- while a gradient is made -------------------------------------------------------------- */

/* Finds the params whose gradients a routine returns as rows. */
void differ_find_deferred(struct differ *d);

static inline bool differ_is_deferred(const struct differ *d, uint32_t wanted)
{
    return d->kinds[wanted] != FORM_DENSE;
}

/* Returns which gradients by params a call of the gradient of `routine` should return as rows;
 * `e` is the operation that calls `routine`. */
enum form_giving differ_giving_of_call(struct differ *d, const struct form_entry *e,
                                       uint32_t routine, const struct form_ids *wanted);

/* Adds to the gradient by one param, d->wanted->items[wanted], what a call of the gradient of
 * `routine` has returned for it: the first of `results`. Returns their number, 1 or 3. */
uint32_t differ_add_called(struct differ *d, uint32_t wanted, uint32_t routine,
                           enum form_giving giving, const uint32_t *results);

/* Adds to the gradient by one param, d->wanted->items[wanted], what the blocks of conditional `now`
 * have contributed: the adjoints `sides`. */
void differ_leave_deferred(struct differ *d, struct form_entry *now,
                           struct adjoints sides[2], uint32_t wanted);

/* Adds the gradient by one param, d->wanted->items[wanted], to the results of the routine being
 * made: as one tensor, or in deferred form as three values. */
void differ_give_deferred(struct differ *d, uint32_t wanted);

#endif
