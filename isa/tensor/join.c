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
    else if (length_of(a) + length_of(b) > ISA_EXTENT_MAX)
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

bool isa_pair_shape(const struct isa_shape *a, const struct isa_shape *b,
                    struct isa_shape *result, struct lib_text *why)
{
    const uint64_t first = isa_shape_bytes(a), second = isa_shape_bytes(b);
    const bool nested = a->element == ISA_ELEMENT_PAIR || b->element == ISA_ELEMENT_PAIR;
    if (!nested && first <= ISA_EXTENT_MAX && second <= ISA_EXTENT_MAX - first) {
        *result = (struct isa_shape){ISA_ELEMENT_PAIR, 1, {(int64_t)(first + second)}};
        return true;
    }
    lib_text_puts(why, "`pair` of ");
    isa_shape_write(why, a);
    lib_text_puts(why, " and ");
    isa_shape_write(why, b);
    lib_text_puts(why, nested ? ": one is a pair" : ": too many bytes");
    return false;
}

static uint64_t place_of(const struct isa_tensor *pair, unsigned i)
{
    const size_t size = isa_element_size(pair->parts[i].element),
                 other = isa_element_size(pair->parts[!i].element);
    const bool is_first = size > other || (size == other && i == 0);
    return is_first ? 0 : isa_shape_bytes(&pair->parts[!i]);
}

struct isa_tensor *isa_pair_new(struct isa_tensor_memory *memory,
                                const struct isa_tensor *a, const struct isa_tensor *b)
{
    const struct isa_tensor *const parts[] = {a, b};
    const struct isa_shape shape = {
        ISA_ELEMENT_PAIR, 1, {(int64_t)(a->bytes + b->bytes)}};
    struct isa_tensor *pair = isa_tensor_new(memory, &shape);
    if (!pair)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        pair->parts[i] = parts[i]->shape;
    for (unsigned i = 0; i < 2; i++)
        if (parts[i]->bytes)
            memcpy((char *)pair->data + place_of(pair, i), parts[i]->data,
                   parts[i]->bytes);
    return pair;
}

struct isa_tensor isa_pair_part(const struct isa_tensor *pair, unsigned i)
{
    return (struct isa_tensor){
        .shape = pair->parts[i],
        .count = isa_shape_count(&pair->parts[i]),
        .bytes = isa_shape_bytes(&pair->parts[i]),
        .data = (char *)pair->data + place_of(pair, i),
    };
}

bool isa_pair_is_sound(const struct isa_tensor *pair)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct isa_shape *part = &pair->parts[i];
        if (part->element >= ISA_ELEMENT_COUNT || part->rank > ISA_RANK_MAX ||
            !isa_shape_is_known(part) || !isa_shape_is_legal(part) ||
            isa_shape_bytes(part) > pair->bytes)
            return false;
        bytes += isa_shape_bytes(part);
    }
    if (bytes != pair->bytes)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const struct isa_tensor part = isa_pair_part(pair, i);
        if (!isa_tensor_is_sound(&part))
            return false;
    }
    return true;
}
