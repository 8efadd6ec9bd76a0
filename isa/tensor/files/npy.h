/* Files .npy (NumPy's format, versions 1.0 to 3.0): one tensor each.
 *
 * The reader accepts little-endian reals of 8 or 4 bytes (`<f8`, `<f4`), ints of 8 or 4 bytes
 * (`<i8`, `<i4`) and bools (`|b1`), in C and Fortran order, of rank 0 to 4. It reports anything
 * else with its byte in the file. It compares sizes with that of the file and with the limit of the
 * memory before it allocates anything. */
#ifndef ISA_TENSOR_FILES_NPY_H
#define ISA_TENSOR_FILES_NPY_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Reads a tensor and seals it. `expected` is the shape that it must have, some extents of which may
 * be unknown, and the kind to which elements are converted: reals may be rounded to real32s, and
 * ints and bools may become reals, but reals may not become ints. NULL accepts any shape. Returns
 * NULL and adds a diagnostic on failure. */
struct isa_tensor *isa_npy_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

/* Adds a tensor as a file of version 1.0, in C order. */
void isa_npy_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
