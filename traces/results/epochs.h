/* Epochs of a training: rounds through all examples. A database can have a row for each. */
#ifndef TRACES_RESULTS_EPOCHS_H
#define TRACES_RESULTS_EPOCHS_H

#include <stdint.h>

/* NUMBER(key, meaning): a real that describes an epoch of a training; NaN if unknown. */
#define TRACES_EPOCH_NUMBERS(NUMBER)                                                     \
    NUMBER(loss, "mean loss of the steps of the epoch")                                  \
    NUMBER(held_loss, "mean loss of the examples held out, after it")                    \
    NUMBER(held_accuracy, "share of them for which correct(i) holds")                    \
    NUMBER(rate, "learning rate of its last step")                                       \
    NUMBER(gradient_norm, "mean norm of the gradients of its steps")

struct traces_epoch {
    uint64_t step; /* steps of the training up to the end of the epoch */
#define NUMBER(key, meaning) double key;
    TRACES_EPOCH_NUMBERS(NUMBER)
#undef NUMBER
};

#endif
