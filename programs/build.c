#include "programs/build.h"

#include "programs/region.h"
#include "programs/type.h"

#include <assert.h>
#include <string.h>

/* Values of one expression: its type, flattened to scalars. */
struct values {
    struct region_value *items;
    uint32_t count;
};

struct builder {
    const struct programs_ast *ast;
    const struct programs_options *options;
    struct lib_arena *arena; /* gone when the graph is made */
    struct isa_graph *graph;
    struct values *param_values;          /* of the function being built, per parameter */
    uint32_t *function_index;             /* per function of the tree: in the graph */
    uint32_t *input_index;                /* per input of the tree: in the graph */
    const struct programs_expr **aliases; /* per constant of the tree, once known */
    bool *alias_known;
    uint32_t **cells; /* per constant of the tree and name of it: its first cell */
    struct lets {
        const struct programs_binding *binding;
        struct values values;
        struct region_loop *loop; /* a variable of a loop that has ended; else NULL */
        uint32_t variable;        /* of that loop: its first part */
    } * lets; /* and variables of loops in scope, the innermost last */
    size_t let_count, let_capacity;
};

static struct values build(struct builder *b, struct region *r,
                           const struct programs_expr *e);

static struct values new_values(struct builder *b, uint32_t count)
{
    return (struct values){LIB_ARENA_ARRAY(b->arena, struct region_value, count), count};
}

static struct values one_value(struct builder *b, struct region_value value)
{
    struct values v = new_values(b, 1);
    v.items[0] = value;
    return v;
}

static enum isa_type scalar_type(struct programs_type *type)
{
    enum isa_type scalar;
    assert(programs_type_width(type) == 1);
    programs_type_flatten(type, &scalar);
    return scalar;
}

/* --- names ---------------------------------------------------------------------------- */

static isa_value literal_value(const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT:
        return scalar_type(e->type) == ISA_REAL ? isa_value_of_real((double)e->integer)
                                                : isa_value_of_int(e->integer);
    case PROGRAMS_EXPR_REAL:
        return isa_value_of_real(e->real);
    default:
        return e->boolean;
    }
}

static bool is_literal(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL ||
           e->kind == PROGRAMS_EXPR_BOOL;
}

/* What a constant's equation says it is another name for: a literal or a name; NULL if it
 * has to be computed. */
static const struct programs_expr *renames(const struct programs_equation *q)
{
    bool plain = q->name_count == 1 &&
                 (is_literal(q->value) || q->value->kind == PROGRAMS_EXPR_NAME);
    return plain ? q->value : NULL;
}

/* The literal, or the name of an input, that a constant is another name for; NULL if it
 * has to be computed. Chains of names are followed once: all of them learn the end. */
static const struct programs_expr *alias_of(struct builder *b,
                                            const struct programs_binding *binding)
{
    const struct programs_equation *first = binding->equation, *q = first;
    const struct programs_expr *end;
    for (;; q = end->name.binding->equation) {
        end = b->alias_known[q->index] ? b->aliases[q->index] : renames(q);
        bool goes_on = end && end->kind == PROGRAMS_EXPR_NAME &&
                       end->name.binding->kind == PROGRAMS_BIND_CONST;
        if (!goes_on)
            break;
    }
    for (const struct programs_equation *at = first; !b->alias_known[at->index];) {
        b->alias_known[at->index] = true;
        b->aliases[at->index] = end;
        if (at != q)
            at = at->value->name.binding->equation;
    }
    return end;
}

static struct values build_input(struct builder *b, const struct programs_binding *input)
{
    return one_value(b, (struct region_value){
                            .kind = REGION_INPUT,
                            .type = scalar_type(input->type),
                            .input = b->input_index[input->input->index],
                        });
}

/* Each use of a computed constant reads its cells. */
static struct values build_cells(struct builder *b, struct region *r,
                                 const struct programs_binding *binding,
                                 struct lib_pos pos)
{
    uint32_t first = b->cells[binding->equation->index][binding->index];
    struct values v = new_values(b, (uint32_t)programs_type_width(binding->type));
    for (uint32_t k = 0; k < v.count; k++)
        v.items[k] = region_read(r, first + k, pos);
    return v;
}

