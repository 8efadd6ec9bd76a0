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
