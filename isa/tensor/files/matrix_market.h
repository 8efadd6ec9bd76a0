/* Matrices in the exchange format of Matrix Market (R. F. Boisvert, R. Pozo, K. A. Remington, The
 * Matrix Market Exchange Formats: Initial Design, NISTIR 5935, 1996):
 *     %%MatrixMarket matrix coordinate real general
 *     % comments
 *     3 4 2           rows, columns, entries
 *     1 1 0.5         row and column, from 1 on, and a value
 *     3 4 -2.0
 *
 * Coordinates become an array of (row, column, value), or of (row, column) of a `pattern`, in the
 * order of the file, with rows and columns counted from 0 on. After an entry of a `symmetric` or
 * `skew-symmetric` matrix that is not on its diagonal comes its mirror image, which the file omits.
 * An `array` is a dense matrix, which the file holds column by column; it is read if `general`. */
#ifndef ISA_TENSOR_FILES_MATRIX_MARKET_H
#define ISA_TENSOR_FILES_MATRIX_MARKET_H

#include "isa/tensor/files/parts.h"

/* isa_parts_read for these files; does not seal. */
bool isa_matrix_market_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                            const struct lib_source *source, struct lib_diags *diags);

#endif
