/* Conflicts between uses of a function. A function has one type in a program: if two uses need
 * different ones, the message about the second use names the first.
 *
 * The types that the body of a function demands are copied before the function is used
 * elsewhere. A use that fits the copy, and does not fit the function, conflicts with another
 * use. */
#ifndef PROGRAMS_TYPES_ONE_TYPE_H
#define PROGRAMS_TYPES_ONE_TYPE_H

#include "programs/types/infer_internal.h"

/* Copies the types that the body of a function demands. Called before its first use outside of
 * its body. */
void programs_one_type_keep(struct infer *in, const struct programs_function *function);

/* Returns the end of the message that `e` is not of type `expected`: the other use of a function
 * that requires that type, or "". */
const char *programs_one_type_other_use(struct infer *in, const struct programs_expr *e,
                                        struct programs_type *expected);

#endif
