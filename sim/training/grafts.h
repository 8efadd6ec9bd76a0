/* What training asks of a program, as texts that the compiler puts in the place of its result
 * (programs/training.h). Each is added to `out`. */
#ifndef SIM_TRAINING_GRAFTS_H
#define SIM_TRAINING_GRAFTS_H

#include "isa/format/image.h"
#include "programs/training.h"
#include "programs/compile.h"

/* How many examples there are, and what each param begins with. */
void sim_graft_start(const struct programs_training *says, struct lib_text *out);

/* The loss and the gradient by each param: of an example, or if `batch` is not 0 of a batch of at
 * most so many examples. */
void sim_graft_learn(const struct programs_training *says, uint64_t batch,
                     struct lib_text *out);

/* The loss of an example, and behind it whether it is right, if the program says so. */
void sim_graft_judge(const struct programs_training *says, struct lib_text *out);

/* Finds what a source has for training, and compiles all of it. Files that it names are read and
 * added to `known`, `trees` in place of its trees and sentences; NULL: its own. Returns false if
 * something is missing, or has a mistake. Else `digest` is that of the program, its data, and what
 * params begin with: that of another training differs. */
bool sim_training_check(const struct lib_source *source, struct lib_arena *arena,
                        const char *trees, struct programs_known *known,
                        struct programs_training *says, struct isa_digest *digest,
                        struct lib_diags *diags);

#endif
