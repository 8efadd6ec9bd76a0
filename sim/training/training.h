/* Training: steps of an optimiser over batches of examples, and what is told of them.
 *
 * The last `held` examples are held out: they are never trained on, and judged at the end of each
 * epoch. The others come once in an epoch, in an order that is drawn from the seed and the epoch.
 * The gradient of a batch is the mean of those of its examples, added up in their order, or that
 * of their sum as the program computes it, divided by their number. So the params after a step
 * are the same to the last bit, whatever the threads, and also if training was interrupted and
 * went on from a checkpoint.
 *
 * A checkpoint has the params, what optimiser and schedule remember, and a row for each step. It
 * is a file of one chunk (traces/files/chunks.h), behind one that says of what: program, data,
 * seed, options. */
#ifndef SIM_TRAINING_TRAINING_H
#define SIM_TRAINING_TRAINING_H

#include "sim/training/model.h"
#include "sim/training/options.h"
#include "sim/training/schedule.h"

/* What is known of a step. What was not judged is NaN. */
struct sim_training_row {
    double loss;                  /* the mean of its examples, before it */
    double held_loss, held_right; /* of the examples held out, after it: means */
    double rate;                  /* at which it was taken */
    double norm;                  /* of its gradient, before that was shortened */
};

struct sim_training {
    struct sim_model *model; /* borrowed */
    struct sim_training_options options;
    struct sim_optimiser optimiser;
    struct sim_schedule schedule;
    uint64_t taken, last;                  /* steps */
    LIB_VEC(struct sim_training_row) rows; /* of those taken */
    uint64_t *order;                       /* of the examples, in the epoch `ordered` */
    uint64_t ordered;                      /* from 1 on; 0: none yet */
    struct sim_sample *samples;
    size_t sample_count;
    struct sim_gradient sum;  /* of the gradients of a batch, and then their mean */
    struct sim_table *tables; /* with SIM_ROWS_TOUCHED the params; else NULL */
    struct lib_text
        before; /* params, optimiser and schedule before the current step, packed */
};

/* false: the options do not fit the model, and why is in `diags`. */
bool sim_training_start(struct sim_training *training, struct sim_model *model,
                        const struct sim_training_options *options,
                        struct lib_diags *diags);
void sim_training_free(struct sim_training *training);

static inline bool sim_training_is_over(const struct sim_training *training)
{
    return training->taken >= training->last;
}

/* Examples that are trained on, and steps of an epoch. */
uint64_t sim_training_examples(const struct sim_training *training);
uint64_t sim_training_epoch_steps(const struct sim_training *training);

/* Takes one step, and judges if an epoch is over or training is. Returns false if the program
 * failed, or if a loss, a gradient or a param that it changed is not finite; all is then as
 * before the step. */
bool sim_training_step(struct sim_training *training, struct lib_diags *diags);

/* Examples of the steps taken. */
uint64_t sim_training_seen(const struct sim_training *training);

/* --- what is told of them (sim/training/curves.c) ----------------------------------------- */

/* Epochs that have begun. */
uint64_t sim_training_epochs(const struct sim_training *training);

/* Returns the row of an epoch, from 0 on: the mean loss and norm of its steps, and of its last
 * step all else. `end`, if not NULL, becomes the number of that step. */
struct sim_training_row sim_training_epoch(const struct sim_training *training,
                                           uint64_t epoch, uint64_t *end);

/* Add the rows of steps, or of epochs, as comma-separated values. */
void sim_training_write_steps(const struct sim_training *training, struct lib_text *out);
void sim_training_write_epochs(const struct sim_training *training, struct lib_text *out);

/* --- checkpoints (sim/training/checkpoint.c) --------------------------------------------- */

/* Writes it, whole or not at all. false: why is in `diags`. */
bool sim_training_save(struct sim_training *training, const char *path,
                       struct lib_diags *diags);

/* Goes on from there. false: it is damaged, or of something else, which is in `diags`. */
bool sim_training_restore(struct sim_training *training, const char *path,
                          struct lib_diags *diags);

#endif
