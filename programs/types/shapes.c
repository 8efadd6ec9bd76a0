#include "programs/types/shapes_internal.h"

#include "programs/types/gradient_type.h"

/* --- what is known of a type alone ------------------------------------------------------ */

struct known shapes_of_type(struct shapes *s, struct programs_type *type)
{
    struct known known = {.kind = ANYTHING};
    type = programs_type_find(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        known = (struct known){.kind = INT, .integer = ISA_UNKNOWN};
        break;
    case PROGRAMS_TYPE_TENSOR:
        known.kind = TENSOR;
        known.shape = isa_shape_scalar(programs_type_element(type));
        known.shape.rank = (uint8_t)programs_type_tensor_rank(type);
        for (int i = 0; i < known.shape.rank; i++)
            known.shape.extents[i] = ISA_UNKNOWN;
        break;
    case PROGRAMS_TYPE_TUPLE:
        known.kind = TUPLE;
        known.part_count = type->part_count;
        known.parts = LIB_ARENA_ARRAY(s->arena, struct known, type->part_count);
        for (size_t i = 0; i < type->part_count; i++)
            known.parts[i] = shapes_of_type(s, type->parts[i]);
        break;
    default:
        break;
    }
    return known;
}

/* Returns what is known of a value that is either of two. */
static struct known join(struct shapes *s, struct known a, struct known b)
{
    if (a.kind == INT && a.integer != b.integer)
        a.integer = ISA_UNKNOWN;
    for (int i = 0; a.kind == TENSOR && i < a.shape.rank; i++)
        if (a.shape.extents[i] != b.shape.extents[i])
            a.shape.extents[i] = ISA_UNKNOWN;
    if (a.kind == TUPLE) {
        struct known *parts = LIB_ARENA_ARRAY(s->arena, struct known, a.part_count);
        for (size_t i = 0; i < a.part_count; i++)
            parts[i] = join(s, a.parts[i], b.parts[i]);
        a.parts = parts;
    }
    return a;
}

/* --- mistakes ----------------------------------------------------------------------------- */

void shapes_report(struct shapes *s, struct lib_pos pos, const char *text)
{
    if (s->quiet)
        return;
    for (size_t i = 0; i < s->reported.count; i++)
        if (s->reported.items[i].line == pos.line &&
            s->reported.items[i].column == pos.column)
            return;
    *LIB_VEC_PUSH(&s->reported) = pos;
    lib_diag_error(s->diags, LIB_DIAG_TYPE, s->ast->source, pos, "%s", text);
}

struct known shapes_apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers)
{
    struct known known = shapes_of_type(s, e->type);
    LIB_TEXT_OWN why = {0};
    struct isa_shape result;
    if (!isa_kernel_shape(kernel, operands, numbers, &result, &why))
        shapes_report(s, e->pos, lib_text_get(&why));
    else if (known.kind == TENSOR)
        known.shape = result;
    return known;
}

struct known shapes_apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers)
{
    const struct isa_shape *const operands[] = {a, b};
    return shapes_apply_to_all(s, e, kernel, operands, numbers);
}

struct known shapes_operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands)
{
    struct isa_shape shapes[2];
    const bool two = e->operand_count == 2;
    for (size_t i = 0; i < e->operand_count; i++)
        shapes[i] = operands[i].kind == TENSOR
                        ? operands[i].shape
                        : isa_shape_scalar(operands[!i].shape.element);
    return shapes_apply(s, e, programs_tensor_kernel(e), &shapes[0],
                        two ? &shapes[1] : NULL, (struct isa_numbers){0});
}

/* --- names -------------------------------------------------------------------------------- */

void shapes_bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known)
{
    *LIB_VEC_PUSH(&s->bound) = (struct bound){binding, known};
}

static void bind_equation(struct shapes *s, const struct programs_equation *q,
                          struct known known)
{
    for (size_t i = 0; i < q->name_count; i++)
        shapes_bind(s, q->names[i],
                    q->is_tuple && !q->pattern && known.kind == TUPLE ? known.parts[i]
                    : q->is_tuple ? shapes_of_type(s, q->names[i]->type)
                                  : known);
}

