/* Builds expressions, except names, loops and arrays. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

#include <assert.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------ */

struct programs_values programs_build_values(struct programs_builder *b, uint32_t count)
{
    return (struct programs_values){LIB_ARENA_ARRAY(b->scratch, uint32_t, count), count};
}

struct programs_values programs_build_value(struct programs_builder *b, uint32_t value)
{
    struct programs_values v = programs_build_values(b, 1);
    v.items[0] = value;
    return v;
}

enum isa_type programs_build_type(struct programs_type *type)
{
    enum isa_type one;
    assert(programs_type_width(type) == 1);
    programs_type_flatten(type, &one);
    return one;
}

void programs_build_form_types(struct programs_builder *b, struct programs_type *type,
                               enum isa_type **types, uint32_t *count)
{
    *count = (uint32_t)programs_type_width(type);
    *types = LIB_ARENA_ARRAY(b->arena, enum isa_type, *count);
    programs_type_flatten_with(type, FORM_WHOLES, *types);
}

uint32_t programs_build_one(struct programs_builder *b, const struct programs_expr *e)
{
    return programs_build_expr(b, e).items[0];
}

struct programs_values programs_build_operands(struct programs_builder *b,
                                               const struct programs_expr *e)
{
    uint32_t width = 0;
    for (size_t i = 0; i < e->operand_count; i++)
        width += (uint32_t)programs_type_width(e->operands[i]->type);
    struct programs_values all = programs_build_values(b, width);
    uint32_t at = 0;
    for (size_t i = 0; i < e->operand_count; i++) {
        struct programs_values v = programs_build_expr(b, e->operands[i]);
        memcpy(&all.items[at], v.items, v.count * sizeof *v.items);
        at += v.count;
    }
    return all;
}

/* --- operations -------------------------------------------------------------------------- */

static enum isa_op operation(enum programs_operator op, enum isa_type type)
{
#define ROW(INT, REAL, BOOL)                                                             \
    {                                                                                    \
        [ISA_INT] = ISA_OP_##INT, [ISA_REAL] = ISA_OP_##REAL, [ISA_BOOL] = ISA_OP_##BOOL \
    }
    static const enum isa_op ops[][ISA_BOOL + 1] = {
        [PROGRAMS_NEG] = ROW(NEG_I, NEG_R, NONE),
        [PROGRAMS_NOT] = ROW(NONE, NONE, NOT_B),
        [PROGRAMS_MUL] = ROW(MUL_I, MUL_R, NONE),
        [PROGRAMS_DIV] = ROW(DIV_I, DIV_R, NONE),
        [PROGRAMS_REM] = ROW(REM_I, REM_R, NONE),
        [PROGRAMS_ADD] = ROW(ADD_I, ADD_R, NONE),
        [PROGRAMS_SUB] = ROW(SUB_I, SUB_R, NONE),
        [PROGRAMS_EQ] = ROW(EQ_I, EQ_R, EQ_B),
        [PROGRAMS_NE] = ROW(NE_I, NE_R, NE_B),
        [PROGRAMS_LT] = ROW(LT_I, LT_R, NONE),
        [PROGRAMS_LE] = ROW(LE_I, LE_R, NONE),
        [PROGRAMS_GT] = ROW(GT_I, GT_R, NONE),
        [PROGRAMS_GE] = ROW(GE_I, GE_R, NONE),
    };
#undef ROW
    return ops[op][type];
}

