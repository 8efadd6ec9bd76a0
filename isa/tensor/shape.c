#include "isa/tensor/shape.h"

#include <inttypes.h>
#include <string.h>

const char *isa_element_name(enum isa_element_kind element)
{
    static const char *const names[ISA_ELEMENT_COUNT + 1] = {
        [ISA_ELEMENT_REAL] = "real", [ISA_ELEMENT_REAL32] = "real32",
        [ISA_ELEMENT_INT] = "int",   [ISA_ELEMENT_BOOL] = "bool",
        [ISA_ELEMENT_PAIR] = "pair",
    };
    return names[element];
}

void isa_element_write_array(struct lib_text *out, const enum isa_element_kind *elements,
                             uint32_t count, unsigned rank)
{
    for (unsigned i = 0; i < rank; i++)
        lib_text_puts(out, "[");
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%s",
                        i           ? ", "
                        : count > 1 ? "("
                                    : "",
                        isa_element_name(elements[i]));
    lib_text_puts(out, count > 1 ? ")" : "");
    for (unsigned i = 0; i < rank; i++)
        lib_text_puts(out, "]");
}

void isa_element_write_tensor(struct lib_text *out, enum isa_element_kind element,
                              unsigned rank)
{
    lib_text_printf(out, "tensor(%s, %u)", isa_element_name(element), rank);
}

bool isa_element_find(const char *name, enum isa_element_kind *element)
{
    for (unsigned i = 0; i < ISA_ELEMENT_COUNT; i++)
        if (strcmp(name, isa_element_name((enum isa_element_kind)i)) == 0) {
            *element = (enum isa_element_kind)i;
            return true;
        }
    return false;
}

bool isa_shape_is_known(const struct isa_shape *shape)
{
    for (unsigned i = 0; i < shape->rank; i++)
        if (shape->extents[i] == ISA_UNKNOWN)
            return false;
    return true;
}

bool isa_shape_equal(const struct isa_shape *a, const struct isa_shape *b)
{
    return a->element == b->element && a->rank == b->rank &&
           memcmp(a->extents, b->extents, a->rank * sizeof *a->extents) == 0;
}

bool isa_shape_agrees(const struct isa_shape *a, const struct isa_shape *b)
{
    if (a->element != b->element || a->rank != b->rank)
        return false;
    for (unsigned i = 0; i < a->rank; i++)
        if (a->extents[i] != b->extents[i] && a->extents[i] != ISA_UNKNOWN &&
            b->extents[i] != ISA_UNKNOWN)
            return false;
    return true;
}

bool isa_shape_is_legal(const struct isa_shape *shape)
{
    if (shape->rank > ISA_RANK_MAX)
        return false;
    for (unsigned i = 0; i < shape->rank; i++)
        if (shape->extents[i] != ISA_UNKNOWN &&
            (shape->extents[i] < 0 || shape->extents[i] > ISA_EXTENT_MAX))
            return false;
    return true;
}

uint64_t isa_shape_count(const struct isa_shape *shape)
{
    uint64_t count = 1;
    bool overflows = false;
    for (unsigned i = 0; i < shape->rank; i++) {
        if (shape->extents[i] == 0)
            return 0;
        overflows |= __builtin_mul_overflow(count, (uint64_t)shape->extents[i], &count);
    }
    return overflows ? UINT64_MAX : count;
}

uint64_t isa_shape_bytes(const struct isa_shape *shape)
{
    const uint64_t count = isa_shape_count(shape);
    const uint64_t size = isa_element_size(shape->element);
    return count > UINT64_MAX / size ? UINT64_MAX : count * size;
}

void isa_shape_write(struct lib_text *out, const struct isa_shape *shape)
{
    lib_text_puts(out, isa_element_name(shape->element));
    for (unsigned i = 0; i < shape->rank; i++) {
        lib_text_puts(out, i == 0 ? "[" : ", ");
        if (shape->extents[i] == ISA_UNKNOWN)
            lib_text_puts(out, "_");
        else
            lib_text_printf(out, "%" PRId64, shape->extents[i]);
    }
    if (shape->rank > 0)
        lib_text_puts(out, "]");
}
