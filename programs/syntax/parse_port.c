/* Parses ports and types. `port in xs : [T]` is a constant whose value is a PORT; `port out ys =
 * E` is a constant that the host takes. */
#include "programs/syntax/parser.h"
#include "programs/syntax/syntax_hints.h"

#include <string.h>

/* --- types ---------------------------------------------------------------------------- */

static bool is_word(const struct programs_token *t, const char *word)
{
    return t->kind == PROGRAMS_TOKEN_NAME && strcmp(t->text, word) == 0;
}

static struct programs_annotation *annotation(struct programs_parser *p,
                                              enum programs_annotation_kind kind)
{
    struct programs_annotation *a = LIB_ARENA_NEW(p->arena, struct programs_annotation);
    a->kind = kind;
    a->pos = programs_parser_peek(p)->pos;
    return a;
}

struct annotation_list {
    struct programs_annotation **items;
    size_t count, capacity;
};

/* Reads (T, T), or a type in parentheses. */
static struct programs_annotation *parse_tuple_type(struct programs_parser *p)
{
    struct programs_annotation *a = annotation(p, PROGRAMS_ANNOTATION_TUPLE);
    const struct programs_token *open = programs_parser_take(p);
    struct annotation_list parts = {0};
    do
        *LIB_VEC_PUSH(&parts) = programs_parse_type(p);
    while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    PROGRAMS_PARSER_KEEP(p, &parts, a->parts, a->part_count);
    a->pos = programs_parser_stretch(p, a->pos);
    return a->part_count == 1 ? a->parts[0] : a;
}

static struct programs_annotation *parse_array_type(struct programs_parser *p)
{
    struct programs_annotation *a = annotation(p, PROGRAMS_ANNOTATION_ARRAY);
    const struct programs_token *open = programs_parser_take(p);
    a->parts = LIB_ARENA_NEW(p->arena, struct programs_annotation *);
    a->part_count = 1;
    a->parts[0] = programs_parse_type(p);
    programs_cursor_close(&p->cursor, open);
    a->pos = programs_parser_stretch(p, a->pos);
    return a;
}

/* Reads (real, 2), after `tensor`. */
static void parse_element_and_rank(struct programs_parser *p,
                                   struct programs_annotation *a)
{
    const struct programs_token *open = programs_parser_peek(p);
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_LEFT)) {
        programs_parser_unexpected(
            p, "`(`: a type of tensors is written `tensor(real, 2)`, element and rank");
        return;
    }
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME && isa_element_find(t->text, &a->element))
        programs_parser_take(p);
    else
        programs_parser_unexpected(
            p, "what its elements are: `real`, `real32`, `int` or `bool`");
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_COMMA))
        programs_parser_unexpected(p, "`,` and the rank of the tensor");
    t = programs_parser_peek(p);
    if (t->kind != PROGRAMS_TOKEN_INT || t->integer > PROGRAMS_PARAM_RANK_MAX)
        programs_parser_unexpected(p, "the rank of the tensor, 0 to 4");
    else
        a->rank = (uint32_t)programs_parser_take(p)->integer;
    programs_cursor_close(&p->cursor, open);
    a->pos = programs_parser_stretch(p, a->pos);
}

/* Reads a type of data: Tree, or List(T). */
static struct programs_annotation *parse_data_type(struct programs_parser *p)
{
    struct programs_annotation *a = annotation(p, PROGRAMS_ANNOTATION_DATA);
    struct annotation_list parts = {0};
    const struct programs_token *name = programs_parser_take(p);
    const char *small = programs_syntax_hints_small(p->arena, name->text);
    a->text = name->text;
    if (strcmp(small, "int") == 0 || strcmp(small, "real") == 0 ||
        strcmp(small, "bool") == 0 || strcmp(small, "tensor") == 0)
        PROGRAMS_PARSER_FAIL(p, name->pos, "unknown type `%s`; did you mean `%s`?",
                             name->text, small);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT)) {
        const struct programs_token *open = programs_parser_take(p);
        do
            *LIB_VEC_PUSH(&parts) = programs_parse_type(p);
        while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
        programs_cursor_close(&p->cursor, open);
    }
    PROGRAMS_PARSER_KEEP(p, &parts, a->parts, a->part_count);
    a->pos = programs_parser_stretch(p, a->pos);
    return a;
}

