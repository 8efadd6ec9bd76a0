/* Function that the readers of files share. */
#ifndef ISA_TENSOR_FILES_READER_H
#define ISA_TENSOR_FILES_READER_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Allocates a tensor of shape `found`, that of the file, with the element kind of `expected`, if
 * that is not NULL. Returns NULL and adds a diagnostic if the shape is not the expected one, or the
 * tensor does not fit. */
struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags);

#endif
