#include "programs/syntax/parse.h"

#include "lib/arena.h"
#include "programs/syntax/parser.h"
#include "programs/syntax/print.h"

#include <string.h>

/* --- equations ---------------------------------------------------------------------- */

const struct programs_token *programs_parse_name(struct programs_parser *p,
                                                 const char *expected)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME)
        return programs_parser_take(p);
    if (t->kind <= PROGRAMS_TOKEN_OR)
        PROGRAMS_PARSER_FAIL(p, t->pos, "%s is a reserved word and cannot be a name",
                             programs_cursor_describe(&p->cursor, t));
    else
        programs_parser_unexpected(p, expected);
    return t;
}

/* Reports a literal or an array in place of a parameter, a pattern of other languages, and a name
 * in parentheses of its own. */
static void check_parameter(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    switch (t->kind) {
    case PROGRAMS_TOKEN_INT:
    case PROGRAMS_TOKEN_REAL:
    case PROGRAMS_TOKEN_TRUE:
    case PROGRAMS_TOKEN_FALSE:
    case PROGRAMS_TOKEN_MINUS:
    case PROGRAMS_TOKEN_LEFT_SQUARE:
        PROGRAMS_PARSER_FAIL(
            p, t->pos,
            "expected the name of a parameter, found %s; a function has one equation, "
            "which chooses with `if ... then ... else ...`",
            programs_cursor_describe(&p->cursor, t));
        break;
    case PROGRAMS_TOKEN_LEFT:
        if (t[1].kind == PROGRAMS_TOKEN_NAME && t[2].kind == PROGRAMS_TOKEN_RIGHT)
            PROGRAMS_PARSER_FAIL(p, t[1].pos,
                                 "a tuple has at least two parts; write `%s`", t[1].text);
        break;
    default:
        break;
    }
}

/* Sets the left side of an equation. */
static void set_pattern(struct programs_parser *p, struct programs_equation *q,
                        struct programs_pattern *pattern,
                        struct programs_binding_list *names)
{
    q->is_tuple = pattern->kind != PROGRAMS_PATTERN_NAME;
    q->pattern = pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR ? pattern : NULL;
    for (size_t i = 0; i < pattern->part_count; i++)
        if (pattern->parts[i]->kind != PROGRAMS_PATTERN_NAME)
            q->pattern = pattern;
    PROGRAMS_PARSER_KEEP(p, names, q->names, q->name_count);
    for (size_t i = 0; i < q->name_count; i++)
        q->names[i]->equation = q;
}

/* Reads the parameters of a function. Each one that is a pattern becomes an equation of `taken`. */
static void parse_params(struct programs_parser *p, struct programs_function *f,
                         struct programs_equation_list *taken)
{
    const struct programs_token *open = programs_parser_take(p);
    struct programs_binding_list params = {0};
    do {
        struct programs_binding_list names = {0};
        check_parameter(p);
        const bool is_tuple = programs_parser_sees(p, PROGRAMS_TOKEN_LEFT) ||
                              programs_parser_sees(p, PROGRAMS_TOKEN_CONSTRUCTOR);
        struct programs_pattern *pattern = programs_parse_pattern(
            p, is_tuple ? PROGRAMS_BIND_LET : PROGRAMS_BIND_PARAM, &names,
            "the name of a parameter");
        struct programs_binding *param = pattern->binding;
        if (is_tuple) {
            LIB_TEXT_OWN text = {0};
            struct programs_equation *q = LIB_ARENA_NEW(p->arena,
                                                        struct programs_equation);
            programs_print_pattern(pattern, &text);
            param = LIB_ARENA_NEW(p->arena, struct programs_binding);
            param->kind = PROGRAMS_BIND_PARAM;
            param->name = lib_arena_copy(p->arena, text.bytes, text.length);
            param->pos = pattern->pos;
            set_pattern(p, q, pattern, &names);
            q->index = (uint32_t)p->ast->let_count++;
            q->value = programs_parser_expr(p, PROGRAMS_EXPR_NAME, pattern->pos);
            q->value->name.text = param->name;
            q->value->name.binding = param;
            *LIB_VEC_PUSH(taken) = q;
        } else {
            LIB_VEC_FREE(&names);
        }
        param->index = (uint32_t)params.count;
        param->function = f;
        *LIB_VEC_PUSH(&params) = param;
    } while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_parse_close_names(p, open);
    PROGRAMS_PARSER_KEEP(p, &params, f->params, f->param_count);
}

