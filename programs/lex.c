#include "programs/lex.h"

#include "lib/memory.h"
#include "lib/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
    struct lib_arena *arena;
    struct programs_tokens *tokens;
    const char *bytes, *p, *end;
    const char *line_start;
    uint32_t line;
    bool first, at_margin; /* of the next token */
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

/* The byte `ahead` places on, or 0 behind the end. */
static char look(const struct lexer *lx, size_t ahead)
{
    return (size_t)(lx->end - lx->p) > ahead ? lx->p[ahead] : '\0';
}

static bool looking_at(const struct lexer *lx, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(lx->end - lx->p) >= length && memcmp(lx->p, text, length) == 0;
}

/* --- tokens ------------------------------------------------------------------------- */

/* Adds the token made of the next `length` bytes and moves behind them. */
static struct programs_token *push(struct lexer *lx, enum programs_token_kind kind,
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
    push(lx, kind, length)->text = text;
}

static void push_error(struct lexer *lx, size_t length, const char *message)
{
    push(lx, PROGRAMS_TOKEN_ERROR, length)->text = message;
}

/* Ends the equation whose last token was the last one. */
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
    while (is_digit(look(lx, from + n)))
        n++;
    return n;
}

static void lex_int(struct lexer *lx, size_t length)
{
    const char *text = lib_arena_copy(lx->arena, lx->p, length);
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno || value > (uint64_t)INT64_MAX + 1)
        push_error(
            lx, length,
            "this literal is out of range; the largest int is 9223372036854775807");
    else
        push(lx, PROGRAMS_TOKEN_INT, length)->integer = value;
}

static void lex_real(struct lexer *lx, size_t length)
{
    double value;
    if (lib_text_to_real(lib_arena_copy(lx->arena, lx->p, length), &value))
        push(lx, PROGRAMS_TOKEN_REAL, length)->real = value;
    else
        push_error(lx, length,
                   "this literal is out of range; the largest real is about 1.8e308");
}

static void lex_number(struct lexer *lx)
{
    size_t length = count_digits(lx, 0);
    bool real = false;
    if (look(lx, length) == '.' && look(lx, length + 1) != '.') {
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
    if (look(lx, length) == 'e' || look(lx, length) == 'E') {
        char sign = look(lx, length + 1);
        size_t skip = sign == '+' || sign == '-' ? 2 : 1;
        size_t digits = count_digits(lx, length + skip);
        real = real || digits > 0;
        length += digits ? skip + digits : 0;
    }
    size_t all = length;
    while (is_name_part(look(lx, all)))
        all++;
    if (all > length)
        push_error(lx, all,
                   lib_arena_printf(lx->arena, "`%.*s` is neither a number nor a name",
                                    (int)(all < 40 ? all : 40), lx->p));
    else if (real)
        lex_real(lx, length);
    else
        lex_int(lx, length);
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
    while (is_name_part(look(lx, length)))
        length++;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].text) == length && looking_at(lx, keywords[i].text)) {
            push(lx, keywords[i].kind, length);
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
    if (look(lx, length) != '"') {
        push_error(lx, length, "this string is not closed on its line");
        return;
    }
    const char *text = lib_arena_copy(lx->arena, lx->p + 1, length - 1);
    push(lx, PROGRAMS_TOKEN_STRING, length + 1)->text = text;
}

/* Signs first, the longest first; then what looks like a sign but has another spelling
 * here. */
