/* Draws the figure of `hiaton train --figure`. */
#ifndef SIM_OUTPUTS_TRAINING_FIGURE_H
#define SIM_OUTPUTS_TRAINING_FIGURE_H

#include "sim/messages/messages.h"
#include "sim/training/training.h"

/* Draws learning curves into the file `path`: the loss of trained and, if any, of held-out
 * examples; in further panels the accuracy, if known, and the learning rate, if it changes. The x
 * axis has epochs, or steps if fewer than three epochs have begun. A curve has at most 256 points:
 * means of groups, if there are more epochs or steps. The training must have taken a step. */
enum sim_status sim_training_figure_put(const struct sim_training *training,
                                        const struct sim_printer *printer,
                                        const char *path);

#endif
