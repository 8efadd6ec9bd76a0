#include "programs/syntax/lex.h"

#include "lib/invisible.h"
#include "programs/syntax/ast.h"
#include "programs/syntax/pragma.h"
#include "programs/syntax/syntax_hints.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
    struct lib_arena *arena;
    struct programs_tokens *tokens;
    const char *bytes, *p, *end;
    const char *line_start;
    uint32_t line;
    bool first, at_margin; /* properties of the next token */
    /* Pragma alone on its line, whose loop must follow; line 0: none. */
    struct lib_pos pragma;
    uint32_t bound; /* number in the pragma */
    /* Directive whose equation must follow; first line 0: none. */
    struct programs_placing place;
    /* Index of the directive whose equation has not ended, + 1; 0: none. */
    size_t open;
};

struct word {
    const char *text;
    enum programs_token_kind kind;
};

/* --- characters --------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_name_part(char c)
{
    return is_name_start(c) || is_upper(c) || is_digit(c) || c == '\'';
}

static char peek(const struct lexer *lx, size_t ahead)
{
    return (size_t)(lx->end - lx->p) > ahead ? lx->p[ahead] : '\0';
}

static bool looking_at(const struct lexer *lx, const char *text)
{
    if (peek(lx, 0) != *text)
        return false;
    const size_t length = strlen(text);
    return (size_t)(lx->end - lx->p) >= length && memcmp(lx->p, text, length) == 0;
}

/* --- tokens ------------------------------------------------------------------------- */

static struct programs_token *push_token(struct lexer *lx, enum programs_token_kind kind,
                                         size_t length)
{
    struct programs_token *t = LIB_VEC_PUSH(lx->tokens);
    uint32_t column = (uint32_t)(lx->p - lx->line_start) + 1;
    *t = (struct programs_token){
        .kind = kind,
        .pos = {lx->line, column, (uint32_t)length},
        .offset = (size_t)(lx->p - lx->bytes),
        .first = lx->first,
        .at_margin = lx->at_margin,
    };
    lx->p += length;
    lx->first = lx->at_margin = false;
    return t;
}

static void push_text(struct lexer *lx, enum programs_token_kind kind, size_t length)
{
    const char *text = lib_arena_copy(lx->arena, lx->p, length);
    push_token(lx, kind, length)->text = text;
}

static void push_error(struct lexer *lx, size_t length, const char *message)
{
    push_token(lx, PROGRAMS_TOKEN_ERROR, length)->text = message;
}

static void push_end(struct lexer *lx)
{
    struct programs_tokens *tokens = lx->tokens;
    if (tokens->count == 0 || tokens->items[tokens->count - 1].kind == PROGRAMS_TOKEN_END)
        return;
    struct programs_token last = tokens->items[tokens->count - 1];
    *LIB_VEC_PUSH(tokens) = (struct programs_token){
        .kind = PROGRAMS_TOKEN_END,
        .pos = {last.pos.line, last.pos.column + last.pos.span, 1},
        .offset = last.offset + last.pos.span,
    };
}

/* --- numbers ------------------------------------------------------------------------ */

static size_t count_digits(const struct lexer *lx, size_t from)
{
    size_t n = 0;
    while (is_digit(peek(lx, from + n)))
        n++;
    return n;
}

static void lex_int(struct lexer *lx, size_t length)
{
    errno = 0;
    unsigned long long value = strtoull(lx->p, NULL, 10); /* a NUL ends the source */
    if (errno || value > (uint64_t)INT64_MAX + 1)
        push_error(
            lx, length,
            "this literal is out of range; the largest int is 9223372036854775807");
    else
        push_token(lx, PROGRAMS_TOKEN_INT, length)->integer = value;
}

static void lex_real(struct lexer *lx, size_t length)
{
    char few[64];
    const char *text = memcpy(few, lx->p, length < sizeof few ? length : sizeof few - 1);
    double value;
    if (length < sizeof few)
        few[length] = '\0';
    else
        text = lib_arena_copy(lx->arena, lx->p, length);
    if (lib_text_to_real(text, &value))
        push_token(lx, PROGRAMS_TOKEN_REAL, length)->real = value;
    else
        push_error(lx, length,
                   "this literal is out of range; the largest real is about 1.8e308");
}

