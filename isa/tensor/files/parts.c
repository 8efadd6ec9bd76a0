#include "isa/tensor/files/parts.h"

#include "isa/tensor/files/csv.h"
#include "isa/tensor/files/matrix_market.h"
#include "isa/tensor/files/npy.h"
#include "isa/tensor/files/reader.h"
#include "isa/tensor/files/written.h"
#include "lib/invisible.h"

#include <string.h>

void isa_parts_write_type(struct lib_text *out, const struct isa_parts *parts)
{
    if (parts->is_tensor)
        isa_element_write_tensor(out, parts->elements[0], parts->rank);
    else
        isa_element_write_array(out, parts->elements, parts->count, parts->rank);
}

void isa_parts_free(struct isa_parts *parts, struct isa_tensor_memory *memory)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        isa_tensor_free(memory, parts->tensors[i]);
        parts->tensors[i] = NULL;
    }
}

bool isa_parts_allocate(struct isa_parts *parts, struct isa_tensor_memory *memory,
                        const struct lib_source *source, const struct isa_shape *shape,
                        struct lib_diags *diags)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        struct isa_shape own = *shape;
        own.element = (uint8_t)parts->elements[i];
        if (!isa_shape_is_legal(&own)) {
            lib_diag_error(diags, LIB_DIAG_LIMIT, source, (struct lib_pos){0},
                           "more than %lld rows or columns", (long long)ISA_EXTENT_MAX);
            return false;
        }
        parts->tensors[i] = isa_reader_new(memory, source, own, NULL, diags);
        if (!parts->tensors[i])
            return false;
    }
    return true;
}

/* Takes the columns of a matrix as the parts. */
static bool split_columns(struct isa_parts *parts, struct isa_tensor_memory *memory,
                          const struct lib_source *source,
                          const struct isa_tensor *matrix, struct lib_diags *diags)
{
    const struct isa_shape shape = {.rank = 1, .extents = {matrix->shape.extents[0]}};
    if (!isa_parts_allocate(parts, memory, source, &shape, diags))
        return false;
    for (uint32_t k = 0; k < parts->count; k++)
        for (uint64_t i = 0; i < parts->tensors[k]->count; i++)
            if (parts->elements[k] == ISA_ELEMENT_INT)
                parts->tensors[k]->ints[i] = matrix->ints[i * parts->count + k];
            else
                isa_tensor_set(parts->tensors[k], i,
                               isa_tensor_get(matrix, i * parts->count + k));
    return true;
}

static bool read_npy(struct isa_parts *parts, struct isa_tensor_memory *memory,
                     const struct lib_source *source, struct lib_diags *diags)
{
    struct isa_shape expected = {.element = (uint8_t)parts->elements[0],
                                 .rank = (uint8_t)parts->rank};
    for (unsigned axis = 0; axis < parts->rank; axis++)
        expected.extents[axis] = ISA_UNKNOWN;
    if (parts->count == 1) {
        parts->tensors[0] = isa_npy_read(memory, source, &expected, false, diags);
        return parts->tensors[0] != NULL;
    }
    bool same = parts->rank == 1;
    for (uint32_t k = 1; k < parts->count; k++)
        same = same && parts->elements[k] == parts->elements[0];
    if (!same) {
        LIB_TEXT_OWN type = {0};
        isa_parts_write_type(&type, parts);
        lib_diag_error(diags, LIB_DIAG_TYPE, source, (struct lib_pos){0},
                       "a .npy has elements of one kind, expected %s", type.bytes);
        return false;
    }
    expected.rank = 2;
    expected.extents[0] = ISA_UNKNOWN;
    expected.extents[1] = parts->count;
    struct isa_tensor *matrix = isa_npy_read(memory, source, &expected, false, diags);
    const bool good = matrix && split_columns(parts, memory, source, matrix, diags);
    isa_tensor_free(memory, matrix);
    return good;
}

bool isa_parts_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                    const struct lib_source *source, struct lib_diags *diags)
{
    static const char npy[] = "\x93NUMPY", market[] = "%%MatrixMarket";
    const char *start = lib_source_start(source);
    bool good;
    if (source->length >= sizeof npy - 1 &&
        memcmp(source->bytes, npy, sizeof npy - 1) == 0)
        good = read_npy(parts, memory, source, diags);
    else if (strncmp(start, market, sizeof market - 1) == 0)
        good = isa_matrix_market_read(parts, memory, source, diags);
    else if (start[strspn(start, " \t\r\n")] == '[')
        good = isa_written_read(parts, memory, source, diags);
    else
        good = isa_csv_read_parts(parts, memory, source, diags);
    for (uint32_t i = 0; good && i < parts->count; i++)
        isa_tensor_seal(parts->tensors[i], true);
    if (!good)
        isa_parts_free(parts, memory);
    return good;
}
