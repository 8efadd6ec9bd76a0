/* Types of gradients. What a parameter contributes to a gradient is its reals: a real and a
 * tensor are their own, of a tuple and an array it is what their parts contribute. */
#ifndef PROGRAMS_TYPES_GRADIENT_TYPE_H
#define PROGRAMS_TYPES_GRADIENT_TYPE_H

#include "programs/types/type.h"

/* Whether a type is known well enough to say which reals it holds. */
bool programs_gradient_is_known(struct programs_type *type, bool takes_reals);

/* The type of the derivative by a value of a known type; NULL: it holds no real. A tuple of which
 * only one part holds reals gives that part's. */
struct programs_type *programs_gradient_type(struct lib_arena *arena,
                                             struct programs_type *type);

/* The same of several values, and behind them of tensors: a tuple, or the value of the only one. */
struct programs_type *programs_gradient_type_of_all(struct lib_arena *arena,
                                                    struct programs_type *const *types,
                                                    size_t count);

/* Whether what a value is flattened to holds reals. */
static inline bool programs_gradient_is_real(enum isa_type type)
{
    return isa_type_leaf(type) == ISA_REAL || isa_type_leaf(type) == ISA_TENSOR;
}

#endif