/* Adds a literal that begins with 0x or 0b. */
static void lex_bits(struct lexer *lx)
{
    size_t length = 2;
    while (is_name_part(peek(lx, length)))
        length++;
    const char *text = lib_arena_copy(lx->arena, lx->p, length);
    const bool is_hex = text[1] == 'x';
    int64_t value;
    if (lib_text_to_bits(text, &value)) {
        struct programs_token *t = push_token(lx, PROGRAMS_TOKEN_INT, length);
        t->integer = (uint64_t)value;
        t->is_bits = true;
    } else if (length > 2 &&
               strspn(text + 2, is_hex ? "0123456789abcdefABCDEF" : "01") == length - 2) {
        push_error(lx, length, "this literal is out of range; an int has 64 bits");
    } else {
        push_error(lx, length,
                   lib_arena_printf(lx->arena, "expected %s after `%.2s`",
                                    is_hex ? "hexadecimal digits" : "digits 0 and 1",
                                    text));
    }
}

static void lex_number(struct lexer *lx)
{
    if (*lx->p == '0' && (peek(lx, 1) == 'x' || peek(lx, 1) == 'b')) {
        lex_bits(lx);
        return;
    }
    size_t length = count_digits(lx, 0);
    bool real = false;
    if (peek(lx, length) == '.' && peek(lx, length + 1) != '.') {
        size_t digits = count_digits(lx, length + 1);
        if (digits == 0) {
            push_error(lx, length + 1,
                       lib_arena_printf(lx->arena,
                                        "a real has digits after its point: `%.*s.0`",
                                        (int)(length < 40 ? length : 40), lx->p));
            return;
        }
        real = true;
        length += 1 + digits;
    }
    if (peek(lx, length) == 'e' || peek(lx, length) == 'E') {
        char sign = peek(lx, length + 1);
        size_t skip = sign == '+' || sign == '-' ? 2 : 1;
        size_t digits = count_digits(lx, length + skip);
        real = real || digits > 0;
        length += digits ? skip + digits : 0;
    }
    size_t all = length;
    while (is_name_part(peek(lx, all)))
        all++;
    if (all > length) {
        LIB_TEXT_OWN hint = {0};
        const char *word = lib_arena_copy(lx->arena, lx->p, all);
        lib_text_hint_whole(&hint, word, 0, INT64_MAX);
        push_error(lx, all,
                   lib_arena_printf(lx->arena, "`%.*s` is neither a number nor a name%s",
                                    (int)(all < 40 ? all : 40), word,
                                    lib_text_get(&hint)));
    } else if (real)
        lex_real(lx, length);
    else
        lex_int(lx, length);
}

/* --- pragmas ------------------------------------------------------------------------ */

static void add_mistake(struct lexer *lx, struct lib_pos pos, const char *text)
{
    *LIB_VEC_PUSH(&lx->tokens->mistakes) = (struct programs_mistake){pos, text};
}

/* Reports a pragma without a loop on the next line. */
static void end_pragma(struct lexer *lx)
{
    if (lx->pragma.line)
        add_mistake(lx, lx->pragma,
                    "this pragma bounds no loop: expected on the line of a `loop`, after "
                    "that word, or alone on the line before");
    lx->pragma.line = 0;
}

static void give_bound(struct lexer *lx, struct programs_token *loop, struct lib_pos pos,
                       uint32_t bound)
{
    if (loop->integer)
        add_mistake(lx, pos,
                    lib_arena_printf(lx->arena, "this loop is bounded already, to %u",
                                     (unsigned)loop->integer));
    else
        loop->integer = bound;
}

/* Adds a keyword. The first loop of a line gets the pragma of the line above. */
static void push_keyword(struct lexer *lx, enum programs_token_kind kind, size_t length)
{
    struct programs_token *t = push_token(lx, kind, length);
    t->integer = 0;
    if (kind != PROGRAMS_TOKEN_LOOP || lx->pragma.line + 1 != lx->line)
        return;
    t->integer = lx->bound;
    lx->pragma.line = 0;
}

