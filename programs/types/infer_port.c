/* Inference of annotated types, and of what a host can take from an output port. */
#include "programs/types/infer_internal.h"

struct programs_type *infer_annotation(struct infer *in,
                                       const struct programs_annotation *a)
{
    struct programs_type *const elements[] = {
        [ISA_ELEMENT_REAL] = in->of_real,
        [ISA_ELEMENT_REAL32] = in->of_real32,
        [ISA_ELEMENT_INT] = in->of_int,
        [ISA_ELEMENT_BOOL] = in->of_bool,
    };
    switch (a->kind) {
    case PROGRAMS_ANNOTATION_INT:
        return in->of_int;
    case PROGRAMS_ANNOTATION_REAL:
        return in->of_real;
    case PROGRAMS_ANNOTATION_BOOL:
        return in->of_bool;
    case PROGRAMS_ANNOTATION_TENSOR:
        return programs_type_new_tensor(in->arena, elements[a->element],
                                        in->of_rank[a->rank]);
    case PROGRAMS_ANNOTATION_ARRAY:
        return programs_type_new_array(in->arena, infer_annotation(in, a->parts[0]));
    default:
        break;
    }
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, a->part_count);
    tuple->part_count = a->part_count;
    for (size_t i = 0; i < a->part_count; i++)
        tuple->parts[i] = infer_annotation(in, a->parts[i]);
    return tuple;
}

static bool can_be_taken(struct programs_type *type)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_ARRAY)
        return false;
    for (size_t i = 0; type->kind == PROGRAMS_TYPE_TUPLE && i < type->part_count; i++)
        if (!can_be_taken(type->parts[i]))
            return false;
    return true;
}

void infer_ports_settle(struct infer *in)
{
    for (size_t i = 0; i < in->ast->constant_count; i++) {
        const struct programs_equation *q = in->ast->constants[i];
        struct programs_type *type = programs_type_find(q->names[0]->type);
        if (q->port && !q->port->is_input && type->kind == PROGRAMS_TYPE_ARRAY &&
            !can_be_taken(type->parts[0]))
            lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, q->value->start,
                           "port out `%s`: an element is an int, a real, a bool or a "
                           "tensor, or a tuple of these, found %s",
                           q->names[0]->name, infer_type_text(in, type->parts[0]));
    }
}
