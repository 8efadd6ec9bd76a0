/* Allocation shared by all readers of tensor files. */
#ifndef ISA_TENSOR_FILES_READER_H
#define ISA_TENSOR_FILES_READER_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Allocates a tensor of the shape `found` in a file, with the element kind of `expected` unless
 * that is NULL. Returns NULL and adds a diagnostic if the shapes disagree, or at the memory
 * limit. */
struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags);

#endif
