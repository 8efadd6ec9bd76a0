/* Readers of values that are arrays or tensors: arrays of scalars or of tuples of scalars, of which
 * each part becomes a tensor (isa/given.h).
 *
 * Formats are told apart by their first bytes: .npy (isa/tensor/files/npy.h), of which the columns
 * are the parts of a tuple; Matrix Market (`%%MatrixMarket`, isa/tensor/files/matrix_market.h);
 * values as a program writes them (`[`); other texts are tables (isa/tensor/files/csv.h), such as
 * comma-separated values and lists of edges. Errors name line and column, and of .npy the byte. */
#ifndef ISA_TENSOR_FILES_PARTS_H
#define ISA_TENSOR_FILES_PARTS_H

#include "isa/tensor/tensor.h"
#include "lib/diag.h"

/* A value, and what it has to be: `count` parts of a kind each. A value with one part may be a
 * tensor, for which `is_tensor` is set; otherwise `rank` is at least 1. */
struct isa_parts {
    uint32_t count;
    unsigned rank;
    bool is_tensor;
    enum isa_element_kind elements[ISA_PARTS_MAX];
    struct isa_tensor
        *tensors[ISA_PARTS_MAX]; /* owned by the caller; NULL before they are read */
};

/* Appends the type: "[(int, real)]", "tensor(real, 2)". */
void isa_parts_write_type(struct lib_text *out, const struct isa_parts *parts);

/* Reads and seals the tensors of `parts`, whose other members say what is expected. An int is
 * accepted for a real. Returns false and adds a diagnostic if the file has something else, or at
 * the memory limit; then frees what it has allocated. */
bool isa_parts_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                    const struct lib_source *source, struct lib_diags *diags);

void isa_parts_free(struct isa_parts *parts, struct isa_tensor_memory *memory);

/* For readers: allocates the tensors, whose kinds are those of `parts`. Returns false and adds a
 * diagnostic at the memory limit. */
bool isa_parts_allocate(struct isa_parts *parts, struct isa_tensor_memory *memory,
                        const struct lib_source *source, const struct isa_shape *shape,
                        struct lib_diags *diags);

#endif
