#include "isa/given.h"

#include <inttypes.h>

enum isa_type isa_given_leaf(const struct isa_tensor *tensor)
{
    static const enum isa_type leaves[] = {
        [ISA_ELEMENT_REAL] = ISA_REAL,
        [ISA_ELEMENT_REAL32] = ISA_DATA,
        [ISA_ELEMENT_INT] = ISA_INT,
        [ISA_ELEMENT_BOOL] = ISA_BOOL,
    };
    return leaves[tensor->shape.element];
}

/* Whether the parts are those of one array, of the rank of `type`. */
static bool is_array(const struct isa_given *given, enum isa_type type)
{
    const struct isa_shape *first = &given->parts[0]->shape;
    if (first->rank != isa_type_rank(type) ||
        isa_type_leaf(type) != isa_given_leaf(given->parts[0]))
        return false;
    for (uint32_t i = 0; i < given->part_count; i++) {
        const struct isa_shape *shape = &given->parts[i]->shape;
        if (shape->rank != first->rank || isa_given_leaf(given->parts[i]) == ISA_DATA)
            return false;
        for (int axis = 0; axis < shape->rank; axis++)
            if (shape->extents[axis] != first->extents[axis])
                return false;
    }
    return true;
}

bool isa_given_fits(const struct isa_given *given, enum isa_type type,
                    const struct isa_given *like)
{
    if (given->part_count == 0 || given->part_count > ISA_PARTS_MAX ||
        (type == ISA_TENSOR && given->part_count > 1) ||
        (type != ISA_TENSOR && !is_array(given, type)))
        return false;
    if (!like)
        return true;
    bool same = given->part_count == like->part_count;
    for (uint32_t i = 0; same && i < given->part_count; i++)
        same = given->parts[i]->shape.element == like->parts[i]->shape.element &&
               given->parts[i]->shape.rank == like->parts[i]->shape.rank;
    return same;
}

void isa_given_write_type(struct lib_text *out, enum isa_type type,
                          const struct isa_given *given)
{
    enum isa_element_kind elements[ISA_PARTS_MAX];
    for (uint32_t i = 0; i < given->part_count; i++)
        elements[i] = given->parts[i]->shape.element;
    if (type == ISA_TENSOR)
        isa_element_write_tensor(out, elements[0], given->parts[0]->shape.rank);
    else
        isa_element_write_array(out, elements, given->part_count, isa_type_rank(type));
}

/* Appends the elements of axes `axis` and later, the first of which is element `at`. */
static void write_axis(struct lib_text *out, const struct isa_given *given, int axis,
                       uint64_t at)
{
    const struct isa_shape *shape = &given->parts[0]->shape;
    if (axis == shape->rank) {
        for (uint32_t i = 0; i < given->part_count; i++) {
            lib_text_puts(out, i ? ", " : given->part_count > 1 ? "(" : "");
            isa_tensor_write_element(out, given->parts[i], at);
        }
        lib_text_puts(out, given->part_count > 1 ? ")" : "");
        return;
    }
    const uint64_t step = (uint64_t)isa_shape_product(shape, (unsigned)axis + 1,
                                                      shape->rank);
    lib_text_puts(out, "[");
    for (int64_t i = 0; i < shape->extents[axis]; i++) {
        lib_text_puts(out, i ? ", " : "");
        write_axis(out, given, axis + 1, at + (uint64_t)i * step);
    }
    lib_text_puts(out, "]");
}

void isa_given_write(struct lib_text *out, const struct isa_given *given)
{
    write_axis(out, given, 0, 0);
}

void isa_given_write_extents(struct lib_text *out, const struct isa_given *given)
{
    const struct isa_shape *shape = &given->parts[0]->shape;
    for (int axis = 0; axis < shape->rank; axis++)
        lib_text_printf(out, "%s%" PRId64, axis ? " x " : "", shape->extents[axis]);
}

uint64_t isa_given_count(const struct isa_given *given)
{
    return given->part_count ? given->part_count * given->parts[0]->count : 0;
}
