/* What an instruction MAP or COMBINE does: the number that its node has as `index`.
 *
 * A use is a kernel of isa/tensor/kernels.def, or one of ISA_FILLS, which make a tensor from its
 * extents. It may have an axis, and a fill has the number of its param, from which its random
 * numbers follow. Assembly writes `kernel reduce_sum.1`, `kernel normal.2`. */
#ifndef ISA_KERNEL_USE_H
#define ISA_KERNEL_USE_H

#include "isa/tensor/kernel.h"

#include <assert.h>

/* FILL(NAME, text): the extents are the elements of operand 0, whole numbers. */
#define ISA_FILLS(FILL)                                                                  \
    FILL(ZEROS, "zeros")                                                                 \
    FILL(ONES, "ones")                                                                   \
    FILL(NORMAL, "normal")                                                               \
    FILL(UNIFORM, "uniform")

/* Fills have numbers of their own, so that images do not change when kernels are added. */
enum isa_use {
    ISA_USE_FILLS = 224,
    ISA_USE_BEFORE = ISA_USE_FILLS - 1,
#define FILL(NAME, text) ISA_USE_##NAME,
    ISA_FILLS(FILL)
#undef FILL
    /* RESHAPE by one axis: */
    ISA_USE_LIFT, /* a new one, of length 1 */
    ISA_USE_DROP, /* away with one of length 1 */
    ISA_USE_END,
};

static_assert((int)ISA_KERNEL_COUNT <= (int)ISA_USE_FILLS, "fills are no kernels");

enum { ISA_USE_NO_AXIS = -1 };

static inline uint32_t isa_use(unsigned use, int axis, uint32_t number)
{
    return use | (uint32_t)(axis + 1) << 8 | number << 16;
}

static inline unsigned isa_use_of(uint32_t index)
{
    return index & 0xff;
}

static inline int isa_use_axis(uint32_t index)
{
    return (int)(index >> 8 & 0xff) - 1;
}

static inline uint32_t isa_use_number(uint32_t index)
{
    return index >> 16;
}

/* Whether a use has that many operands. A kernel of one tensor may take a second one, whose
 * elements are the numbers that it is given behind the axis. */
bool isa_use_takes(uint32_t index, int operands);

/* "reduce_sum.1". */
void isa_use_write(uint32_t index, struct lib_text *out);

/* false: it is none. */
bool isa_use_read(const char *text, uint32_t *index);

/* The use alone: "reduce_sum"; as figures and messages show it: "+". */
const char *isa_use_text(uint32_t index);

#endif
