/* Types of functions of which each use gets a copy, as if no other use shared them. Open
 * variables of a function that is known are generic: a copy has new ones. Those that a constant
 * or an input has too are shared, and stay. */
#ifndef PROGRAMS_TYPES_INSTANCE_H
#define PROGRAMS_TYPES_INSTANCE_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Marks the variables of a type that all uses share. */
void programs_type_share(struct programs_type *type);

/* Marks the variables of a function's types that are not shared. */
void programs_function_generalise(const struct programs_function *function);

/* A copy of a type, with variables of its own for those that are not shared. */
struct programs_type *programs_type_copy(struct lib_arena *arena,
                                         struct programs_type *type);

/* The types of a function's parameters, in order, and that of its result, for one use of it. */
struct programs_type **
programs_function_instance(struct lib_arena *arena,
                           const struct programs_function *function);

#endif
