/* Conflicts between uses of a function. A function has one type in a program: where two uses
 * need different ones, the message about the second names the first.
 *
 * What the body of a function demands is copied when the body is inferred. A use that fits the
 * copy, and does not fit the function, conflicts with another use. */
#ifndef PROGRAMS_TYPES_ONE_TYPE_H
#define PROGRAMS_TYPES_ONE_TYPE_H

#include "programs/types/infer_internal.h"

/* Keeps what the body of the function demands; before its first use outside of its body. */
void programs_one_type_keep(struct infer *in, const struct programs_function *function);

/* The end of the message that `e` is not of type `expected`: which other use of a function
 * decided so. Returns "" if no other use did. */
const char *programs_one_type_other_use(struct infer *in, const struct programs_expr *e,
                                        struct programs_type *expected);

#endif
