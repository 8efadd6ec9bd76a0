/* Parses what is given from outside: inputs that are arrays or tensors, and files with a type. */
#include "programs/syntax/parser.h"

#include <string.h>

static bool is_call(const struct programs_token *t, const char *name)
{
    return t[0].kind == PROGRAMS_TOKEN_NAME && strcmp(t[0].text, name) == 0 &&
           t[1].kind == PROGRAMS_TOKEN_LEFT;
}

bool programs_parse_sees_given(const struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    return t->kind == PROGRAMS_TOKEN_NAME && !p->cursor.failed &&
           programs_parser_is_sign(p, t + 1, ':');
}

/* Whether the value of an input that follows is one of a scalar. */
static bool sees_scalar(const struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    return p->cursor.failed || (!programs_parser_is_sign(p, t, ':') &&
                                (t->kind != PROGRAMS_TOKEN_DEFINE ||
                                 !(t[1].kind == PROGRAMS_TOKEN_LEFT_SQUARE ||
                                   is_call(t + 1, "file") || is_call(t + 1, "tensor"))));
}

#define NO_DATA                                                                          \
    "inputs and files cannot be data: give scalars or arrays, of which the program "     \
    "constructs it"

void programs_parse_refuse_data(struct programs_parser *p)
{
    if (programs_parser_sees(p, PROGRAMS_TOKEN_CONSTRUCTOR))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos, NO_DATA);
}

/* Reads the type of what is given. */
static struct programs_annotation *parse_given_type(struct programs_parser *p)
{
    struct programs_annotation *type = programs_parse_type(p);
    const struct programs_annotation *leaf = type;
    while (!p->cursor.failed && leaf->kind == PROGRAMS_ANNOTATION_ARRAY)
        leaf = leaf->parts[0];
    if (!p->cursor.failed && leaf->kind == PROGRAMS_ANNOTATION_DATA)
        PROGRAMS_PARSER_FAIL(p, leaf->pos, NO_DATA);
    return type;
}

static struct programs_expr *parse_written(struct programs_parser *p);

/* Reads the parts of an array or a tuple, up to the sign that closes it. */
static struct programs_expr *parse_parts(struct programs_parser *p,
                                         enum programs_expr_kind kind,
                                         enum programs_token_kind close)
{
    const struct programs_token *open = programs_parser_take(p);
    struct programs_expr *e = programs_parser_expr(p, kind, open->pos);
    struct programs_expr_list parts = {0};
    if (!programs_parser_sees(p, close))
        do
            *LIB_VEC_PUSH(&parts) = parse_written(p);
        while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    return programs_parser_operands(p, e, &parts);
}

/* Reads a value of literals. */
static struct programs_expr *parse_written(struct programs_parser *p)
{
    struct programs_expr *e;
    programs_parse_refuse_data(p);
    if (++p->nesting > PROGRAMS_NESTING_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, programs_parser_peek(p)->pos,
                             "values are nested more than %d deep", PROGRAMS_NESTING_MAX);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT_SQUARE))
        e = parse_parts(p, PROGRAMS_EXPR_ARRAY, PROGRAMS_TOKEN_RIGHT_SQUARE);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        e = parse_parts(p, PROGRAMS_EXPR_TUPLE, PROGRAMS_TOKEN_RIGHT);
    else
        e = programs_parse_literal(
            p, "a literal, `[` or `(`: the value of an input is written out");
    p->nesting--;
    return e;
}

/* Reads `file("PATH")`. */
static void parse_file(struct programs_parser *p, struct programs_given *given)
{
    programs_parser_take(p);
    const struct programs_token *open = programs_parser_take(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_STRING))
        given->data = programs_parse_path(p, PROGRAMS_DATA_GIVEN);
    else
        programs_parser_unexpected(p, "a path in quotes");
    programs_cursor_close(&p->cursor, open);
}

static void parse_value(struct programs_parser *p, struct programs_given *given)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (is_call(t, "file")) {
        parse_file(p, given);
        return;
    }
    if (!given->is_input) {
        programs_parser_unexpected(
            p, "`file(\"PATH\")`: of constants, only those from files have a type");
        return;
    }
    given->makes_tensor = is_call(t, "tensor");
    const struct programs_token *open = NULL;
    if (given->makes_tensor) {
        programs_parser_take(p);
        open = programs_parser_take(p);
    }
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT_SQUARE))
        given->literal = parse_written(p);
    else
        programs_parser_unexpected(p,
                                   "`[`, `file(\"PATH\")` or `tensor([...])` (the type "
                                   "of a scalar is that of its literal)");
    if (open)
        programs_cursor_close(&p->cursor, open);
}

/* The value of a given that is written in the program is data, too. */
static struct programs_data *add_written(struct programs_parser *p, struct lib_pos pos)
{
    struct programs_data *data = LIB_ARENA_NEW(p->arena, struct programs_data);
    data->pos = pos;
    data->kind = PROGRAMS_DATA_GIVEN;
    *LIB_VEC_PUSH(&p->data) = data;
    return data;
}

struct programs_equation *programs_parse_given(struct programs_parser *p,
                                               const struct programs_token *name,
                                               bool is_input)
{
    if (is_input && sees_scalar(p))
        return NULL;
    struct programs_equation *q = LIB_ARENA_NEW(p->arena, struct programs_equation);
    struct programs_given *given = LIB_ARENA_NEW(p->arena, struct programs_given);
    struct programs_binding_list names = {0};
    *LIB_VEC_PUSH(&names) = programs_parser_binding(p, PROGRAMS_BIND_CONST, name, 0);
    PROGRAMS_PARSER_KEEP(p, &names, q->names, q->name_count);
    q->names[0]->equation = q;
    q->given = given;
    given->equation = q;
    given->is_input = is_input;
    given->is_annotated = programs_parse_colon(p);
    if (given->is_annotated)
        given->type = parse_given_type(p);
    programs_parse_define(p);
    parse_value(p, given);
    if (!given->data)
        given->data = add_written(p, name->pos);
    given->data->given = given;
    q->value = programs_parser_expr(p, PROGRAMS_EXPR_GIVEN, name->pos);
    q->value->given = given;
    return q;
}
