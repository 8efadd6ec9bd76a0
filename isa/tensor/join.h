/* Tensors that are joined without a kernel: the elements of two as a vector, which is what VECTOR makes. */
#ifndef ISA_TENSOR_JOIN_H
#define ISA_TENSOR_JOIN_H

#include "isa/tensor/tensor.h"

/* Finds the shape of the vector that has the elements of `a` and behind them those of `b`. Returns false and says
 * why in `why` if one of them has more than one axis, if their elements differ, or if the vector is too long. */
bool isa_vector_shape(const struct isa_shape *a, const struct isa_shape *b,
                      struct isa_shape *result, struct lib_text *why);

/* Makes that vector, which is not sealed. Returns NULL if it does not fit. new; `a` and `b`: borrowed. */
struct isa_tensor *isa_vector_new(struct isa_tensor_memory *memory,
                                  const struct isa_tensor *a, const struct isa_tensor *b);

#endif
