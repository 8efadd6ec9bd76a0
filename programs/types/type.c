#include "programs/types/type.h"

#include "programs/types/datatype.h"

#include <assert.h>

struct programs_type *programs_type_new(struct lib_arena *arena,
                                        enum programs_type_kind kind)
{
    struct programs_type *type = LIB_ARENA_NEW(arena, struct programs_type);
    type->kind = kind;
    return type;
}

struct programs_type *programs_type_new_var(struct lib_arena *arena,
                                            enum programs_type_class class)
{
    struct programs_type *type = programs_type_new(arena, PROGRAMS_TYPE_VAR);
    type->class = class;
    return type;
}

struct programs_type *programs_type_new_array(struct lib_arena *arena,
                                              struct programs_type *element)
{
    struct programs_type *type = programs_type_new(arena, PROGRAMS_TYPE_ARRAY);
    type->parts = LIB_ARENA_NEW(arena, struct programs_type *);
    type->parts[0] = element;
    type->part_count = 1;
    return type;
}

struct programs_type *programs_type_new_tensor(struct lib_arena *arena,
                                               struct programs_type *element,
                                               struct programs_type *rank)
{
    struct programs_type *type = programs_type_new(arena, PROGRAMS_TYPE_TENSOR);
    type->parts = LIB_ARENA_ARRAY(arena, struct programs_type *, 2);
    type->parts[0] = element;
    type->parts[1] = rank;
    type->part_count = 2;
    return type;
}

int programs_type_tensor_rank(struct programs_type *tensor)
{
    const struct programs_type *rank = programs_type_find(
        programs_type_find(tensor)->parts[1]);
    return rank->kind >= PROGRAMS_TYPE_RANK0 ? (int)rank->kind - PROGRAMS_TYPE_RANK0
                                             : PROGRAMS_RANK_OPEN;
}

enum isa_element_kind programs_type_element(struct programs_type *tensor)
{
    switch (programs_type_find(programs_type_find(tensor)->parts[0])->kind) {
    case PROGRAMS_TYPE_REAL32:
        return ISA_ELEMENT_REAL32;
    case PROGRAMS_TYPE_INT:
        return ISA_ELEMENT_INT;
    case PROGRAMS_TYPE_BOOL:
        return ISA_ELEMENT_BOOL;
    default:
        return ISA_ELEMENT_REAL;
    }
}

struct programs_type *programs_type_find(struct programs_type *type)
{
    struct programs_type *root = type;
    const struct programs_reason *last = NULL;
    for (; root->is; root = root->is)
        last = root->reason ? root->reason : last;
    while (type->is) { /* shortens the path */
        struct programs_type *next = type->is;
        type->reason = last;
        type->is = root;
        type = next;
    }
    return root;
}

const struct programs_reason *programs_type_reason(struct programs_type *type)
{
    const struct programs_type *root = programs_type_find(type);
    return root->reason ? root->reason : type->reason;
}

/* Types of the parts that the values of a type have: none of a tensor, or of boxed data. */
struct value_parts {
    struct programs_type **items;
    size_t count;
};

static struct value_parts value_parts(struct programs_type *type)
{
    if (type->kind == PROGRAMS_TYPE_TENSOR ||
        (type->kind == PROGRAMS_TYPE_DATA && type->datatype->is_boxed))
        return (struct value_parts){0};
    if (type->kind != PROGRAMS_TYPE_DATA)
        return (struct value_parts){type->parts, type->part_count};
    const struct programs_constructor *c = &type->datatype->constructors[0];
    if (!type->fields) {
        type->fields = LIB_ARENA_ARRAY(type->datatype->arena, struct programs_type *,
                                       c->field_count);
        for (uint32_t i = 0; i < c->field_count; i++)
            type->fields[i] = programs_type_of_field(type, &c->fields[i]);
    }
    return (struct value_parts){type->fields, c->field_count};
}

/* --- unification -------------------------------------------------------------------- */