static struct programs_annotation *parse_named_type(struct programs_parser *p)
{
    static const char *const names[] = {
        [PROGRAMS_ANNOTATION_INT] = "int",
        [PROGRAMS_ANNOTATION_REAL] = "real",
        [PROGRAMS_ANNOTATION_BOOL] = "bool",
        [PROGRAMS_ANNOTATION_TENSOR] = "tensor",
    };
    struct programs_annotation *a = annotation(p, PROGRAMS_ANNOTATION_INT);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && is_word(programs_parser_peek(p), names[i])) {
            a->kind = (enum programs_annotation_kind)i;
            programs_parser_take(p);
            if (a->kind == PROGRAMS_ANNOTATION_TENSOR)
                parse_element_and_rank(p, a);
            return a;
        }
    if (p->in_datatype && programs_parser_sees(p, PROGRAMS_TOKEN_NAME)) {
        a->kind = PROGRAMS_ANNOTATION_VARIABLE;
        a->text = programs_parser_take(p)->text;
        return a;
    }
    programs_parser_unexpected(
        p, "a type: `int`, `real`, `bool`, `(int, real)`, `[int]` or `tensor(real, 2)`");
    return a;
}

struct programs_annotation *programs_parse_type(struct programs_parser *p)
{
    struct programs_annotation *a = NULL;
    if (++p->nesting > PROGRAMS_NESTING_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, programs_parser_peek(p)->pos,
                             "types are nested more than %d deep", PROGRAMS_NESTING_MAX);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        a = parse_tuple_type(p);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT_SQUARE))
        a = parse_array_type(p);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_CONSTRUCTOR))
        a = parse_data_type(p);
    p->nesting--;
    return a ? a : parse_named_type(p);
}

/* --- ports ---------------------------------------------------------------------------- */

bool programs_parse_sees_port(const struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    return is_word(t, "port") &&
           (t[1].kind == PROGRAMS_TOKEN_IN || t[1].kind == PROGRAMS_TOKEN_NAME);
}

static bool can_be_fed(const struct programs_annotation *a)
{
    if (a->kind == PROGRAMS_ANNOTATION_DATA)
        return false;
    for (size_t i = 0; i < a->part_count; i++)
        if (a->kind == PROGRAMS_ANNOTATION_ARRAY || !can_be_fed(a->parts[i]))
            return false;
    return true;
}

static void parse_type_of_port(struct programs_parser *p, struct programs_port *port)
{
    if (!programs_parse_colon(p)) {
        programs_parser_unexpected(p, "`:` and the type of the port, such as `: [int]`");
        return;
    }
    const struct programs_annotation *a = port->type = programs_parse_type(p);
    if (p->cursor.failed)
        return;
    if (a->kind != PROGRAMS_ANNOTATION_ARRAY)
        PROGRAMS_PARSER_FAIL(
            p, a->pos,
            "a port is an array: its type is written in brackets, such as `[int]`");
    else if (!can_be_fed(a->parts[0]))
        PROGRAMS_PARSER_FAIL(p, a->parts[0]->pos,
                             "an element of a port is an int, a real, a bool or a "
                             "tensor, or a tuple of these");
}

static void parse_direction(struct programs_parser *p, struct programs_port *port)
{
    port->is_input = programs_parser_accept(p, PROGRAMS_TOKEN_IN);
    if (port->is_input)
        return;
    if (is_word(programs_parser_peek(p), "out"))
        programs_parser_take(p);
    else
        programs_parser_unexpected(p, "`in` or `out`: a port is declared as `port in xs "
                                      ": [int]` or `port out ys = E`");
}

struct programs_equation *programs_parse_port(struct programs_parser *p)
{
    struct programs_equation *q = LIB_ARENA_NEW(p->arena, struct programs_equation);
    struct programs_binding_list names = {0};
    q->port = LIB_ARENA_NEW(p->arena, struct programs_port);
    q->port->equation = q;
    q->port->pos = programs_parser_take(p)->pos;
    parse_direction(p, q->port);
    const struct programs_token *name = programs_parse_name(p, "the name of the port");
    *LIB_VEC_PUSH(&names) = programs_parser_binding(p, PROGRAMS_BIND_CONST, name, 0);
    PROGRAMS_PARSER_KEEP(p, &names, q->names, q->name_count);
    q->names[0]->equation = q;
    if (is_word(name, "_"))
        PROGRAMS_PARSER_FAIL(p, name->pos,
                             "a port has a name, by which its host finds it");
    if (!q->port->is_input) {
        if (programs_parse_colon(p))
            PROGRAMS_PARSER_FAIL(
                p, name->pos,
                "the type of a port out is that of its value: `port out %s = ...`",
                q->names[0]->name);
        programs_parse_define(p);
        q->value = programs_parse_expr(p);
        return q;
    }
    parse_type_of_port(p, q->port);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_DEFINE))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "a port in has no value: its host feeds it");
    q->value = programs_parser_expr(p, PROGRAMS_EXPR_PORT, name->pos);
    q->value->port = q->port;
    return q;
}
