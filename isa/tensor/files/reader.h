/* What the readers of files share. */
#ifndef ISA_TENSOR_FILES_READER_H
#define ISA_TENSOR_FILES_READER_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* A new tensor for what a file has: `found`, with the element of `expected` (NULL: of what was
 * found). NULL: it is not of the shape expected, or does not fit, and a diagnostic says so. */
struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags);

#endif
