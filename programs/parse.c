#include "programs/parse.h"

#include "lib/memory.h"
#include "programs/cursor.h"

#include <string.h>

/* Expressions within expressions: what the parser's own recursion bears. */
enum { NESTING_MAX = 1000 };

struct parser {
    struct programs_cursor cursor;
    struct lib_arena *arena;
    unsigned nesting; /* expressions being read */
    struct programs_ast *ast;
    LIB_VEC(struct programs_function *) functions;
    LIB_VEC(struct programs_equation *) constants;
    LIB_VEC(struct programs_input *) inputs;
};

typedef LIB_VEC(struct programs_expr *) expr_list;
typedef LIB_VEC(struct programs_binding *) binding_list;

static struct programs_expr *parse_expr(struct parser *p);

/* The operator that the token is between two operands. */
static bool find_binary(enum programs_token_kind token, enum programs_operator *op)
{
    static const struct {
        enum programs_token_kind token;
        enum programs_operator op;
    } binary[] = {
        {PROGRAMS_TOKEN_STAR, PROGRAMS_MUL},    {PROGRAMS_TOKEN_SLASH, PROGRAMS_DIV},
        {PROGRAMS_TOKEN_PERCENT, PROGRAMS_REM}, {PROGRAMS_TOKEN_PLUS, PROGRAMS_ADD},
        {PROGRAMS_TOKEN_MINUS, PROGRAMS_SUB},   {PROGRAMS_TOKEN_EQ, PROGRAMS_EQ},
        {PROGRAMS_TOKEN_NE, PROGRAMS_NE},       {PROGRAMS_TOKEN_LT, PROGRAMS_LT},
        {PROGRAMS_TOKEN_LE, PROGRAMS_LE},       {PROGRAMS_TOKEN_GT, PROGRAMS_GT},
        {PROGRAMS_TOKEN_GE, PROGRAMS_GE},       {PROGRAMS_TOKEN_AND, PROGRAMS_AND},
        {PROGRAMS_TOKEN_OR, PROGRAMS_OR},
    };
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (binary[i].token == token) {
            *op = binary[i].op;
            return true;
        }
    return false;
}

/* --- tokens ------------------------------------------------------------------------- */

static const struct programs_token *peek(const struct parser *p)
{
    return programs_cursor_peek(&p->cursor);
}

static bool sees(const struct parser *p, enum programs_token_kind kind)
{
    return programs_cursor_sees(&p->cursor, kind);
}

static const struct programs_token *take(struct parser *p)
{
    return programs_cursor_take(&p->cursor);
}

static bool accept(struct parser *p, enum programs_token_kind kind)
{
    return programs_cursor_accept(&p->cursor, kind);
}

static struct lib_pos stretch(const struct parser *p, struct lib_pos start)
{
    return programs_cursor_stretch(&p->cursor, start);
}

static void unexpected(struct parser *p, const char *expected)
{
    programs_cursor_unexpected(&p->cursor, expected);
}

static void unexpected_after(struct parser *p, const char *expected)
{
    programs_cursor_unexpected_after(&p->cursor, expected);
}

#define fail(p, pos, ...)                                                                \
    programs_cursor_fail(&(p)->cursor, LIB_DIAG_SYNTAX, (pos), __VA_ARGS__)

/* --- making nodes ------------------------------------------------------------------- */

static struct programs_expr *new_expr(struct parser *p, enum programs_expr_kind kind,
                                      struct lib_pos pos)
{
    struct programs_expr *e = LIB_ARENA_NEW(p->arena, struct programs_expr);
    e->kind = kind;
    e->pos = e->start = pos;
    e->height = 1;
    return e;
}

static void *keep(struct parser *p, const void *items, size_t count, size_t size)
{
    void *kept = lib_arena_alloc(p->arena, count * size);
    if (count)
        memcpy(kept, items, count * size);
    return kept;
}

/* Moves a list into the arena. */
#define KEEP(p, list, items_field, count_field)                                          \
    ((items_field) = keep((p), (list)->items, (list)->count, sizeof *(list)->items),     \
     (count_field) = (list)->count, LIB_VEC_FREE(list))

static void raise_height(struct parser *p, struct programs_expr *e,
                         const struct programs_expr *child)
{
    if (e->height > child->height)
        return;
    e->height = child->height + 1;
    if (e->height > PROGRAMS_HEIGHT_MAX)
        programs_cursor_fail(
            &p->cursor, LIB_DIAG_LIMIT, e->pos,
            "this expression is too large: more than %d operations within one "
            "another; name parts of it",
            PROGRAMS_HEIGHT_MAX);
}

