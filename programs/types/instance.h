/* Instances: copies of the types of a function, one for each use, as if uses did not share
 * types. A copy has new variables in place of the open ones. Variables that the type of a
 * constant or an input has too are shared, and are not copied. */
#ifndef PROGRAMS_TYPES_INSTANCE_H
#define PROGRAMS_TYPES_INSTANCE_H

#include "programs/syntax/ast.h"
#include "programs/types/type.h"

/* Marks the variables of a type as shared by all uses. */
void programs_type_share(struct programs_type *type);

/* Marks the variables of a function's types that are not shared as generic. */
void programs_function_generalise(const struct programs_function *function);

/* Returns a copy of a type, with new variables in place of those that are not shared. */
struct programs_type *programs_type_copy(struct lib_arena *arena,
                                         struct programs_type *type);

/* Returns copies of several types, which have the new variables in common. */
struct programs_type **programs_types_copy(struct lib_arena *arena,
                                           struct programs_type *const *types,
                                           size_t count);

/* Returns copies, for one use, of the types of a function's parameters, followed by that of its
 * result. */
struct programs_type **
programs_function_instance(struct lib_arena *arena,
                           const struct programs_function *function);

#endif
