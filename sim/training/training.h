/* Training: an optimiser changes the params (trained tensors) of a program, one step per batch of
 * examples.
 *
 * The last `held` examples are held out: never trained on, but measured at the end of each epoch.
 * The others come once per epoch, in an order drawn from seed and epoch. The gradient of a batch is
 * the mean of its examples' gradients, added in order; or the gradient of the sum of their losses,
 * computed by the program, divided by their number. So the params after a step are identical to the
 * last bit for any number of threads, and after a restart from a checkpoint.
 *
 * A checkpoint has the params, the state of optimiser and schedule, and a row per step. It is a
 * file of two chunks (traces/files/chunks.h); the first identifies program, data, seed and
 * options. */
#ifndef SIM_TRAINING_TRAINING_H
#define SIM_TRAINING_TRAINING_H

#include "lib/findings.h"
#include "sim/training/model.h"
#include "sim/training/options.h"
#include "sim/training/schedule.h"

/* Measurements of one step of training; NaN where not measured. */
struct sim_training_row {
    double loss; /* mean loss of the step's batch, before the step */
    /* Mean loss and accuracy of held-out examples, after the step. */
    double held_loss, held_right;
    double rate; /* learning rate of the step */
    double norm; /* norm of the gradient, before it is limited */
};

struct sim_training {
    struct sim_model *model; /* borrowed */
    struct sim_training_options options;
    struct sim_optimiser optimiser;
    struct sim_schedule schedule;
    /* Steps taken so far; number of the step that will be the last. */
    uint64_t taken, last;
    LIB_VEC(struct sim_training_row) rows; /* measurements of each step taken */
    /* The examples in the order of epoch number `ordered`. */
    uint64_t *order;
    uint64_t ordered; /* epoch, from 1, to which `order` belongs; 0: none yet */
    struct sim_sample *samples;
    size_t sample_count;
    struct sim_gradient sum; /* sum of the gradients of a batch, then their mean */
    /* Per param: whether its gradient was not 0 in some step of this process. */
    bool *moved;
    /* Shape of each param; NULL unless the option `rows` is SIM_ROWS_TOUCHED. */
    struct sim_table *tables;
    /* Packed params, optimiser and schedule, to undo a failed step. */
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

/* Return the number of examples that are trained on; and the number of steps in an epoch. */
uint64_t sim_training_examples(const struct sim_training *training);
uint64_t sim_training_epoch_steps(const struct sim_training *training);

/* Takes one step; at the end of an epoch or of the training also measures held-out examples.
 * Returns false and adds a diagnostic if the program failed, or if a loss, a gradient, a mean of
 * Adam or a changed param is not finite; params, optimiser and schedule are then as before the
 * step. */
bool sim_training_step(struct sim_training *training, struct lib_diags *diags);

/* Warns of each param whose gradient was 0 in all steps of this process. */
void sim_training_warn_still(const struct sim_training *training,
                             struct lib_diags *diags);

/* Returns how many examples all steps have used; repetitions count. */
uint64_t sim_training_seen(const struct sim_training *training);

/* --- curves (sim/training/curves.c) --------------------------------------------------------- */

/* Returns the number of epochs that have begun. */
uint64_t sim_training_epochs(const struct sim_training *training);

/* Returns the measurements of epoch `epoch`, counted from 0: means of loss and norm over its steps,
 * and the other members of its last step. Sets `end`, unless NULL, to the number of that step. */
struct sim_training_row sim_training_epoch(const struct sim_training *training,
                                           uint64_t epoch, uint64_t *end);

/* Add a table of measurements, with a row per step or per epoch. The training must outlive the
 * table. */
void sim_training_add_steps(const struct sim_training *training,
                            struct lib_findings *findings);
void sim_training_add_epochs(const struct sim_training *training,
                             struct lib_findings *findings);

/* --- checkpoints (sim/training/checkpoint.c) --------------------------------------------- */

/* Writes a checkpoint atomically. Returns false and adds a diagnostic if it cannot be written. */
bool sim_training_save(struct sim_training *training, const char *path,
                       struct lib_diags *diags);

/* Continues from a checkpoint. Returns false and adds a diagnostic if the checkpoint is damaged or
 * belongs to another training. */
bool sim_training_restore(struct sim_training *training, const char *path,
                          struct lib_diags *diags);

#endif
