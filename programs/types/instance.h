/* Instances: copies of the types of a function for each use, as if uses did not share types. A
 * copy has new type variables, except those that occur in the type of a constant or an input. */
#ifndef PROGRAMS_TYPES_INSTANCE_H
#define PROGRAMS_TYPES_INSTANCE_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Marks the variables of a type as shared by all uses. */
void programs_type_share(struct programs_type *type);

/* Marks the type variables of a function that are not shared by all uses. */
void programs_function_generalise(const struct programs_function *function);

/* Returns a copy of a type, with new variables. */
struct programs_type *programs_type_copy(struct lib_arena *arena,
                                         struct programs_type *type);

/* Returns copies of several types, with the same new variables in all of them. */
struct programs_type **programs_types_copy(struct lib_arena *arena,
                                           struct programs_type *const *types,
                                           size_t count);

/* Returns the types of a function's parameters, then of its result, copied for one use. Shared
 * variables are kept if `keeps_shared`. */
struct programs_type **
programs_function_instance(struct lib_arena *arena,
                           const struct programs_function *function, bool keeps_shared);

#endif
