/* Uses of kernels: the number that a MAP or COMBINE node has as its `index`.
 *
 * A use is a kernel of isa/tensor/kernels.def, or a fill (ISA_FILLS), which makes a tensor from its
 * extents. It may have an axis. A fill has the number of a trained param, from which its random
 * numbers follow. Assembly writes `kernel reduce_sum.1`, `kernel normal.2`. */
#ifndef ISA_KERNEL_USE_H
#define ISA_KERNEL_USE_H

#include "isa/tensor/kernel.h"

#include <assert.h>

/* FILL(NAME, text): makes a tensor whose extents are the elements of operand 0. */
#define ISA_FILLS(FILL)                                                                  \
    FILL(ZEROS, "zeros")                                                                 \
    FILL(ONES, "ones")                                                                   \
    FILL(NORMAL, "normal")                                                               \
    FILL(UNIFORM, "uniform")

/* Fills are numbered after a gap, so that images stay valid when a kernel is added. */
enum isa_use {
    ISA_USE_FILLS = 224,
    ISA_USE_BEFORE = ISA_USE_FILLS - 1,
#define FILL(NAME, text) ISA_USE_##NAME,
    ISA_FILLS(FILL)
#undef FILL
        ISA_USE_LIFT, /* RESHAPE that adds an axis of length 1 */
    ISA_USE_DROP,     /* RESHAPE that removes an axis of length 1 */
    ISA_USE_END,
};

static_assert((int)ISA_KERNEL_COUNT <= (int)ISA_USE_FILLS, "fills are not kernels");

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

/* Whether a kernel or fill can have `operands` operands. A kernel of one tensor may take a
 * second one, whose elements are the numbers after its axis. */
bool isa_use_takes(uint32_t index, int operands);

/* Adds a kernel or fill with axis and number, as assembly writes it: "reduce_sum.1". */
void isa_use_write(uint32_t index, struct lib_text *out);

/* Reads what isa_use_write adds. Returns false if the text is invalid. */
bool isa_use_read(const char *text, uint32_t *index);

/* Returns the name without axis and number, as figures and messages show it: "reduce_sum", "+". */
const char *isa_use_text(uint32_t index);

#endif
