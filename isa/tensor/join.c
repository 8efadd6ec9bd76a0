#include "isa/tensor/join.h"

#include <string.h>

/* A tensor of rank 0 counts as a vector of one element. */
static int64_t length_of(const struct isa_shape *shape)
{
    return shape->rank ? shape->extents[0] : 1;
}

bool isa_vector_shape(const struct isa_shape *a, const struct isa_shape *b,
                      struct isa_shape *result, struct lib_text *why)
{
    const char *fault = NULL;
    *result = (struct isa_shape){a->element, 1, {0}};
    if (a->rank > 1 || b->rank > 1)
        fault = "expected rank 0 or 1";
    else if (a->element != b->element)
        fault = "the elements differ";
    else if (length_of(a) + length_of(b) > ISA_EXTENT_MOST)
        fault = "too many elements";
    if (!fault) {
        result->extents[0] = length_of(a) + length_of(b);
        return true;
    }
    lib_text_puts(why, "`vector` of ");
    isa_shape_write(why, a);
    lib_text_puts(why, " and ");
    isa_shape_write(why, b);
    lib_text_printf(why, ": %s", fault);
    return false;
}

struct isa_tensor *isa_vector_new(struct isa_tensor_memory *memory,
                                  const struct isa_tensor *a, const struct isa_tensor *b)
{
    const struct isa_shape shape = {
        a->shape.element, 1, {length_of(&a->shape) + length_of(&b->shape)}};
    struct isa_tensor *made = isa_tensor_new(memory, &shape);
    if (!made)
        return NULL;
    if (a->bytes)
        memcpy(made->data, a->data, a->bytes);
    if (b->bytes)
        memcpy((char *)made->data + a->bytes, b->data, b->bytes);
    return made;
}
