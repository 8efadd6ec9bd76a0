/* Expressions that training evaluates in a program, as text. The compiler puts them in place of the
 * program's result (programs/training.h). Each function adds one to `out`. */
#ifndef SIM_TRAINING_GRAFTS_H
#define SIM_TRAINING_GRAFTS_H

#include "isa/format/image.h"
#include "programs/training.h"
#include "programs/compile.h"

/* The number of examples, and the first value of each param. */
void sim_graft_start(const struct programs_training *says, struct lib_text *out);

/* The loss and the gradient by each param: of an example, or of a batch of at most `batch` examples
 * if that is not 0. */
void sim_graft_learn(const struct programs_training *says, uint64_t batch,
                     struct lib_text *out);

/* The loss of an example, followed by whether it is right, if the program says so. */
void sim_graft_judge(const struct programs_training *says, struct lib_text *out);

/* Checks that a source has what training needs, and compiles all of it. Files that it names are
 * read and added to `known`. `trees`, unless NULL, replaces its trees and sentences. Returns false
 * and adds diagnostics if something is missing or invalid. `digest` covers the program, its data,
 * and the first values of params: it differs if the training would. */
bool sim_training_check(const struct lib_source *source, struct lib_arena *arena,
                        const char *trees, struct programs_known *known,
                        struct programs_training *says, struct isa_digest *digest,
                        struct lib_diags *diags);

#endif
