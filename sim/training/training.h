/* Training: an optimiser changes the params of a program, one step per batch of examples.
 *
 * The last `held` examples are held out: they are never trained on, and measured at the end of each
 * epoch. The others come once per epoch, in an order drawn from the seed and the epoch. The
 * gradient of a batch is the mean of the gradients of its examples, added in order; or the gradient
 * of their sum, computed by the program, divided by their number. So the params after a step are
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

/* Measurements of one step of training; NaN where not measured. */
struct sim_training_row {
    double loss; /* mean loss of the examples, before the step */
    double held_loss,
        held_right; /* mean loss and accuracy of held-out examples, after the step */
    double rate;    /* learning rate */
    double norm;    /* norm of the gradient, before clipping */
};

struct sim_training {
    struct sim_model *model; /* borrowed */
    struct sim_training_options options;
    struct sim_optimiser optimiser;
    struct sim_schedule schedule;
    uint64_t taken, last;                  /* number of steps taken; of the last step */
    LIB_VEC(struct sim_training_row) rows; /* measurements of each step taken */
    uint64_t *order;                       /* order of the examples in epoch `ordered` */
    uint64_t ordered; /* number of an epoch, from 1 on; 0: none yet */
    struct sim_sample *samples;
    size_t sample_count;
    struct sim_gradient sum;  /* sum of the gradients of a batch, then their mean */
    struct sim_table *tables; /* shape of each param; NULL unless SIM_ROWS_TOUCHED */
    /* packed params, optimiser and schedule, to undo the step */
    struct lib_text before;
};

/* Starts a training. Returns false and adds a diagnostic if the options do not fit the model. */
bool sim_training_start(struct sim_training *training, struct sim_model *model,
                        const struct sim_training_options *options,
                        struct lib_diags *diags);
void sim_training_free(struct sim_training *training);

static inline bool sim_training_is_over(const struct sim_training *training)
{
    return training->taken >= training->last;
}

/* Return the number of trained examples, and of steps in an epoch. */
uint64_t sim_training_examples(const struct sim_training *training);
uint64_t sim_training_epoch_steps(const struct sim_training *training);

/* Takes one step; at the end of an epoch or of the training also measures held-out examples.
 * Returns false, restores the state before and adds a diagnostic if the program failed, or if a
 * loss, a gradient or a changed param is not finite. */
bool sim_training_step(struct sim_training *training, struct lib_diags *diags);

/* Returns the number of examples in all steps taken. */
uint64_t sim_training_seen(const struct sim_training *training);

/* --- curves (sim/training/curves.c) --------------------------------------------------------- */

/* Returns the number of epochs that have begun. */
uint64_t sim_training_epochs(const struct sim_training *training);

/* Returns the measurements of an epoch, from 0: the mean loss and norm of its steps, the rest of
 * its last step. Unless NULL, sets `end` to the number of that step. */
struct sim_training_row sim_training_epoch(const struct sim_training *training,
                                           uint64_t epoch, uint64_t *end);

/* Add the measurements of each step, or of each epoch, as comma-separated values. */
void sim_training_write_steps(const struct sim_training *training, struct lib_text *out);
void sim_training_write_epochs(const struct sim_training *training, struct lib_text *out);

/* --- checkpoints (sim/training/checkpoint.c) --------------------------------------------- */

/* Writes a checkpoint atomically. Returns false and adds a diagnostic if it cannot be written. */
bool sim_training_save(struct sim_training *training, const char *path,
                       struct lib_diags *diags);

/* Continues from a checkpoint. Returns false and adds a diagnostic if the checkpoint is damaged or
 * belongs to another training. */
bool sim_training_restore(struct sim_training *training, const char *path,
                          struct lib_diags *diags);

#endif
