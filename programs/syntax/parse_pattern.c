/* Parses patterns and the expressions of data: `case`, constructors, fields. */
#include "programs/syntax/parser.h"

#include <string.h>

/* --- patterns ------------------------------------------------------------------------- */

void programs_parse_close_names(struct programs_parser *p,
                                const struct programs_token *open)
{
    if (programs_parser_accept(p, PROGRAMS_TOKEN_RIGHT))
        return;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_END))
        programs_cursor_close(&p->cursor, open);
    else
        programs_parser_unexpected(p, "`,` or `)`");
}

struct pattern_list {
    struct programs_pattern **items;
    size_t count, capacity;
};

/* Reads P, P) after a `(`. */
static void parse_parts(struct programs_parser *p, struct programs_pattern *pattern,
                        enum programs_binding_kind kind,
                        struct programs_binding_list *names)
{
    const struct programs_token *open = programs_parser_take(p);
    struct pattern_list parts = {0};
    if (++p->nesting > PROGRAMS_NESTING_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, open->pos,
                             "patterns are nested more than %d deep",
                             PROGRAMS_NESTING_MAX);
    do
        *LIB_VEC_PUSH(&parts) = programs_parse_pattern(
            p, kind, names,
            kind == PROGRAMS_BIND_PATTERN ? "a pattern, such as `_`, `x`, `1` or `Nil`"
                                          : "a name");
    while (!p->cursor.failed && programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    p->nesting--;
    programs_parse_close_names(p, open);
    pattern->pos = programs_parser_stretch(p, pattern->pos);
    PROGRAMS_PARSER_KEEP(p, &parts, pattern->parts, pattern->part_count);
}

static struct programs_pattern *parse_tuple_pattern(struct programs_parser *p,
                                                    struct programs_pattern *pattern,
                                                    enum programs_binding_kind kind,
                                                    struct programs_binding_list *names)
{
    pattern->kind = PROGRAMS_PATTERN_TUPLE;
    parse_parts(p, pattern, kind, names);
    if (pattern->part_count != 1)
        return pattern;
    if (pattern->parts[0]->kind == PROGRAMS_PATTERN_NAME && kind != PROGRAMS_BIND_PATTERN)
        PROGRAMS_PARSER_FAIL(p, pattern->pos,
                             "a tuple has at least two parts; write `%s = ...`",
                             pattern->parts[0]->binding->name);
    return pattern->parts[0];
}

static struct programs_pattern *
parse_constructor_pattern(struct programs_parser *p, struct programs_pattern *pattern,
                          enum programs_binding_kind kind,
                          struct programs_binding_list *names)
{
    const struct programs_token *name = programs_parser_peek(p);
    pattern->kind = PROGRAMS_PATTERN_CONSTRUCTOR;
    pattern->text = name->text;
    if (!programs_parse_is_declared(p, name->text) &&
        programs_cursor_report_capital(&p->cursor))
        return pattern;
    programs_parser_take(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT) &&
        programs_parser_peek(p)[1].kind == PROGRAMS_TOKEN_RIGHT)
        PROGRAMS_PARSER_FAIL(p, name->pos,
                             "a constructor without fields is written without `()`: `%s`",
                             name->text);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        parse_parts(p, pattern, kind, names);
    return pattern;
}

/* Reports what stands in the place of a pattern in other languages. */
static void report_foreign_pattern(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_LEFT_SQUARE)
        PROGRAMS_PARSER_FAIL(p, t->pos,
                             "an array is no pattern; those of a list are `Nil` and "
                             "`Cons(x, xs)`");
    else if (t->kind == PROGRAMS_TOKEN_ELSE)
        PROGRAMS_PARSER_FAIL(p, t->pos, "the pattern of all other values is `_`");
}

static bool is_literal(const struct programs_token *t)
{
    return t->kind == PROGRAMS_TOKEN_INT || t->kind == PROGRAMS_TOKEN_REAL ||
           t->kind == PROGRAMS_TOKEN_TRUE || t->kind == PROGRAMS_TOKEN_FALSE ||
           t->kind == PROGRAMS_TOKEN_MINUS;
}