/* An expression with operands, all tokens of which were taken. */
static struct programs_expr *with_operands(struct parser *p, struct programs_expr *e,
                                           expr_list *operands)
{
    KEEP(p, operands, e->operands, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        raise_height(p, e, e->operands[i]);
    e->start = stretch(p, e->start);
    return e;
}

static struct programs_expr *with_two(struct parser *p, struct programs_expr *e,
                                      struct programs_expr *a, struct programs_expr *b)
{
    expr_list operands = {0};
    *LIB_VEC_PUSH(&operands) = a;
    if (b)
        *LIB_VEC_PUSH(&operands) = b;
    return with_operands(p, e, &operands);
}

static struct programs_binding *new_binding(struct parser *p,
                                            enum programs_binding_kind kind,
                                            const struct programs_token *name,
                                            uint32_t index)
{
    struct programs_binding *b = LIB_ARENA_NEW(p->arena, struct programs_binding);
    b->kind = kind;
    b->name = name->kind == PROGRAMS_TOKEN_NAME ? name->text : "";
    b->pos = name->pos;
    b->index = index;
    return b;
}

/* --- operands ----------------------------------------------------------------------- */

static struct programs_expr *parse_literal(struct parser *p, const char *expected)
{
    const struct programs_token *minus = sees(p, PROGRAMS_TOKEN_MINUS) ? take(p) : NULL;
    const struct programs_token *t = peek(p);
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_INT, minus ? minus->pos : t->pos);
    if (t->kind == PROGRAMS_TOKEN_INT) {
        if (!minus && t->integer > INT64_MAX)
            fail(p, t->pos, "this literal is out of range; the largest int is %lld",
                 (long long)INT64_MAX);
        e->integer = (int64_t)(minus ? 0 - t->integer : t->integer);
    } else if (t->kind == PROGRAMS_TOKEN_REAL) {
        e->kind = PROGRAMS_EXPR_REAL;
        e->real = minus ? -t->real : t->real;
    } else if (!minus &&
               (t->kind == PROGRAMS_TOKEN_TRUE || t->kind == PROGRAMS_TOKEN_FALSE)) {
        e->kind = PROGRAMS_EXPR_BOOL;
        e->boolean = t->kind == PROGRAMS_TOKEN_TRUE;
    } else {
        unexpected(p, expected);
        return e;
    }
    if (!p->cursor.failed)
        take(p);
    e->pos = e->start = stretch(p, e->start);
    return e;
}

static struct programs_expr *parse_call(struct parser *p,
                                        const struct programs_token *name)
{
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_CALL, name->pos);
    const struct programs_token *open = take(p);
    expr_list arguments = {0};
    e->call.text = name->text;
    if (sees(p, PROGRAMS_TOKEN_RIGHT))
        fail(p, name->pos,
             "a function has at least one parameter; a constant is written without `()`");
    do
        *LIB_VEC_PUSH(&arguments) = parse_expr(p);
    while (accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    return with_operands(p, e, &arguments);
}

/* A tuple, or an expression in parentheses: then the same tree, in a wider place. */
static struct programs_expr *parse_parentheses(struct parser *p)
{
    const struct programs_token *open = take(p);
    if (sees(p, PROGRAMS_TOKEN_RIGHT))
        fail(p, stretch(p, open->pos), "expected an expression, found `)`");
    struct programs_expr *first = parse_expr(p);
    if (!sees(p, PROGRAMS_TOKEN_COMMA)) {
        programs_cursor_close(&p->cursor, open);
        first->start = stretch(p, open->pos);
        return first;
    }
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_TUPLE, open->pos);
    expr_list parts = {0};
    *LIB_VEC_PUSH(&parts) = first;
    while (accept(p, PROGRAMS_TOKEN_COMMA))
        *LIB_VEC_PUSH(&parts) = parse_expr(p);
    programs_cursor_close(&p->cursor, open);
    return with_operands(p, e, &parts);
}

static struct programs_expr *parse_if(struct parser *p)
{
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_IF, take(p)->pos);
    expr_list operands = {0};
    *LIB_VEC_PUSH(&operands) = parse_expr(p);
    if (!accept(p, PROGRAMS_TOKEN_THEN))
        unexpected_after(p, "`then`");
    *LIB_VEC_PUSH(&operands) = parse_expr(p);
    if (sees(p, PROGRAMS_TOKEN_END) || sees(p, PROGRAMS_TOKEN_SEMICOLON) ||
        sees(p, PROGRAMS_TOKEN_RIGHT))
        fail(p, e->pos, "this `if` has no `else`");
    else if (!accept(p, PROGRAMS_TOKEN_ELSE))
        unexpected_after(p, "`else`");
    *LIB_VEC_PUSH(&operands) = parse_expr(p);
    return with_operands(p, e, &operands);
}