/* Makes the body a `let` of the equations that take parameters apart, if there are any. */
static void take_params_apart(struct programs_parser *p, struct programs_function *f,
                              struct programs_equation_list *taken)
{
    f->pattern_count = taken->count;
    if (taken->count == 0)
        return;
    struct programs_expr *let = programs_parser_expr(p, PROGRAMS_EXPR_LET, f->body->pos);
    let->start = f->body->start;
    PROGRAMS_PARSER_KEEP(p, taken, let->let->equations, let->let->count);
    let->let->body = f->body;
    f->body = let;
}

void programs_parse_define(struct programs_parser *p)
{
    const struct programs_token *next = programs_parser_peek(p);
    if (next[-1].kind == PROGRAMS_TOKEN_NAME && strcmp(next[-1].text, "port") == 0 &&
        (next->kind == PROGRAMS_TOKEN_IN || next->kind == PROGRAMS_TOKEN_NAME))
        PROGRAMS_PARSER_FAIL(
            p, next[-1].pos,
            "a port is declared at top level, as an equation of its own");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_EQ))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "an equation is written with `=`; `==` compares");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_NAME) &&
             programs_parser_peek(p)[-1].kind == PROGRAMS_TOKEN_NAME)
        programs_parser_unexpected(p, "`=`, or parameters in parentheses");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT_SQUARE) &&
             next[-1].kind == PROGRAMS_TOKEN_NAME)
        PROGRAMS_PARSER_FAIL(
            p, next->pos,
            "expected `=`, found `[`; an array is written once: one with another element "
            "0 is `[if i == 0 then 5 else x | x <- %s at i]`",
            next[-1].text);
    else if (!programs_parser_accept(p, PROGRAMS_TOKEN_DEFINE))
        programs_parser_unexpected(p, "`=`");
}

struct programs_equation *programs_parse_equation(struct programs_parser *p,
                                                  enum programs_binding_kind kind)
{
    struct programs_equation *q = LIB_ARENA_NEW(p->arena, struct programs_equation);
    struct programs_binding_list names = {0};
    set_pattern(p, q, programs_parse_pattern(p, kind, &names, "a name"), &names);
    if (kind == PROGRAMS_BIND_LET && programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        PROGRAMS_PARSER_FAIL(
            p, q->names[0]->pos,
            "`let` names values only; a function is an equation of its own");
    programs_parse_define(p);
    q->value = programs_parse_expr(p);
    return q;
}

/* --- the program -------------------------------------------------------------------- */

static void parse_function(struct programs_parser *p)
{
    struct programs_function *f = LIB_ARENA_NEW(p->arena, struct programs_function);
    const struct programs_token *name = programs_parser_take(p);
    struct programs_equation_list taken = {0};
    f->name = name->text;
    f->pos = name->pos;
    if (programs_parser_peek(p)[1].kind == PROGRAMS_TOKEN_RIGHT)
        PROGRAMS_PARSER_FAIL(
            p, name->pos,
            "a function has at least one parameter; write a constant: `%s = ...`",
            name->text);
    else
        parse_params(p, f, &taken);
    programs_parse_define(p);
    f->body = programs_parse_expr(p);
    take_params_apart(p, f, &taken);
    f->nodes = p->nodes;
    p->nodes->needed++;
    f->index = (uint32_t)p->functions.count;
    *LIB_VEC_PUSH(&p->functions) = f;
}

static void add_constant(struct programs_parser *p, struct programs_equation *q)
{
    q->nodes = p->nodes;
    p->nodes->needed++;
    q->index = (uint32_t)p->constants.count;
    *LIB_VEC_PUSH(&p->constants) = q;
}

static void parse_input(struct programs_parser *p)
{
    programs_parser_take(p);
    const struct programs_token *name = programs_parse_name(p, "the name of an input");
    struct programs_equation *given = programs_parse_given(p, name, true);
    if (given) {
        add_constant(p, given);
        return;
    }
    struct programs_input *in = LIB_ARENA_NEW(p->arena, struct programs_input);
    in->index = (uint32_t)p->inputs.count;
    in->binding = programs_parser_binding(p, PROGRAMS_BIND_INPUT, name, in->index);
    in->binding->input = in;
    programs_parse_define(p);
    programs_parse_refuse_data(p);
    in->literal = programs_parse_literal(p, "a literal");
    if (!programs_parser_sees(p, PROGRAMS_TOKEN_END) &&
        !programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON))
        programs_parser_unexpected(
            p, "the end of the equation (the value of an input is a literal)");
    *LIB_VEC_PUSH(&p->inputs) = in;
}

