/* Inputs that are arrays or tensors, from elements in the memory of a host. */
#include "sim/library/library_internal.h"

#include "isa/tensor/files/parts.h"

#include <string.h>

/* Elements of a host: an array of axes `rank` in row-major order. */
struct elements {
    enum hiaton_type type;
    const void *data;
};

static bool can_be(enum hiaton_type type, enum isa_element_kind element)
{
    switch (element) {
    case ISA_ELEMENT_REAL:
        return type == HIATON_REAL || type == HIATON_INT || type == HIATON_REAL32;
    case ISA_ELEMENT_REAL32:
        return type == HIATON_REAL32;
    case ISA_ELEMENT_INT:
        return type == HIATON_INT;
    default:
        return type == HIATON_BOOL;
    }
}

/* Sets element `at` of a tensor to element `from` of the host. The data need not be aligned. */
static void set_element(struct isa_tensor *tensor, uint64_t at, const struct elements *e,
                        uint64_t from)
{
    const char *data = e->data;
    int64_t integer;
    double real;
    float real32;
    switch (e->type) {
    case HIATON_INT:
        memcpy(&integer, data + from * sizeof integer, sizeof integer);
        if (tensor->shape.element == ISA_ELEMENT_INT)
            tensor->ints[at] = integer;
        else
            isa_tensor_set(tensor, at, (double)integer);
        return;
    case HIATON_REAL:
        memcpy(&real, data + from * sizeof real, sizeof real);
        isa_tensor_set(tensor, at, real);
        return;
    case HIATON_REAL32:
        memcpy(&real32, data + from * sizeof real32, sizeof real32);
        isa_tensor_set(tensor, at, (double)real32);
        return;
    default:
        tensor->bools[at] = data[from] != 0;
    }
}

/* Sets the shape of the parts. Returns false if the extents are not those of such a value. */
static bool find_shape(const struct isa_given *like, uint32_t rank,
                       const uint64_t *extents, struct isa_shape *shape)
{
    const uint32_t axes = like->parts[0]->shape.rank;
    if (rank != axes + (like->part_count > 1) ||
        (like->part_count > 1 && extents[axes] != like->part_count))
        return false;
    *shape = (struct isa_shape){.rank = (uint8_t)axes};
    for (uint32_t axis = 0; axis < axes; axis++) {
        if (extents[axis] > (uint64_t)ISA_EXTENT_MAX)
            return false;
        shape->extents[axis] = (int64_t)extents[axis];
    }
    return true;
}

bool sim_library_set_elements(struct hiaton_session *s, uint32_t input,
                              enum hiaton_type type, uint32_t rank,
                              const uint64_t *extents, const void *data)
{
    const struct isa_input *in = &s->session.program.graph->inputs[input];
    const struct isa_given *like = isa_value_given(in->value);
    const struct elements e = {type, data};
    struct isa_tensor_memory memory = {
        .limit = s->session.setup.settings.machine.limit_memory};
    struct isa_parts parts = {.count = like->part_count};
    struct isa_shape shape;
    struct lib_diags diags = {0};
    bool good = find_shape(like, rank, extents, &shape);
    LIB_WORLD_OWN();
    for (uint32_t k = 0; k < parts.count; k++) {
        parts.elements[k] = like->parts[k]->shape.element;
        good = good && can_be(type, parts.elements[k]);
    }
    good = good && isa_parts_allocate(&parts, &memory, NULL, &shape, &diags);
    for (uint32_t k = 0; good && k < parts.count; k++) {
        struct isa_tensor *tensor = parts.tensors[k];
        for (uint64_t i = 0; i < tensor->count; i++)
            set_element(tensor, i, &e, i * parts.count + k);
        isa_tensor_seal(tensor, true);
    }
    const struct isa_given given = {
        .part_count = parts.count,
        .parts = (const struct isa_tensor *const *)parts.tensors,
    };
    if (good)
        sim_library_set_input(s, input, isa_value_of_given(&given));
    isa_parts_free(&parts, &memory);
    isa_tensor_memory_free(&memory);
    sim_library_report(&s->reporter, &diags);
    return good;
}