/* --- equations ---------------------------------------------------------------------- */

/* Takes the name of something that is defined here. */
static const struct programs_token *take_name(struct parser *p, const char *expected)
{
    const struct programs_token *t = peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME)
        return take(p);
    if (t->kind <= PROGRAMS_TOKEN_OR)
        fail(p, t->pos, "%s is a keyword and cannot be a name",
             programs_cursor_describe(&p->cursor, t));
    else
        unexpected(p, expected);
    return t;
}

/* Names in parentheses, behind which stands `=`. */
static void take_names(struct parser *p, binding_list *names,
                       enum programs_binding_kind kind, const char *expected)
{
    const struct programs_token *open = take(p);
    do {
        const struct programs_token *name = take_name(p, expected);
        uint32_t index = (uint32_t)names->count;
        *LIB_VEC_PUSH(names) = new_binding(p, kind, name, index);
    } while (accept(p, PROGRAMS_TOKEN_COMMA));
    if (accept(p, PROGRAMS_TOKEN_RIGHT))
        return;
    if (sees(p, PROGRAMS_TOKEN_END))
        programs_cursor_close(&p->cursor, open);
    else
        unexpected(p, "`,` or `)`");
}

static void take_define(struct parser *p)
{
    if (sees(p, PROGRAMS_TOKEN_EQ))
        fail(p, peek(p)->pos, "an equation is written with `=`; `==` compares");
    else if (sees(p, PROGRAMS_TOKEN_NAME) && peek(p)[-1].kind == PROGRAMS_TOKEN_NAME)
        unexpected(p, "`=`, or parameters in parentheses");
    else if (!accept(p, PROGRAMS_TOKEN_DEFINE))
        unexpected(p, "`=`");
}

/* `x = E` or `(x, y) = E`. */
static struct programs_equation *parse_equation(struct parser *p,
                                                enum programs_binding_kind kind)
{
    struct programs_equation *q = LIB_ARENA_NEW(p->arena, struct programs_equation);
    binding_list names = {0};
    const struct programs_token *open = peek(p);
    q->is_tuple = sees(p, PROGRAMS_TOKEN_LEFT);
    if (q->is_tuple)
        take_names(p, &names, kind, "a name");
    else
        *LIB_VEC_PUSH(&names) = new_binding(p, kind, take_name(p, "a name"), 0);
    if (q->is_tuple && names.count == 1)
        fail(p, stretch(p, open->pos), "a tuple has at least two parts; write `%s = ...`",
             names.items[0]->name);
    KEEP(p, &names, q->names, q->name_count);
    for (size_t i = 0; i < q->name_count; i++)
        q->names[i]->equation = q;
    if (kind == PROGRAMS_BIND_LET && sees(p, PROGRAMS_TOKEN_LEFT))
        fail(p, q->names[0]->pos,
             "`let` names values only; a function is an equation of its own");
    take_define(p);
    q->value = parse_expr(p);
    return q;
}

static struct programs_expr *parse_let(struct parser *p)
{
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_LET, take(p)->pos);
    LIB_VEC(struct programs_equation *) equations = {0};
    p->cursor.lets++;
    do {
        struct programs_equation *q = parse_equation(p, PROGRAMS_BIND_LET);
        q->index = (uint32_t)p->ast->let_count++;
        *LIB_VEC_PUSH(&equations) = q;
    } while (accept(p, PROGRAMS_TOKEN_SEMICOLON) && !sees(p, PROGRAMS_TOKEN_IN));
    if (sees(p, PROGRAMS_TOKEN_END))
        fail(p, e->pos, "this `let` has no `in`");
    else if (programs_cursor_at_equation(&p->cursor, p->cursor.at))
        fail(p, peek(p)->pos,
             "expected `;` or `in` before %s; `;` separates the bindings "
             "of a `let`",
             programs_cursor_describe(&p->cursor, peek(p)));
    else if (!accept(p, PROGRAMS_TOKEN_IN))
        unexpected_after(p, "`;` or `in`");
    p->cursor.lets--;
    KEEP(p, &equations, e->let.equations, e->let.count);
    e->let.body = parse_expr(p);
    for (size_t i = 0; i < e->let.count; i++)
        raise_height(p, e, e->let.equations[i]->value);
    raise_height(p, e, e->let.body);
    e->start = stretch(p, e->start);
    return e;
}

