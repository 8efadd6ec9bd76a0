#include "programs/types/gradient_type.h"

#include "programs/types/datatype.h"

bool programs_gradient_is_known(struct programs_type *type, bool takes_reals)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR)
        return false;
    if (type->kind == PROGRAMS_TYPE_TENSOR) { /* the rank may be open */
        const struct programs_type *element = programs_type_find(type->parts[0]);
        return takes_reals || element->kind != PROGRAMS_TYPE_VAR ||
               element->class == PROGRAMS_CLASS_REALS;
    }
    for (size_t i = 0; i < type->part_count; i++)
        if (!programs_gradient_is_known(type->parts[i], takes_reals))
            return false;
    return true;
}

struct programs_type *programs_gradient_type_of_all(struct lib_arena *arena,
                                                    struct programs_type *const *types,
                                                    size_t count)
{
    struct programs_type *tuple = programs_type_new(arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = LIB_ARENA_ARRAY(arena, struct programs_type *, count);
    for (size_t i = 0; i < count; i++) {
        struct programs_type *part = programs_gradient_type(arena, types[i]);
        if (part)
            tuple->parts[tuple->part_count++] = part;
    }
    return tuple->part_count > 1    ? tuple
           : tuple->part_count == 1 ? tuple->parts[0]
                                    : NULL;
}

static struct programs_type *gradient_of_record(struct lib_arena *arena,
                                                struct programs_type *type)
{
    const struct programs_constructor *c = &type->datatype->constructors[0];
    struct programs_type **fields = LIB_ARENA_ARRAY(arena, struct programs_type *,
                                                    c->field_count);
    for (uint32_t i = 0; i < c->field_count; i++)
        fields[i] = programs_type_of_field(type, &c->fields[i]);
    return programs_gradient_type_of_all(arena, fields, c->field_count);
}

struct programs_type *programs_gradient_type(struct lib_arena *arena,
                                             struct programs_type *type)
{
    struct programs_type *element;
    type = programs_type_find(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_REAL:
        return type;
    case PROGRAMS_TYPE_TENSOR:
        return isa_element_is_real(programs_type_element(type)) ? type : NULL;
    case PROGRAMS_TYPE_DATA:
        return type->datatype->is_boxed ? NULL : gradient_of_record(arena, type);
    case PROGRAMS_TYPE_TUPLE:
        return programs_gradient_type_of_all(arena, type->parts, type->part_count);
    case PROGRAMS_TYPE_ARRAY:
        element = programs_gradient_type(arena, type->parts[0]);
        return element ? programs_type_new_array(arena, element) : NULL;
    default:
        return NULL;
    }
}
