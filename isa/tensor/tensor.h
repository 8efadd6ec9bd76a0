/* Tensors: dense arrays in row-major order, of real, real32, int or bool, of rank 0 to 4; and the
 * memory for them.
 *
 * A tensor is allocated, filled, sealed, and then never changed, so any number of threads may read
 * it. The caller owns each tensor that a function returns, and frees it with isa_tensor_free into
 * the memory that it came from. isa/exec/structure.h counts references to tensors.
 *
 * One thread at a time may use a memory. Freed blocks of 32 KiB and more are kept for the next
 * tensor of the same size, which avoids page faults, and do not count as used.
 */
#ifndef ISA_TENSOR_TENSOR_H
#define ISA_TENSOR_TENSOR_H

#include "isa/tensor/shape.h"

/* The canonical NaNs (doc/language.md, Types). */
#define ISA_TENSOR_NAN UINT64_C(0x7ff8000000000000)
#define ISA_TENSOR_NAN32 UINT32_C(0x7fc00000)

struct isa_tensor {
    struct isa_shape shape; /* kind, rank and extents, all known */
    uint64_t count;         /* number of elements */
    uint64_t bytes; /* bytes of all elements, which a token with this tensor carries */
    /* Hash for digests: XXH3-64 of element kind, rank and the four extents, 8 bytes each, and the
     * elements as stored (little-endian, one NaN; -0.0 and 0.0 differ); for a pair also of the
     * shapes of its parts. 0 if isa_tensor_seal was not asked to compute it. */
    uint64_t word;
    /* If the tensor is a pair (isa/tensor/join.h): shapes of its two tensors. */
    struct isa_shape parts[2];
    union {
        void *data; /* aligned to 64 bytes */
        double *reals;
        float *reals32;
        int64_t *ints;
        uint8_t *bools; /* 0 or 1 */
    };
};

/* Memory for tensors. Initialise with {.limit = BYTES}; free with isa_tensor_memory_free. */
struct isa_tensor_memory {
    uint64_t limit; /* max bytes of elements; 0: unlimited */
    /* bytes of elements in allocated tensors, now and at most so far */
    uint64_t used, peak;
    struct isa_tensor_spare *spare; /* freed blocks, kept for reuse */
    uint64_t spare_bytes;           /* total capacity of the kept blocks, in bytes */
};

/* Frees the kept blocks, after the caller has freed all tensors of the memory. */
void isa_tensor_memory_free(struct isa_tensor_memory *memory);

/* Whether the limit leaves room for a tensor of this shape. */
bool isa_tensor_fits(const struct isa_tensor_memory *memory,
                     const struct isa_shape *shape);

/* Allocates a tensor with uninitialised elements. Returns NULL at the limit. */
struct isa_tensor *isa_tensor_new(struct isa_tensor_memory *memory,
                                  const struct isa_shape *shape);

/* Allocates and seals a tensor of rank 0. Returns NULL at the limit. */
struct isa_tensor *isa_tensor_scalar(struct isa_tensor_memory *memory,
                                     enum isa_element_kind element, double value,
                                     bool with_word);

/* Frees a tensor, which may be NULL. */
void isa_tensor_free(struct isa_tensor_memory *memory, struct isa_tensor *tensor);

/* Appends why a tensor exceeds the limit: "a tensor of real[2, 3] takes 48 bytes, and ...". */
void isa_tensor_refusal(struct lib_text *why, const struct isa_tensor_memory *memory,
                        const struct isa_shape *shape);

/* Completes a tensor: replaces NaNs by the canonical one, and computes its hash `word` if
 * `with_word`. Call once, after the elements are set and before the tensor is shared. */
void isa_tensor_seal(struct isa_tensor *tensor, bool with_word);

/* Completes a tensor that has no other NaN than the canonical one. */
void isa_tensor_seal_canonical(struct isa_tensor *tensor, bool with_word);

/* Returns element `i` in row-major order as a real. An int beyond 2^53 is rounded; true is 1.0. */
static inline double isa_tensor_get(const struct isa_tensor *tensor, uint64_t i)
{
    switch (tensor->shape.element) {
    case ISA_ELEMENT_REAL:
        return tensor->reals[i];
    case ISA_ELEMENT_REAL32:
        return (double)tensor->reals32[i];
    case ISA_ELEMENT_INT:
        return (double)tensor->ints[i];
    default:
        return tensor->bools[i];
    }
}

/* Sets an element of a tensor that is not sealed. Rounds `value` to a real32, or compares it with 0
 * for a bool. In a tensor of ints, `value` must be integral. */
static inline void isa_tensor_set(struct isa_tensor *tensor, uint64_t i, double value)
{
    switch (tensor->shape.element) {
    case ISA_ELEMENT_REAL:
        tensor->reals[i] = value;
        break;
    case ISA_ELEMENT_REAL32:
        tensor->reals32[i] = (float)value;
        break;
    case ISA_ELEMENT_INT:
        tensor->ints[i] = (int64_t)value;
        break;
    default:
        tensor->bools[i] = value != 0;
    }
}

/* Returns element `i` as an int. A real element must be integral. */
static inline int64_t isa_tensor_get_int(const struct isa_tensor *tensor, uint64_t i)
{
    return tensor->shape.element == ISA_ELEMENT_INT ? tensor->ints[i]
                                                    : (int64_t)isa_tensor_get(tensor, i);
}

/* Whether elements read from outside are valid: bools must be 0 or 1. */
bool isa_tensor_is_sound(const struct isa_tensor *tensor);

/* Appends an element as `hiaton run` prints it: "1.0", "1", "true". */
void isa_tensor_write_element(struct lib_text *out, const struct isa_tensor *tensor,
                              uint64_t i);

/* Appends the elements as nested arrays, as `hiaton run` prints them: [[1.0, 2.0], [3.0, 4.0]]. A
 * real32 is printed as the equal real. */
void isa_tensor_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
