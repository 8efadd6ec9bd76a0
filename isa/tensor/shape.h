/* Shapes of tensors: the kind of the elements, the number of axes (the rank), and the extent of
 * each axis. Elements are stored in row-major order: the last axis varies fastest. A tensor of rank
 * 0 has one element. A tensor with an extent 0 has no elements.
 *
 * While a program is compiled, an extent may be ISA_UNKNOWN; the rank is part of the type and
 * always known. All extents of a tensor are known. */
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
    /* kind of a pair (isa/tensor/join.h), whose elements are bytes */
    ISA_ELEMENT_PAIR = ISA_ELEMENT_COUNT,
};

enum {
    ISA_RANK_MAX = 4,
    ISA_PARTS_MAX =
        8, /* max parts of a tuple that is an element of an array given as input */
};

/* Max extent: BLAS takes ints of 32 bits. */
#define ISA_EXTENT_MAX INT64_C(2147483647)

/* An extent, or integer argument of a kernel, that is unknown at compile time. */
#define ISA_UNKNOWN INT64_MIN

struct isa_shape {
    uint8_t element, rank;
    int64_t extents[ISA_RANK_MAX]; /* 0 from index `rank` on */
};

static inline struct isa_shape isa_shape_scalar(enum isa_element_kind element)
{
    return (struct isa_shape){.element = (uint8_t)element};
}

/* Returns "real", "real32", "int", "bool" or "pair". */
const char *isa_element_name(enum isa_element_kind element);

/* Appends the type of an array of rank `rank` whose elements are tuples of `count` parts, or one
 * scalar: "[(int, real)]". */
void isa_element_write_array(struct lib_text *out, const enum isa_element_kind *elements,
                             uint32_t count, unsigned rank);

/* Appends the type of a tensor: "tensor(real, 2)". */
void isa_element_write_tensor(struct lib_text *out, enum isa_element_kind element,
                              unsigned rank);

/* Finds the kind of element of a name. Returns false if the name is unknown. */
bool isa_element_find(const char *name, enum isa_element_kind *element);

static inline size_t isa_element_size(enum isa_element_kind element)
{
    return element == ISA_ELEMENT_REAL32 ? 4 : element >= ISA_ELEMENT_BOOL ? 1 : 8;
}

/* Whether elements are real or real32, which alone have derivatives. */
static inline bool isa_element_is_real(enum isa_element_kind element)
{
    return element <= ISA_ELEMENT_REAL32;
}

bool isa_shape_is_known(const struct isa_shape *shape);

bool isa_shape_equal(const struct isa_shape *a, const struct isa_shape *b);

/* Whether one tensor can have both shapes: same kind and rank, and equal extents where both are
 * known. */
bool isa_shape_agrees(const struct isa_shape *a, const struct isa_shape *b);

/* Whether the rank and all known extents are in range. */
bool isa_shape_is_legal(const struct isa_shape *shape);

/* Return the number of elements, and their size in bytes; UINT64_MAX if that exceeds 64 bits. All
 * extents must be known. */
uint64_t isa_shape_count(const struct isa_shape *shape);
uint64_t isa_shape_bytes(const struct isa_shape *shape);

/* Returns the product of the extents of axes `from` to `to` - 1. The shape must be the shape of an
 * allocated tensor, so that the product cannot overflow. */
static inline int64_t isa_shape_product(const struct isa_shape *shape, unsigned from,
                                        unsigned to)
{
    int64_t product = 1;
    for (unsigned i = from; i < to; i++)
        product *= shape->extents[i];
    return product;
}

/* Appends a shape as text: "real[2, 3]", "real" for rank 0, "_" for an unknown extent. */
void isa_shape_write(struct lib_text *out, const struct isa_shape *shape);

/* Converts an axis that may be counted from the end (-1 is the last). Returns an invalid axis
 * unchanged. */
static inline int64_t isa_axis_from_end(int64_t axis, unsigned rank)
{
    return axis < 0 && axis >= -(int64_t)rank ? axis + rank : axis;
}

#endif
