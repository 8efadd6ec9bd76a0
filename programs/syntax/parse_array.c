/* Arrays: literals, comprehensions and indices.
 *
 * A comprehension with several qualifiers becomes expressions in expressions, one for each:
 *
 *     [E | i <- 1 .. n, x = f(i), p(x), y <- a]
 *     JOINED of [let x = f(i) in if p(x) then [E | y <- a] else [] | i <- 1 .. n]
 *
 * If the last of them is a condition, the innermost array is [E]. */
#include "programs/syntax/parser.h"

#include <string.h>

/* --- generators ------------------------------------------------------------------------ */

/* Whether token `t` begins a `<-`, two tokens. */
static bool is_arrow(const struct programs_token *t)
{
    return t->kind == PROGRAMS_TOKEN_LT && t[1].kind == PROGRAMS_TOKEN_MINUS &&
           t[1].offset == t->offset + 1;
}

/* Whether a token stands behind a name in a condition. */
static bool is_of_condition(const struct programs_token *t)
{
    switch (t->kind) {
    case PROGRAMS_TOKEN_LT:
        return t[1].kind != PROGRAMS_TOKEN_MINUS;
    case PROGRAMS_TOKEN_LE:
    case PROGRAMS_TOKEN_GT:
    case PROGRAMS_TOKEN_GE:
    case PROGRAMS_TOKEN_EQ:
    case PROGRAMS_TOKEN_NE:
    case PROGRAMS_TOKEN_PERCENT:
    case PROGRAMS_TOKEN_COMMA:
        return true;
    default:
        return false;
    }
}

static void take_arrow(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (is_arrow(t) && programs_parser_accept(p, PROGRAMS_TOKEN_LT))
        programs_parser_take(p);
    else if (is_of_condition(t))
        PROGRAMS_PARSER_FAIL(
            p, t->pos,
            "expected `<-`, found %s; behind the `|` is what the "
            "elements are made of, then conditions: `[x | x <- a, x > 0]`",
            programs_cursor_describe(&p->cursor, t));
    else
        programs_parser_unexpected(p, "`<-`");
}

static bool sees_word(const struct programs_parser *p, const char *word)
{
    const struct programs_token *t = programs_parser_peek(p);
    return t->kind == PROGRAMS_TOKEN_NAME && strcmp(t->text, word) == 0;
}

static void take_index(struct programs_parser *p, struct programs_expr *e)
{
    if (!sees_word(p, "at"))
        return;
    programs_parser_take(p);
    e->index = programs_parser_binding(p, PROGRAMS_BIND_INDEX,
                                       programs_parse_name(p, "the name of an index"), 0);
    e->index->expr = e;
}

static void take_step(struct programs_parser *p, struct programs_expr_list *operands)
{
    if (!sees_word(p, "by"))
        return;
    programs_parser_take(p);
    programs_parse_item(p, operands);
    const struct programs_expr *step = operands->items[operands->count - 1];
    if (!p->cursor.failed && step->kind == PROGRAMS_EXPR_INT && step->integer == 0)
        PROGRAMS_PARSER_FAIL(p, step->start, "the step of a range is not 0");
}

/* Reads the optional end of a generator after `<- E`, from `..` or `at` on. */
static void take_rest(struct programs_parser *p, struct programs_expr *e,
                      const struct programs_token *name,
                      struct programs_expr_list *operands)
{
    const enum programs_expr_kind kind = operands->items[1]->kind;
    const bool is_scalar = kind == PROGRAMS_EXPR_INT || kind == PROGRAMS_EXPR_REAL ||
                           kind == PROGRAMS_EXPR_BOOL;
    if (programs_parser_accept(p, PROGRAMS_TOKEN_DOTS)) {
        e->index = programs_parser_binding(p, PROGRAMS_BIND_INDEX, name, 0);
        e->index->expr = e;
        programs_parse_item(p, operands);
        take_step(p, operands);
    } else if (is_scalar && name[3].offset == name[2].offset + 1) {
        PROGRAMS_PARSER_FAIL(
            p, name[1].pos,
            "`<-` takes elements of an array or a range; a comparison with "
            "what is negative has a blank: `%s < -%.*s`",
            name->text, (int)name[3].pos.span, p->cursor.source->bytes + name[3].offset);
    } else if (is_scalar && programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE)) {
        programs_parser_unexpected(p, "`..`, which a range has between its ends");
    } else if (is_scalar) {
        programs_parser_unexpected_after(p, "`..`");
    } else {
        e->element = programs_parser_binding(p, PROGRAMS_BIND_ELEMENT, name, 0);
        e->element->expr = e;
        take_index(p, e);
    }
}

