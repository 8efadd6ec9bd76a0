/* Optimisers: rules by which a step of training changes params w by the gradient g.
 *
 * sgd: v' = momentum * v + (g + decay * w), w' = w - rate * v';
 *
 * adam: w' = w - rate * m' / (sqrt(v') + 1e-8), where m' and v' are means of g and g * g that decay
 * by 0.9 and 0.999, corrected for their start (Kingma, Ba, 2015, algorithm 1). Decay subtracts rate
 * * decay * w (Loshchilov, Hutter, 2019, algorithm 2: AdamW).
 *
 * With SIM_ROWS_TOUCHED a step changes neither rows whose gradient is all 0 nor their means. A row
 * has all elements of the same first index. Elements outside of the pieces of a gradient are
 * visited only if the step changes them: by adam, momentum or decay.
 *
 * Uses only additions, products, quotients and square roots, in one order: the same bits
 * everywhere. */
#ifndef SIM_TRAINING_OPTIMISER_H
#define SIM_TRAINING_OPTIMISER_H

#include "lib/pack.h"
#include "sim/training/gradient.h"

enum sim_method { SIM_METHOD_SGD, SIM_METHOD_ADAM, SIM_METHOD_COUNT };
extern const char *const sim_methods[SIM_METHOD_COUNT];

enum sim_rows { SIM_ROWS_ALL, SIM_ROWS_TOUCHED, SIM_ROWS_COUNT };
extern const char *const sim_rows_names[SIM_ROWS_COUNT];

/* Shape of a param, as a table of rows. */
struct sim_table {
    size_t rows;  /* 0: the param has fewer than two axes, and changes as a whole */
    size_t width; /* elements per row; of the whole param if `rows` is 0 */
};

struct sim_optimiser {
    enum sim_method method;
    double momentum, decay; /* options of training; `momentum` is used by SGD only */
    size_t size;            /* number of elements of all params */
    double *first;          /* owned; Adam: mean of g; SGD with momentum: v */
    double *second;         /* owned; Adam: mean of g * g */
    /* Adam: 0.9 and 0.999 to the power of the number of steps taken. */
    double beta1, beta2;
};

struct sim_optimiser sim_optimiser_new(enum sim_method method, double momentum,
                                       double decay, size_t size);
void sim_optimiser_free(struct sim_optimiser *optimiser);

/* Changes `params` by one step along `gradient`. `tables` has the shape of each of `count` params
 * if rows whose gradient is 0 stay unchanged; else it is NULL. */
void sim_optimiser_step(struct sim_optimiser *optimiser, double rate, double *params,
                        const struct sim_gradient *gradient,
                        const struct sim_table *tables, size_t count);

/* Returns the index of the first element whose mean of g * g, corrected for its start, is not
 * finite; `size` if there is none (SGD has no such means). Apart from decay, the last step moved
 * such an element by 0 or NaN, however great its gradient was. */
size_t sim_optimiser_find_overflow(const struct sim_optimiser *optimiser);

/* Writes or reads the state of an optimiser (lib/pack.h). */
void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *optimiser);

#endif
