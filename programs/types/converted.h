/* Warnings about ints that become reals because all uses of a function share its types: a use with
 * a real, even one that nothing needs, changes the result of a use with an int. */
#ifndef PROGRAMS_TYPES_CONVERTED_H
#define PROGRAMS_TYPES_CONVERTED_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* A call of a function of the program, or a gradient of one. */
struct programs_use {
    const struct programs_expr *expr;
    const struct programs_function *within; /* function around it; NULL: a constant */
    struct programs_type **together; /* types of its operands if uses share types */
};

typedef LIB_VEC(struct programs_use) programs_uses;

/* Warns about each function with an operand that is an int if each use has types of its own, as the
 * tree has now, and a real if uses share types. A warning names another use, which has a real by
 * itself. */
void programs_converted_warn(const struct programs_ast *ast, const programs_uses *uses,
                             struct lib_diags *diags);

#endif
