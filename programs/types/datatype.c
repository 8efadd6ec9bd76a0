#include "programs/types/datatype.h"

#include <string.h>

struct declared {
    const struct programs_ast *ast;
    struct lib_diags *diags;
};

static void report_error(const struct declared *d, struct lib_pos pos, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));

static void report_error(const struct declared *d, struct lib_pos pos, const char *format,
                         ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(d->diags, LIB_DIAG_NAME, d->ast->source, pos, format, ap);
    va_end(ap);
}

/* --- names ---------------------------------------------------------------------------------- */

static const char *type_name(size_t i, const void *context)
{
    const struct programs_ast *ast = context;
    return ast->datatypes[i]->name;
}

static const struct programs_datatype *find_type(const struct programs_ast *ast,
                                                 const char *name)
{
    for (size_t i = 0; i < ast->datatype_count; i++)
        if (strcmp(ast->datatypes[i]->name, name) == 0)
            return ast->datatypes[i];
    return NULL;
}

/* Returns the type that other languages call `name`, or NULL. */
static const char *type_elsewhere(const char *name)
{
    static const char *const names[][2] = {{"float", "real"},  {"double", "real"},
                                           {"number", "real"}, {"integer", "int"},
                                           {"long", "int"},    {"boolean", "bool"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return NULL;
}

static void bind_variable(const struct declared *d, struct programs_annotation *a,
                          const struct programs_datatype *within)
{
    for (a->index = 0; a->index < within->param_count; a->index++)
        if (strcmp(within->params[a->index], a->text) == 0)
            return;
    a->index = 0;
    const char *meant = type_elsewhere(a->text);
    if (meant)
        report_error(d, a->pos, "unknown type `%s`; did you mean `%s`?", a->text, meant);
    else if (within->param_count)
        report_error(d, a->pos, "unknown type `%s`: `%s` has no such parameter", a->text,
                     within->name);
    else
        report_error(d, a->pos,
                     "unknown type `%s`; a parameter is declared by `data %s(%s) = ...`",
                     a->text, within->name, a->text);
}

static void bind_annotation(const struct declared *d, struct programs_annotation *a,
                            const struct programs_datatype *within)
{
    for (size_t i = 0; i < a->part_count; i++)
        bind_annotation(d, a->parts[i], within);
    if (a->kind == PROGRAMS_ANNOTATION_VARIABLE)
        bind_variable(d, a, within);
    if (a->kind != PROGRAMS_ANNOTATION_DATA)
        return;
    a->datatype = find_type(d->ast, a->text);
    if (!a->datatype) {
        const char *near = lib_text_nearest(a->text, d->ast->datatype_count, type_name,
                                            d->ast);
        report_error(d, a->pos,
                     near ? "unknown type `%s`; did you mean `%s`?" : "unknown type `%s`",
                     a->text, near);
    } else if (a->datatype->param_count != a->part_count) {
        report_error(d, a->pos, "`%s` takes %u argument%s, found %zu", a->text,
                     a->datatype->param_count, a->datatype->param_count == 1 ? "" : "s",
                     a->part_count);
        a->datatype = NULL;
    }
}

/* --- all fields ----------------------------------------------------------------------------- */

/* A walk through the fields of a type. */
#define FOR_EACH_FIELD(field, d)                                                         \
    for (uint32_t c_ = 0; c_ < (d)->constructor_count; c_++)                             \
        for (struct programs_field *field = (d)->constructors[c_].fields;                \
             field < (d)->constructors[c_].fields + (d)->constructors[c_].field_count;   \
             field++)

/* Marks the types that an annotation mentions. */
static void mark_mentioned(const struct programs_annotation *a, bool *mentioned)
{
    for (size_t i = 0; i < a->part_count; i++)
        mark_mentioned(a->parts[i], mentioned);
    if (a->kind == PROGRAMS_ANNOTATION_DATA && a->datatype)
        mentioned[a->datatype->index] = true;
}

/* Whether a type contains itself, directly or through other types. */
static bool contains_itself(const struct programs_ast *ast,
                            const struct programs_datatype *d)
{
    struct lib_arena *scratch = lib_arena_new();
    const size_t count = ast->datatype_count;
    bool *mentioned = LIB_ARENA_ARRAY(scratch, bool, count);
    bool *done = LIB_ARENA_ARRAY(scratch, bool, count);
    bool more = true;
    FOR_EACH_FIELD(field, d)
    mark_mentioned(field->type, mentioned);
    while (more) {
        more = false;
        for (size_t i = 0; i < count; i++)
            if (mentioned[i] && !done[i]) {
                done[i] = more = true;
                FOR_EACH_FIELD(field, ast->datatypes[i])
                mark_mentioned(field->type, mentioned);
            }
    }
    const bool contains = mentioned[d->index];
    lib_arena_free(scratch);
    return contains;
}

/* Whether values of a type in a field can be compared. The arguments of a type of data must be
 * parameters, or types without them: else there would be no end of types to compare. */
static bool is_comparable(const struct programs_annotation *a, bool is_argument)
{
    switch (a->kind) {
    case PROGRAMS_ANNOTATION_ARRAY:
    case PROGRAMS_ANNOTATION_TENSOR:
        return false;
    case PROGRAMS_ANNOTATION_TUPLE:
        if (is_argument)
            return false;
        break;
    case PROGRAMS_ANNOTATION_DATA:
        if (!a->datatype || a->datatype->incomparable || (is_argument && a->part_count))
            return false;
        break;
    default:
        return true;
    }
    const bool are_arguments = a->kind == PROGRAMS_ANNOTATION_DATA;
    for (size_t i = 0; i < a->part_count; i++)
        if (!is_comparable(a->parts[i], is_argument || are_arguments))
            return false;
    return true;
}

/* Types can be compared unless a field cannot; grows until nothing is added. */
static void find_incomparable(const struct programs_ast *ast)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < ast->datatype_count; i++) {
            struct programs_datatype *d = ast->datatypes[i];
            FOR_EACH_FIELD(field, d)
            if (!d->incomparable && !is_comparable(field->type, false)) {
                d->incomparable = field;
                more = true;
            }
        }
    }
}

