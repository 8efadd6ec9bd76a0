/* Optimisers: rules by which a step changes params w with the gradient g.
 *
 * sgd: v' = momentum * v + (g + decay * w), w' = w - rate * v';
 *
 * adam: w' = w - rate * m' / (sqrt(v') + 1e-8), where m' and v' are means of g and g * g that decay
 * by 0.9 and 0.999, corrected for their start (Kingma, Ba, 2015, algorithm 1). Decay subtracts rate
 * * decay * w (Loshchilov, Hutter, 2019, algorithm 2: AdamW).
 *
 * With SIM_ROWS_TOUCHED a step does not change rows whose gradient is 0 in all elements, nor their
 * state here. A row is what lies along all axes but the first. Elements between the pieces of a
 * gradient are visited only if the step changes them: by adam, momentum or decay.
 *
 * Only additions, products, quotients and square roots, in one order: the same bits everywhere. */
#ifndef SIM_TRAINING_OPTIMISER_H
#define SIM_TRAINING_OPTIMISER_H

#include "lib/pack.h"
#include "sim/training/gradient.h"

enum sim_method { SIM_METHOD_SGD, SIM_METHOD_ADAM, SIM_METHOD_COUNT };
extern const char *const sim_methods[SIM_METHOD_COUNT];

enum sim_rows { SIM_ROWS_ALL, SIM_ROWS_TOUCHED, SIM_ROWS_COUNT };
extern const char *const sim_rows_names[SIM_ROWS_COUNT];

/* The elements of one param, as successive rows. */
struct sim_table {
    size_t rows; /* 0: fewer than two axes; it changes as a whole */
    size_t width;
};

struct sim_optimiser {
    enum sim_method method;
    double momentum, decay; /* momentum is for SGD */
    size_t size;            /* number of params */
    double *first;          /* ADAM: mean of g; SGD with momentum: v; owned */
    double *second;         /* ADAM: mean of g * g; owned */
    double beta1, beta2;    /* 0.9 and 0.999 to the power of the number of steps */
};

struct sim_optimiser sim_optimiser_new(enum sim_method method, double momentum,
                                       double decay, size_t size);
void sim_optimiser_free(struct sim_optimiser *optimiser);

/* Takes one step with a learning rate. `tables` has the `count` params if a step changes only rows
 * whose gradient is not 0; else NULL. */
void sim_optimiser_step(struct sim_optimiser *optimiser, double rate, double *params,
                        const struct sim_gradient *gradient,
                        const struct sim_table *tables, size_t count);

/* Returns the place of the first param whose second moment, corrected for its start, is not
 * finite, or `size`. The last step moved such a param by 0 or by nan, however great its gradient
 * was. */
size_t sim_optimiser_find_overflow(const struct sim_optimiser *optimiser);

/* Writes or reads the state of an optimiser (lib/pack.h). */
void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *optimiser);

#endif