struct programs_pattern *programs_parse_pattern(struct programs_parser *p,
                                                enum programs_binding_kind kind,
                                                struct programs_binding_list *names,
                                                const char *expected)
{
    struct programs_pattern *pattern = LIB_ARENA_NEW(p->arena, struct programs_pattern);
    pattern->pos = programs_parser_peek(p)->pos;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        return parse_tuple_pattern(p, pattern, kind, names);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_CONSTRUCTOR))
        return parse_constructor_pattern(p, pattern, kind, names);
    if (kind == PROGRAMS_BIND_PATTERN && is_literal(programs_parser_peek(p))) {
        pattern->kind = PROGRAMS_PATTERN_LITERAL;
        pattern->literal = programs_parse_literal(p, expected);
        pattern->pos = pattern->literal->start;
        return pattern;
    }
    if (kind == PROGRAMS_BIND_PATTERN)
        report_foreign_pattern(p);
    const struct programs_token *name = programs_parse_name(p, expected);
    pattern->binding = programs_parser_binding(p, kind, name, (uint32_t)names->count);
    *LIB_VEC_PUSH(names) = pattern->binding;
    return pattern;
}

/* --- case ------------------------------------------------------------------------------- */

#define CASE_FORM "a `case` is written `case t of Leaf(x) -> x | Node(l, r) -> ...`"

/* Returns how many constructors and literals a pattern has: each may be a level of the tree that
 * programs_match makes. */
static unsigned count_tests(const struct programs_pattern *pattern)
{
    unsigned tests = pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR ||
                     pattern->kind == PROGRAMS_PATTERN_LITERAL;
    for (size_t i = 0; i < pattern->part_count; i++)
        tests += count_tests(pattern->parts[i]);
    return tests;
}

/* Returns what to write instead of token `t` behind the pattern of an arm, or NULL. */
static const char *advice_behind_pattern(struct programs_parser *p,
                                         const struct programs_pattern *pattern,
                                         const struct programs_token *t)
{
    const bool is_bare = pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR &&
                         !pattern->part_count;
    if (programs_parser_is_sign(p, t, '@'))
        return "a pattern has no second name: `let` gives one to the value of the `case`";
    if (programs_parser_is_sign(p, t, ':'))
        return "a list is taken apart by `Cons(x, xs)`";
    switch (t->kind) {
    case PROGRAMS_TOKEN_BAR:
        return "each pattern has an arm of its own: `P -> E | Q -> E`";
    case PROGRAMS_TOKEN_DOTS:
        return "a range is a condition: `n if 1 <= n and n <= 9 -> ...`";
    case PROGRAMS_TOKEN_NAME:
        if (strcmp(t->text, "when") == 0 || strcmp(t->text, "where") == 0)
            return "a condition is written `P if C -> E`";
        /* fall through */
    case PROGRAMS_TOKEN_INT:
    case PROGRAMS_TOKEN_CONSTRUCTOR:
        return is_bare ? lib_arena_printf(
                             p->arena, "fields stand in parentheses: `%s(%s, ...)`",
                             pattern->text, t->kind == PROGRAMS_TOKEN_INT ? "_" : t->text)
                       : NULL;
    default:
        return NULL;
    }
}

static void take_arrow(struct programs_parser *p, const struct programs_arm *arm)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (programs_parser_accept(p, PROGRAMS_TOKEN_ARROW))
        return;
    const char *advice = p->cursor.failed || arm->guard
                             ? NULL
                             : advice_behind_pattern(p, arm->pattern, t);
    if (t->kind == PROGRAMS_TOKEN_DEFINE)
        PROGRAMS_PARSER_FAIL(p, t->pos, "expected `->`, found `=`; " CASE_FORM);
    else if (advice)
        PROGRAMS_PARSER_FAIL(p, t->pos, "expected `->`; %s", advice);
    else
        programs_parser_unexpected_after(p, "`->`");
}

/* Whether what follows an arm is another one without its `|`. */
static bool sees_arm(const struct programs_parser *p)
{
    unsigned open = 0; /* a `)` that closes nothing here ends the `case` */
    const struct programs_token *first = programs_parser_peek(p);
    for (const struct programs_token *t = first;; t++)
        switch (t->kind) {
        case PROGRAMS_TOKEN_ARROW:
            return t > first; /* else it is that of an arm around the `case` */
        case PROGRAMS_TOKEN_LEFT:
            open++;
            break;
        case PROGRAMS_TOKEN_RIGHT:
            if (open-- == 0)
                return false;
            break;
        case PROGRAMS_TOKEN_CONSTRUCTOR:
        case PROGRAMS_TOKEN_NAME:
        case PROGRAMS_TOKEN_COMMA:
            break;
        default:
            if (!is_literal(t))
                return false;
        }
}

