#include "programs/syntax/parser.h"

#include <string.h>

/* --- loops ---------------------------------------------------------------------------- */

/* Whether the equation, or what encloses the expression, ends here: something is missing, not
 * wrong. */
static bool at_end(const struct programs_parser *p)
{
    return programs_parser_sees(p, PROGRAMS_TOKEN_END) ||
           programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON) ||
           programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT) ||
           programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE);
}

static void take_word(struct programs_parser *p, const struct programs_expr *loop,
                      enum programs_token_kind kind, const char *word,
                      const char *expected)
{
    if (programs_parser_accept(p, kind))
        return;
    if (at_end(p) || programs_parser_sees(p, PROGRAMS_TOKEN_RETURN))
        PROGRAMS_PARSER_FAIL(p, loop->pos, "this `loop` has no `%s`", word);
    else
        programs_parser_unexpected_after(p, expected);
}

static void parse_variables(struct programs_parser *p, struct programs_expr *e,
                            struct programs_binding_list *names,
                            struct programs_expr_list *operands)
{
    if (programs_parser_sees(p, PROGRAMS_TOKEN_WHILE))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "a loop has at least one variable: `loop i = 0 while ...`");
    do {
        if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
            PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                                 "a variable of a loop is a name; `let` takes tuples "
                                 "apart");
        const struct programs_token *name = programs_parse_name(p,
                                                                "the name of a variable");
        uint32_t index = (uint32_t)names->count;
        struct programs_binding *b = programs_parser_binding(p, PROGRAMS_BIND_LOOP, name,
                                                             index);
        b->expr = e;
        *LIB_VEC_PUSH(names) = b;
        programs_parse_define(p);
        programs_parse_item(p, operands);
    } while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
}

/* Reports `x = E` in place of a new value E. */
static void report_named_value(struct programs_parser *p)
{
    const struct programs_token *define = programs_parser_peek(p), *end = define + 1;
    for (int open = 0;
         end->kind != PROGRAMS_TOKEN_END && end->kind != PROGRAMS_TOKEN_RETURN &&
         end->kind != PROGRAMS_TOKEN_SEMICOLON;
         end++) {
        open += end->kind == PROGRAMS_TOKEN_LEFT ||
                end->kind == PROGRAMS_TOKEN_LEFT_SQUARE;
        open -= end->kind == PROGRAMS_TOKEN_RIGHT ||
                end->kind == PROGRAMS_TOKEN_RIGHT_SQUARE;
        if (open < 0 || (open == 0 && end->kind == PROGRAMS_TOKEN_COMMA))
            break;
    }
    const char *value = p->cursor.source->bytes + define[1].offset;
    const size_t length = end[-1].offset + end[-1].pos.span - define[1].offset;
    const bool is_shown = end > define + 1 && length <= 40 &&
                          !memchr(value, '\n', length);
    PROGRAMS_PARSER_FAIL(
        p, define->pos,
        "after `do` are the new values alone, in the order of the variables: "
        "`%.*s`, without `%s =`",
        is_shown ? (int)length : 5, is_shown ? value : "i + 1", define[-1].text);
}

/* Whether the value of an expression may be a tuple. */
static bool may_be_tuple(const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
    case PROGRAMS_EXPR_CALL:
    case PROGRAMS_EXPR_INDEX:
    case PROGRAMS_EXPR_TUPLE:
    case PROGRAMS_EXPR_LOOP:
    case PROGRAMS_EXPR_FIELD:
        return true;
    case PROGRAMS_EXPR_CASE:
        return may_be_tuple(e->match->arms[0].body);
    case PROGRAMS_EXPR_LET:
        return may_be_tuple(e->let->body);
    case PROGRAMS_EXPR_IF:
        return may_be_tuple(e->operands[1]);
    default:
        return false;
    }
}

/* Reads exactly `count` expressions after `do`, or one whose value is a tuple of all new values: a
 * comma after the last one belongs to the list around the loop. Returns whether it is a tuple. */
static bool parse_next(struct programs_parser *p, const struct programs_token *word,
                       size_t count, struct programs_expr_list *operands)
{
    size_t found = 0;
    do {
        programs_parse_item(p, operands);
        if (programs_parser_sees(p, PROGRAMS_TOKEN_DEFINE) &&
            programs_parser_peek(p)[-1].kind == PROGRAMS_TOKEN_NAME)
            report_named_value(p);
    } while (++found < count && programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    const char *s = count == 1 ? "" : "s";
    if (found == 1 && count > 1 && !p->cursor.failed &&
        may_be_tuple(operands->items[operands->count - 1]))
        return true;
    if (found < count && (at_end(p) || programs_parser_sees(p, PROGRAMS_TOKEN_RETURN)))
        PROGRAMS_PARSER_FAIL(p, word->pos,
                             "a loop of %zu variable%s has %zu expression%s behind `do`, "
                             "found %zu",
                             count, s, count, s, found);
    else if (found < count)
        programs_parser_unexpected_after(p, "`,`");
    else if (p->lists == 0 && programs_parser_sees(p, PROGRAMS_TOKEN_COMMA))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "a loop of %zu variable%s has %zu expression%s behind `do`, "
                             "found more",
                             count, s, count, s);
    return false;
}

