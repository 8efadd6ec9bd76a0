/* What a program has for training: a function `loss(i)`, the loss of example i; how many `examples` there
 * are; its params; and, if it says so, whether example i is classified correctly, `correct(i)`.
 *
 * A program is compiled for it with another result (struct programs_options), which is written as text. It may
 * use one more input, PROGRAMS_TRAINING_INPUT. */
#ifndef PROGRAMS_TRAINING_H
#define PROGRAMS_TRAINING_H

#include "lib/arena.h"
#include "lib/diag.h"

/* The number of an example: no name of a program is confused with it. */
#define PROGRAMS_TRAINING_INPUT "example'"

struct programs_training {
    const char **params; /* names, in the order of the text */
    size_t param_count;
    bool has_correct;
};

/* Lives in the arena. false: something was reported, as what is missing. */
bool programs_training_find(struct programs_training *training, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags);

/* What a param is called among the tensors of a graph that was compiled with its value: of the param with that
 * number, from 0 on. */
const char *programs_training_tensor(struct lib_arena *arena, size_t param);

#endif