/* Reads `i <- E .. E by E`, `x <- E` or `x <- E at i`. Returns a comprehension whose element the
 * caller sets. */
static struct programs_expr *parse_generator(struct programs_parser *p,
                                             const struct programs_token *open)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_COMPREHENSION,
                                                   open->pos);
    struct programs_expr_list operands = {0};
    *LIB_VEC_PUSH(&operands) = e;
    const struct programs_token *name = programs_parse_name(p, "the name of an index");
    take_arrow(p);
    programs_parse_item(p, &operands);
    take_rest(p, e, name, &operands);
    return programs_parser_operands(p, e, &operands);
}

/* --- qualifiers ------------------------------------------------------------------------- */

/* One of the three. */
struct qualifier {
    struct programs_expr *generator;
    struct programs_equation *definition;
    struct programs_expr *condition;
    struct lib_pos pos;
};

struct qualifiers {
    struct qualifier *items;
    size_t count, capacity;
};

/* Whether a name or pattern with `=` behind it begins here. */
static bool sees_definition(const struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME || t->kind == PROGRAMS_TOKEN_CONSTRUCTOR)
        t++;
    unsigned open = 0;
    for (; t->kind == PROGRAMS_TOKEN_LEFT || open; t++) {
        if (t->kind == PROGRAMS_TOKEN_END)
            return false;
        open += t->kind == PROGRAMS_TOKEN_LEFT;
        open -= t->kind == PROGRAMS_TOKEN_RIGHT;
    }
    return t->kind == PROGRAMS_TOKEN_DEFINE;
}

static bool sees_generator(const struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    return t->kind == PROGRAMS_TOKEN_NAME &&
           (t[1].kind == PROGRAMS_TOKEN_IN || is_arrow(&t[1]));
}

static struct qualifier parse_qualifier(struct programs_parser *p,
                                        const struct programs_token *open)
{
    struct qualifier q = {.pos = programs_parser_peek(p)->pos};
    if (sees_generator(p)) {
        q.generator = parse_generator(p, open);
    } else if (sees_definition(p)) {
        p->lists++;
        q.definition = programs_parse_equation(p, PROGRAMS_BIND_LET);
        p->lists--;
        q.definition->index = (uint32_t)p->ast->let_count++;
    } else {
        struct programs_expr_list one = {0};
        programs_parse_item(p, &one);
        q.condition = one.items[0];
        LIB_VEC_FREE(&one);
    }
    return q;
}

/* Encloses `inner`, which `is_rows` says is an array, in the expression of a qualifier. */
static struct programs_expr *enclose(struct programs_parser *p, const struct qualifier *q,
                                     struct programs_expr *inner, bool *is_rows)
{
    struct lib_arena *arena = p->nodes->arena;
    struct programs_expr *e;
    if (q->definition) {
        e = programs_parser_expr(p, PROGRAMS_EXPR_LET, q->pos);
        e->let->equations = programs_parser_keep(p, &q->definition, 1,
                                                 sizeof q->definition);
        e->let->count = 1;
        e->let->body = inner;
        return e;
    }
    if (q->condition) {
        struct programs_expr *none = programs_parser_expr(p, PROGRAMS_EXPR_ARRAY, q->pos);
        if (!*is_rows)
            inner = programs_parser_two(
                p, programs_parser_expr(p, PROGRAMS_EXPR_ARRAY, inner->pos), inner, NULL);
        *is_rows = true;
        e = programs_parser_expr(p, PROGRAMS_EXPR_IF, q->pos);
        e->is_filter = true;
        programs_ast_make_operands(arena, e, 3);
        e->operands[0] = q->condition;
        e->operands[1] = inner;
        e->operands[2] = none;
        return e;
    }
    e = q->generator;
    e->operands[0] = inner;
    if (*is_rows)
        e = programs_parser_two(p, programs_parser_expr(p, PROGRAMS_EXPR_JOINED, e->pos),
                                e, NULL);
    *is_rows = true;
    return e;
}

/* An array of pairs as a comprehension over itself, which `scatter` takes. */
static struct programs_expr *over_itself(struct programs_parser *p,
                                         struct programs_expr *pairs)
{
    static const struct programs_token nameless = {.kind = PROGRAMS_TOKEN_NAME,
                                                   .text = "k -> E"};
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_COMPREHENSION,
                                                   pairs->pos);
    struct programs_expr *pair = programs_parser_expr(p, PROGRAMS_EXPR_NAME, pairs->pos);
    e->element = programs_parser_binding(p, PROGRAMS_BIND_ELEMENT, &nameless, 0);
    e->element->pos = pairs->pos;
    e->element->expr = e;
    pair->name.text = nameless.text;
    pair->name.binding = e->element;
    return programs_parser_two(p, e, pair, pairs);
}

