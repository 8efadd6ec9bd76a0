/* Functions shared by the readers of tensor files. */
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

enum { ISA_READER_FIELD_MAX = 400 }; /* bytes of the longest number */

/* Reads a real (also inf, nan, .5), an int (decimal, or the bits 0x... and 0b...) or a bool (true,
 * false, 1, 0), and sets element `at` of a tensor of that kind unless it is NULL. Returns false if
 * the bytes are something else, or out of range. */
bool isa_reader_set(struct isa_tensor *tensor, uint64_t at, enum isa_element_kind element,
                    const char *bytes, size_t length);

/* Returns what isa_reader_set expects, for messages: "a number", "an int". `bytes` is what was
 * found instead. */
const char *isa_reader_expected(enum isa_element_kind element, const char *bytes,
                                size_t length);

#endif
