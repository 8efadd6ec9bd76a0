/* Gradients by all params of a model, as pieces. Elements that are in no piece are 0.
 *
 * A param whose gradient is a tensor has one piece. A table for which a program gives rows
 * (programs/training.h) has one piece for each given row. Pieces are ordered by place and do not
 * overlap. Pieces of gradients of one model that begin at the same place have the same length. */
#ifndef SIM_TRAINING_GRADIENT_H
#define SIM_TRAINING_GRADIENT_H

#include "lib/memory.h"

#include <stdint.h>

struct sim_piece {
    size_t place; /* offset in the concatenated params */
    size_t count; /* elements; above 0 */
    size_t from;  /* offset in `values` */
};

struct sim_gradient {
    LIB_VEC(struct sim_piece) pieces;
    double *values; /* owned: elements of all pieces, in order */
    size_t count, capacity;
};

/* Rows that a program gives, in any order; a row may be given several times. */
struct sim_given_rows {
    size_t width;          /* elements of a row */
    const int64_t *places; /* numbers of rows in the table */
    const double *values;
    size_t count;
    const double *table; /* table to which the rows are added; NULL: zeros */
    size_t table_rows;
};

void sim_gradient_free(struct sim_gradient *gradient);

/* Removes all pieces. */
void sim_gradient_clear(struct sim_gradient *gradient);

/* Appends a piece. */
void sim_gradient_add(struct sim_gradient *gradient, size_t place, size_t count,
                      const double *values);

/* Appends a piece for each given row of a table that begins at `place`: the sum of the values
 * given for the row, from the first to the last. */
void sim_gradient_add_rows(struct sim_gradient *gradient, size_t place,
                           const struct sim_given_rows *rows);

/* Sets `sum` to the sum of gradients; common pieces are added from the first gradient to the
 * last. */
void sim_gradient_sum(struct sim_gradient *sum, const struct sim_gradient *const *all,
                      size_t count);

void sim_gradient_divide(struct sim_gradient *gradient, double by);

/* Returns the element at a place. */
double sim_gradient_at(const struct sim_gradient *gradient, size_t place);

/* Returns the place of the first element that is not finite, or `size`. */
size_t sim_gradient_find_not_finite(const struct sim_gradient *gradient, size_t size);

/* Returns the square root of the sum of the squares of finite numbers; infinite only if that is
 * beyond all reals. If it is greater than `limit`, and `limit` is not 0, the numbers are multiplied
 * by limit / norm. */
double sim_gradient_clip(struct sim_gradient *gradient, double limit);

#endif
