/* Comma-separated values: a matrix of reals, a line for each row.
 *
 * Fields are decimal reals as `strtod` reads them, also inf and nan, without quotes. Blanks and
 * empty lines are ignored. A first line without any number has names, and is skipped. All rows have
 * the same number of fields. */
#ifndef ISA_TENSOR_FILES_CSV_H
#define ISA_TENSOR_FILES_CSV_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* Reads a tensor of rank 2, [rows, fields], or a vector if `expected` has rank 1 and the file one
 * row or column. If `expected` is NULL, the elements are reals. Otherwise acts as isa_npy_read
 * (isa/tensor/files/npy.h). */
struct isa_tensor *isa_csv_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

#endif