static void parse_constant(struct programs_parser *p)
{
    struct programs_equation *q = programs_parser_sees(p, PROGRAMS_TOKEN_PARAM)
                                      ? programs_parse_param(p)
                                  : programs_parse_sees_port(p) ? programs_parse_port(p)
                                  : programs_parse_sees_given(p)
                                      ? programs_parse_given(p, programs_parser_take(p),
                                                             false)
                                      : programs_parse_equation(p, PROGRAMS_BIND_CONST);
    add_constant(p, q);
}

/* Small definitions share an arena. */
static void begin_nodes(struct programs_parser *p)
{
    enum { SHARED_BYTES = 64 * 1024 };
    if (p->nodes && lib_arena_bytes(p->nodes->arena) < SHARED_BYTES)
        return;
    p->nodes = LIB_ARENA_NEW(p->arena, struct programs_nodes);
    p->nodes->arena = lib_arena_new_child(p->arena);
}

static void parse_top(struct programs_parser *p)
{
    begin_nodes(p);
    switch (programs_parser_peek(p)->kind) {
    case PROGRAMS_TOKEN_INPUT:
        parse_input(p);
        break;
    case PROGRAMS_TOKEN_NAME:
        if (programs_parser_peek(p)[1].kind == PROGRAMS_TOKEN_LEFT)
            parse_function(p);
        else
            parse_constant(p);
        break;
    case PROGRAMS_TOKEN_LEFT:
    case PROGRAMS_TOKEN_PARAM:
        parse_constant(p);
        break;
    case PROGRAMS_TOKEN_DATA:
        programs_parse_datatype(p);
        break;
    case PROGRAMS_TOKEN_RIGHT:
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos, "this `)` closes no `(`");
        break;
    case PROGRAMS_TOKEN_LET:
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "expected an equation, found `let`; at top level a name is "
                             "defined by `x = ...`, without `let`");
        break;
    default:
        if (p->cursor.at &&
            programs_parser_peek(p)[-1].kind == PROGRAMS_TOKEN_SEMICOLON &&
            !programs_parser_sees(p, PROGRAMS_TOKEN_ERROR))
            PROGRAMS_PARSER_FAIL(
                p, programs_parser_peek(p)->pos,
                "expected an equation, found %s; the `;` ends the equation before it: an "
                "equation has one value, and that of a loop is its variables or `return "
                "E`",
                programs_cursor_describe(&p->cursor, programs_parser_peek(p)));
        else if (programs_parser_peek(p)[1].kind == PROGRAMS_TOKEN_DEFINE)
            programs_parser_unexpected(p, "a name to define");
        else
            programs_parser_unexpected(p, "an equation, `x = ...` or `f(x) = ...`");
    }
    if (p->cursor.failed || programs_parser_sees(p, PROGRAMS_TOKEN_END) ||
        programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON))
        return;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos, "this `)` closes no `(`");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos, "this `]` closes no `[`");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_COMMA))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "expected an operator or the end of the equation, found "
                             "`,`; a tuple is written `(a, b)`");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_DOTS))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "a range is part of a comprehension: `[i | i <- 0 .. 9]`");
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_BAR))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "expected an operator or the end of the equation, found "
                             "`|`; write `or`; of the bits of ints, `bit_or(a, b)`");
    else
        programs_parser_unexpected_after(p, "an operator or the end of the equation");
}

