/* The figure of a training: `hiaton train --figure`. */
#ifndef SIM_OUTPUTS_TRAINING_FIGURE_H
#define SIM_OUTPUTS_TRAINING_FIGURE_H

#include "sim/messages/messages.h"
#include "sim/training/training.h"

/* Draws learning curves as the file at `path`: the loss of the examples that are trained on and of
 * those held out; and in panels of their own the accuracy, if it is known, and the rate, if it
 * changes. Places are epochs, or steps if fewer than three epochs have begun. Of many places each
 * point is a mean. The training has taken a step. */
enum sim_status sim_training_figure_put(const struct sim_training *training,
                                        const struct sim_voice *voice, const char *path);

#endif
