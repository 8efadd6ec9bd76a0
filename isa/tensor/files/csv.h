/* Comma-separated values: a matrix of reals, a line for each row.
 *
 * Fields are decimal reals as `strtod` reads them, also inf and nan, without quotes. Blanks and
 * empty lines are ignored. A first line is skipped if it has names: fields that begin with a letter
 * or are empty, and none that can be meant as a number, such as NA, `2.5` or 1e400. All rows have
 * the same number of fields. */
#ifndef ISA_TENSOR_FILES_CSV_H
#define ISA_TENSOR_FILES_CSV_H

#include "isa/tensor/files/parts.h"

/* Reads a tensor of rank 2, [rows, fields]; a vector if `expected` has rank 1 and the file one row
 * or column; one number if `expected` has rank 0 and the file one field. If `expected` is NULL, the
 * elements are reals. Otherwise acts as isa_npy_read (isa/tensor/files/npy.h). */
struct isa_tensor *isa_csv_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags);

/* Reads a table: isa_parts_read (isa/tensor/files/parts.h) of a text that is not one of its other
 * formats. Fields are as above, or decimal ints, or bools (true, false, 1, 0), as the parts say;
 * they have commas between them, or blanks if the first row has no comma. Lines that begin with #
 * or % are comments. Each field of a row is an element of one part, or if there is one part, of
 * that. An array of rank 1 is one row or one column. */
bool isa_csv_read_parts(struct isa_parts *parts, struct isa_tensor_memory *memory,
                        const struct lib_source *source, struct lib_diags *diags);

#endif
