/* Results of training runs in an experiment: columns `trained.KEY`, such as trained.loss. */
#ifndef SIM_EXPERIMENT_TRAINED_H
#define SIM_EXPERIMENT_TRAINED_H

#include "sim/experiment/measures.h"

/* List of the results of a training, in the order of their columns. COUNT: an integer, NUMBER: a
 * real. A run may lack some of them. */
#define SIM_TRAINED_NUMBERS(COUNT, NUMBER)                                               \
    COUNT(steps, "steps that were taken")                                                \
    COUNT(epochs, "epochs that were begun")                                              \
    NUMBER(loss, "mean loss of the steps of the last epoch")                             \
    NUMBER(held_loss, "mean loss of the examples held out, at the end")                  \
    NUMBER(held_accuracy, "share of them for which correct(i) holds")                    \
    NUMBER(least_held_loss, "least mean loss of the examples held out")                  \
    COUNT(least_epoch, "the first epoch that had it")                                    \
    NUMBER(rate, "learning rate of the last step")

enum sim_trained {
#define COUNT(key, meaning) SIM_TRAINED_##key,
    SIM_TRAINED_NUMBERS(COUNT, COUNT)
#undef COUNT
        SIM_TRAINED_COUNT,
};

/* Returns the value of traces_column.measure for the column of `number`; no column of an analysis
 * has it. */
static inline unsigned sim_trained_measure(enum sim_trained number)
{
    return sim_measure_of(SIM_MEASURES_COUNT, number);
}

void sim_trained_add_columns(struct traces_columns *columns);

#endif
