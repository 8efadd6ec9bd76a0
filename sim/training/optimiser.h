/* Optimisers: how params follow from gradients.
 *
 *   sgd   v' = momentum * v + (g + decay * w), w - rate * v'; without momentum w - rate * (g + decay * w)
 *   adam  w' - rate * m' / (sqrt(v') + 1e-8), with m' and v' the means of g and g * g, which forget with 0.9 and
 *         0.999 and are corrected for their start (Kingma, Ba, 2015, algorithm 1), and w' = w - rate * decay * w
 *         (Loshchilov, Hutter, 2019, algorithm 2: AdamW)
 *
 * With SIM_ROWS_TOUCHED a step leaves each row as it is whose gradient is 0 in all elements: the
 * param, and what is remembered of it. A row is what lies along the axes behind the first. What
 * lies between the pieces of a gradient is looked at only by a step that changes it: by adam, by
 * momentum or by decay.
 *
 * Additions, products, quotients and square roots only, in one order: the same bits everywhere. */
#ifndef SIM_TRAINING_OPTIMISER_H
#define SIM_TRAINING_OPTIMISER_H

#include "lib/pack.h"
#include "sim/training/gradient.h"

enum sim_method { SIM_METHOD_SGD, SIM_METHOD_ADAM, SIM_METHOD_COUNT };
extern const char *const sim_methods[SIM_METHOD_COUNT];

enum sim_rows { SIM_ROWS_ALL, SIM_ROWS_TOUCHED, SIM_ROWS_COUNT };
extern const char *const sim_rows_names[SIM_ROWS_COUNT];

/* The elements of one param: rows, one behind the other. */
struct sim_table {
    size_t rows; /* 0: it has fewer than two axes, and changes as a whole */
    size_t width;
};

struct sim_optimiser {
    enum sim_method method;
    double momentum, decay; /* momentum: SGD */
    size_t size;            /* of the params */
    double *first;          /* ADAM: the mean of g; SGD with momentum: v; owned */
    double *second;         /* ADAM: the mean of g * g; owned */
    double beta1, beta2;    /* 0.9 and 0.999, to the power of the steps that were taken */
};

struct sim_optimiser sim_optimiser_new(enum sim_method method, double momentum,
                                       double decay, size_t size);
void sim_optimiser_free(struct sim_optimiser *optimiser);

/* Takes one step with a learning rate. `tables`: the params, `count` of them, if a step changes
 * only rows whose gradient is not 0; or NULL. */
void sim_optimiser_step(struct sim_optimiser *optimiser, double rate, double *params,
                        const struct sim_gradient *gradient,
                        const struct sim_table *tables, size_t count);

/* Returns the place of the first param whose second moment, corrected for its start, is not
 * finite, or `size`. The last step moved such a param by 0 or by nan, however great its gradient
 * was. */
size_t sim_optimiser_find_overflow(const struct sim_optimiser *optimiser);

/* What it remembers, written or read (lib/pack.h). */
void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *optimiser);

#endif
