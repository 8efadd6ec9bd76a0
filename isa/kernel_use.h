/* The `index` of a MAP or COMBINE node, which says what the node computes: a kernel of
 * isa/tensor/kernels.def, or a fill (ISA_FILLS), which makes a tensor of a given shape.
 *
 * The index also holds the axis of a kernel, or the stream of random numbers of a fill. Assembly
 * writes `kernel reduce_sum.1` (axis 1), `kernel normal.2` (stream of trained parameter 2). */
#ifndef ISA_KERNEL_USE_H
#define ISA_KERNEL_USE_H

#include "isa/tensor/kernel.h"

#include <assert.h>

/* Fills, as FILL(NAME, text). Operand 0 is a tensor whose elements are the extents of the
 * result. */
#define ISA_FILLS(FILL)                                                                  \
    FILL(ZEROS, "zeros")                                                                 \
    FILL(ONES, "ones")                                                                   \
    FILL(NORMAL, "normal")                                                               \
    FILL(UNIFORM, "uniform")

/* The lowest byte of the index: a value of enum isa_kernel, or one of these values. These begin
 * after a gap, so that a new kernel does not change them and old images (binary program files) stay
 * valid. */
enum isa_use {
    ISA_USE_FILLS = 224,
    ISA_USE_BEFORE = ISA_USE_FILLS - 1,
#define FILL(NAME, text) ISA_USE_##NAME,
    ISA_FILLS(FILL)
#undef FILL
        ISA_USE_LIFT, /* reshaping that adds an axis of length 1 */
    ISA_USE_DROP,     /* reshaping that removes an axis of length 1 */
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

/* Whether `index` is valid for a node with `operands` operands. A second operand of a kernel of one
 * tensor contains integers, such as extents. */
bool isa_use_takes(uint32_t index, int operands);

/* Appends `index` as assembly writes it, with the axis or stream: "reduce_sum.1". */
void isa_use_write(uint32_t index, struct lib_text *out);

/* Reads text that isa_use_write wrote. Returns false if the text is invalid. */
bool isa_use_read(const char *text, uint32_t *index);

/* Returns the name of a kernel or fill for figures and messages: "reduce_sum", "+". */
const char *isa_use_text(uint32_t index);

#endif
