/* The interface of programs that can be trained. Such a program has params, a number `examples`,
 * and a function `loss(i)`, the loss of example i, or `losses(is)`, the sum of the losses of the
 * examples in an array, or both. It may have `correct(i)`, whether example i is classified
 * correctly. The losses may have a second parameter, the number of the step.
 *
 * Training compiles the program with another result (struct programs_options), which is written as
 * text: inputs, params and constants that training adds, and at the end `result`. Their names,
 * below, cannot be names of a program.
 *
 * Training may request gradients as rows (programs_options.given_rows). A gradient in its result
 * then has three values for each param: a tensor, indices of rows, and these rows, which are to be
 * added to the tensor. For a table that is read by `gather` the tensor is empty, which means
 * zeros, unless other uses of the table contribute. All other params have no rows. */
#ifndef PROGRAMS_TRAINING_H
#define PROGRAMS_TRAINING_H

#include "lib/arena.h"
#include "lib/diag.h"

/* Names of inputs: number of an example, from 0 on; number of the step, from 1 on; number of
 * examples in a batch. */
#define PROGRAMS_TRAINING_EXAMPLE "example'"
#define PROGRAMS_TRAINING_STEP "step'"
#define PROGRAMS_TRAINING_COUNT "count'"

/* Name of a param after all others, which holds the numbers of the examples in a batch; and of a
 * constant, the same numbers as an array of ints. */
#define PROGRAMS_TRAINING_NUMBERS "numbers'"
#define PROGRAMS_TRAINING_EXAMPLES "examples'"

struct programs_training {
    const char **params; /* names of its params, in the order of the text */
    size_t param_count;
    bool has_loss, has_losses, has_correct;
    bool loss_takes_step, losses_take_step;
    /* places of the definitions; line 0 if the program does not have it */
    struct lib_pos loss_pos, losses_pos, correct_pos, examples_pos;
};

/* Finds the interface of a program; names are in the arena. Returns false and adds diagnostics if
 * the source has errors or a part of the interface is missing. */
bool programs_training_find(struct programs_training *training, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags);

/* Returns the name of the tensor with the value of param `param`, from 0 on, in a graph that was
 * compiled with values of params. */
const char *programs_training_tensor(struct lib_arena *arena, size_t param);

#endif