/* Walks the parts of a type up to a max number. `inside`, unless NULL, is a variable that must
 * not occur in the type. */
static enum programs_unified
measure_type(struct programs_type *type, const struct programs_type *inside, size_t *room)
{
    type = programs_type_find(type);
    if (type == inside)
        return PROGRAMS_UNIFY_ENDLESS;
    if (*room == 0)
        return PROGRAMS_UNIFY_TOO_LARGE;
    --*room;
    enum programs_unified result = PROGRAMS_UNIFIED;
    for (size_t i = 0; i < type->part_count && result == PROGRAMS_UNIFIED; i++)
        result = measure_type(type->parts[i], inside, room);
    if (type->kind != PROGRAMS_TYPE_DATA || type->datatype->is_boxed)
        return result;
    const struct value_parts parts = value_parts(type);
    for (size_t i = 0; i < parts.count && result == PROGRAMS_UNIFIED; i++)
        result = measure_type(parts.items[i], NULL, room);
    return result;
}

bool programs_type_is_small(struct programs_type *type)
{
    size_t room = PROGRAMS_TYPE_SIZE_MAX;
    return measure_type(type, NULL, &room) == PROGRAMS_UNIFIED;
}

static enum programs_type_class both(enum programs_type_class a,
                                     enum programs_type_class b);

static bool fits(struct programs_type *type, enum programs_type_class class);

/* Whether data can be compared; its arguments then have to be. */
static bool fit_arguments(struct programs_type *data)
{
    bool fit = !data->datatype->incomparable;
    for (size_t i = 0; i < data->part_count && fit; i++) {
        struct programs_type *part = programs_type_find(data->parts[i]);
        if (part->kind == PROGRAMS_TYPE_VAR)
            part->class = both(part->class, PROGRAMS_CLASS_SCALAR);
        else
            fit = fits(part, PROGRAMS_CLASS_SCALAR);
    }
    return fit;
}

static bool fits(struct programs_type *type, enum programs_type_class class)
{
    switch (type->kind) {
    case PROGRAMS_TYPE_DATA:
        return class == PROGRAMS_CLASS_ANY ||
               (class == PROGRAMS_CLASS_SCALAR && fit_arguments(type));
    case PROGRAMS_TYPE_REAL:
    case PROGRAMS_TYPE_ERROR:
        return true;
    case PROGRAMS_TYPE_INT:
        return class <= PROGRAMS_CLASS_NUMBERS;
    case PROGRAMS_TYPE_BOOL:
        return class <= PROGRAMS_CLASS_SCALAR || class == PROGRAMS_CLASS_TRUTHS;
    case PROGRAMS_TYPE_REAL32:
        return class == PROGRAMS_CLASS_ANY || class >= PROGRAMS_CLASS_NUMBERS;
    default:
        return class == PROGRAMS_CLASS_ANY;
    }
}

/* Returns the class of types that are in both classes. */
static enum programs_type_class both(enum programs_type_class a,
                                     enum programs_type_class b)
{
    if ((a == PROGRAMS_CLASS_NUMBERS && b == PROGRAMS_CLASS_TRUTHS) ||
        (a == PROGRAMS_CLASS_TRUTHS && b == PROGRAMS_CLASS_NUMBERS))
        return PROGRAMS_CLASS_REALS;
    return a > b ? a : b;
}

static void inherit(const struct programs_type *var, struct programs_type *type)
{
    type = programs_type_find(type);
    type->is_shared |= var->is_shared;
    type->is_generic |= var->is_generic;
    for (size_t i = 0; i < type->part_count; i++)
        inherit(var, type->parts[i]);
}

static enum programs_unified bind_variable(struct programs_type *var,
                                           struct programs_type *type)
{
    if (type->kind == PROGRAMS_TYPE_VAR) {
        type->class = both(type->class, var->class);
    } else {
        size_t room = PROGRAMS_TYPE_SIZE_MAX;
        enum programs_unified result = measure_type(type, var, &room);
        if (result != PROGRAMS_UNIFIED)
            return result;
        if (!fits(type, var->class))
            return PROGRAMS_UNIFY_MISMATCH;
    }
    if (var->is_shared || var->is_generic)
        inherit(var, type);
    var->is = type;
    return PROGRAMS_UNIFIED;
}

