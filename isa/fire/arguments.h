/* Arguments of a call or loop iteration, for messages. Engines do not keep them: the program is run
 * again, untimed, until they have arrived. An activation has the same tag and arguments in every
 * engine. */
#ifndef ISA_FIRE_ARGUMENTS_H
#define ISA_FIRE_ARGUMENTS_H

#include "isa/exec/exec.h"

/* Appends the arguments of the activation with tag `tag`, such as "n = 3, d = 0". For an iteration
 * of a loop these are its variables and the arguments of the function around it. Appends nothing if
 * the second run does not reach them soon, as when it waits for its host. */
void isa_arguments_write(const struct isa_exec *exec, isa_tag tag, struct lib_text *out);

#endif
