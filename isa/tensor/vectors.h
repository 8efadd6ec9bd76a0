/* Functions of many elements at once, by the widest vectors that the processor has. All kinds of
 * processors compute the same bits: those of isa_real_exp, isa_real_tanh and isa_real_sigmoid
 * (isa/tensor/elementary.h), and those of C for sums, differences and products. */
#ifndef ISA_TENSOR_VECTORS_H
#define ISA_TENSOR_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Computes `count` elements; `to` may be `from`. */
typedef void isa_reals_function(const double *from, double *to, uint64_t count);

isa_reals_function isa_reals_exp, isa_reals_tanh, isa_reals_sigmoid;

/* Applies a function to real32s: computes in reals and rounds once. */
void isa_reals32_apply(isa_reals_function *function, const float *from, float *to,
                       uint64_t count);

/* Computes `count` elements of `to` from two rows, each with step 1, or 0 if its first element
 * serves all. `to` may be a row with step 1. Returns whether an element of `to` is NaN. */
typedef bool isa_reals_operation(const double *a, uint64_t step_a, const double *b,
                                 uint64_t step_b, double *to, uint64_t count);
typedef bool isa_reals32_operation(const float *a, uint64_t step_a, const float *b,
                                   uint64_t step_b, float *to, uint64_t count);

/* The functions by one kind of vectors. */
struct isa_vector_functions {
    const char *name;
    isa_reals_function *exp, *tanh, *sigmoid;
    isa_reals_operation *add, *sub, *mul;
    isa_reals32_operation *add32, *sub32, *mul32;
    /* whether an element is NaN */
    bool (*have_nan)(const double *x, uint64_t count);
    bool (*have_nan32)(const float *x, uint64_t count);
};

/* Returns the widest kind that this processor has. */
const struct isa_vector_functions *isa_widest_vectors(void);

/* Returns kind `number` of those that this processor has, the narrowest first; NULL beyond the
 * last. For tests. */
const struct isa_vector_functions *isa_vector_functions(unsigned number);

#endif
