/* Tensors: dense arrays in row-major order, of real, real32, int or bool, of rank 0 to 4; and the
 * memory for them.
 *
 * A tensor is allocated, filled, sealed, and then never changed, so any number of threads may read
 * it. The caller owns each tensor that a function returns, and frees it once, with isa_tensor_free,
 * into the memory that it was allocated from. A tensor has no reference count: isa/exec/structure.h
 * counts references. Tensors that are passed to a function are borrowed for the call.
 *
 * One thread at a time may use a memory. Freed blocks of 32 KiB and more are kept for the next
 * tensor of the same size, so that a chain of products causes no page faults. Kept blocks do not
 * count as used. */
#ifndef ISA_TENSOR_TENSOR_H
#define ISA_TENSOR_TENSOR_H

#include "isa/tensor/shape.h"

/* The canonical NaNs (doc/language.md, Types). */
#define ISA_TENSOR_NAN UINT64_C(0x7ff8000000000000)
#define ISA_TENSOR_NAN32 UINT32_C(0x7fc00000)

struct isa_tensor {
    struct isa_shape shape; /* all extents are known */
    uint64_t count;         /* elements */
    uint64_t bytes; /* size of the elements, which a token with this tensor carries */
    /* XXH3-64 of the element kind, the rank and the four extents, 8 bytes each, followed by the
     * elements as stored: little-endian, with one NaN; -0.0 and 0.0 differ. That of a pair also
     * covers the shapes of its parts. 0 until the tensor is sealed with a word. */
    uint64_t word;
    /* Shapes of the two tensors of a pair (isa/tensor/join.h). */
    struct isa_shape parts[2];
    union {
        void *data; /* aligned to 64 bytes */
        double *reals;
        float *reals32;
        int64_t *ints;
        uint8_t *bools; /* 0 or 1 */
    };
};

/* Memory for tensors. Initialise with {.limit = BYTES}; end with isa_tensor_memory_free. */
struct isa_tensor_memory {
    uint64_t limit;      /* max bytes of elements; 0: unlimited */
    uint64_t used, peak; /* bytes of elements of allocated tensors, and their max */
    struct isa_tensor_spare *spare; /* freed blocks, kept for reuse */
    uint64_t spare_bytes;           /* capacity of the kept blocks */
};

/* Frees the kept blocks. The caller has freed all tensors of the memory before. */
void isa_tensor_memory_free(struct isa_tensor_memory *memory);

/* Whether a tensor of this shape fits below the limit now. */
bool isa_tensor_fits(const struct isa_tensor_memory *memory,
                     const struct isa_shape *shape);

/* Allocates a tensor with uninitialised elements. Returns NULL if it does not fit. */
struct isa_tensor *isa_tensor_new(struct isa_tensor_memory *memory,
                                  const struct isa_shape *shape);

/* Allocates and seals a tensor of rank 0. Returns NULL if it does not fit. */
struct isa_tensor *isa_tensor_scalar(struct isa_tensor_memory *memory,
                                     enum isa_element_kind element, double value,
                                     bool with_word);

/* Frees a tensor; NULL is allowed. */
void isa_tensor_free(struct isa_tensor_memory *memory, struct isa_tensor *tensor);

/* Adds to `why` why a tensor does not fit: "a tensor of real[2, 3] takes 48 bytes, and ...". */
void isa_tensor_refusal(struct lib_text *why, const struct isa_tensor_memory *memory,
                        const struct isa_shape *shape);

/* Completes a tensor: replaces NaNs by the canonical one, and computes its word (a hash of it)
 * if `with_word`. Must be called once, after the elements are set and before the tensor is
 * shared. */
void isa_tensor_seal(struct isa_tensor *tensor, bool with_word);

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

/* Sets an element of a tensor that is not sealed. Converts `value` to a real32 by rounding to
 * nearest even, and to a bool by comparison with 0. In a tensor of ints, `value` must be an int. */
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

/* Returns element `i` as an int. In a tensor of reals, the element must be an int. */
static inline int64_t isa_tensor_get_int(const struct isa_tensor *tensor, uint64_t i)
{
    return tensor->shape.element == ISA_ELEMENT_INT ? tensor->ints[i]
                                                    : (int64_t)isa_tensor_get(tensor, i);
}

/* Whether the elements, if they were copied from outside, are valid: bools must be 0 or 1. */
bool isa_tensor_is_sound(const struct isa_tensor *tensor);

/* Adds one element as `hiaton run` prints it: "1.0", "1", "true". */
void isa_tensor_write_element(struct lib_text *out, const struct isa_tensor *tensor,
                              uint64_t i);

/* Adds the elements as nested arrays, as `hiaton run` prints them: [[1.0, 2.0], [3.0, 4.0]],
 * [1, 2], [true, false]. A real32 is printed as the equal real. */
void isa_tensor_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