struct programs_expr *programs_parse_loop(struct programs_parser *p)
{
    const struct programs_token *word = programs_parser_take(p);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_LOOP, word->pos);
    struct programs_expr_list operands = {0};
    struct programs_binding_list names = {0};
    e->loop = LIB_ARENA_NEW(p->arena, struct programs_loop);
    e->loop->bound = (uint32_t)word->integer;
    parse_variables(p, e, &names, &operands);
    PROGRAMS_PARSER_KEEP(p, &names, e->loop->names, e->loop->count);
    e->loop->first = (uint32_t)p->ast->variable_count;
    p->ast->variable_count += e->loop->count;
    take_word(p, e, PROGRAMS_TOKEN_WHILE, "while", "`,` or `while`");
    *LIB_VEC_PUSH(&operands) = programs_parse_expr(p);
    const struct programs_token *behind = programs_parser_peek(p);
    take_word(p, e, PROGRAMS_TOKEN_DO, "do", "`do`");
    e->loop->takes_tuple = parse_next(p, behind, e->loop->count, &operands);
    e->loop->returns = programs_parser_accept(p, PROGRAMS_TOKEN_RETURN);
    if (e->loop->returns)
        *LIB_VEC_PUSH(&operands) = programs_parse_expr(p);
    return programs_parser_operands(p, e, &operands);
}

/* --- arrays --------------------------------------------------------------------------- */

/* Takes `<-`, two tokens. */
static void take_arrow(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    bool arrow = t->kind == PROGRAMS_TOKEN_LT && t[1].kind == PROGRAMS_TOKEN_MINUS &&
                 t[1].offset == t->offset + 1;
    if (arrow && programs_parser_accept(p, PROGRAMS_TOKEN_LT))
        programs_parser_take(p);
    else
        programs_parser_unexpected(p, "`<-`");
}

static void take_index(struct programs_parser *p, struct programs_expr *e)
{
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind != PROGRAMS_TOKEN_NAME || strcmp(t->text, "at") != 0)
        return;
    programs_parser_take(p);
    e->index = programs_parser_binding(p, PROGRAMS_BIND_INDEX,
                                       programs_parse_name(p, "the name of an index"), 0);
    e->index->expr = e;
}

/* Reads the optional end of a comprehension after `<- E`, from `..` or `at` on. */
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
        *LIB_VEC_PUSH(operands) = programs_parse_expr(p);
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

/* Reports what follows a comma after the range of a comprehension: another index, or a filter. */
static void report_filter(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    const bool is_index = t[1].kind == PROGRAMS_TOKEN_NAME &&
                          (t[2].kind == PROGRAMS_TOKEN_IN ||
                           (t[2].kind == PROGRAMS_TOKEN_LT &&
                            t[3].kind == PROGRAMS_TOKEN_MINUS));
    PROGRAMS_PARSER_FAIL(
        p, t->pos, "a comprehension has one index and no filter; %s",
        is_index ? "its elements may be comprehensions"
                 : "choose the value of each element: `[if x > 0 then x else 0 "
                   "| x <- a]`");
}

/* Reads `| i <- E .. E]`, `| x <- E]` or `| x <- E at i]`, after the element. */
static struct programs_expr *parse_comprehension(struct programs_parser *p,
                                                 const struct programs_token *open,
                                                 struct programs_expr_list *operands)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_COMPREHENSION,
                                                   open->pos);
    if (operands->count > 1)
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "the element of a comprehension is one expression; a tuple "
                             "stands in parentheses");
    programs_parser_take(p);
    const struct programs_token *name = programs_parse_name(p, "the name of an index");
    take_arrow(p);
    *LIB_VEC_PUSH(operands) = programs_parse_expr(p);
    take_rest(p, e, name, operands);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_COMMA))
        report_filter(p);
    if (!programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE) && e->element && !e->index)
        programs_parser_unexpected_after(p, "`..`, `at` or `]`");
    programs_cursor_close(&p->cursor, open);
    return programs_parser_operands(p, e, operands);
}

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
        programs_parser_unexpected_after(
            p, "`|`, as in `scatter(n, [k -> E | i <- 1 .. n])`");
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
        struct programs_expr *made = parse_comprehension(p, open, &elements);
        made->has_arrow = has_arrow;
        return made;
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