/* A name of a `let` or of a loop. Only what a `return` uses leaves its loop. */
static struct values build_bound(struct builder *b,
                                 const struct programs_binding *binding)
{
    size_t i = b->let_count;
    while (b->lets[--i].binding != binding)
        assert(i > 0);
    const struct lets *l = &b->lets[i];
    for (uint32_t k = 0; l->loop && k < l->values.count; k++)
        l->values.items[k] = region_loop_exit(l->loop, l->variable + k, binding->pos);
    return l->values;
}

static struct values build_name(struct builder *b, struct region *r,
                                const struct programs_expr *e)
{
    const struct programs_binding *binding = e->name.binding;
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return b->param_values[binding->index];
    case PROGRAMS_BIND_INPUT:
        return build_input(b, binding);
    case PROGRAMS_BIND_LET:
    case PROGRAMS_BIND_LOOP:
        return build_bound(b, binding);
    default: {
        const struct programs_expr *alias = alias_of(b, binding);
        return alias ? build(b, r, alias) : build_cells(b, r, binding, e->pos);
    }
    }
}

/* --- operations ------------------------------------------------------------------------ */

static enum isa_op binary_op(enum programs_operator op, enum isa_type type)
{
#define ROW(INT, REAL, BOOL)                                                             \
    {                                                                                    \
        ISA_OP_##INT, ISA_OP_##REAL, ISA_OP_##BOOL                                       \
    }
    static const enum isa_op ops[][ISA_TYPE_COUNT] = {
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
    static const enum isa_op ops[][2] = {
#define BUILTIN(NAME, text, arity, rule, int_op, real_op)                                \
    [PROGRAMS_BUILTIN_##NAME] = {ISA_OP_##int_op, ISA_OP_##real_op},
#include "programs/builtins.def"
#undef BUILTIN
    };
    return ops[builtin][type == ISA_REAL];
}

static struct values build_pure(struct builder *b, struct region *r, enum isa_op op,
                                const struct programs_expr *e)
{
    struct region_value operands[2];
    for (size_t i = 0; i < e->operand_count; i++)
        operands[i] = build(b, r, e->operands[i]).items[0];
    return one_value(b, region_pure(r, op, operands, (uint32_t)e->operand_count, e->pos));
}

static struct values build_call(struct builder *b, struct region *r,
                                const struct programs_expr *e)
{
    if (!e->call.function)
        return build_pure(
            b, r, builtin_op(e->call.builtin, scalar_type(e->operands[0]->type)), e);

    uint32_t width = 0;
    for (size_t i = 0; i < e->operand_count; i++)
        width += (uint32_t)programs_type_width(e->operands[i]->type);
    struct values arguments = new_values(b, width);
    uint32_t at = 0;
    for (size_t i = 0; i < e->operand_count; i++) {
        struct values v = build(b, r, e->operands[i]);
        memcpy(&arguments.items[at], v.items, v.count * sizeof *v.items);
        at += v.count;
    }
    struct values results = new_values(b, (uint32_t)programs_type_width(e->type));
    region_apply(r, b->function_index[e->call.function->index], arguments.items, width,
                 results.items, e->pos);
    return results;
}

static struct values build_tuple(struct builder *b, struct region *r,
                                 const struct programs_expr *e)
{
    struct values all = new_values(b, (uint32_t)programs_type_width(e->type));
    uint32_t at = 0;
    for (size_t i = 0; i < e->operand_count; i++) {
        struct values v = build(b, r, e->operands[i]);
        memcpy(&all.items[at], v.items, v.count * sizeof *v.items);
        at += v.count;
    }
    return all;
}

/* --- conditionals ----------------------------------------------------------------------- */

/* Both branches make values of one type; NULL stands for the literal `otherwise`. */
static struct values
build_branches(struct builder *b, struct region *r, const struct programs_expr *e,
               struct region_value condition, const struct programs_expr *when_true,
               const struct programs_expr *when_false, bool otherwise)
{
    const struct region_value literal = {
        .kind = REGION_LITERAL, .type = ISA_BOOL, .literal = otherwise};
    const struct programs_expr *branches[2] = {when_true, when_false};
    struct region *inner[2];
    struct values arms[2];
    region_split(r, condition, e->pos, inner);
    for (int side = 0; side < 2; side++)
        arms[side] = branches[side] ? build(b, inner[side], branches[side])
                                    : one_value(b, literal);
    struct values merged = new_values(b, arms[0].count);
    for (uint32_t k = 0; k < merged.count; k++)
        merged.items[k] = region_merge(r, inner, arms[0].items[k], arms[1].items[k],
                                       e->pos);
    return merged;
}

static struct values build_binary(struct builder *b, struct region *r,
                                  const struct programs_expr *e)
{
    if (e->op != PROGRAMS_AND && e->op != PROGRAMS_OR)
        return build_pure(b, r, binary_op(e->op, scalar_type(e->operands[0]->type)), e);
    /* The right side is computed only if it is needed: `a and b` is
     * `if a then b else false`, `a or b` is `if a then true else b`. */
    struct region_value left = build(b, r, e->operands[0]).items[0];
    return e->op == PROGRAMS_AND
               ? build_branches(b, r, e, left, e->operands[1], NULL, false)
               : build_branches(b, r, e, left, NULL, e->operands[1], true);
}

/* --- let -------------------------------------------------------------------------------- */

static void bind_let(struct builder *b, const struct programs_binding *binding,
                     struct values values)
{
    if (b->let_count == b->let_capacity) {
        size_t capacity = b->let_capacity ? 2 * b->let_capacity : 16;
        struct lets *lets = LIB_ARENA_ARRAY(b->arena, struct lets, capacity);
        if (b->let_count)
            memcpy(lets, b->lets, b->let_count * sizeof *lets);
        b->lets = lets;
        b->let_capacity = capacity;
    }
    b->lets[b->let_count++] = (struct lets){binding, values, NULL, 0};
}

static struct values build_let(struct builder *b, struct region *r,
                               const struct programs_expr *e)
{
    size_t outer = b->let_count;
    for (size_t i = 0; i < e->let.count; i++) {
        const struct programs_equation *q = e->let.equations[i];
        if (!q->used)
            continue;
        struct values v = build(b, r, q->value);
        uint32_t at = 0;
        for (size_t n = 0; n < q->name_count; n++) {
            uint32_t width = (uint32_t)programs_type_width(q->names[n]->type);
            bind_let(b, q->names[n], (struct values){&v.items[at], width});
            at += width;
        }
    }
    struct values v = build(b, r, e->let.body);
    b->let_count = outer;
    return v;
}

/* --- loops ------------------------------------------------------------------------------ */

/* The used variables of a loop, from their initial values on. Returns how many parts they
 * have. */
static uint32_t enter_variables(struct builder *b, struct region *r,
                                struct region_loop *loop, const struct programs_expr *e)
{
    const struct programs_loop *l = e->loop;
    struct values *parts = LIB_ARENA_ARRAY(b->arena, struct values, l->count);
    uint32_t width = 0;
    for (size_t n = 0; n < l->count; n++)
        if (l->names[n]->used)
            parts[n] = build(b, r, programs_loop_initial(e, n));
    for (size_t n = 0; n < l->count; n++) {
        if (!l->names[n]->used)
            continue;
        struct values inside = new_values(b, parts[n].count);
        for (uint32_t k = 0; k < inside.count; k++)
            inside.items[k] = region_loop_enter(loop, parts[n].items[k],
                                                l->names[n]->pos);
        bind_let(b, l->names[n], inside);
        b->lets[b->let_count - 1].variable = width;
        width += inside.count;
    }
    return width;
}

static void build_body(struct builder *b, struct region_loop *loop,
                       const struct programs_expr *e)
{
    struct region *header = region_loop_header(loop);
    struct region_value condition = build(b, header, programs_loop_condition(e)).items[0];
    struct region *body = region_loop_test(loop, condition);
    uint32_t variable = 0;
    for (size_t n = 0; n < e->loop->count; n++) {
        if (!e->loop->names[n]->used)
            continue;
        const struct programs_expr *next = programs_loop_next(e, n);
        struct values v = build(b, body, next);
        for (uint32_t k = 0; k < v.count; k++)
            region_loop_next(loop, variable++, v.items[k], next->pos);
    }
}

/* What a loop without `return` gives. */
static struct values exit_all(struct builder *b, struct region_loop *loop, uint32_t width,
                              struct lib_pos pos)
{
    struct values v = new_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        v.items[k] = region_loop_exit(loop, k, pos);
    return v;
}

static struct values build_loop(struct builder *b, struct region *r,
                                const struct programs_expr *e)
{
    const size_t outer = b->let_count;
    struct region_loop *loop = region_loop_open(r, e->loop->bound, e->pos);
    uint32_t width = enter_variables(b, r, loop, e);
    build_body(b, loop, e);
    for (size_t i = outer; i < b->let_count; i++)
        b->lets[i].loop = loop;
    struct values v = e->loop->returns ? build(b, r, programs_loop_result(e))
                                       : exit_all(b, loop, width, e->pos);
    b->let_count = outer;
    region_loop_close(loop);
    return v;
}

static struct values build(struct builder *b, struct region *r,
                           const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        return build_name(b, r, e);
    case PROGRAMS_EXPR_CALL:
        return build_call(b, r, e);
    case PROGRAMS_EXPR_UNARY:
        return build_pure(b, r, binary_op(e->op, scalar_type(e->operands[0]->type)), e);
    case PROGRAMS_EXPR_BINARY:
        return build_binary(b, r, e);
    case PROGRAMS_EXPR_IF: {
        struct region_value condition = build(b, r, e->operands[0]).items[0];
        return build_branches(b, r, e, condition, e->operands[1], e->operands[2], false);
    }
    case PROGRAMS_EXPR_LET:
        return build_let(b, r, e);
    case PROGRAMS_EXPR_TUPLE:
        return build_tuple(b, r, e);
    case PROGRAMS_EXPR_LOOP:
        return build_loop(b, r, e);
    default:
        return one_value(b, (struct region_value){.kind = REGION_LITERAL,
                                                  .type = scalar_type(e->type),
                                                  .literal = literal_value(e)});
    }
}

/* --- the program ------------------------------------------------------------------------ */

static void flatten(struct builder *b, struct programs_type *type, enum isa_type **types,
                    uint32_t *count)
{
    *count = (uint32_t)programs_type_width(type);
    *types = LIB_ARENA_ARRAY(b->arena, enum isa_type, *count);
    programs_type_flatten(type, *types);
}

static void declare_function(struct builder *b, const struct programs_function *f)
{
    uint32_t width = 0, result_count;
    for (size_t i = 0; i < f->param_count; i++)
        width += (uint32_t)programs_type_width(f->params[i]->type);
    enum isa_type *params = LIB_ARENA_ARRAY(b->arena, enum isa_type, width), *results;
    uint32_t at = 0;
    for (size_t i = 0; i < f->param_count; i++) {
        programs_type_flatten(f->params[i]->type, &params[at]);
        at += (uint32_t)programs_type_width(f->params[i]->type);
    }
    flatten(b, f->result_type, &results, &result_count);
    b->function_index[f->index] = isa_graph_add_function(b->graph, f->name, params, width,
                                                         results, result_count, f->pos);
}

/* Cells for the names of a constant, unless they are other names for an immediate. */
static void declare_constant(struct builder *b, const struct programs_equation *q)
{
    b->cells[q->index] = LIB_ARENA_ARRAY(b->arena, uint32_t, q->name_count);
    for (size_t n = 0; n < q->name_count; n++) {
        const struct programs_binding *binding = q->names[n];
        if (!binding->used || q == b->ast->result || alias_of(b, binding))
            continue;
        enum isa_type *types;
        uint32_t width;
        flatten(b, binding->type, &types, &width);
        b->cells[q->index][n] = b->graph->cell_count;
        for (uint32_t k = 0; k < width; k++) {
            const char *name = width == 1 ? binding->name
                                          : lib_arena_printf(b->arena, "%s.%u",
                                                             binding->name, k);
            isa_graph_add_cell(b->graph, name, types[k]);
        }
    }
}

static void write_shape(struct programs_type *type, struct lib_text *out)
{
    type = programs_type_find(type);
    if (type->kind != PROGRAMS_TYPE_TUPLE) {
        lib_text_puts(out, "_");
        return;
    }
    for (size_t i = 0; i < type->part_count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        write_shape(type->parts[i], out);
    }
    lib_text_puts(out, ")");
}

static void declare(struct builder *b)
{
    const struct programs_ast *ast = b->ast;
    enum isa_type *results;
    uint32_t result_count;
    struct programs_binding *result = ast->result->names[0];
    flatten(b, result->type, &results, &result_count);
    isa_graph_add_function(b->graph, "result", NULL, 0, results, result_count,
                           result->pos);
    struct lib_text shape = {0};
    write_shape(result->type, &shape);
    isa_graph_set_shape(b->graph, shape.bytes);
    lib_text_free(&shape);

    for (size_t i = 0; i < ast->function_count; i++)
        if (ast->functions[i]->used)
            declare_function(b, ast->functions[i]);
    for (size_t i = 0; i < ast->input_count; i++) {
        const struct programs_input *input = ast->inputs[i];
        b->input_index[i] = isa_graph_add_input(b->graph, input->binding->name,
                                                scalar_type(input->binding->type),
                                                literal_value(input->literal));
    }
    b->cells = LIB_ARENA_ARRAY(b->arena, uint32_t *, ast->constant_count);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            declare_constant(b, ast->constants[i]);
}

static void build_constant(struct builder *b, struct region *top,
                           const struct programs_equation *q)
{
    if (q != b->ast->result && alias_of(b, q->names[0]))
        return;
    struct values v = build(b, top, q->value);
    if (q == b->ast->result) {
        for (uint32_t k = 0; k < v.count; k++)
            region_consume(top, ISA_OP_OUTPUT, k, v.items[k], q->names[0]->pos);
        return;
    }
    uint32_t at = 0;
    for (size_t n = 0; n < q->name_count; n++) {
        const struct programs_binding *binding = q->names[n];
        uint32_t width = (uint32_t)programs_type_width(binding->type);
        for (uint32_t k = 0; binding->used && k < width; k++)
            region_consume(top, ISA_OP_WRITE, b->cells[q->index][n] + k, v.items[at + k],
                           binding->pos);
        at += width;
    }
}

static void build_function(struct builder *b, const struct programs_function *f)
{
    uint32_t function = b->function_index[f->index];
    struct region *top = region_top(b->graph, b->arena, function, b->options);
    b->param_values = LIB_ARENA_ARRAY(b->arena, struct values, f->param_count);
    uint32_t at = 0;
    for (size_t i = 0; i < f->param_count; i++) {
        uint32_t width = (uint32_t)programs_type_width(f->params[i]->type);
        b->param_values[i] = new_values(b, width);
        for (uint32_t k = 0; k < width; k++)
            b->param_values[i].items[k] = region_param(top, at++, f->params[i]->pos);
    }
    struct values v = build(b, top, f->body);
    for (uint32_t k = 0; k < v.count; k++)
        region_consume(top, ISA_OP_RESULT, k, v.items[k], f->pos);
}

/* The file's name without its folders: an image does not depend on where it was made. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct isa_graph *programs_build(const struct programs_ast *ast,
                                 const struct programs_options *options)
{
    struct lib_arena *arena = lib_arena_new();
    struct builder b = {
        .ast = ast,
        .options = options,
        .arena = arena,
        .graph = isa_graph_new(ISA_STAGE_FUNCTIONS, base_name(ast->source->name)),
        .function_index = LIB_ARENA_ARRAY(arena, uint32_t, ast->function_count),
        .input_index = LIB_ARENA_ARRAY(arena, uint32_t, ast->input_count),
        .aliases = LIB_ARENA_ARRAY(arena, const struct programs_expr *,
                                   ast->constant_count),
        .alias_known = LIB_ARENA_ARRAY(arena, bool, ast->constant_count),
    };
    declare(&b);
    struct region *top = region_top(b.graph, arena, 0, options);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            build_constant(&b, top, ast->constants[i]);
    for (size_t i = 0; i < ast->function_count; i++)
        if (ast->functions[i]->used)
            build_function(&b, ast->functions[i]);
    lib_arena_free(arena);
    return b.graph;
}
