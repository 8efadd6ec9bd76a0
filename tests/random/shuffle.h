/* An engine without order, which takes tokens in transit at random: results that do not depend on
 * order are right. Counts how often each opcode fired, and compares what each token does with what
 * was foreseen of it (isa/fire/fire_foresee.h). */
#ifndef TESTS_RANDOM_SHUFFLE_H
#define TESTS_RANDOM_SHUFFLE_H

#include "isa/exec/exec.h"

/* Runs `code` to its end, or for `tokens` tokens. Adds the firings of each opcode to `fired`,
 * unless NULL. Sets *wrong to what happened and was not foreseen, or NULL. The caller frees `exec`
 * with isa_exec_free. */
enum isa_end shuffle_run(struct isa_exec *exec, const struct isa_code *code,
                         uint64_t seed, uint64_t tokens, uint64_t *fired,
                         const char **wrong);

#endif
