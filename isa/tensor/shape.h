/* Shapes of tensors: what an element is, how many axes there are, how long each is.
 *
 * A shape is a plain value, copied at will. Elements lie in row-major order: the last axis varies
 * fastest. Rank 0 is one element. An extent may be 0: such a tensor has no element.
 *
 * While a program is compiled, an extent may be ISA_UNKNOWN. The rank is always known, since it is
 * part of the type. Rules (isa/tensor/kernel.h) take such shapes too. Tensors have none. */
#ifndef ISA_TENSOR_SHAPE_H
#define ISA_TENSOR_SHAPE_H

#include "lib/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum isa_element_kind {
    ISA_ELEMENT_REAL,   /* IEEE binary64 */
    ISA_ELEMENT_REAL32, /* IEEE binary32 */
    ISA_ELEMENT_INT,    /* 64-bit two's complement */
    ISA_ELEMENT_BOOL,   /* a byte, 0 or 1 */
    ISA_ELEMENT_COUNT,
    ISA_ELEMENT_PAIR = ISA_ELEMENT_COUNT, /* a byte of a pair: isa/tensor/join.h */
};

enum { ISA_RANK_MOST = 4 };

/* An extent fits an int of BLAS. */
#define ISA_EXTENT_MOST INT64_C(2147483647)

/* An extent, or a number given to a kernel, that is not known yet. */
#define ISA_UNKNOWN INT64_MIN

struct isa_shape {
    uint8_t element, rank;
    int64_t extents[ISA_RANK_MOST]; /* those from `rank` on are 0 */
};

/* A shape without axes. */
static inline struct isa_shape isa_shape_scalar(enum isa_element_kind element)
{
    return (struct isa_shape){.element = (uint8_t)element};
}

/* "real", "real32", "int" or "bool". */
const char *isa_element_name(enum isa_element_kind element);

/* Finds the element of a name. Returns false if there is none. */
bool isa_element_find(const char *name, enum isa_element_kind *element);

static inline size_t isa_element_size(enum isa_element_kind element)
{
    return element == ISA_ELEMENT_REAL32 ? 4 : element >= ISA_ELEMENT_BOOL ? 1 : 8;
}

/* Whether elements are reals of some size: what has derivatives. */
static inline bool isa_element_is_real(enum isa_element_kind element)
{
    return element <= ISA_ELEMENT_REAL32;
}

/* Whether no extent is unknown. */
bool isa_shape_is_known(const struct isa_shape *shape);

bool isa_shape_equal(const struct isa_shape *a, const struct isa_shape *b);

/* Whether a tensor of the one shape may be one of the other: element and rank are equal, and so
 * are the extents that both know. */
bool isa_shape_agrees(const struct isa_shape *a, const struct isa_shape *b);

/* Whether extents are in range, as a declared shape's must be: 0 to ISA_EXTENT_MOST, or unknown. */
bool isa_shape_is_legal(const struct isa_shape *shape);

/* The number of elements, and of bytes that they take; UINT64_MAX: so many that 64 bits do not hold
 * it. All extents are known. */
uint64_t isa_shape_count(const struct isa_shape *shape);
uint64_t isa_shape_bytes(const struct isa_shape *shape);

/* The same of some of the axes: the product of the extents [from, to) of a tensor that there is. */
static inline int64_t isa_shape_product(const struct isa_shape *shape, unsigned from,
                                        unsigned to)
{
    int64_t product = 1;
    for (unsigned i = from; i < to; i++)
        product *= shape->extents[i];
    return product;
}

/* Adds "real[2, 3]"; "real" of rank 0; "_" for an extent that is unknown. */
void isa_shape_write(struct lib_text *out, const struct isa_shape *shape);

/* An axis that may be counted from the end: -1 is the last. What is none stays as it is. */
static inline int64_t isa_axis_from_end(int64_t axis, unsigned rank)
{
    return axis < 0 && axis >= -(int64_t)rank ? axis + rank : axis;
}

#endif
