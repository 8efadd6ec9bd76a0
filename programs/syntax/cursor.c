#include "programs/syntax/cursor.h"

#include "programs/syntax/syntax_hints.h"

#include <stdarg.h>

/* --- tokens ------------------------------------------------------------------------- */

const struct programs_token *programs_cursor_take(struct programs_cursor *c)
{
    const struct programs_token *t = programs_cursor_peek(c);
    if (!c->failed && t->kind != PROGRAMS_TOKEN_END && t->kind != PROGRAMS_TOKEN_EOF)
        c->at++;
    return t;
}

bool programs_cursor_accept(struct programs_cursor *c, enum programs_token_kind kind)
{
    if (c->failed || !programs_cursor_sees(c, kind))
        return false;
    programs_cursor_take(c);
    return true;
}

struct lib_pos programs_cursor_stretch(const struct programs_cursor *c,
                                       struct lib_pos start)
{
    const struct lib_pos last = c->tokens[c->at ? c->at - 1 : 0].pos;
    uint32_t end = last.column + last.span;
    if (last.line == start.line && end > start.column + start.span)
        start.span = end - start.column;
    return start;
}

const char *programs_cursor_describe(const struct programs_cursor *c,
                                     const struct programs_token *t)
{
    if (t->kind == PROGRAMS_TOKEN_END || t->kind == PROGRAMS_TOKEN_EOF)
        return "the end of the equation";
    bool is_long = t->pos.span > 40;
    return lib_arena_printf(c->arena, "`%.*s%s`", is_long ? 40 : (int)t->pos.span,
                            c->source->bytes + t->offset, is_long ? "..." : "");
}

/* --- errors ------------------------------------------------------------------------- */

/* The end of the equation is no `;` that separates bindings of a let. */
void programs_cursor_skip(struct programs_cursor *c)
{
    long lets = c->lets;
    for (;; c->at++) {
        enum programs_token_kind kind = programs_cursor_peek(c)->kind;
        if (kind == PROGRAMS_TOKEN_END || kind == PROGRAMS_TOKEN_EOF)
            return;
        if (kind == PROGRAMS_TOKEN_SEMICOLON && lets <= 0)
            return;
        lets += kind == PROGRAMS_TOKEN_LET ? 1 : kind == PROGRAMS_TOKEN_IN ? -1 : 0;
    }
}

void programs_cursor_fail(struct programs_cursor *c, enum lib_diag_code code,
                          struct lib_pos pos, const char *format, ...)
{
    if (c->failed)
        return;
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(c->diags, code, c->source, pos, format, ap);
    va_end(ap);
    c->failed = true;
    programs_cursor_skip(c);
}

#define fail(c, pos, ...) programs_cursor_fail((c), LIB_DIAG_SYNTAX, (pos), __VA_ARGS__)

/* Whether a token is reserved: no program has it yet. */
static bool is_kept(enum programs_token_kind kind)
{
    return kind == PROGRAMS_TOKEN_DATA || kind == PROGRAMS_TOKEN_CASE ||
           kind == PROGRAMS_TOKEN_OF || kind == PROGRAMS_TOKEN_CONSTRUCTOR ||
           kind == PROGRAMS_TOKEN_STRING;
}

static bool is_port(const struct programs_token *t)
{
    return t->kind == PROGRAMS_TOKEN_NAME && strcmp(t->text, "port") == 0 &&
           (t[1].kind == PROGRAMS_TOKEN_IN || t[1].kind == PROGRAMS_TOKEN_NAME);
}

bool programs_cursor_starts(const struct programs_cursor *c, size_t at)
{
    const struct programs_token *t = c->tokens + at;
    switch (t->kind) {
    case PROGRAMS_TOKEN_NAME:
        return t[1].kind == PROGRAMS_TOKEN_DEFINE || t[1].kind == PROGRAMS_TOKEN_EQ ||
               t[1].kind == PROGRAMS_TOKEN_LEFT || is_port(t);
    case PROGRAMS_TOKEN_INPUT:
    case PROGRAMS_TOKEN_PARAM:
    case PROGRAMS_TOKEN_LEFT:
    case PROGRAMS_TOKEN_ERROR:
        return true;
    default:
        return is_kept(t->kind);
    }
}