static struct programs_token *last_loop(const struct lexer *lx)
{
    for (size_t i = lx->tokens->count; i-- > 0;) {
        struct programs_token *t = &lx->tokens->items[i];
        if (t->pos.line != lx->line)
            return NULL;
        if (t->kind == PROGRAMS_TOKEN_LOOP)
            return t;
    }
    return NULL;
}

static void bound_loop(struct lexer *lx, struct lib_pos pos, uint32_t value)
{
    struct programs_token *loop = last_loop(lx);
    if (loop) {
        give_bound(lx, loop, pos, value);
        return;
    }
    end_pragma(lx);
    lx->pragma = pos;
    lx->bound = value;
    if (!lx->first) /* tokens are on its line */
        end_pragma(lx);
}

static void end_place(struct lexer *lx)
{
    if (lx->place.lines.first)
        add_mistake(lx, lx->place.lines.pos,
                    lx->place.class ? "this pragma places nothing: expected alone on a "
                                      "line before "
                                      "an equation"
                                    : "this pragma places nothing: expected alone on a "
                                      "line before "
                                      "an equation, or behind the words of a line");
    lx->place.lines.first = 0;
}

/* Returns "machine 1" or "class `fast`", of the arena. */
static const char *name_place(const struct lexer *lx,
                              const struct programs_placing *place)
{
    return place->class ? lib_arena_printf(lx->arena, "class `%s`", place->class)
                        : lib_arena_printf(lx->arena, "machine %u",
                                           (unsigned)place->lines.machine);
}

/* Puts the line before a pragma on a machine, unless its equation is on a class of PEs. */
static void place_line(struct lexer *lx, const struct programs_placing *placing)
{
    const struct programs_placing *of = lx->open
                                            ? &lx->tokens->placings.items[lx->open - 1]
                                            : NULL;
    if (placing->class)
        add_mistake(lx, placing->lines.pos,
                    "expected `--# on` alone on a line before an equation");
    else if (of && of->class)
        add_mistake(lx, placing->lines.pos,
                    lib_arena_printf(lx->arena, "this equation is on %s already",
                                     name_place(lx, of)));
    else
        *LIB_VEC_PUSH(&lx->tokens->placings) = *placing;
}

/* Places the current line, or the next equation if the pragma is alone on its line. */
static void place(struct lexer *lx, struct lib_pos pos,
                  const struct programs_pragma *pragma)
{
    const struct programs_placing placing = {{lx->line, lx->line, pragma->number, pos},
                                             pragma->class};
    if (!lx->first)
        place_line(lx, &placing);
    else if (lx->place.lines.first)
        add_mistake(lx, pos,
                    lib_arena_printf(lx->arena, "the next equation is on %s already",
                                     name_place(lx, &lx->place)));
    else
        lx->place = placing;
}

/* Sets the last line of the directive whose equation ends with the last token. If another
 * equation begins here, adds the directive that waits for it. */
static void end_equation(struct lexer *lx, bool begins)
{
    const struct programs_tokens *tokens = lx->tokens;
    if (lx->open)
        lx->tokens->placings.items[lx->open - 1].lines.last =
            tokens->items[tokens->count - 1].pos.line;
    lx->open = 0;
    if (!begins)
        end_place(lx);
    if (!lx->place.lines.first)
        return;
    lx->place.lines.first = lx->line;
    *LIB_VEC_PUSH(&lx->tokens->placings) = lx->place;
    lx->open = lx->tokens->placings.count;
    lx->place.lines.first = 0;
}

static void lex_pragma(struct lexer *lx, const char *end)
{
    if (peek(lx, 2) != '#' || peek(lx, 3) == '#')
        return;
    struct programs_pragma pragma = {0};
    struct programs_mistake mistake;
    const struct lib_pos pos = {lx->line, (uint32_t)(lx->p - lx->line_start) + 1, 3};
    if (!programs_pragma_read(lx->arena, lx->p, end, pos, &pragma, &mistake))
        add_mistake(lx, mistake.pos, mistake.text);
    else if (pragma.kind == PROGRAMS_PRAGMA_BOUND)
        bound_loop(lx, pos, pragma.number);
    else
        place(lx, pos, &pragma);
}

