/* Values of arrays and tensors as programs and command lines write them: [4, 5], [(1, 2.5)],
 * [[1.0, 2.0], [3.0, 4.0]]. Blanks and newlines may be anywhere between signs and numbers. */
#ifndef ISA_TENSOR_FILES_WRITTEN_H
#define ISA_TENSOR_FILES_WRITTEN_H

#include "isa/tensor/files/parts.h"

/* isa_parts_read for these texts; does not seal. Rows that are elements of the same array have one
 * length. */
bool isa_written_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                      const struct lib_source *source, struct lib_diags *diags);

#endif
