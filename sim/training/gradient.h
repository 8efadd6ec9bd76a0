/* Gradients by all params of a model, as pieces: what lies between pieces is 0. A param whose
 * gradient is one tensor is one piece; a table of which a program gives rows (programs/training.h)
 * has a piece for each row that was given.
 *
 * Pieces come in the order of places, and do not overlap. Those of several gradients of one model
 * that begin at one place are equally long. */
#ifndef SIM_TRAINING_GRADIENT_H
#define SIM_TRAINING_GRADIENT_H

#include "lib/memory.h"

#include <stdint.h>

struct sim_piece {
    size_t place; /* in the params, one behind the other */
    size_t count; /* elements; above 0 */
    size_t from;  /* in `values` */
};

struct sim_gradient {
    LIB_VEC(struct sim_piece) pieces;
    double *values; /* of all pieces, in their order; owned */
    size_t count, capacity;
};

/* Rows as a program gives them: in any order, and one row more than once. */
struct sim_given_rows {
    size_t width;          /* elements of a row */
    const int64_t *places; /* numbers of rows in the table */
    const double *values;
    size_t count;
    const double
        *table; /* all rows of the table, to which these are added; NULL: zeros */
    size_t table_rows;
};

void sim_gradient_free(struct sim_gradient *gradient);

/* Takes all pieces away. */
void sim_gradient_clear(struct sim_gradient *gradient);

/* Adds a piece behind the others, with these values. */
void sim_gradient_add(struct sim_gradient *gradient, size_t place, size_t count,
                      const double *values);

/* Adds a piece for each row of a table that begins at `place`: the sum of what was given for it,
 * from the first to the last. */
void sim_gradient_add_rows(struct sim_gradient *gradient, size_t place,
                           const struct sim_given_rows *rows);

/* Makes `sum` the sum of gradients: where they have pieces in common, from the first to the
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
