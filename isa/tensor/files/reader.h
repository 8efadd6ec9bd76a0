/* Allocation that all readers of tensor files share. */
#ifndef ISA_TENSOR_FILES_READER_H
#define ISA_TENSOR_FILES_READER_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Allocates a tensor of the shape `found` in a file. Its elements have the kind of those of
 * `expected`, unless that is NULL. Returns NULL and adds a diagnostic if the shapes disagree, or
 * the tensor does not fit in the memory. */
struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags);

#endif