static void parse_program(struct programs_parser *p)
{
    bool failed = false;    /* the previous equation has an error */
    bool separated = false; /* a `;` follows the previous equation */
    for (; !programs_parser_sees(p, PROGRAMS_TOKEN_EOF); p->cursor.at++) {
        bool empty = programs_parser_sees(p, PROGRAMS_TOKEN_END) ||
                     programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON);
        bool rest = failed && !programs_cursor_starts(&p->cursor, p->cursor.at);
        p->cursor.failed = false;
        p->cursor.lets = p->nesting = p->lists = 0;
        if (!empty && !separated && !programs_parser_peek(p)->at_margin)
            PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                                 "an equation starts in column 1");
        else if (!empty && rest)
            programs_cursor_skip(&p->cursor);
        else if (!empty)
            parse_top(p);
        if (!empty)
            failed = rest || p->cursor.failed;
        separated = programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON);
    }
}

static void report_mistakes(struct programs_parser *p,
                            const struct programs_tokens *tokens, size_t from)
{
    for (size_t i = 0; i < tokens->mistakes.count; i++)
        lib_diag_error(p->cursor.diags, LIB_DIAG_SYNTAX, p->cursor.source,
                       tokens->mistakes.items[i].pos, "%s",
                       tokens->mistakes.items[i].text);
    if (tokens->mistakes.count)
        programs_sort_diags(p->cursor.diags, from);
}

struct programs_ast *programs_parse(struct lib_arena *arena,
                                    const struct lib_source *source,
                                    struct lib_diags *diags)
{
    size_t errors = diags->errors, from = diags->count;
    struct programs_tokens tokens = {0};
    struct programs_ast *ast = LIB_ARENA_NEW(arena, struct programs_ast);
    ast->arena = arena;
    ast->source = source;
    programs_lex(arena, source, &tokens);
    struct programs_parser p = {
        .cursor = {.arena = arena,
                   .source = source,
                   .diags = diags,
                   .tokens = tokens.items},
        .arena = arena,
        .ast = ast,
    };
    parse_program(&p);
    programs_parse_predefined(&p);
    report_mistakes(&p, &tokens, from);
    PROGRAMS_PARSER_KEEP(&p, &p.functions, ast->functions, ast->function_count);
    PROGRAMS_PARSER_KEEP(&p, &p.constants, ast->constants, ast->constant_count);
    PROGRAMS_PARSER_KEEP(&p, &p.inputs, ast->inputs, ast->input_count);
    PROGRAMS_PARSER_KEEP(&p, &p.data, ast->data, ast->data_count);
    PROGRAMS_PARSER_KEEP(&p, &p.datatypes, ast->datatypes, ast->datatype_count);
    ast->placing_count = tokens.placings.count;
    ast->placings = LIB_ARENA_ARRAY(arena, struct programs_placing,
                                    tokens.placings.count);
    for (size_t i = 0; i < tokens.placings.count; i++)
        ast->placings[i] = tokens.placings.items[i];
    programs_tokens_free(&tokens);
    lib_name_table_free(p.declared);
    return diags->errors == errors ? ast : NULL;
}
