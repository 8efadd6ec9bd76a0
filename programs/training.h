/* The interface of programs that can be trained. Such a program has params (trainable tensors), a
 * number `examples`, and a function `loss(i)`, the loss of example i, or `losses(is)`, the sum of
 * the losses of the examples in an array, or both. A function `correct(i)` may say whether example
 * i is classified correctly. The losses may have a second parameter, the number of the training
 * step.
 *
 * Training compiles the program with another result (struct programs_options), which is written as
 * text: inputs, params and constants, whose names, below, no program can use, and at the end
 * `result`.
 *
 * Training may request gradients as rows (programs_options.given_rows). A gradient in the result
 * then has three values for each param: a tensor, indices of rows, and these rows, which are to
 * be added to the tensor. For a table that is only read by `gather` the tensor is empty, which
 * means zeros. Other params have no rows. */
#ifndef PROGRAMS_TRAINING_H
#define PROGRAMS_TRAINING_H

#include "lib/arena.h"
#include "lib/diag.h"

/* Names of inputs that training adds to a program: index of the example, from 0; training step,
 * from 1; how many examples the batch has. */
#define PROGRAMS_TRAINING_EXAMPLE "example'"
#define PROGRAMS_TRAINING_STEP "step'"
#define PROGRAMS_TRAINING_COUNT "count'"

/* Names of the last param and of a constant that training adds to a program. Both have the indices
 * of the examples in a batch: the param as a tensor, the constant as an array of ints. */
#define PROGRAMS_TRAINING_NUMBERS "numbers'"
#define PROGRAMS_TRAINING_EXAMPLES "examples'"

struct programs_training {
    const char **params; /* names of the params, in source order */
    size_t param_count;
    bool has_loss, has_losses, has_correct;
    bool loss_takes_step, losses_take_step;
    /* positions of the definitions; line 0: not defined */
    struct lib_pos loss_pos, losses_pos, correct_pos, examples_pos;
};

/* Finds the training interface of a program; names are in the arena. Returns false and adds
 * diagnostics if the source has errors or a part of the interface is missing. */
bool programs_training_find(struct programs_training *training, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags);

/* Returns the name of the tensor with the value of param `param`, from 0, in a graph that was
 * compiled with values of params. */
const char *programs_training_tensor(struct lib_arena *arena, size_t param);

#endif
