/* Conflicts between uses of a function, which has one type in a program: if two uses need different
 * ones, the message about the second use names the first.
 *
 * The types that the body of a function demands are copied before the function is used
 * elsewhere. A use that fits the copy, and not the function, conflicts with another use. */
#ifndef PROGRAMS_TYPES_ONE_TYPE_H
#define PROGRAMS_TYPES_ONE_TYPE_H

#include "programs/types/infer_internal.h"

/* Copies the types that the body of a function demands, before the first use outside the body. */
void programs_one_type_keep(struct infer *in, const struct programs_function *function);

/* Returns text to append to the message that `e` is not of type `expected`. If the reason is that a
 * function has one type in a program, the text names what decided it: another use of the function,
 * or an argument of this use. Else the text is "". */
const char *programs_one_type_other_use(struct infer *in, const struct programs_expr *e,
                                        struct programs_type *expected);

#endif