static bool is_cut(const struct programs_cursor *c)
{
    const struct programs_token *t = programs_cursor_peek(c);
    return t->kind == PROGRAMS_TOKEN_END && t[1].kind != PROGRAMS_TOKEN_EOF &&
           !programs_cursor_starts(c, c->at + 1);
}

static bool is_defined(const struct programs_cursor *c, const char *name)
{
    bool in_names = false; /* within the parentheses of parameters or of a tuple */
    for (const struct programs_token *t = c->tokens; t->kind != PROGRAMS_TOKEN_EOF; t++) {
        const bool is_name = t->kind == PROGRAMS_TOKEN_NAME;
        const bool is_head = is_name && t->at_margin;
        in_names = (in_names && t->kind != PROGRAMS_TOKEN_RIGHT &&
                    t->kind != PROGRAMS_TOKEN_END) ||
                   (t->kind == PROGRAMS_TOKEN_LEFT &&
                    (t->at_margin || (t > c->tokens && t[-1].at_margin)));
        const bool is_index = is_name && t[1].kind == PROGRAMS_TOKEN_LT &&
                              t[2].kind == PROGRAMS_TOKEN_MINUS;
        if (is_name && strcmp(t->text, name) == 0 &&
            (in_names || is_index || t[1].kind == PROGRAMS_TOKEN_DEFINE ||
             (is_head && t[1].kind == PROGRAMS_TOKEN_LEFT)))
            return true;
    }
    return false;
}

/* Returns "; ADVICE" if the next token or the previous one is a word of another language that
 * the program does not define. */
static const char *advice(const struct programs_cursor *c)
{
    const struct programs_token *t = programs_cursor_peek(c);
    for (int back = 0; back < 2 && (size_t)back <= c->at; back++) {
        const struct programs_token *word = t - back;
        const char *text = word->kind == PROGRAMS_TOKEN_NAME && !is_defined(c, word->text)
                               ? programs_syntax_hints_word(word->text)
                               : NULL;
        if (text)
            return lib_arena_printf(c->arena, "; %s", text);
    }
    if (c->at && is_port(t - 1) && !t[-1].at_margin)
        return "; a port is declared at top level, as an equation of its own";
    return is_cut(c) ? "; a line that continues it starts with a blank" : "";
}

bool programs_cursor_report_capital(struct programs_cursor *c)
{
    const struct programs_token *t = programs_cursor_peek(c);
    const char *small = programs_syntax_hints_small(c->arena, t->text);
    if (!programs_syntax_hints_has(small) && !is_defined(c, small))
        return false;
    fail(c, t->pos, "`%s`: a name begins with a small letter; did you mean `%s`?",
         t->text, small);
    return true;
}

static void report_capital(struct programs_cursor *c, const struct programs_token *t,
                           const char *expected)
{
    const struct programs_token *last = c->at ? t - 1 : t;
    const char *word = last->kind == PROGRAMS_TOKEN_NAME
                           ? programs_syntax_hints_word(last->text)
                           : NULL;
    if (word)
        fail(c, t->pos, "expected %s, found `%s`; %s", expected, t->text, word);
    else if (!programs_cursor_report_capital(c))
        fail(c, t->pos,
             strstr(expected, "name")
                 ? "expected %s, found `%s`: a name begins with a small letter"
                 : "expected %s, found `%s`",
             expected, t->text);
}

static void report_reserved(struct programs_cursor *c, const struct programs_token *t)
{
    if (t->kind == PROGRAMS_TOKEN_DATA && t[1].kind == PROGRAMS_TOKEN_CONSTRUCTOR)
        fail(c, t->pos, "a type of data is declared at top level, as an equation is");
    else
        fail(c, t->pos, "%s is a reserved word and cannot be a name",
             programs_cursor_describe(c, t));
}