static enum isa_op builtin_op(enum programs_builtin builtin, enum isa_type type)
{
    static const enum isa_op ops[PROGRAMS_BUILTIN_PLAIN][2] = {
#define BUILTIN(NAME, text, arity, rule, int_op, real_op)                                \
    [PROGRAMS_BUILTIN_##NAME] = {ISA_OP_##int_op, ISA_OP_##real_op},
#include "programs/syntax/builtins.def"
#undef BUILTIN
    };
    return ops[builtin][type == ISA_REAL];
}

static enum isa_type operand_type(const struct programs_expr *e)
{
    return programs_build_type(e->operands[0]->type);
}

static struct programs_values build_pure(struct programs_builder *b, enum isa_op op,
                                         const struct programs_expr *e)
{
    struct programs_values operands = programs_build_operands(b, e);
    if (programs_build_is_tensor(e))
        return programs_build_value(
            b, programs_build_kernel(b->at, e, operands.items, operands.count));
    return programs_build_value(
        b, form_compute(b->at, op, ISA_INT, 0, operands.items, operands.count));
}

static struct programs_values build_builtin(struct programs_builder *b,
                                            const struct programs_expr *e)
{
    if (e->call->builtin >= PROGRAMS_BUILTIN_PLAIN ||
        ((e->call->builtin == PROGRAMS_BUILTIN_REAL ||
          e->call->builtin == PROGRAMS_BUILTIN_INT) &&
         programs_build_is_tensor(e->operands[0])))
        return programs_build_tensor_builtin(b, e);
    if (programs_build_is_tensor(e))
        return build_pure(b, ISA_OP_NONE, e);
    switch (e->call->builtin) {
    case PROGRAMS_BUILTIN_LENGTH:
        return programs_build_length(b, e);
    case PROGRAMS_BUILTIN_SUM:
        return programs_build_sum(b, e);
    default:
        return build_pure(b, builtin_op(e->call->builtin, operand_type(e)), e);
    }
}

static struct programs_values build_call(struct programs_builder *b,
                                         const struct programs_expr *e)
{
    if (!e->call->function)
        return build_builtin(b, e);
    struct programs_values arguments = programs_build_operands(b, e);
    const struct form_entry *call = form_apply(b->at, e->call->function->index,
                                               arguments.items, arguments.count);
    return programs_build_results(call);
}

/* --- conditionals ------------------------------------------------------------------------ */

static struct programs_values merge(struct programs_builder *b, struct form_entry *branch,
                                    struct programs_values when_true,
                                    struct programs_values when_false)
{
    struct programs_values merged = programs_build_values(b, when_true.count);
    for (uint32_t k = 0; k < merged.count; k++)
        merged.items[k] = form_merge(b->at, branch, when_true.items[k],
                                     when_false.items[k]);
    return merged;
}

/* Builds `a and b` as `if a then b else false`, and `a or b` as `if a then true else b`. */
static struct programs_values build_logic(struct programs_builder *b,
                                          const struct programs_expr *e, uint32_t left)
{
    const bool is_or = e->op == PROGRAMS_OR;
    struct programs_values arms[2];
    struct form_entry *branch = form_split(b->at, left);
    arms[is_or] = programs_build_in(b, &branch->blocks[is_or], e->operands[1]);
    arms[!is_or] = programs_build_value(b, form_literal(b->at.form, ISA_BOOL, is_or));
    return merge(b, branch, arms[0], arms[1]);
}

static struct programs_values build_binary(struct programs_builder *b,
                                           const struct programs_expr *e, uint32_t left)
{
    const bool is_logic = e->op == PROGRAMS_AND || e->op == PROGRAMS_OR;
    if (!is_logic || programs_build_is_tensor(e)) {
        const uint32_t operands[] = {left, programs_build_one(b, e->operands[1])};
        if (programs_build_is_tensor(e))
            return programs_build_value(b, programs_build_kernel(b->at, e, operands, 2));
        enum isa_op op = operation(e->op, operand_type(e));
        return programs_build_value(b, form_compute(b->at, op, ISA_INT, 0, operands, 2));
    }
    return build_logic(b, e, left);
}

/* --- let --------------------------------------------------------------------------------- */

static void build_equation(struct programs_builder *b, const struct programs_equation *q)
{
    const struct programs_expr *comprehension = programs_equation_comprehension(q);
    if (comprehension) {
        programs_build_comprehension(b, comprehension, q->names[0]);
        return;
    }
    struct programs_values v = programs_build_expr(b, q->value);
    uint32_t at = 0;
    for (size_t n = 0; n < q->name_count; n++) {
        uint32_t width = (uint32_t)programs_type_width(q->names[n]->type);
        programs_build_bind(b, q->names[n],
                            (struct programs_values){&v.items[at], width});
        at += width;
    }
}

static struct programs_values build_let(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    size_t outer = b->bound.count;
    for (size_t i = 0; i < e->let->count; i++)
        if (e->let->equations[i]->used)
            build_equation(b, e->let->equations[i]);
    struct programs_values v = programs_build_expr(b, e->let->body);
    b->bound.count = outer;
    return v;
}

struct half {
    struct form_block *outer;
    struct form_entry *branch;
    struct programs_values when_true;
    struct half *below; /* enclosing expression */
};

static struct half *build_half(struct programs_builder *b, const struct programs_expr *e,
                               struct half *below)
{
    struct half *h = LIB_ARENA_NEW(b->scratch, struct half);
    h->outer = b->at.block;
    h->below = below;
    const uint32_t condition = programs_build_one(b, e->operands[0]);
    h->branch = form_split(b->at, condition);
    h->when_true = programs_build_in(b, &h->branch->blocks[0], e->operands[1]);
    return h;
}

static struct programs_values build_end(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        return programs_build_name(b, e);
    case PROGRAMS_EXPR_CALL:
        return build_call(b, e);
    case PROGRAMS_EXPR_GRAD:
        return programs_build_gradient(b, e);
    case PROGRAMS_EXPR_UNARY:
        return build_pure(b,
                          programs_build_is_tensor(e) ? ISA_OP_NONE
                                                      : operation(e->op, operand_type(e)),
                          e);
    case PROGRAMS_EXPR_LET:
        return build_let(b, e);
    case PROGRAMS_EXPR_TUPLE:
        return programs_build_operands(b, e);
    case PROGRAMS_EXPR_PARAM:
        return programs_build_param(b, e);
    case PROGRAMS_EXPR_PORT:
        return programs_build_port(b, e);
    case PROGRAMS_EXPR_LOOP:
        return programs_build_loop(b, e);
    case PROGRAMS_EXPR_ARRAY:
        return programs_build_array(b, e);
    case PROGRAMS_EXPR_COMPREHENSION:
        return programs_build_comprehension(b, e, NULL);
    default:
        return programs_build_value(b,
                                    form_literal(b->at.form, programs_build_type(e->type),
                                                 programs_build_literal(e)));
    }
}

struct programs_values programs_build_in(struct programs_builder *b,
                                         struct form_block *block,
                                         const struct programs_expr *e)
{
    struct form_block *outer = b->at.block;
    b->at.block = block;
    const struct programs_values v = programs_build_expr(b, e);
    b->at.block = outer;
    return v;
}

struct programs_values programs_build_expr(struct programs_builder *b,
                                           const struct programs_expr *e)
{
    const struct form_place outer = b->at;
    const struct programs_expr *at = e;
    struct half *half = NULL;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        if (at->kind == PROGRAMS_EXPR_IF) {
            b->at.pos = at->pos;
            half = build_half(b, at, half);
            b->at.block = &half->branch->blocks[1];
        }
    b->at.pos = at->pos;
    struct programs_values v = build_end(b, at);
    while (at != e) {
        at = at->above;
        b->at.pos = at->pos;
        if (at->kind == PROGRAMS_EXPR_IF) {
            b->at.block = half->outer;
            v = merge(b, half->branch, half->when_true, v);
            half = half->below;
        } else {
            v = at->kind == PROGRAMS_EXPR_INDEX ? programs_build_index(b, at, v)
                                                : build_binary(b, at, v.items[0]);
        }
    }
    b->at = outer;
    return v;
}
