/* Optimisers: rules by which a training step changes params w by the gradient g.
 *
 * sgd: v' = momentum * v + (g + decay * w), w' = w - rate * v';
 *
 * adam: w' = w - rate * m' / (sqrt(v') + 1e-8), where m' and v' are means of g and g * g that decay
 * by 0.9 and 0.999, corrected for their start (Kingma, Ba, 2015, algorithm 1). Decay subtracts rate
 * * decay * w (Loshchilov, Hutter, 2019, algorithm 2: AdamW).
 *
 * A row of a param is all elements with the same first index. With SIM_ROWS_TOUCHED a step changes
 * neither rows whose gradient is all 0 nor their means. Without it, elements that no piece of the
 * gradient covers are visited only if adam, momentum or decay changes them.
 *
 * Uses only additions, products, quotients and square roots, in a fixed order, so that all
 * computers yield the same bits. */
#ifndef SIM_TRAINING_OPTIMISER_H
#define SIM_TRAINING_OPTIMISER_H

#include "lib/pack.h"
#include "sim/training/gradient.h"

enum sim_method { SIM_METHOD_SGD, SIM_METHOD_ADAM, SIM_METHOD_COUNT };
extern const char *const sim_methods[SIM_METHOD_COUNT];

enum sim_rows { SIM_ROWS_ALL, SIM_ROWS_TOUCHED, SIM_ROWS_COUNT };
extern const char *const sim_rows_names[SIM_ROWS_COUNT];

/* The elements of one param, as a table of rows. */
struct sim_table {
    size_t rows;  /* 0 if the param has fewer than two axes: it changes as a whole */
    size_t width; /* elements per row; of the param if `rows` is 0 */
};

struct sim_optimiser {
    enum sim_method method;
    double momentum, decay; /* `momentum` is used by SGD only */
    size_t size;            /* number of elements of all params */
    double *first;          /* ADAM: mean of g; SGD with momentum: v; owned */
    double *second;         /* ADAM: mean of g * g; owned */
    double beta1, beta2;    /* 0.9 and 0.999 to the power of the number of steps */
};

struct sim_optimiser sim_optimiser_new(enum sim_method method, double momentum,
                                       double decay, size_t size);
void sim_optimiser_free(struct sim_optimiser *optimiser);

/* Changes the params by one step with learning rate `rate`. `tables` describes the `count` params
 * if the step changes only rows whose gradient is not 0; else it is NULL. */
void sim_optimiser_step(struct sim_optimiser *optimiser, double rate, double *params,
                        const struct sim_gradient *gradient,
                        const struct sim_table *tables, size_t count);

/* Returns the index of the first element whose mean of g * g, corrected for its start, is not
 * finite, or `size` if there is none. The last step moved that element by 0 or by nan, whatever its
 * gradient. */
size_t sim_optimiser_find_overflow(const struct sim_optimiser *optimiser);

/* Writes or reads the state of an optimiser; `pack` decides which (lib/pack.h). */
void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *optimiser);

#endif