/* Constants may name each other in cycles through comprehensions. */
static struct known look_at_constant(struct shapes *s, const struct programs_equation *q)
{
    if (s->constants[q->index])
        return *s->constants[q->index];
    if (s->is_open[q->index])
        return shapes_of_type(s, q->value->type);
    const unsigned calls = s->calls, quiet = s->quiet;
    s->is_open[q->index] = true;
    s->calls = s->quiet = 0;
    struct known *known = LIB_ARENA_NEW(s->arena, struct known);
    *known = shapes_look(s, q->value);
    s->calls = calls;
    s->quiet = quiet;
    s->is_open[q->index] = false;
    s->constants[q->index] = known;
    return *known;
}

static struct known look_at_name(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_binding *binding = e->name.binding;
    if (binding->kind == PROGRAMS_BIND_CONST) {
        struct known known = look_at_constant(s, binding->equation);
        if (!binding->equation->is_tuple)
            return known;
        return known.kind == TUPLE && !binding->equation->pattern
                   ? known.parts[binding->index]
                   : shapes_of_type(s, e->type);
    }
    for (size_t i = s->bound.count; i-- > 0;)
        if (s->bound.items[i].binding == binding)
            return s->bound.items[i].known;
    return shapes_of_type(s, e->type);
}

/* --- what may never be executed --------------------------------------------------------------- */

static struct known look_quietly(struct shapes *s, const struct programs_expr *e)
{
    s->quiet++;
    struct known known = shapes_look(s, e);
    s->quiet--;
    return known;
}

static struct known look_at_loop(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_loop *loop = e->loop;
    const size_t outer = s->bound.count;
    for (size_t k = 0; k < loop->count; k++)
        shapes_look(s, programs_loop_initial(e, k));
    for (size_t k = 0; k < loop->count; k++)
        shapes_bind(s, loop->names[k], shapes_of_type(s, loop->names[k]->type));
    shapes_look(s, programs_loop_condition(e));
    for (size_t k = 0; k < programs_loop_next_count(e); k++)
        look_quietly(s, programs_loop_next(e, k));
    struct known known = loop->returns ? shapes_look(s, programs_loop_result(e))
                                       : shapes_of_type(s, e->type);
    s->bound.count = outer;
    return known;
}

static struct known look_at_let(struct shapes *s, const struct programs_expr *e)
{
    const size_t outer = s->bound.count;
    for (size_t i = 0; i < e->let->count; i++) {
        const struct programs_equation *q = e->let->equations[i];
        if (q->used)
            bind_equation(s, q, shapes_look(s, q->value));
    }
    struct known known = shapes_look(s, e->let->body);
    s->bound.count = outer;
    return known;
}

static struct known look_at_tuple(struct shapes *s, const struct programs_expr *e)
{
    struct known known = {.kind = TUPLE, .part_count = e->operand_count};
    known.parts = LIB_ARENA_ARRAY(s->arena, struct known, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        known.parts[i] = shapes_look(s, e->operands[i]);
    return known;
}

static struct known look_at_gradient(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_gradient *g = e->gradient;
    const size_t count = e->operand_count + g->param_count;
    struct known *parts = LIB_ARENA_ARRAY(s->arena, struct known, count);
    size_t found = 0;
    if (g->gives_rows)
        return shapes_of_type(s, e->type);
    for (size_t i = 0; i < count; i++) {
        const bool own = i < e->operand_count;
        struct known known = own ? shapes_look(s, e->operands[i])
                                 : look_at_constant(
                                       s, g->params[i - e->operand_count]->equation);
        struct programs_type *type = programs_gradient_type(
            s->arena, own ? e->operands[i]->type : g->params[i - e->operand_count]->type);
        if (type)
            parts[found++] = known.kind == TENSOR ? known : shapes_of_type(s, type);
    }
    return found == 1
               ? parts[0]
               : (struct known){.kind = TUPLE, .parts = parts, .part_count = found};
}

static struct known look_at_end(struct shapes *s, const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT: {
        struct known known = shapes_of_type(s, e->type);
        known.integer = e->integer;
        return known;
    }
    case PROGRAMS_EXPR_NAME:
        return look_at_name(s, e);
    case PROGRAMS_EXPR_CALL:
        return shapes_look_at_call(s, e);
    case PROGRAMS_EXPR_GRAD:
        return look_at_gradient(s, e);
    case PROGRAMS_EXPR_UNARY:
        return shapes_look_at_operation(s, e);
    case PROGRAMS_EXPR_LET:
        return look_at_let(s, e);
    case PROGRAMS_EXPR_TUPLE:
        return look_at_tuple(s, e);
    case PROGRAMS_EXPR_LOOP:
        return look_at_loop(s, e);
    case PROGRAMS_EXPR_PARAM:
        return e->param->data ? shapes_look_at_file(s, e)
                              : shapes_look_at_fill(s, e, e->operands);
    case PROGRAMS_EXPR_COMPREHENSION:
        for (size_t i = 1; i < e->operand_count; i++)
            shapes_look(s, e->operands[i]);
        look_quietly(s, e->operands[0]);
        return shapes_of_type(s, e->type);
    case PROGRAMS_EXPR_ARRAY:
    case PROGRAMS_EXPR_JOINED:
    case PROGRAMS_EXPR_SCATTER:
    case PROGRAMS_EXPR_ACCUMULATE:
    case PROGRAMS_EXPR_CONSTRUCT:
    case PROGRAMS_EXPR_FIELD:
        for (size_t i = 0; i < e->operand_count; i++)
            shapes_look(s, e->operands[i]);
        return shapes_of_type(s, e->type);
    default:
        return shapes_of_type(s, e->type);
    }
}