void programs_cursor_unexpected(struct programs_cursor *c, const char *expected)
{
    const struct programs_token *t = programs_cursor_peek(c);
    if (t->kind == PROGRAMS_TOKEN_ERROR)
        fail(c, t->pos, "%s", t->text);
    else if (t->kind == PROGRAMS_TOKEN_CONSTRUCTOR)
        report_capital(c, t, expected);
    else if (t->kind == PROGRAMS_TOKEN_DATA || t->kind == PROGRAMS_TOKEN_CASE ||
             t->kind == PROGRAMS_TOKEN_OF)
        report_reserved(c, t);
    else if (t->kind == PROGRAMS_TOKEN_STRING)
        fail(c, t->pos,
             "there are no strings, only paths of files: give each word an int");
    else if (t->kind == PROGRAMS_TOKEN_ARROW)
        fail(c, t->pos,
             "expected %s, found `->`, which only an arm of a `case` has; a function is "
             "written `f(x) = ...`",
             expected);
    else
        fail(c, t->pos, "expected %s, found %s%s", expected,
             programs_cursor_describe(c, t), advice(c));
}

bool programs_cursor_at_equation(const struct programs_cursor *c, size_t at)
{
    const struct programs_token *t = c->tokens + at;
    if (!t->first || t->kind != PROGRAMS_TOKEN_NAME)
        return false;
    t++;
    if (t->kind == PROGRAMS_TOKEN_LEFT) {
        unsigned open = 0;
        do {
            open += t->kind == PROGRAMS_TOKEN_LEFT;
            open -= t->kind == PROGRAMS_TOKEN_RIGHT;
            t++;
        } while (open &&
                 (t->kind == PROGRAMS_TOKEN_LEFT || t->kind == PROGRAMS_TOKEN_NAME ||
                  t->kind == PROGRAMS_TOKEN_COMMA || t->kind == PROGRAMS_TOKEN_RIGHT));
        if (open)
            return false;
    }
    return t->kind == PROGRAMS_TOKEN_DEFINE;
}

void programs_cursor_unexpected_after(struct programs_cursor *c, const char *expected)
{
    const struct programs_token *t = programs_cursor_peek(c);
    const struct programs_token *last = c->at ? t - 1 : t;
    const char *layout =
        "an equation starts in column 1; a line that starts with a blank continues the "
        "equation before it; within one, names are given by `let x = ... in ...`";
    bool starts_operand = t->kind == PROGRAMS_TOKEN_NAME ||
                          t->kind == PROGRAMS_TOKEN_INT || t->kind == PROGRAMS_TOKEN_REAL;
    if (c->lets == 0 && programs_cursor_at_equation(c, c->at))
        fail(c, t->pos, "%s", layout);
    else if (t->kind == PROGRAMS_TOKEN_DEFINE && c->lets == 0 &&
             programs_cursor_at_equation(c, c->at - 1))
        fail(c, last->pos, "%s", layout);
    else if (t->kind == PROGRAMS_TOKEN_DEFINE)
        fail(c, t->pos, "`=` defines a name; write `==` to compare");
    else if (t->kind == PROGRAMS_TOKEN_RETURN)
        fail(c, t->pos,
             "expected %s, found `return` (a loop has as many expressions behind `do` as "
             "variables)",
             expected);
    else if (starts_operand && last->kind == PROGRAMS_TOKEN_NAME && !t->first &&
             !*advice(c))
        fail(c, t->pos, "expected %s, found %s (a call is written `%s(...)`)", expected,
             programs_cursor_describe(c, t), last->text);
    else
        programs_cursor_unexpected(c, expected);
}

void programs_cursor_close(struct programs_cursor *c, const struct programs_token *open)
{
    bool square = open->kind == PROGRAMS_TOKEN_LEFT_SQUARE;
    const char *name = square ? "[" : "(";
    if (programs_cursor_accept(c, square ? PROGRAMS_TOKEN_RIGHT_SQUARE
                                         : PROGRAMS_TOKEN_RIGHT))
        return;
    const struct programs_token *t = programs_cursor_peek(c);
    if (t->kind != PROGRAMS_TOKEN_END)
        programs_cursor_unexpected_after(c, square ? "`,` or `]`" : "`,` or `)`");
    else if (t[1].kind != PROGRAMS_TOKEN_EOF)
        fail(c, open->pos,
             "this `%s` is not closed when the next equation starts in column 1 of line "
             "%u",
             name, t[1].pos.line);
    else
        fail(c, open->pos, "this `%s` is not closed", name);
}
