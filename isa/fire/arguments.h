/* The arguments of an activation, for messages about it. No engine keeps them: the program is run
 * again, untimed, until the activation has got them. A tag is the same in every engine, and so are
 * the arguments under it. */
#ifndef ISA_FIRE_ARGUMENTS_H
#define ISA_FIRE_ARGUMENTS_H

#include "isa/exec/exec.h"

/* Adds "n = 3, d = 0": the arguments of the activation with this tag of `exec`; of an iteration,
 * the variables of its loop and the arguments of the function around it. Adds nothing if there
 * are none, or if the program does not come to them within a small multiple of the tokens that
 * `exec` took, as where it waits for its host. */
void isa_arguments_write(const struct isa_exec *exec, isa_tag tag, struct lib_text *out);

#endif