/* --- words and signs ---------------------------------------------------------------- */

static void lex_name(struct lexer *lx)
{
    static const struct word keywords[] = {
#define WORD(NAME, text) {text, PROGRAMS_TOKEN_##NAME},
        PROGRAMS_KEYWORDS(WORD)
#undef WORD
    };
    size_t length = 1;
    while (is_name_part(peek(lx, length)))
        length++;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].text) == length && looking_at(lx, keywords[i].text)) {
            push_keyword(lx, keywords[i].kind, length);
            return;
        }
    push_text(lx, is_upper(*lx->p) ? PROGRAMS_TOKEN_CONSTRUCTOR : PROGRAMS_TOKEN_NAME,
              length);
}

static void lex_string(struct lexer *lx)
{
    size_t length = 1;
    while (lx->p + length < lx->end && !strchr("\"\r\n", lx->p[length]))
        length++;
    if (peek(lx, length) != '"') {
        push_error(lx, length, "this string is not closed on its line");
        return;
    }
    const char *text = lib_arena_copy(lx->arena, lx->p + 1, length - 1);
    push_token(lx, PROGRAMS_TOKEN_STRING, length + 1)->text = text;
}

static const struct programs_syntax_hints *find_foreign(const struct lexer *lx)
{
    return programs_syntax_hints_sign(lx->p, (size_t)(lx->end - lx->p));
}

/* Adds a symbol, the longest possible. What looks like two symbols can be a foreign one. */
static bool lex_symbol(struct lexer *lx)
{
    static const struct word symbols[] = {{"!=", PROGRAMS_TOKEN_NE},
                                          {"&&", PROGRAMS_TOKEN_AND},
                                          {"||", PROGRAMS_TOKEN_OR},
#define SYMBOL(NAME, text) {text, PROGRAMS_TOKEN_##NAME},
                                          PROGRAMS_SYMBOLS(SYMBOL)
#undef SYMBOL
    };
    const struct programs_syntax_hints *sign = find_foreign(lx);
    if (sign && strlen(sign->text) > 1)
        return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (looking_at(lx, symbols[i].text)) {
            push_token(lx, symbols[i].kind, strlen(symbols[i].text));
            return true;
        }
    return false;
}

/* Returns the length of the UTF-8 sequence that starts with `lead`, or 1. */
static size_t sequence_length(unsigned char lead)
{
    return lead >= 0xf0 && lead < 0xf5   ? 4
           : lead >= 0xe0 && lead < 0xf0 ? 3
           : lead >= 0xc2 && lead < 0xe0 ? 2
                                         : 1;
}

static bool is_after_value(const struct lexer *lx)
{
    if (lx->first || lx->tokens->count == 0)
        return false;
    switch (lx->tokens->items[lx->tokens->count - 1].kind) {
    case PROGRAMS_TOKEN_NAME:
    case PROGRAMS_TOKEN_INT:
    case PROGRAMS_TOKEN_REAL:
    case PROGRAMS_TOKEN_STRING:
    case PROGRAMS_TOKEN_RIGHT:
    case PROGRAMS_TOKEN_RIGHT_SQUARE:
        return true;
    default:
        return false;
    }
}

/* Whether the next `length` bytes are between two operands on one line. */
static bool is_between(const struct lexer *lx, size_t length)
{
    if (!is_after_value(lx))
        return false;
    while (peek(lx, length) == ' ' || peek(lx, length) == '\t')
        length++;
    const char next = peek(lx, length);
    return is_name_start(next) || is_upper(next) || is_digit(next) ||
           (next && strchr("([\"", next));
}