/* --- expressions -------------------------------------------------------------------- */

static struct programs_expr *parse_name(struct parser *p)
{
    const struct programs_token *name = take(p);
    if (sees(p, PROGRAMS_TOKEN_LEFT))
        return parse_call(p, name);
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_NAME, name->pos);
    e->name.text = name->text;
    return e;
}

static struct programs_expr *parse_operand(struct parser *p)
{
    struct programs_expr *e;
    switch (peek(p)->kind) {
    case PROGRAMS_TOKEN_IF:
        return parse_if(p);
    case PROGRAMS_TOKEN_LET:
        return parse_let(p);
    case PROGRAMS_TOKEN_NAME:
        e = parse_name(p);
        break;
    case PROGRAMS_TOKEN_LEFT:
        e = parse_parentheses(p);
        break;
    default:
        e = parse_literal(p, "an expression");
    }
    if (sees(p, PROGRAMS_TOKEN_LEFT))
        fail(p, peek(p)->pos, "only the name of a function can be called");
    return e;
}

static bool enter(struct parser *p)
{
    if (++p->nesting > NESTING_MAX)
        programs_cursor_fail(
            &p->cursor, LIB_DIAG_LIMIT, peek(p)->pos,
            "expressions stand within one another more than %d deep; name parts "
            "of them",
            NESTING_MAX);
    return !p->cursor.failed;
}

static struct programs_expr *parse_level(struct parser *p, enum programs_level level);

/* `- E` or `not E`. */
static struct programs_expr *parse_unary(struct parser *p, enum programs_operator op)
{
    struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_UNARY, take(p)->pos),
                         *operand = e;
    e->op = op;
    if (enter(p))
        operand = parse_level(p, programs_operator_level(op));
    p->nesting--;
    return p->cursor.failed ? e : with_two(p, e, operand, NULL);
}

static struct programs_expr *parse_prefix(struct parser *p, enum programs_level level)
{
    enum programs_token_kind next = peek(p)->kind;
    if (next == PROGRAMS_TOKEN_NOT && level > PROGRAMS_LEVEL_NOT)
        fail(p, peek(p)->pos, "`not` binds less tightly than %s; write `(not ...)`",
             programs_cursor_describe(&p->cursor, peek(p) - 1));
    if (next == PROGRAMS_TOKEN_NOT)
        return p->cursor.failed ? parse_operand(p) : parse_unary(p, PROGRAMS_NOT);
    if (next != PROGRAMS_TOKEN_MINUS)
        return parse_operand(p);
    enum programs_token_kind behind = peek(p)[1].kind;
    if (behind == PROGRAMS_TOKEN_INT || behind == PROGRAMS_TOKEN_REAL)
        return parse_operand(p);
    return parse_unary(p, PROGRAMS_NEG);
}

/* Operands joined by operators that bind at least as tightly as `level`. */
static struct programs_expr *parse_level(struct parser *p, enum programs_level level)
{
    struct programs_expr *left = parse_prefix(p, level);
    enum programs_operator op;
    bool compared = false;
    while (find_binary(peek(p)->kind, &op) && programs_operator_level(op) >= level) {
        enum programs_level own = programs_operator_level(op);
        if (own == PROGRAMS_LEVEL_COMPARISON && compared) {
            fail(p, peek(p)->pos, "comparisons do not chain; write `a < b and b < c`");
            break;
        }
        compared = own == PROGRAMS_LEVEL_COMPARISON;
        struct programs_expr *e = new_expr(p, PROGRAMS_EXPR_BINARY, take(p)->pos);
        e->op = op;
        e->start = left->start;
        left = with_two(p, e, left, parse_level(p, own + 1));
    }
    return left;
}

static struct programs_expr *parse_expr(struct parser *p)
{
    struct programs_expr *e = NULL;
    if (enter(p))
        e = parse_level(p, PROGRAMS_LEVEL_OR);
    p->nesting--;
    return e ? e : new_expr(p, PROGRAMS_EXPR_INT, peek(p)->pos);
}

/* --- the program -------------------------------------------------------------------- */

