/* Shared by tests of kernels: tensors of random elements, and kernels applied to them. */
#ifndef TESTS_UNIT_TENSORS_H
#define TESTS_UNIT_TENSORS_H

#include "tests/unit/main.h"

#include "tests/tensor/kernels.h"
#include "lib/hash.h"

#include <math.h>
#include <string.h>

/* Memory of all tensors of a test; empty at its end. */
static struct isa_tensor_memory test_memory;

/* Returns a sealed tensor with elements between -8 and 8; if the seed is odd, some are special,
 * such as NaN. */
static inline struct isa_tensor *test_tensor(uint8_t element, unsigned rank,
                                             const int64_t *extents, uint64_t seed)
{
    struct isa_shape shape = {.element = element, .rank = (uint8_t)rank};
    for (unsigned i = 0; i < rank; i++)
        shape.extents[i] = extents[i];
    struct isa_tensor *tensor = isa_tensor_new(&test_memory, &shape);
    for (uint64_t i = 0; i < tensor->count; i++) {
        const uint64_t bits = lib_hash_mix(seed * 7919 + i);
        const double some[] = {0.0, -0.0, 1, -1, NAN, INFINITY, 0.5, 3};
        double value = (double)(int64_t)(bits >> 11) * 0x1p-52 * 8 - 8;
        if (seed % 2 && bits % 4 == 0)
            value = some[bits / 4 % 8];
        isa_tensor_set(tensor, i, value);
    }
    isa_tensor_seal(tensor, true);
    return tensor;
}

/* Applies a kernel by the reference code. */
static inline struct isa_tensor *test_apply(enum isa_kernel kernel,
                                            const struct isa_tensor *a,
                                            const struct isa_tensor *b,
                                            const int64_t *numbers, size_t count)
{
    const struct isa_tensor *const operands[] = {a, b};
    struct lib_text why = {0};
    struct isa_tensor *result = test_kernel_apply(&test_memory, NULL, kernel, operands,
                                                  (struct isa_numbers){numbers, count},
                                                  true, NULL, &why);
    ck_assert_msg(result != NULL, "%s", lib_text_get(&why));
    lib_text_free(&why);
    return result;
}

/* Sets `places` to the index of element `i` on each axis. */
static inline void test_places(const struct isa_shape *shape, uint64_t i, int64_t *places)
{
    for (unsigned axis = shape->rank; axis-- > 0;) {
        places[axis] = (int64_t)(i % (uint64_t)shape->extents[axis]);
        i /= (uint64_t)shape->extents[axis];
    }
}

static inline double test_at(const struct isa_tensor *tensor, const int64_t *places)
{
    uint64_t i = 0;
    for (unsigned axis = 0; axis < tensor->shape.rank; axis++)
        i = i * (uint64_t)tensor->shape.extents[axis] + (uint64_t)places[axis];
    return isa_tensor_get(tensor, i);
}

/* Whether two reals have the same bits; all NaNs are equal here. */
static inline bool test_same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static inline void test_start(void)
{
    test_memory = (struct isa_tensor_memory){0};
}

static inline void test_finish(void)
{
    ck_assert_uint_eq(test_memory.used, 0);
    isa_tensor_memory_free(&test_memory);
}

#endif
