/* What a program has for training: a function `loss(i)`, the loss of example i, or `losses(is)`,
 * the sum of the losses of the examples of an array, or both; how many `examples` there are; its
 * params; and, if it says so, whether example i is classified correctly, `correct(i)`. Behind i
 * and is, the losses may take the number of the step.
 *
 * A program is compiled for it with another result (struct programs_options), which is written as
 * text: inputs, params and constants of training's own, and at the end `result`. No name of a
 * program is confused with the names below.
 *
 * Of a gradient in this result training may ask for rows (programs_options.given_rows). Then it
 * has three values for each param: a tensor, indices of rows, and these rows, which are added to
 * the tensor. Of a table that is read by `gather` the tensor is empty, and stands for zeros,
 * unless something else makes one; of all other params there are no rows. */
#ifndef PROGRAMS_TRAINING_H
#define PROGRAMS_TRAINING_H

#include "lib/arena.h"
#include "lib/diag.h"

#define PROGRAMS_TRAINING_EXAMPLE                                                        \
    "example'"                         /* an input: the number of an example, from 0 on */
#define PROGRAMS_TRAINING_STEP "step'" /* an input: the number of the step, from 1 on */
#define PROGRAMS_TRAINING_COUNT "count'" /* an input: how many examples a batch has */
#define PROGRAMS_TRAINING_NUMBERS                                                        \
    "numbers'" /* a param behind all others: their numbers */
#define PROGRAMS_TRAINING_EXAMPLES "examples'" /* a constant: these as an array of ints */

struct programs_training {
    const char **params; /* names, in the order of the text */
    size_t param_count;
    bool has_loss, has_losses, has_correct;
    bool loss_takes_step, losses_take_step;
    /* Where they are defined; line 0: the program does not have it. */
    struct lib_pos loss_pos, losses_pos, correct_pos, examples_pos;
};

/* Lives in the arena. false: something was reported, as what is missing. */
bool programs_training_find(struct programs_training *training, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags);

/* What a param is called among the tensors of a graph that was compiled with its value: of the
 * param with that number, from 0 on. */
const char *programs_training_tensor(struct lib_arena *arena, size_t param);

#endif