static void parse_function(struct parser *p)
{
    struct programs_function *f = LIB_ARENA_NEW(p->arena, struct programs_function);
    const struct programs_token *name = take(p);
    binding_list params = {0};
    f->name = name->text;
    f->pos = name->pos;
    if (peek(p)[1].kind == PROGRAMS_TOKEN_RIGHT)
        fail(p, name->pos,
             "a function has at least one parameter; write a constant: `%s = ...`",
             name->text);
    else
        take_names(p, &params, PROGRAMS_BIND_PARAM, "the name of a parameter");
    KEEP(p, &params, f->params, f->param_count);
    for (size_t i = 0; i < f->param_count; i++)
        f->params[i]->function = f;
    take_define(p);
    f->body = parse_expr(p);
    f->index = (uint32_t)p->functions.count;
    *LIB_VEC_PUSH(&p->functions) = f;
}

static void parse_input(struct parser *p)
{
    struct programs_input *in = LIB_ARENA_NEW(p->arena, struct programs_input);
    take(p);
    in->index = (uint32_t)p->inputs.count;
    in->binding = new_binding(p, PROGRAMS_BIND_INPUT,
                              take_name(p, "the name of an input"), in->index);
    in->binding->input = in;
    take_define(p);
    in->literal = parse_literal(p, "a literal");
    if (!sees(p, PROGRAMS_TOKEN_END) && !sees(p, PROGRAMS_TOKEN_SEMICOLON))
        unexpected(p, "the end of the equation (the value of an input is a literal)");
    *LIB_VEC_PUSH(&p->inputs) = in;
}

static void parse_constant(struct parser *p)
{
    struct programs_equation *q = parse_equation(p, PROGRAMS_BIND_CONST);
    q->index = (uint32_t)p->constants.count;
    *LIB_VEC_PUSH(&p->constants) = q;
}

static void parse_top(struct parser *p)
{
    switch (peek(p)->kind) {
    case PROGRAMS_TOKEN_INPUT:
        parse_input(p);
        break;
    case PROGRAMS_TOKEN_NAME:
        if (peek(p)[1].kind == PROGRAMS_TOKEN_LEFT)
            parse_function(p);
        else
            parse_constant(p);
        break;
    case PROGRAMS_TOKEN_LEFT:
        parse_constant(p);
        break;
    case PROGRAMS_TOKEN_RIGHT:
        fail(p, peek(p)->pos, "this `)` closes no `(`");
        break;
    default:
        unexpected(p, "an equation");
    }
    if (p->cursor.failed || sees(p, PROGRAMS_TOKEN_END) ||
        sees(p, PROGRAMS_TOKEN_SEMICOLON))
        return;
    if (sees(p, PROGRAMS_TOKEN_RIGHT))
        fail(p, peek(p)->pos, "this `)` closes no `(`");
    else
        unexpected_after(p, "an operator or the end of the equation");
}

static void parse_program(struct parser *p)
{
    bool failed = false;    /* the equation before */
    bool separated = false; /* from it, by `;` */
    for (; !sees(p, PROGRAMS_TOKEN_EOF); p->cursor.at++) {
        bool empty = sees(p, PROGRAMS_TOKEN_END) || sees(p, PROGRAMS_TOKEN_SEMICOLON);
        bool rest = failed && !programs_cursor_starts(&p->cursor, p->cursor.at);
        p->cursor.failed = false;
        p->cursor.lets = p->nesting = 0;
        if (!empty && !separated && !peek(p)->at_margin)
            fail(p, peek(p)->pos, "an equation starts in column 1");
        else if (!empty && rest)
            programs_cursor_skip(&p->cursor);
        else if (!empty)
            parse_top(p);
        if (!empty)
            failed = rest || p->cursor.failed;
        separated = sees(p, PROGRAMS_TOKEN_SEMICOLON);
    }
}

struct programs_ast *programs_parse(struct lib_arena *arena,
                                    const struct lib_source *source,
                                    struct lib_diags *diags)
{
    size_t errors = diags->errors;
    struct programs_tokens tokens = {0};
    struct programs_ast *ast = LIB_ARENA_NEW(arena, struct programs_ast);
    ast->arena = arena;
    ast->source = source;
    programs_lex(arena, source, &tokens);
    struct parser p = {
        .cursor = {.arena = arena,
                   .source = source,
                   .diags = diags,
                   .tokens = tokens.items},
        .arena = arena,
        .ast = ast,
    };
    parse_program(&p);
    KEEP(&p, &p.functions, ast->functions, ast->function_count);
    KEEP(&p, &p.constants, ast->constants, ast->constant_count);
    KEEP(&p, &p.inputs, ast->inputs, ast->input_count);
    LIB_VEC_FREE(&tokens);
    return diags->errors == errors ? ast : NULL;
}
