/* Program text that training appends to a program, with another `result`, so that it computes what
 * training needs (programs/training.h). */
#ifndef SIM_TRAINING_GRAFTS_H
#define SIM_TRAINING_GRAFTS_H

#include "isa/format/image.h"
#include "programs/training.h"
#include "programs/compile.h"

/* Appends program text whose result is the number of examples and the initial value of each
 * param. */
void sim_graft_start(const struct programs_training *says, struct lib_text *out);

/* Appends program text whose result is the loss and its gradient by each param: of one example; or,
 * if `batch` is not 0, of up to `batch` examples together. */
void sim_graft_learn(const struct programs_training *says, uint64_t batch,
                     struct lib_text *out);

/* Appends program text whose result is the loss of one example and, if the program defines
 * `correct`, whether the example is classified correctly. */
void sim_graft_judge(const struct programs_training *says, struct lib_text *out);

/* Checks that a program has what training needs, by compiling it. Sets `says` to what it defines.
 * Adds the files that it reads to `known`; if `trees` is not NULL, that file replaces the program's
 * trees or sentences. Sets `digest`, which covers program, data and initial params. Returns false
 * and adds diagnostics if something is missing or invalid. */
bool sim_training_check(const struct lib_source *source, struct lib_arena *arena,
                        const char *trees, struct programs_known *known,
                        struct programs_training *says, struct isa_digest *digest,
                        struct lib_diags *diags);

#endif
