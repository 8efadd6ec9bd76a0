/* Comma-separated values: a matrix of reals, a line for each row.
 *
 * Fields are reals as `strtod` reads decimals, also inf and nan, without quotes; blanks around
 * them mean nothing, nor do empty lines. A first line without a single number has names, and is
 * skipped. All rows have as many fields. */
#ifndef ISA_TENSOR_FILES_CSV_H
#define ISA_TENSOR_FILES_CSV_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* As isa_npy_read (isa/tensor/files/npy.h). Of rank 2, [rows, fields]; if `expected` has rank 1,
 * one row or one column is a vector. Without `expected` of reals. */
struct isa_tensor *isa_csv_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

#endif
