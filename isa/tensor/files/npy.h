/* Files .npy (NumPy's format, versions 1.0 to 3.0): one tensor each.
 *
 * What is read: little-endian reals of 8 or 4 bytes (`<f8`, `<f4`), ints of 8 or 4 bytes (`<i8`,
 * `<i4`) and bools (`|b1`), in C and Fortran order, rank 0 to 4. Anything else is refused, with
 * the byte at which it stands. Sizes are compared with the file's and with the memory's limit
 * before anything is allocated. */
#ifndef ISA_TENSOR_FILES_NPY_H
#define ISA_TENSOR_FILES_NPY_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* A new tensor, sealed. `expected`, which may be NULL for any: the shape that it must have, as far
 * as known; its element decides what the elements become: reals are rounded where they are longer,
 * and ints and bools may become reals, but reals no ints. NULL: a diagnostic was added. */
struct isa_tensor *isa_npy_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

/* Adds a file of version 1.0, in C order. */
void isa_npy_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
