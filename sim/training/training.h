/* Training: steps of an optimiser over batches of examples, and their results.
 *
 * The last `held` examples are held out: they are never trained on, and judged at the end of each
 * epoch. The others come once per epoch, in an order drawn from the seed and the epoch. The
 * gradient of a batch is the mean of the gradients of its examples, added in order; or the gradient
 * of their sum as computed by the program, divided by their number. So the params after a step are
 * identical to the last bit for any number of threads, and after a restart from a checkpoint.
 *
 * A checkpoint has the params, the state of optimiser and schedule, and a row per step. It is a
 * file of two chunks (traces/files/chunks.h): the first identifies program, data, seed and
 * options. */
#ifndef SIM_TRAINING_TRAINING_H
#define SIM_TRAINING_TRAINING_H

#include "sim/training/model.h"
#include "sim/training/options.h"
#include "sim/training/schedule.h"

/* The numbers of a step; NaN if not judged. */
struct sim_training_row {
    double loss;                  /* mean loss of its examples, before the step */
    double held_loss, held_right; /* means over the examples held out, after the step */
    double rate;                  /* rate of the step */
    double norm;                  /* norm of its gradient, before clipping */
};

struct sim_training {
    struct sim_model *model; /* borrowed */
    struct sim_training_options options;
    struct sim_optimiser optimiser;
    struct sim_schedule schedule;
    uint64_t taken, last;                  /* steps taken; last step */
    LIB_VEC(struct sim_training_row) rows; /* rows of the steps taken */
    uint64_t *order;  /* order of the examples in the epoch `ordered` */
    uint64_t ordered; /* from 1 on; 0 for none yet */
    struct sim_sample *samples;
    size_t sample_count;
    struct sim_gradient sum;  /* sum of the gradients of a batch, then their mean */
    struct sim_table *tables; /* params, with SIM_ROWS_TOUCHED; else NULL */
    struct lib_text before;   /* params, optimiser and schedule before the step, packed */
};

/* Starts a training. Returns false, after an error, if the options do not fit the model. */
bool sim_training_start(struct sim_training *training, struct sim_model *model,
                        const struct sim_training_options *options,
                        struct lib_diags *diags);
void sim_training_free(struct sim_training *training);

static inline bool sim_training_is_over(const struct sim_training *training)
{
    return training->taken >= training->last;
}

/* Return the number of examples that are trained on, and the steps of an epoch. */
uint64_t sim_training_examples(const struct sim_training *training);
uint64_t sim_training_epoch_steps(const struct sim_training *training);

/* Takes one step, and judges if an epoch or the training is over. Returns false, with the state
 * from before the step, if the program failed, or if a loss, a gradient or a changed param is not
 * finite. */
bool sim_training_step(struct sim_training *training, struct lib_diags *diags);

/* Returns the number of examples of the steps taken. */
uint64_t sim_training_seen(const struct sim_training *training);

/* --- curves (sim/training/curves.c) --------------------------------------------------------- */

/* Returns the number of epochs that have begun. */
uint64_t sim_training_epochs(const struct sim_training *training);

/* Returns the row of an epoch, from 0 on: the mean loss and norm of its steps, and the other
 * numbers of its last step. Unless NULL, sets `end` to the number of that step. */
struct sim_training_row sim_training_epoch(const struct sim_training *training,
                                           uint64_t epoch, uint64_t *end);

/* Add the rows of steps, or of epochs, as comma-separated values. */
void sim_training_write_steps(const struct sim_training *training, struct lib_text *out);
void sim_training_write_epochs(const struct sim_training *training, struct lib_text *out);

/* --- checkpoints (sim/training/checkpoint.c) --------------------------------------------- */

/* Writes a checkpoint atomically. Returns false after an error. */
bool sim_training_save(struct sim_training *training, const char *path,
                       struct lib_diags *diags);

/* Continues from a checkpoint. Returns false, after an error, if it is damaged or belongs to
 * another training. */
bool sim_training_restore(struct sim_training *training, const char *path,
                          struct lib_diags *diags);

#endif
