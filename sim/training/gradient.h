/* Sparse gradients by all params (trained tensors) of a model: lists of pieces. A piece is an
 * interval of elements; elements outside of all pieces are 0.
 *
 * A param whose gradient is a tensor has one piece. A table whose gradient comes as rows
 * (programs/training.h) has one piece per row. Pieces are ordered and do not overlap. In gradients
 * of one model, pieces that begin at the same element have the same length. */
#ifndef SIM_TRAINING_GRADIENT_H
#define SIM_TRAINING_GRADIENT_H

#include "lib/memory.h"

#include <stdint.h>

struct sim_piece {
    size_t place; /* index of the interval's first element in the array of all params */
    size_t count; /* number of elements in the interval; above 0 */
    size_t from;  /* index of the interval's first value in sim_gradient.values */
};

struct sim_gradient {
    LIB_VEC(struct sim_piece) pieces;
    double *values; /* owned; values of all intervals, in the order of `pieces` */
    size_t count, capacity;
};

/* Rows of the gradient by a table (a param of which a run reads some rows), as a program computed
 * them. Rows may have any order, and an index may occur several times: such rows are added. */
struct sim_given_rows {
    size_t width;          /* number of elements of a row */
    const int64_t *places; /* for each row its index in the table */
    const double *values;
    size_t count;
    /* Gradient by the whole table, to which the rows are added; NULL: zeros. */
    const double *table;
    size_t table_rows;
};

void sim_gradient_free(struct sim_gradient *gradient);

void sim_gradient_clear(struct sim_gradient *gradient);

void sim_gradient_add(struct sim_gradient *gradient, size_t place, size_t count,
                      const double *values);

/* Appends an interval for each row that occurs, or for each of the table if rows->table is not
 * NULL, with the sum of its values in their order. The table begins at element `place` of the array
 * of all params. */
void sim_gradient_add_rows(struct sim_gradient *gradient, size_t place,
                           const struct sim_given_rows *rows);

/* Sets `sum` to the sum of `count` gradients, added in order. */
void sim_gradient_sum(struct sim_gradient *sum, const struct sim_gradient *const *all,
                      size_t count);

void sim_gradient_divide(struct sim_gradient *gradient, double by);

/* Returns the gradient by one element, at index `place` of the array of all params. */
double sim_gradient_at(const struct sim_gradient *gradient, size_t place);

/* Returns the index, among all params, of the first element that is not finite; `size` if there is
 * none. */
size_t sim_gradient_find_not_finite(const struct sim_gradient *gradient, size_t size);

/* Returns the norm of a finite gradient: the root of the sum of squares; no square overflows. If
 * the norm is above `limit`, and `limit` is not 0, also multiplies the elements by limit / norm. */
double sim_gradient_clip(struct sim_gradient *gradient, double limit);

#endif
