/* exp, tanh and sigmoid of many elements at once. All kinds of processors compute the bits of
 * isa_real_exp, isa_real_tanh and isa_real_sigmoid (isa/tensor/elementary.h), and all use the
 * widest vectors that they have. */
#ifndef ISA_TENSOR_VECTORS_H
#define ISA_TENSOR_VECTORS_H

#include <stdint.h>

/* Computes `count` elements; `to` may be `from`. */
typedef void isa_reals_function(const double *from, double *to, uint64_t count);

isa_reals_function isa_reals_exp, isa_reals_tanh, isa_reals_sigmoid;

/* Applies a function to real32s: computes in reals and rounds once. */
void isa_reals32_apply(isa_reals_function *function, const float *from, float *to,
                       uint64_t count);

/* The functions by one kind of vectors. */
struct isa_vector_functions {
    const char *name;
    isa_reals_function *exp, *tanh, *sigmoid;
};

/* Returns kind `number` of those that this processor has, the narrowest first; NULL beyond the
 * last. For tests: the functions above take the widest. */
const struct isa_vector_functions *isa_vector_functions(unsigned number);

#endif