/* Evaluates `at`, a link of a chain, after the operand that continues the chain. */
static struct known look_behind(struct shapes *s, const struct programs_expr *at,
                                struct known next, struct known when_true)
{
    if (at->kind == PROGRAMS_EXPR_IF)
        return join(s, when_true, next);
    if (at->kind == PROGRAMS_EXPR_INDEX) {
        const struct known row = shapes_look(s, at->operands[1]);
        return next.kind == TENSOR && row.kind == INT
                   ? shapes_look_at_row(s, at, &next.shape, row.integer)
                   : shapes_of_type(s, at->type);
    }
    const bool is_logic = at->op == PROGRAMS_AND || at->op == PROGRAMS_OR;
    if (is_logic && shapes_of_type(s, at->type).kind != TENSOR) {
        look_quietly(s, at->operands[1]);
        return shapes_of_type(s, at->type);
    }
    struct known known = shapes_of_type(s, at->type),
                 second = shapes_look(s, at->operands[1]);
    return known.kind == TENSOR
               ? shapes_operate(s, at, (const struct known[]){next, second})
               : known;
}

struct known shapes_look(struct shapes *s, const struct programs_expr *e)
{
    LIB_VEC(struct known) when_true = {0};
    const struct programs_expr *at = e;
    if (s->budget == 0)
        return shapes_of_type(s, e->type);
    s->budget--;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        if (at->kind == PROGRAMS_EXPR_IF) {
            shapes_look(s, at->operands[0]);
            *LIB_VEC_PUSH(&when_true) = look_quietly(s, at->operands[1]);
            s->quiet++;
        }
    struct known known = look_at_end(s, at);
    while (at != e) {
        at = at->above;
        const bool is_if = at->kind == PROGRAMS_EXPR_IF;
        s->quiet -= is_if;
        known = look_behind(s, at, known,
                            is_if ? when_true.items[--when_true.count] : known);
    }
    LIB_VEC_FREE(&when_true);
    return known;
}

bool programs_shapes(const struct programs_ast *ast, struct lib_diags *diags)
{
    const size_t errors = diags->errors, from = diags->count;
    if (!ast->has_tensors)
        return true;
    struct shapes s = {
        .ast = ast,
        .diags = diags,
        .arena = ast->arena,
        .constants = LIB_ARENA_ARRAY(ast->arena, struct known *, ast->constant_count),
        .is_open = LIB_ARENA_ARRAY(ast->arena, bool, ast->constant_count),
        .budget = BUDGET,
    };
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            look_at_constant(&s, ast->constants[i]);
    programs_sort_diags(diags, from);
    LIB_VEC_FREE(&s.bound, &s.reported);
    return diags->errors == errors;
}