/* Replaces equal tuples and arrays by one, so that shared parts are walked once. */
static enum programs_unified unify(struct programs_type *a, struct programs_type *b,
                                   size_t *room)
{
    a = programs_type_find(a);
    b = programs_type_find(b);
    if (a == b)
        return PROGRAMS_UNIFIED;
    if (a->kind == PROGRAMS_TYPE_VAR)
        return bind_variable(a, b);
    if (b->kind == PROGRAMS_TYPE_VAR)
        return bind_variable(b, a);
    if (a->kind == PROGRAMS_TYPE_ERROR || b->kind == PROGRAMS_TYPE_ERROR)
        return PROGRAMS_UNIFIED;
    if (a->kind != b->kind || a->part_count != b->part_count ||
        a->datatype != b->datatype)
        return PROGRAMS_UNIFY_MISMATCH;
    if (a->part_count == 0)
        return PROGRAMS_UNIFIED;
    if (*room == 0)
        return PROGRAMS_UNIFY_TOO_LARGE;
    --*room;
    for (size_t i = 0; i < a->part_count; i++) {
        enum programs_unified result = unify(a->parts[i], b->parts[i], room);
        if (result != PROGRAMS_UNIFIED)
            return result;
    }
    if (a->is == NULL && b->is == NULL)
        b->is = a;
    return PROGRAMS_UNIFIED;
}

enum programs_unified programs_type_unify(struct programs_type *a,
                                          struct programs_type *b)
{
    size_t room = PROGRAMS_TYPE_SIZE_MAX;
    return unify(a, b, &room);
}

/* --- reading types ------------------------------------------------------------------ */

static const char *class_name(enum programs_type_class class)
{
    switch (class) {
    case PROGRAMS_CLASS_SCALAR:
        return "int, real or bool";
    case PROGRAMS_CLASS_NUMERIC:
        return "a number";
    case PROGRAMS_CLASS_LITERAL:
        return "int";
    default:
        return "any type";
    }
}

/* longer types are cut */
enum { WRITTEN_MAX = 80 };

static void write_type(struct programs_type *type, struct lib_text *out, size_t from);

/* An open argument is written `_`. */
static void write_data(struct programs_type *type, struct lib_text *out, size_t from)
{
    lib_text_puts(out, type->datatype->name);
    for (size_t i = 0; i < type->part_count; i++) {
        struct programs_type *part = programs_type_find(type->parts[i]);
        lib_text_puts(out, i ? ", " : "(");
        if (out->length - from > WRITTEN_MAX)
            lib_text_puts(out, "...");
        else if (part->kind == PROGRAMS_TYPE_VAR && part->class < PROGRAMS_CLASS_NUMERIC)
            lib_text_puts(out, "_");
        else
            write_type(part, out, from);
    }
    lib_text_puts(out, type->part_count ? ")" : "");
}

