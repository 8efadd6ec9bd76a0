/* Inference of data: constructors, fields, patterns and `case`. */
#include "programs/types/datatype.h"
#include "programs/types/infer_internal.h"

/* Returns a type of data whose arguments are open. */
static struct programs_type *open_data(struct infer *in,
                                       const struct programs_datatype *datatype)
{
    struct programs_type **arguments = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                                       datatype->param_count);
    for (uint32_t i = 0; i < datatype->param_count; i++)
        arguments[i] = infer_open_type(in, PROGRAMS_CLASS_ANY);
    return programs_type_new_data(in->arena, datatype, arguments);
}

struct programs_type *infer_construct(struct infer *in, const struct programs_expr *e)
{
    const struct programs_constructor *c = e->construct->constructor;
    struct programs_type *type = open_data(in, c->datatype);
    bool fits = true;
    for (uint32_t i = 0; i < e->operand_count; i++)
        fits = infer_expect(in, e->operands[i],
                            programs_type_of_field(type, &c->fields[i]), PLACE_ARGUMENT,
                            "field %u of `%s`: ", i + 1, c->name) &&
               fits;
    return fits ? type : in->of_error;
}

struct programs_type *infer_field(struct infer *in, const struct programs_expr *e)
{
    const struct programs_field *field = e->selection->field;
    struct programs_type *type = open_data(in, field->constructor->datatype);
    if (!infer_expect(in, e->operands[0], type, PLACE_OPERAND,
                      "`.%s`: ", e->selection->text) ||
        infer_is_kind(e->operands[0]->type, PROGRAMS_TYPE_ERROR))
        return in->of_error;
    return programs_type_of_field(type, field);
}

/* --- patterns ------------------------------------------------------------------------------- */

struct programs_type *infer_pattern_type(struct infer *in,
                                         const struct programs_pattern *pattern)
{
    struct programs_type **parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                                   pattern->part_count);
    for (size_t i = 0; i < pattern->part_count; i++)
        parts[i] = infer_pattern_type(in, pattern->parts[i]);
    if (pattern->kind == PROGRAMS_PATTERN_NAME)
        return pattern->binding->type;
    if (pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR) {
        const struct programs_constructor *c = pattern->constructor;
        struct programs_type *type = open_data(in, c->datatype);
        for (size_t i = 0; i < pattern->part_count; i++)
            if (programs_type_unify(programs_type_of_field(type, &c->fields[i]),
                                    parts[i]) != PROGRAMS_UNIFIED)
                lib_diag_error(
                    in->diags, LIB_DIAG_TYPE, in->ast->source, pattern->parts[i]->pos,
                    "field %zu of `%s`: expected %s, found the pattern of %s", i + 1,
                    c->name,
                    infer_type_text(in, programs_type_of_field(type, &c->fields[i])),
                    infer_type_text(in, parts[i]));
        return type;
    }
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = parts;
    tuple->part_count = (uint32_t)pattern->part_count;
    return tuple;
}

static void report_pattern(struct infer *in, const struct programs_pattern *pattern,
                           struct programs_type *expected, const char *found)
{
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, pattern->pos,
                   "this pattern is of %s, but the value is of %s", found,
                   infer_type_text(in, expected));
}

static void ignore_names(struct infer *in, const struct programs_pattern *pattern)
{
    if (pattern->kind == PROGRAMS_PATTERN_NAME)
        pattern->binding->type = in->of_error;
    for (size_t i = 0; i < pattern->part_count; i++)
        ignore_names(in, pattern->parts[i]);
}

/* Gives the names of a pattern of a `case` their types; `type` is that of the value. */
static void infer_pattern(struct infer *in, const struct programs_pattern *pattern,
                          struct programs_type *type);

static void infer_tuple_pattern(struct infer *in, const struct programs_pattern *pattern,
                                struct programs_type *type)
{
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                   pattern->part_count);
    tuple->part_count = (uint32_t)pattern->part_count;
    for (size_t i = 0; i < pattern->part_count; i++)
        tuple->parts[i] = infer_open_type(in, PROGRAMS_CLASS_ANY);
    if (programs_type_unify(tuple, type) != PROGRAMS_UNIFIED) {
        report_pattern(
            in, pattern, type,
            lib_arena_printf(in->arena, "a tuple of %zu parts", pattern->part_count));
        ignore_names(in, pattern);
        return;
    }
    for (size_t i = 0; i < pattern->part_count; i++)
        infer_pattern(in, pattern->parts[i], tuple->parts[i]);
}

static void infer_pattern(struct infer *in, const struct programs_pattern *pattern,
                          struct programs_type *type)
{
    struct programs_type *own;
    switch (pattern->kind) {
    case PROGRAMS_PATTERN_NAME:
        pattern->binding->type = type;
        break;
    case PROGRAMS_PATTERN_TUPLE:
        infer_tuple_pattern(in, pattern, type);
        break;
    case PROGRAMS_PATTERN_CONSTRUCTOR:
        own = open_data(in, pattern->constructor->datatype);
        if (programs_type_unify(own, type) != PROGRAMS_UNIFIED) {
            report_pattern(in, pattern, type, infer_type_text(in, own));
            ignore_names(in, pattern);
            break;
        }
        for (size_t i = 0; i < pattern->part_count; i++)
            infer_pattern(in, pattern->parts[i],
                          programs_type_of_field(own, &pattern->constructor->fields[i]));
        break;
    default:
        infer_expr(in, pattern->literal);
        if (programs_type_unify(type, pattern->literal->type) != PROGRAMS_UNIFIED)
            report_pattern(in, pattern, type,
                           infer_type_text(in, pattern->literal->type));
    }
}

struct programs_type *infer_case(struct infer *in, const struct programs_expr *e)
{
    const struct programs_case *match = e->match;
    bool fits = true;
    infer_expr(in, e->operands[0]);
    for (size_t i = 0; i < match->arm_count; i++) {
        const struct programs_arm *arm = &match->arms[i];
        infer_pattern(in, arm->pattern, e->operands[0]->type);
        if (arm->guard) {
            infer_expr(in, arm->guard);
            infer_expect(in, arm->guard, in->of_bool, PLACE_OPERAND, "%s", "");
        }
        infer_expr(in, arm->body);
        if (i)
            fits = infer_expect(in, arm->body, match->arms[0].body->type, PLACE_MATCH,
                                "%s", "the arms of a `case` must have one type: ") &&
                   fits;
    }
    return fits ? match->arms[0].body->type : in->of_error;
}