/* --- the whole ------------------------------------------------------------------------------ */

static void report_twice(const struct declared *d, const char *name, struct lib_pos first,
                         struct lib_pos pos)
{
    report_error(d, pos, "`%s` is defined twice; first at line %u", name, first.line);
}

/* Reports a constructor or field that the types before, or the type itself, have already. */
static void check_names(const struct declared *d, const struct programs_datatype *type)
{
    for (size_t i = 0; i <= type->index; i++) {
        const struct programs_datatype *other = d->ast->datatypes[i];
        if (other != type && strcmp(other->name, type->name) == 0)
            report_twice(d, type->name, other->pos, type->pos);
        for (uint32_t k = 0; k < type->constructor_count; k++)
            for (uint32_t j = 0; j < (other == type ? k : other->constructor_count); j++)
                if (strcmp(other->constructors[j].name, type->constructors[k].name) == 0)
                    report_twice(d, type->constructors[k].name,
                                 other->constructors[j].pos, type->constructors[k].pos);
    }
}

/* Returns the first field of a name, which exists. */
static const struct programs_field *first_field(const struct programs_ast *ast,
                                                const char *name)
{
    for (size_t i = 0;; i++)
        FOR_EACH_FIELD(field, ast->datatypes[i])
    if (field->name && strcmp(field->name, name) == 0)
        return field;
}

static void check_fields(const struct declared *d, const struct programs_datatype *type)
{
    FOR_EACH_FIELD(field, type)
    {
        const struct programs_field *first = field->name
                                                 ? first_field(d->ast, field->name)
                                                 : field;
        if (first != field)
            report_twice(d, field->name, first->pos, field->pos);
    }
}

void programs_datatypes(const struct programs_ast *ast, struct lib_diags *diags)
{
    const struct declared d = {ast, diags};
    const size_t errors = diags->errors;
    for (size_t i = 0; i < ast->datatype_count; i++) {
        struct programs_datatype *type = ast->datatypes[i];
        type->is_enumeration = true;
        FOR_EACH_FIELD(field, type)
        {
            type->is_enumeration = false;
            bind_annotation(&d, field->type, type);
        }
        check_names(&d, type);
        check_fields(&d, type);
    }
    if (diags->errors != errors)
        return;
    for (size_t i = 0; i < ast->datatype_count; i++) {
        struct programs_datatype *type = ast->datatypes[i];
        type->is_boxed = type->constructor_count != 1 || type->is_enumeration ||
                         contains_itself(ast, type);
    }
    find_incomparable(ast);
}

/* --- types ---------------------------------------------------------------------------------- */

struct programs_type *programs_type_new_data(struct lib_arena *arena,
                                             const struct programs_datatype *datatype,
                                             struct programs_type **arguments)
{
    struct programs_type *type = programs_type_new(arena, PROGRAMS_TYPE_DATA);
    type->datatype = datatype;
    type->parts = arguments;
    type->part_count = datatype->param_count;
    return type;
}

static enum programs_type_kind kind_of_element(enum isa_element_kind element)
{
    switch (element) {
    case ISA_ELEMENT_REAL32:
        return PROGRAMS_TYPE_REAL32;
    case ISA_ELEMENT_INT:
        return PROGRAMS_TYPE_INT;
    case ISA_ELEMENT_BOOL:
        return PROGRAMS_TYPE_BOOL;
    default:
        return PROGRAMS_TYPE_REAL;
    }
}

/* Returns the type of an annotation, with `arguments` in place of the parameters. */
static struct programs_type *type_of(struct lib_arena *arena,
                                     const struct programs_annotation *a,
                                     struct programs_type **arguments)
{
    struct programs_type **parts = LIB_ARENA_ARRAY(arena, struct programs_type *,
                                                   a->part_count);
    for (size_t i = 0; i < a->part_count; i++)
        parts[i] = type_of(arena, a->parts[i], arguments);
    switch (a->kind) {
    case PROGRAMS_ANNOTATION_INT:
        return programs_type_new(arena, PROGRAMS_TYPE_INT);
    case PROGRAMS_ANNOTATION_REAL:
        return programs_type_new(arena, PROGRAMS_TYPE_REAL);
    case PROGRAMS_ANNOTATION_BOOL:
        return programs_type_new(arena, PROGRAMS_TYPE_BOOL);
    case PROGRAMS_ANNOTATION_VARIABLE:
        return arguments[a->index];
    case PROGRAMS_ANNOTATION_DATA:
        return programs_type_new_data(arena, a->datatype, parts);
    case PROGRAMS_ANNOTATION_TENSOR:
        return programs_type_new_tensor(
            arena, programs_type_new(arena, kind_of_element(a->element)),
            programs_type_new(arena,
                              (enum programs_type_kind)(PROGRAMS_TYPE_RANK0 + a->rank)));
    case PROGRAMS_ANNOTATION_ARRAY:
        return programs_type_new_array(arena, parts[0]);
    default:
        break;
    }
    struct programs_type *tuple = programs_type_new(arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = parts;
    tuple->part_count = (uint32_t)a->part_count;
    return tuple;
}

struct programs_type *programs_type_of_field(struct programs_type *data,
                                             const struct programs_field *field)
{
    data = programs_type_find(data);
    return type_of(data->datatype->arena, field->type, data->parts);
}