/* Reads `| QUALIFIER, ..]` after an element. `has_arrow`: the element is a pair of `k -> E`. The
 * value is a comprehension if it has an arrow, or only one qualifier. */
static struct programs_expr *parse_qualifiers(struct programs_parser *p,
                                              const struct programs_token *open,
                                              struct programs_expr *element,
                                              bool has_arrow)
{
    struct qualifiers all = {0};
    const unsigned nesting = p->nesting;
    programs_parser_take(p);
    *LIB_VEC_PUSH(&all) = (struct qualifier){.generator = parse_generator(p, open),
                                             .pos = open->pos};
    while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA)) {
        programs_parser_enter(p); /* the tree is three levels deeper at most */
        programs_parser_enter(p);
        programs_parser_enter(p);
        *LIB_VEC_PUSH(&all) = parse_qualifier(p, open);
    }
    p->nesting = nesting;
    const struct programs_expr *last = all.items[all.count - 1].generator;
    const struct programs_token *end = programs_parser_peek(p);
    if (end->kind == PROGRAMS_TOKEN_IF || end->kind == PROGRAMS_TOKEN_BAR ||
        sees_word(p, "when") || sees_word(p, "where"))
        PROGRAMS_PARSER_FAIL(p, end->pos,
                             "expected `,`, found %s; a condition follows a comma: "
                             "`[x | x <- a, x > 0]`",
                             programs_cursor_describe(&p->cursor, end));
    if (end->kind != PROGRAMS_TOKEN_RIGHT_SQUARE && last && last->element && !last->index)
        programs_parser_unexpected_after(p, "`..`, `at`, `,` or `]`");
    programs_cursor_close(&p->cursor, open);
    bool is_rows = false;
    struct programs_expr *e = element;
    for (size_t i = all.count; i-- > 0;)
        e = enclose(p, &all.items[i], e, &is_rows);
    LIB_VEC_FREE(&all);
    if (has_arrow && e->kind == PROGRAMS_EXPR_JOINED)
        e = over_itself(p, e);
    e->start = programs_parser_stretch(p, open->pos);
    e->has_arrow = has_arrow;
    return e;
}

/* --- arrays ----------------------------------------------------------------------------- */

/* Reads `-> E` after an index: the element is a tuple of both. */
static void parse_target(struct programs_parser *p, struct programs_expr_list *elements)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_TUPLE,
                                                   programs_parser_take(p)->pos);
    struct programs_expr_list parts = {0};
    *LIB_VEC_PUSH(&parts) = elements->items[0];
    e->start = elements->items[0]->start;
    programs_parse_item(p, &parts);
    elements->items[0] = programs_parser_operands(p, e, &parts);
    if (!programs_parser_sees(p, PROGRAMS_TOKEN_BAR))
        programs_parser_unexpected_after(p, "`|`, as in `[k -> E | i <- 1 .. n]`");
}

struct programs_expr *programs_parse_array(struct programs_parser *p)
{
    const struct programs_token *open = programs_parser_take(p);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_ARRAY, open->pos);
    struct programs_expr_list elements = {0};
    if (!programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE))
        do
            programs_parse_item(p, &elements);
        while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    const bool has_arrow = elements.count == 1 &&
                           programs_parser_sees(p, PROGRAMS_TOKEN_ARROW);
    if (has_arrow)
        parse_target(p, &elements);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_BAR)) {
        if (elements.count > 1)
            PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                                 "the element of a comprehension is one expression; a "
                                 "tuple stands in parentheses");
        struct programs_expr *element = elements.count ? elements.items[0] : e;
        LIB_VEC_FREE(&elements);
        return parse_qualifiers(p, open, element, has_arrow);
    }
    if (programs_parser_sees(p, PROGRAMS_TOKEN_DOTS))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "a range is part of a comprehension: `[i | i <- 0 .. 9]`");
    programs_cursor_close(&p->cursor, open);
    return programs_parser_operands(p, e, &elements);
}

/* a[i, j] is a[i][j]: an INDEX for each index, at the bracket or comma before it. */
struct programs_expr *programs_parse_index(struct programs_parser *p,
                                           struct programs_expr *array)
{
    const struct programs_token *open = programs_parser_take(p), *at = open;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "expected an index, found `]`");
    p->lists++;
    for (bool more = true; more;) {
        struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_INDEX, at->pos);
        struct programs_expr *index = programs_parse_expr(p);
        at = programs_parser_peek(p);
        more = programs_parser_accept(p, PROGRAMS_TOKEN_COMMA);
        if (!more)
            programs_cursor_close(&p->cursor, open);
        e->start = array->start;
        array = programs_parser_two(p, e, array, index);
    }
    p->lists--;
    return array;
}