static struct programs_arm parse_arm(struct programs_parser *p, struct programs_expr *e)
{
    struct programs_arm arm = {0};
    struct programs_binding_list names = {0};
    arm.pattern = programs_parse_pattern(p, PROGRAMS_BIND_PATTERN, &names,
                                         "a pattern, such as `_`, `x`, `1` or `Nil`");
    PROGRAMS_PARSER_KEEP(p, &names, arm.names, arm.name_count);
    for (size_t i = 0; i < arm.name_count; i++)
        arm.names[i]->expr = e;
    const unsigned nesting = p->nesting;
    if (!p->cursor.failed)
        p->nesting += count_tests(arm.pattern);
    if (programs_parser_accept(p, PROGRAMS_TOKEN_IF))
        arm.guard = programs_parse_expr(p);
    take_arrow(p, &arm);
    arm.body = programs_parse_expr(p);
    if (!p->cursor.failed && sees_arm(p))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "an arm begins with `|`: `case E of P -> E | P -> E`");
    p->nesting = nesting;
    return arm;
}

struct programs_expr *programs_parse_case(struct programs_parser *p)
{
    enum { ARMS_MAX = 1000 };
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_CASE,
                                                   programs_parser_take(p)->pos);
    LIB_VEC(struct programs_arm) arms = {0};
    struct programs_expr *value = programs_parse_expr(p);
    e->match = LIB_ARENA_NEW(p->nodes->arena, struct programs_case);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_END))
        PROGRAMS_PARSER_FAIL(p, e->pos, "this `case` has no `of`; " CASE_FORM);
    else if (!programs_parser_accept(p, PROGRAMS_TOKEN_OF))
        programs_parser_unexpected_after(p, "`of`");
    programs_parser_accept(p, PROGRAMS_TOKEN_BAR);
    do
        *LIB_VEC_PUSH(&arms) = parse_arm(p, e);
    while (programs_parser_accept(p, PROGRAMS_TOKEN_BAR) && arms.count <= ARMS_MAX);
    if (arms.count > ARMS_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, e->pos,
                             "a `case` has at most %d arms", ARMS_MAX);
    PROGRAMS_PARSER_KEEP(p, &arms, e->match->arms, e->match->arm_count);
    return programs_parser_two(p, e, value, NULL);
}

/* --- constructors, fields ----------------------------------------------------------------- */

struct programs_expr *programs_parse_construct(struct programs_parser *p)
{
    const struct programs_token *name = programs_parser_peek(p);
    if (!programs_parse_is_declared(p, name->text) &&
        programs_cursor_report_capital(&p->cursor))
        return programs_parser_expr(p, PROGRAMS_EXPR_INT, name->pos);
    programs_parser_take(p);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_CONSTRUCT, name->pos);
    struct programs_expr_list fields = {0};
    e->construct = LIB_ARENA_NEW(p->nodes->arena, struct programs_construct);
    e->construct->text = name->text;
    if (!programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        return e;
    const struct programs_token *open = programs_parser_take(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, name->pos,
                             "a constructor without fields is written without `()`: `%s`",
                             name->text);
    do
        programs_parse_item(p, &fields);
    while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    return programs_parser_operands(p, e, &fields);
}

struct programs_expr *programs_parse_selection(struct programs_parser *p,
                                               struct programs_expr *record)
{
    const struct programs_token *point = programs_parser_take(p);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_FIELD, point->pos);
    const struct programs_token *name = programs_parse_name(p, "the name of a field");
    e->selection = LIB_ARENA_NEW(p->nodes->arena, struct programs_selection);
    e->selection->text = name->text;
    e->pos = name->pos;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        PROGRAMS_PARSER_FAIL(p, point->pos,
                             "there are no methods: an argument stands in parentheses, "
                             "`%s(a)`",
                             name->text);
    e->start = record->start;
    return programs_parser_two(p, e, record, NULL);
}
