/* Warnings about ints that become reals because all uses of a function share its types: one use
 * with a real, even an unneeded one, makes the result of another use a real. */
#ifndef PROGRAMS_TYPES_CONVERTED_H
#define PROGRAMS_TYPES_CONVERTED_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* A use of a function: a call, or a gradient. */
struct programs_use {
    const struct programs_expr *expr;
    /* Function that contains the use; NULL: a constant does. */
    const struct programs_function *within;
    /* Types of the operands if all uses of the function share types. */
    struct programs_type **together;
    /* Types of this use: of the parameters, then of the result. */
    struct programs_type **types;
    bool named; /* a warning names the use as a cause */
};

typedef LIB_VEC(struct programs_use) programs_uses;

/* Warns about each function with a use whose operand is an int in the tree, where each use has its
 * own types now, but a real in `together`. Names another use, which passes a real, and sets its
 * member `named`. */
void programs_converted_warn(const struct programs_ast *ast, const programs_uses *uses,
                             struct lib_diags *diags);

#endif
