/* Place of the error if a function and its calls disagree about a type.
 *
 * A parameter that alone is the condition of an `if` or a `loop` is a bool by its definition. If
 * every call passes a number, the condition is reported:
 *
 *     f(n) = if n then 1 else 2        -- expected bool, found int
 *
 * If some call passes a bool, the other calls are reported. */
#ifndef PROGRAMS_TYPES_BLAME_CONDITION_H
#define PROGRAMS_TYPES_BLAME_CONDITION_H

#include "programs/syntax/ast.h"

/* Returns the `if` or `loop` condition that consists of `param` alone, to be reported; NULL if
 * there is none, or if some call passes a bool. Called after type inference. */
const struct programs_expr *
programs_blame_condition(const struct programs_ast *ast,
                         const struct programs_binding *param);

#endif
