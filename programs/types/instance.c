#include "programs/types/instance.h"

void programs_type_share(struct programs_type *type)
{
    type = programs_type_find(type);
    type->is_shared |= type->kind == PROGRAMS_TYPE_VAR;
    for (size_t i = 0; i < type->part_count; i++)
        programs_type_share(type->parts[i]);
}

static void generalise_type(struct programs_type *type)
{
    type = programs_type_find(type);
    type->is_generic |= type->kind == PROGRAMS_TYPE_VAR && !type->is_shared;
    for (size_t i = 0; i < type->part_count; i++)
        generalise_type(type->parts[i]);
}

void programs_function_generalise(const struct programs_function *function)
{
    for (size_t i = 0; i < function->param_count; i++)
        generalise_type(function->params[i]->type);
    generalise_type(function->result_type);
}

static struct programs_type *copy_type(struct lib_arena *arena,
                                       struct programs_type *type, bool keeps_shared)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR) {
        if (type->is_shared && keeps_shared)
            return type;
        if (!type->copy)
            type->copy = programs_type_new_var(arena, type->class);
        return type->copy;
    }
    if (type->part_count == 0)
        return type;
    struct programs_type *copy = programs_type_new(arena, type->kind);
    copy->datatype = type->datatype;
    copy->part_count = type->part_count;
    copy->parts = LIB_ARENA_ARRAY(arena, struct programs_type *, type->part_count);
    for (size_t i = 0; i < type->part_count; i++)
        copy->parts[i] = copy_type(arena, type->parts[i], keeps_shared);
    return copy;
}

static void forget_copies(struct programs_type *type)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR)
        type->copy = NULL;
    for (size_t i = 0; i < type->part_count; i++)
        forget_copies(type->parts[i]);
}

struct programs_type *programs_type_copy(struct lib_arena *arena,
                                         struct programs_type *type)
{
    struct programs_type *copy = copy_type(arena, type, false);
    forget_copies(type);
    return copy;
}

struct programs_type **programs_types_copy(struct lib_arena *arena,
                                           struct programs_type *const *types,
                                           size_t count)
{
    struct programs_type **copies = LIB_ARENA_ARRAY(arena, struct programs_type *, count);
    for (size_t i = 0; i < count; i++)
        copies[i] = copy_type(arena, types[i], false);
    for (size_t i = 0; i < count; i++)
        forget_copies(types[i]);
    return copies;
}

struct programs_type **
programs_function_instance(struct lib_arena *arena,
                           const struct programs_function *function, bool keeps_shared)
{
    const size_t count = function->param_count;
    struct programs_type **types = LIB_ARENA_ARRAY(arena, struct programs_type *,
                                                   count + 1);
    for (size_t i = 0; i <= count; i++)
        types[i] = copy_type(
            arena, i < count ? function->params[i]->type : function->result_type,
            keeps_shared);
    for (size_t i = 0; i <= count; i++)
        forget_copies(i < count ? function->params[i]->type : function->result_type);
    return types;
}
