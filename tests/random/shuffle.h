/* An engine without any order: of all tokens under way it takes one at random. What it
 * finds is right whatever is right about order, and it counts which opcodes fired. */
#ifndef TESTS_RANDOM_SHUFFLE_H
#define TESTS_RANDOM_SHUFFLE_H

#include "isa/exec/exec.h"

/* Runs `code` to its end, or for `tokens` tokens. Adds to `fired`, a count per opcode,
 * unless it is NULL. What `exec` then holds is given back with isa_exec_free. */
enum isa_end shuffle_run(struct isa_exec *exec, const struct isa_code *code,
                         uint64_t seed, uint64_t tokens, uint64_t *fired);

#endif