static bool lex_symbol(struct lexer *lx)
{
    static const struct word symbols[] = {{"!=", PROGRAMS_TOKEN_NE},
                                          {"&&", PROGRAMS_TOKEN_AND},
                                          {"||", PROGRAMS_TOKEN_OR},
#define SYMBOL(NAME, text) {text, PROGRAMS_TOKEN_##NAME},
                                          PROGRAMS_SYMBOLS(SYMBOL)
#undef SYMBOL
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (looking_at(lx, symbols[i].text)) {
            push(lx, symbols[i].kind, strlen(symbols[i].text));
            return true;
        }
    return false;
}

/* Characters that come with text copied from elsewhere, and how they are written here. */
static const char *const foreign[][2] = {
    {"!", "not"},
    {"&", "and"},
    {"\xe2\x88\x92", "-"},  /* minus sign */
    {"\xe2\x80\x93", "-"},  /* en dash */
    {"\xc3\x97", "*"},      /* multiplication sign */
    {"\xc3\xb7", "/"},      /* division sign */
    {"\xe2\x89\xa4", "<="}, /* less than or equal to */
    {"\xe2\x89\xa5", ">="}, /* greater than or equal to */
    {"\xe2\x89\xa0", "/="}, /* not equal to */
    {"\xe2\x88\xa7", "and"},
    {"\xe2\x88\xa8", "or"},
    {"\xc2\xac", "not"},
};

/* Length of the UTF-8 sequence that starts with `lead`; 1 if none does. */
static size_t sequence_length(unsigned char lead)
{
    return lead >= 0xf0 && lead < 0xf5   ? 4
           : lead >= 0xe0 && lead < 0xf0 ? 3
           : lead >= 0xc2 && lead < 0xe0 ? 2
                                         : 1;
}

static void lex_foreign(struct lexer *lx)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (looking_at(lx, foreign[i][0])) {
            push_error(lx, strlen(foreign[i][0]),
                       lib_arena_printf(lx->arena,
                                        "unexpected character `%s`; write `%s`",
                                        foreign[i][0], foreign[i][1]));
            return;
        }
    if (*lx->p == '.' && is_digit(look(lx, 1))) {
        size_t length = 1 + count_digits(lx, 1);
        push_error(lx, length, "a real has digits before its point: `0.5`");
        return;
    }
    unsigned char lead = (unsigned char)*lx->p;
    size_t length = sequence_length(lead);
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)look(lx, i) & 0xc0) != 0x80)
            length = 1;
    if ((length == 1 && lead >= 0x80) || lead < 0x20 || lead == 0x7f)
        push_error(lx, 1, lib_arena_printf(lx->arena, "unexpected byte 0x%02x", lead));
    else
        push_error(lx, length,
                   lib_arena_printf(lx->arena, "unexpected character `%.*s`", (int)length,
                                    lx->p));
}

/* --- the whole ---------------------------------------------------------------------- */

/* Moves to the next token; false at the end of the file. A CR counts as a blank before a
 * newline only. */
static bool skip_blanks(struct lexer *lx)
{
    for (; lx->p < lx->end; lx->p++) {
        char c = *lx->p;
        if (c == '-' && look(lx, 1) == '-') {
            while (look(lx, 1) != '\n' && lx->p + 1 < lx->end)
                lx->p++;
        } else if (c == '\n') {
            lx->line++;
            lx->line_start = lx->p + 1;
            lx->first = lx->at_margin = true;
        } else if (c == ' ' || c == '\t' || (c == '\r' && look(lx, 1) == '\n')) {
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
        .p = source->bytes,
        .end = source->bytes + source->length,
        .line_start = source->bytes,
        .line = 1,
        .first = true,
        .at_margin = true,
    };
    if (looking_at(&lx, "\xef\xbb\xbf")) /* the byte order mark that some editors write */
        lx.p += 3;
    while (skip_blanks(&lx)) {
        if (lx.at_margin)
            push_end(&lx);
        if (is_digit(*lx.p))
            lex_number(&lx);
        else if (is_name_start(*lx.p) || is_upper(*lx.p))
            lex_name(&lx);
        else if (*lx.p == '"')
            lex_string(&lx);
        else if (!lex_symbol(&lx))
            lex_foreign(&lx);
    }
    push_end(&lx);
    push(&lx, PROGRAMS_TOKEN_EOF, 0);
}
