/* Which of two places to blame when a function and its calls disagree.
 *
 * A parameter that stands alone as the condition of an `if` or a `loop` is a bool by its
 * definition. Where every call gives a number instead, it is the condition that is wrong, as in
 *
 *     f(n) = if n then 1 else 2        -- expected bool, found int
 *
 * and where some call gives a bool, it is the other calls. */
#ifndef PROGRAMS_TYPES_BLAME_CONDITION_H
#define PROGRAMS_TYPES_BLAME_CONDITION_H

#include "programs/syntax/ast.h"

/* The parameter where it is such a condition in the body of its function, or NULL;
 * NULL also if some call in the program gives it a bool. Needs types. */
const struct programs_expr *
programs_blame_condition(const struct programs_ast *ast,
                         const struct programs_binding *param);

#endif
