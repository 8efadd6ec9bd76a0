/* Tensors joined without a kernel, by the instructions VECTOR and PAIR. VECTOR makes a vector of
 * the elements of two tensors. PAIR makes one value of two tensors, because instructions have two
 * operands and some kernels take three tensors.
 *
 * A pair is a tensor of rank 1 whose elements are the bytes of both tensors, the one with larger
 * elements first, so that all are aligned. A pair can be an operand only of kernels that take three
 * tensors, or two and integers (isa_kernel_has_numbers). */
#ifndef ISA_TENSOR_JOIN_H
#define ISA_TENSOR_JOIN_H

#include "isa/tensor/tensor.h"

/* Computes the shape of the vector of the elements of `a` followed by the elements of `b`. Returns
 * false and adds the reason to `why` if one of them has more than one axis, if the kinds of
 * elements differ, or if the vector is too long. */
bool isa_vector_shape(const struct isa_shape *a, const struct isa_shape *b,
                      struct isa_shape *result, struct lib_text *why);

/* Makes the vector of the elements of `a` followed by the elements of `b`, without sealing it.
 * Returns NULL if memory is short. */
struct isa_tensor *isa_vector_new(struct isa_tensor_memory *memory,
                                  const struct isa_tensor *a, const struct isa_tensor *b);

/* Computes the shape of the pair of two tensors. Returns false and adds the reason to `why` if
 * one of them is a pair, or if both together have too many bytes. */
bool isa_pair_shape(const struct isa_shape *a, const struct isa_shape *b,
                    struct isa_shape *result, struct lib_text *why);

/* Makes the pair of `a` and `b`, without sealing it. Returns NULL if memory is short. */
struct isa_tensor *isa_pair_new(struct isa_tensor_memory *memory,
                                const struct isa_tensor *a, const struct isa_tensor *b);

/* Returns tensor `i`, 0 or 1, of a pair. It borrows the elements of the pair; its hash `word` is
 * 0. */
struct isa_tensor isa_pair_part(const struct isa_tensor *pair, unsigned i);

/* Whether a pair read from outside is valid: the shapes of its two tensors fit its bytes. */
bool isa_pair_is_sound(const struct isa_tensor *pair);

#endif
