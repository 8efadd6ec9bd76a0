/* Types of gradients. The derivative by a parameter has its reals: for a real or a tensor it has
 * the same type; for a tuple or an array it has the parts that hold reals. */
#ifndef PROGRAMS_TYPES_GRADIENT_TYPE_H
#define PROGRAMS_TYPES_GRADIENT_TYPE_H

#include "programs/types/type.h"

/* Whether it is known which reals a type holds. `takes_reals`: whether open types count as
 * reals. */
bool programs_gradient_is_known(struct programs_type *type, bool takes_reals);

/* Returns the type of the derivative by a value of a known type, or NULL if it holds no reals. For
 * a tuple with only one part that holds reals it is that of the part. */
struct programs_type *programs_gradient_type(struct lib_arena *arena,
                                             struct programs_type *type);

/* Returns the type of the derivatives by several values: a tuple, or the type of the only one. */
struct programs_type *programs_gradient_type_of_all(struct lib_arena *arena,
                                                    struct programs_type *const *types,
                                                    size_t count);

/* Whether a flattened type holds reals. */
static inline bool programs_gradient_is_real(enum isa_type type)
{
    return isa_type_leaf(type) == ISA_REAL || isa_type_leaf(type) == ISA_TENSOR;
}

#endif
