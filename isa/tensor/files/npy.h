/* Files .npy (NumPy's format, versions 1.0 to 3.0): one tensor each.
 *
 * The reader accepts little-endian reals of 8 or 4 bytes (`<f8`, `<f4`), ints of 8 or 4 bytes
 * (`<i8`, `<i4`) and bools (`|b1`), in C and Fortran order, of rank 0 to 4. Errors name the byte in
 * the file. Sizes are compared with the file and the memory limit before anything is allocated. */
#ifndef ISA_TENSOR_FILES_NPY_H
#define ISA_TENSOR_FILES_NPY_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Reads a tensor and seals it. `expected` is the shape that it must have, possibly with unknown
 * extents, and the kind to which elements are converted: reals to real32s, ints and bools to reals,
 * but not reals to ints. NULL accepts any shape. Returns NULL and adds a diagnostic on failure. */
struct isa_tensor *isa_npy_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

/* Appends a tensor as a file of version 1.0, in C order. */
void isa_npy_write(struct lib_text *out, const struct isa_tensor *tensor);

#endif
