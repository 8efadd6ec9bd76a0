/* Gradients of params in deferred form: rows that the calls of a function leave, of which one
 * tensor is made later.
 *
 * A function that is called from a recursion adds something to the gradient of a param in each
 * call. As a tensor of the param's shape that is a product, or zeros around a few rows, and a sum
 * of two such tensors at each return. In deferred form a call leaves only what the tensor would be
 * made of:
 *   products  of matmul(x, w) the rows of x, and those of the adjoint. The gradient is the first
 *             turned, times the second.
 *   columns   of matmul(w, x) the columns of the adjoint, and those of x, which has at most two
 *             axes. The gradient is the first, times the second turned.
 *   rows      of gather(w, i) the indices, and the rows of the adjoint. The gradient is zeros to
 *             which these are added.
 * Gradients are added by putting the rows of one behind those of the other; so it is with columns,
 * which are called rows here too. A gradient gives three values for such a param: a tensor, which
 * deferred_compact makes where rows are too many to be copied on, and both lists of rows. Each may
 * be empty: a tensor whose axis 0 has length 0; of columns axis 1 has too. */
#ifndef PROGRAMS_GRADIENT_DEFERRED_H
#define PROGRAMS_GRADIENT_DEFERRED_H

#include "programs/gradient/differentiate.h"

enum form_deferral {
    FORM_DENSE, /* one tensor */
    FORM_PRODUCTS,
    FORM_COLUMNS,
    FORM_ROWS,
};

/* A gradient as the three values; FORM_NONE: empty, which is known. */
struct deferred {
    uint32_t dense;
    uint32_t left;  /* rows of x, columns of adjoints, or indices */
    uint32_t right; /* rows of adjoints, or columns of x */
};

/* Whether the gradient of the routine may give params in deferred form: that of a function or
 * loop of the program, unless it is switched off. */
bool form_may_defer(const struct form_program *program, uint32_t routine);

/* Whether a routine calls itself, also by others. */
bool form_is_recursive(struct form_program *program, uint32_t routine);

/* What the routine, and those that it calls, do with a cell. */
enum form_deferral form_deferral_of(struct form_program *program, uint32_t routine,
                                    uint32_t cell);

/* In what form a gradient of the routine gives a cell. */
enum form_deferral form_given_as(struct form_program *program, enum form_giving giving,
                                 uint32_t routine, uint32_t cell);

/* Whether one of the routine's calls gives the gradient of the cell in deferred form. */
bool form_calls_deferred(struct form_program *program, uint32_t routine, uint32_t cell);

/* One of the three values, empty. */
uint32_t form_nothing(struct form_place p, enum form_deferral kind, unsigned part);

/* The type of each of the three values. */
static inline enum isa_type deferred_type(enum form_deferral kind, unsigned part)
{
    return kind == FORM_ROWS && part == 1 ? FORM_WHOLES : ISA_TENSOR;
}

/* a and behind it b. */
struct deferred deferred_add(struct form_place p, enum form_deferral kind,
                             struct deferred a, struct deferred b);

/* The same gradient as three values, without rows if these are too many. `joined`: some were put
 * behind others; if not, who did not mind them before does not now. */
struct deferred deferred_compact(struct form_place p, enum form_deferral kind,
                                 uint32_t cell, struct deferred a, bool joined);

/* The gradient as one tensor. */
uint32_t deferred_dense(struct form_place p, enum form_deferral kind, uint32_t cell,
                        struct deferred a);

/* Adds up arrays of the three values, in the tree of `sum`. */
void deferred_total(struct form_place p, enum form_deferral kind, uint32_t cell,
                    const uint32_t arrays[3], uint32_t totals[3]);

/* Adds what matmul(x, w), matmul(w, x) or gather(w, rows) contributes to w, with the adjoint y, in
 * deferred form. Returns false if w is no param of which the gradient is deferred here. */
bool differ_defer_product(struct differ *d, struct form_place p, struct adjoints *a,
                          uint32_t x, uint32_t w, uint32_t y);
bool differ_defer_columns(struct differ *d, struct form_place p, struct adjoints *a,
                          uint32_t w, uint32_t x, uint32_t y);
bool differ_defer_rows(struct differ *d, struct form_place p, struct adjoints *a,
                       uint32_t w, uint32_t rows, uint32_t y);

/* --- while a gradient is made -------------------------------------------------------------- */

/* Finds out which of the wanted cells have gradients in deferred form there. */
void differ_find_deferred(struct differ *d);

static inline bool differ_is_deferred(const struct differ *d, uint32_t wanted)
{
    return d->kinds[wanted] != FORM_DENSE;
}

/* Returns which of the wanted cells the gradient of `routine`, which an entry calls, gives in
 * deferred form. */
enum form_giving differ_giving_of_call(struct differ *d, const struct form_entry *e,
                                       uint32_t routine, const struct form_ids *wanted);

/* Adds what a call of such a gradient of `routine` gives for a wanted cell, from `results` on.
 * Returns how many results these are. */
uint32_t differ_add_called(struct differ *d, struct form_place p, struct adjoints *a,
                           uint32_t wanted, uint32_t routine, enum form_giving giving,
                           const uint32_t *results);

/* Adds what both sides of a conditional leave for a wanted cell. */
void differ_leave_deferred(struct differ *d, struct form_place p, struct adjoints *a,
                           struct form_entry *now, struct adjoints sides[2],
                           uint32_t wanted);

/* Makes the gradient by a wanted cell the next results of the form. */
void differ_give_deferred(struct differ *d, struct form_place p, struct adjoints *a,
                          uint32_t wanted);

#endif