static void write_type(struct programs_type *type, struct lib_text *out, size_t from)
{
    type = programs_type_find(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        lib_text_puts(out, "int");
        break;
    case PROGRAMS_TYPE_REAL:
        lib_text_puts(out, "real");
        break;
    case PROGRAMS_TYPE_BOOL:
        lib_text_puts(out, "bool");
        break;
    case PROGRAMS_TYPE_TUPLE:
        lib_text_puts(out, "(");
        for (size_t i = 0; i < type->part_count; i++) {
            lib_text_puts(out, i ? ", " : "");
            if (out->length - from > WRITTEN_MAX) {
                lib_text_puts(out, "...");
                break;
            }
            write_type(type->parts[i], out, from);
        }
        lib_text_puts(out, ")");
        break;
    case PROGRAMS_TYPE_ARRAY:
        lib_text_puts(out, "[");
        if (out->length - from > WRITTEN_MAX)
            lib_text_puts(out, "...");
        else
            write_type(type->parts[0], out, from);
        lib_text_puts(out, "]");
        break;
    case PROGRAMS_TYPE_DATA:
        write_data(type, out, from);
        break;
    case PROGRAMS_TYPE_TENSOR:
        lib_text_puts(out, "a tensor");
        if (programs_type_element(type) != ISA_ELEMENT_REAL)
            lib_text_printf(out, " of %s", isa_element_name(programs_type_element(type)));
        if (programs_type_tensor_rank(type) != PROGRAMS_RANK_OPEN)
            lib_text_printf(out, " of rank %d", programs_type_tensor_rank(type));
        break;
    case PROGRAMS_TYPE_VAR:
        lib_text_puts(out, class_name(type->class));
        break;
    default:
        lib_text_puts(out, "?"); /* only within a type: alone, an error fits everything */
    }
}

void programs_type_write(struct programs_type *type, struct lib_text *out)
{
    write_type(type, out, out->length);
}

/* --- flattening ----------------------------------------------------------------------- */

unsigned programs_type_rank(struct programs_type *type)
{
    type = programs_type_find(type);
    const struct value_parts parts = value_parts(type);
    unsigned deepest = 0;
    for (size_t i = 0; i < parts.count; i++) {
        unsigned rank = programs_type_rank(parts.items[i]);
        deepest = rank > deepest ? rank : deepest;
    }
    return deepest + (type->kind == PROGRAMS_TYPE_ARRAY);
}

size_t programs_type_width(struct programs_type *type)
{
    type = programs_type_find(type);
    const struct value_parts parts = value_parts(type);
    size_t width = parts.count == 0;
    for (size_t i = 0; i < parts.count; i++)
        width += programs_type_width(parts.items[i]);
    return width;
}

void programs_type_shape(struct programs_type *type, struct lib_text *out)
{
    type = programs_type_find(type);
    const struct value_parts parts = value_parts(type);
    const bool is_array = type->kind == PROGRAMS_TYPE_ARRAY;
    if (parts.count == 0) {
        lib_text_puts(out, "_");
        return;
    }
    if (type->kind == PROGRAMS_TYPE_DATA)
        lib_text_puts(out, type->datatype->constructors[0].name);
    for (size_t i = 0; i < parts.count; i++) {
        lib_text_puts(out, i ? ", " : is_array ? "[" : "(");
        programs_type_shape(parts.items[i], out);
    }
    lib_text_puts(out, is_array ? "]" : ")");
}

static enum isa_type leaf_of(struct programs_type *type, enum isa_type wholes)
{
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        return ISA_INT;
    case PROGRAMS_TYPE_REAL:
        return ISA_REAL;
    case PROGRAMS_TYPE_DATA:
        return ISA_DATA;
    case PROGRAMS_TYPE_TENSOR:
        return isa_element_is_real(programs_type_element(type)) ? ISA_TENSOR : wholes;
    default:
        assert(type->kind == PROGRAMS_TYPE_BOOL);
        return ISA_BOOL;
    }
}

static enum isa_type *flatten_type(struct programs_type *type, enum isa_type wholes,
                                   enum isa_type *out)
{
    type = programs_type_find(type);
    const struct value_parts parts = value_parts(type);
    enum isa_type *end = out;
    for (size_t i = 0; i < parts.count; i++)
        end = flatten_type(parts.items[i], wholes, end);
    for (; type->kind == PROGRAMS_TYPE_ARRAY && out < end; out++)
        *out = isa_type_array_of(*out);
    if (parts.count)
        return end;
    *out = leaf_of(type, wholes);
    return out + 1;
}

void programs_type_flatten_with(struct programs_type *type, enum isa_type wholes,
                                enum isa_type *out)
{
    flatten_type(type, wholes, out);
}

void programs_type_flatten(struct programs_type *type, enum isa_type *out)
{
    flatten_type(type, ISA_TENSOR, out);
}