static void lex_foreign(struct lexer *lx)
{
    const struct programs_syntax_hints *sign = find_foreign(lx);
    if (sign) {
        const size_t length = strlen(sign->text);
        const bool is_one = sequence_length((unsigned char)*lx->p) == length;
        const char *advice = is_between(lx, length) ? programs_syntax_hints_between(sign)
                                                    : sign->advice;
        push_error(lx, length,
                   lib_arena_printf(lx->arena, "unexpected %s`%s`; %s",
                                    is_one ? "character " : "", sign->text, advice));
        return;
    }
    if (*lx->p == '.' && is_digit(peek(lx, 1)) && !is_after_value(lx)) {
        size_t length = 1 + count_digits(lx, 1);
        push_error(lx, length, "a real has digits before its point: `0.5`");
        return;
    }
    if (*lx->p == '.' && is_after_value(lx) && is_name_start(peek(lx, 1)) &&
        (is_name_part(lx->p[-1]) || lx->p[-1] == ')' || lx->p[-1] == ']')) {
        push_token(lx, PROGRAMS_TOKEN_DOT, 1);
        return;
    }
    if (*lx->p == '.') {
        push_error(
            lx, 1,
            "unexpected character `.`; a field of a record is `t.left`, without blanks, "
            "and an argument stands in parentheses, `length(a)`");
        return;
    }
    struct lib_invisible unseen;
    if (lib_invisible_at(lx->p, (size_t)(lx->end - lx->p), &unseen)) {
        push_error(lx, unseen.length,
                   lib_arena_printf(lx->arena, "unexpected character U+%04X, a %s; %s",
                                    unseen.code, unseen.name, unseen.advice));
        return;
    }
    unsigned char lead = (unsigned char)*lx->p;
    size_t length = sequence_length(lead);
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)peek(lx, i) & 0xc0) != 0x80)
            length = 1;
    if ((length == 1 && lead >= 0x80) || lead < 0x20 || lead == 0x7f)
        push_error(lx, 1, lib_arena_printf(lx->arena, "unexpected byte 0x%02x", lead));
    else
        push_error(lx, length,
                   lib_arena_printf(lx->arena, "unexpected character `%.*s`", (int)length,
                                    lx->p));
}

/* --- the whole ---------------------------------------------------------------------- */

/* Moves to the next token. Returns false at the end of the file. A CR is a blank only before a
 * newline. */
static bool skip_blanks(struct lexer *lx)
{
    for (; lx->p < lx->end; lx->p++) {
        char c = *lx->p;
        if (c == '-' && peek(lx, 1) == '-') {
            const char *newline = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
            const char *end = newline ? newline : lx->end;
            lex_pragma(lx, end);
            lx->p = end - 1;
        } else if (c == '\n') {
            if (lx->pragma.line && lx->pragma.line < lx->line)
                end_pragma(lx);
            lx->line++;
            lx->line_start = lx->p + 1;
            lx->first = lx->at_margin = true;
        } else if (c == ' ' || c == '\t' || (c == '\r' && peek(lx, 1) == '\n')) {
            lx->at_margin = false;
        } else {
            return true;
        }
    }
    return false;
}

void programs_lex(struct lib_arena *arena, const struct lib_source *source,
                  struct programs_tokens *tokens)
{
    struct lexer lx = {
        .arena = arena,
        .tokens = tokens,
        .bytes = source->bytes,
        .p = lib_source_start(source),
        .end = source->bytes + source->length,
        .line_start = source->bytes,
        .line = 1,
        .first = true,
        .at_margin = true,
    };
    while (skip_blanks(&lx)) {
        if (lx.at_margin) {
            end_equation(&lx, true);
            push_end(&lx);
        } else if (lx.first) {
            end_place(&lx);
        }
        if (is_digit(*lx.p))
            lex_number(&lx);
        else if (is_name_start(*lx.p) || is_upper(*lx.p))
            lex_name(&lx);
        else if (*lx.p == '"')
            lex_string(&lx);
        else if (!lex_symbol(&lx))
            lex_foreign(&lx);
    }
    end_pragma(&lx);
    end_equation(&lx, false);
    push_end(&lx);
    push_token(&lx, PROGRAMS_TOKEN_EOF, 0);
}

void programs_tokens_free(struct programs_tokens *tokens)
{
    LIB_VEC_FREE(tokens, &tokens->mistakes, &tokens->placings);
}
