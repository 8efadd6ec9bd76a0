/* Warnings of ints that become reals because all uses of a function share its types: a use with a
 * real, even one that nothing needs, changes what a use with an int gives. */
#ifndef PROGRAMS_TYPES_CONVERTED_H
#define PROGRAMS_TYPES_CONVERTED_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* A call of a function of the program, or a gradient of one. */
struct programs_use {
    const struct programs_expr *expr;
    const struct programs_function *within; /* NULL: in a constant */
    struct programs_type **together;        /* of its operands, where uses share types */
};

typedef LIB_VEC(struct programs_use) programs_uses;

/* Warns of each function of which an operand is an int if uses have types of their own, which the
 * tree has now, and a real together. Each warning has another use, one that is of reals by
 * itself. */
void programs_converted_warn(const struct programs_ast *ast, const programs_uses *uses,
                             struct lib_diags *diags);

#endif
