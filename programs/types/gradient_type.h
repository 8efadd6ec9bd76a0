/* Types of gradients. The derivative by a real or a tensor has the type of that value; the
 * derivative by a tuple or an array has the parts that hold reals. */
#ifndef PROGRAMS_TYPES_GRADIENT_TYPE_H
#define PROGRAMS_TYPES_GRADIENT_TYPE_H

#include "programs/types/type.h"

/* Whether it is known which parts of a type hold reals. `takes_reals`: tensors whose element type
 * is unknown count as tensors of reals. */
bool programs_gradient_is_known(struct programs_type *type, bool takes_reals);

/* Returns the type of the derivative by a value of a given type; NULL if the value holds no
 * reals. If only one part of a tuple holds reals, returns the type of the derivative by that part,
 * which is not in a tuple. */
struct programs_type *programs_gradient_type(struct lib_arena *arena,
                                             struct programs_type *type);

/* Returns the type of the derivatives by several values: a tuple, or the type of the only one. */
struct programs_type *programs_gradient_type_of_all(struct lib_arena *arena,
                                                    struct programs_type *const *types,
                                                    size_t count);

#endif
