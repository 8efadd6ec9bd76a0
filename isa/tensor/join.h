/* Tensors that are joined without a kernel: the elements of two as a vector, which is what VECTOR makes; and both as
 * a pair, which is what PAIR makes, so that a kernel of three tensors takes two operands.
 *
 * A pair is a tensor whose elements are bytes: of rank 1, and as many as both tensors have. The one with the larger
 * elements comes first, so that all are aligned. The only kernels that take one are those of three tensors. */
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

/* Finds the shape of the pair of two tensors. Returns false and says why in `why` if one of them is a pair, or if they
 * have too many bytes. */
bool isa_pair_shape(const struct isa_shape *a, const struct isa_shape *b,
                    struct isa_shape *result, struct lib_text *why);

/* Makes that pair, which is not sealed. Returns NULL if it does not fit. new; `a` and `b`: borrowed. */
struct isa_tensor *isa_pair_new(struct isa_tensor_memory *memory,
                                const struct isa_tensor *a, const struct isa_tensor *b);

/* Part 0 or 1 of a pair, as a tensor without a word. It refers to the elements of the pair. */
struct isa_tensor isa_pair_part(const struct isa_tensor *pair, unsigned i);

/* Whether the parts of what was read as a pair can be its parts. */
bool isa_pair_is_sound(const struct isa_tensor *pair);

#endif
