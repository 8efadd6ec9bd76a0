/* Tensors: dense, row-major, of real, real32, int or bool, rank 0 to 4; and the memory that they take.
 *
 * A tensor is made, filled, sealed, and then never changed. So any number of holders and threads may
 * read it. The functions below say of each pointer what becomes of it:
 *   - `new`: the caller owns what is returned, and gives it back with isa_tensor_free once, to the
 *     memory that it came from. Who shares a tensor counts its holders (isa/tensor knows no counts).
 *   - `borrowed`: used while the call runs, and not kept.
 *
 * A memory belongs to one thread at a time. Blocks that come back are kept for the next tensor of their
 * size, so that a chain of products takes no page faults. They do not count as used. */
#ifndef ISA_TENSOR_TENSOR_H
#define ISA_TENSOR_TENSOR_H

#include "isa/tensor/shape.h"

/* The canonical NaNs (doc/language.md, Types). */
#define ISA_TENSOR_NAN UINT64_C(0x7ff8000000000000)
#define ISA_TENSOR_NAN32 UINT32_C(0x7fc00000)

struct isa_tensor {
    struct isa_shape shape; /* all extents are known */
    uint64_t count;         /* elements */
    uint64_t bytes;         /* that they take: what a token with this tensor carries */
    /* XXH3-64 of the element, the rank and the four extents, 8 bytes each, and of the elements as they
     * lie in memory: little-endian, one NaN, -0.0 apart from 0.0. 0 until sealed with a word. */
    uint64_t word;
    struct isa_shape
        parts[2]; /* of a pair: the shapes of both tensors (isa/tensor/join.h) */
    union {
        void *data; /* aligned to 64 bytes */
        double *reals;
        float *reals32;
        int64_t *ints;
        uint8_t *bools; /* 0 or 1 */
    };
};

/* Memory for tensors. Start with {.limit = BYTES}; end with isa_tensor_memory_free. */
struct isa_tensor_memory {
    uint64_t limit; /* bytes of elements; 0: none */
    uint64_t used, peak;
    struct isa_tensor_spare *spare; /* blocks to be used again */
    uint64_t spare_bytes;
};

/* Gives back what is spare. All its tensors have been given back before. */
void isa_tensor_memory_free(struct isa_tensor_memory *memory);

/* Whether a tensor of this shape would fit. */
bool isa_tensor_fits(const struct isa_tensor_memory *memory,
                     const struct isa_shape *shape);

/* A new tensor, whose elements are not initialised. NULL, and nothing was allocated: it would not fit. */
struct isa_tensor *isa_tensor_new(struct isa_tensor_memory *memory,
                                  const struct isa_shape *shape);

/* A new tensor of rank 0, sealed. NULL: it would not fit. */
struct isa_tensor *isa_tensor_scalar(struct isa_tensor_memory *memory,
                                     enum isa_element_kind element, double value,
                                     bool with_word);

/* Gives back a tensor; NULL is allowed. */
void isa_tensor_free(struct isa_tensor_memory *memory, struct isa_tensor *tensor);

/* Says why a tensor does not fit: "a tensor of real[2, 3] takes 48 bytes, and ...". */
void isa_tensor_refusal(struct lib_text *why, const struct isa_tensor_memory *memory,
                        const struct isa_shape *shape);

/* Ends the making of a tensor: NaNs become the canonical one, and its word is computed, if it is asked
 * for. Whoever fills a tensor calls it, once, before anybody else sees it. */
void isa_tensor_seal(struct isa_tensor *tensor, bool with_word);

/* Returns an element as a real, by its place in row-major order. An int beyond 2^53 is rounded; of
 * a bool, 1.0 is true. */
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

/* Sets an element of a tensor in the making. A real becomes a real32 by rounding to nearest even,
 * and a bool by comparing it with 0; of a tensor of ints it is an int. */
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

/* Returns an element as an int; that of a tensor of reals is one. */
static inline int64_t isa_tensor_get_int(const struct isa_tensor *tensor, uint64_t i)
{
    return tensor->shape.element == ISA_ELEMENT_INT ? tensor->ints[i]
                                                    : (int64_t)isa_tensor_get(tensor, i);
}

/* Whether the bytes that were copied into a tensor are elements: those of bools are 0 or 1. */
bool isa_tensor_is_sound(const struct isa_tensor *tensor);

/* Adds one element as `hiaton run` prints it: "1.0", "1", "true". */
void isa_tensor_write_element(struct lib_text *out, const struct isa_tensor *tensor,
                              uint64_t i);

/* Adds the elements as nested arrays, as `hiaton run` prints them: [[1.0, 2.0], [3.0, 4.0]],
 * [1, 2], [true, false]. A real32 has the digits of the real that it is. */
void isa_tensor_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
