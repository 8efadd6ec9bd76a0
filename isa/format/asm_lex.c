#include "isa/format/asm_lex.h"

#include "isa/format/asm.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void isa_lex_start(struct isa_lex *lex, const struct lib_source *source,
                   struct lib_diags *diags)
{
    *lex = (struct isa_lex){
        .source = source,
        .diags = diags,
        .at = source->bytes,
        .line = source->bytes,
        .end = source->bytes + source->length,
        .number = 1,
    };
}

/* --- where things are --------------------------------------------------------------- */

struct lib_pos isa_lex_pos(const struct isa_lex *lex, struct isa_slice slice)
{
    return (struct lib_pos){lex->number, (uint32_t)(slice.bytes - lex->line) + 1,
                            slice.length ? (uint32_t)slice.length : 1};
}

bool isa_lex_error(struct isa_lex *lex, enum lib_diag_code code, struct isa_slice at,
                   const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(lex->diags, code, lex->source, isa_lex_pos(lex, at), format, ap);
    va_end(ap);
    return false;
}

bool isa_slice_is(struct isa_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}

void isa_slice_copy(struct isa_slice slice, char *text, size_t size)
{
    size_t length = slice.length < size ? slice.length : size - 1;
    memcpy(text, slice.bytes, length);
    text[length] = '\0';
}

/* Returns the byte at the cursor, or NUL at the end of the source. */
static unsigned char peek(const struct isa_lex *lex)
{
    return lex->at < lex->end ? (unsigned char)*lex->at : '\0';
}

static void skip_blanks(struct isa_lex *lex)
{
    while (lex->at < lex->end && strchr(" \t\r", *lex->at) && *lex->at)
        lex->at++;
}

bool isa_lex_at_end(struct isa_lex *lex)
{
    skip_blanks(lex);
    return lex->at == lex->end || *lex->at == '\n' || *lex->at == '#';
}

void isa_lex_skip_line(struct isa_lex *lex)
{
    const char *newline = memchr(lex->at, '\n', (size_t)(lex->end - lex->at));
    lex->at = newline ? newline + 1 : lex->end;
    lex->line = lex->at;
    lex->number += newline != NULL;
}

bool isa_lex_find_line(struct isa_lex *lex)
{
    while (isa_lex_at_end(lex)) {
        if (lex->at == lex->end)
            return false;
        isa_lex_skip_line(lex);
    }
    return true;
}

static bool is_word_byte(unsigned char c)
{
    return isalnum(c) || c == '_' || c == '\'' || c == '.';
}

struct isa_slice isa_lex_next(struct isa_lex *lex)
{
    struct isa_slice next = {lex->at, 0};
    if (isa_lex_at_end(lex))
        return (struct isa_slice){lex->at, 0};
    next.bytes = lex->at;
    const char *p = lex->at;
    if (*p == '%' || *p == '$' || *p == '-' || *p == '+')
        p++;
    while (p < lex->end && (is_word_byte((unsigned char)*p) || (*p & 0x80)))
        p++;
    if (p == lex->at ||
        (p == lex->at + 1 && *lex->at == '-' && p < lex->end && *p == '>'))
        p++;
    next.length = (size_t)(p - next.bytes);
    return next;
}

enum { SHOWN = 40 };

bool isa_lex_expected(struct isa_lex *lex, const char *what)
{
    struct isa_slice next = isa_lex_next(lex);
    if (next.length == 0)
        return isa_lex_error(lex, LIB_DIAG_SYNTAX, next,
                             "expected %s, found the end of the line", what);
    unsigned char c = (unsigned char)*next.bytes;
    if (c < 0x20 || c == 0x7f)
        return isa_lex_error(lex, LIB_DIAG_SYNTAX, next, "expected %s, found byte 0x%02x",
                             what, c);
    char shown[SHOWN + 1];
    isa_slice_copy(next, shown, sizeof shown);
    return isa_lex_error(lex, LIB_DIAG_SYNTAX, next, "expected %s, found '%s%s'", what,
                         shown, next.length > SHOWN ? "..." : "");
}

/* --- what stands there -------------------------------------------------------------- */

bool isa_lex_expect_end(struct isa_lex *lex)
{
    static const char *const foreign[] = {";", "//", "--"};
    if (isa_lex_at_end(lex))
        return true;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (strncmp(lex->at, foreign[i], strlen(foreign[i])) == 0)
            return isa_lex_expected(lex, "the end of the line, or a comment behind '#'");
    return isa_lex_expected(lex, "the end of the line");
}

bool isa_lex_accept(struct isa_lex *lex, const char *text)
{
    size_t length = strlen(text);
    skip_blanks(lex);
    if ((size_t)(lex->end - lex->at) < length || memcmp(lex->at, text, length) != 0)
        return false;
    lex->at += length;
    return true;
}

bool isa_lex_expect(struct isa_lex *lex, const char *text)
{
    char quoted[16];
    if (isa_lex_accept(lex, text))
        return true;
    snprintf(quoted, sizeof quoted, "'%s'", text);
    return isa_lex_expected(lex, quoted);
}

bool isa_lex_word(struct isa_lex *lex, struct isa_slice *word)
{
    skip_blanks(lex);
    const char *from = lex->at;
    if (!isalpha(peek(lex)) && peek(lex) != '_')
        return false;
    while (is_word_byte(peek(lex)))
        lex->at++;
    *word = (struct isa_slice){from, (size_t)(lex->at - from)};
    return true;
}

static bool is_type_byte(unsigned char c)
{
    return isalnum(c) || c == '[' || c == ']' || c == '&';
}

bool isa_lex_type(struct isa_lex *lex, struct isa_slice *type)
{
    skip_blanks(lex);
    const char *from = lex->at;
    while (is_type_byte(peek(lex)))
        lex->at++;
    *type = (struct isa_slice){from, (size_t)(lex->at - from)};
    return type->length > 0;
}

bool isa_lex_opcode(struct isa_lex *lex, struct isa_slice *opcode)
{
    if (!isa_lex_word(lex, opcode))
        return false;
    if (lex->at[-1] == '.')
        while (is_type_byte(peek(lex)))
            lex->at++;
    opcode->length = (size_t)(lex->at - opcode->bytes);
    return true;
}

bool isa_lex_label(struct isa_lex *lex, struct isa_slice *label)
{
    const char *from = lex->at;
    while (isalnum(peek(lex)) || peek(lex) == '_')
        lex->at++;
    *label = (struct isa_slice){from, (size_t)(lex->at - from)};
    return label->length > 0;
}

static bool is_value_byte(const struct isa_lex *lex)
{
    unsigned char c = peek(lex);
    bool arrow = c == '-' && lex->at + 1 < lex->end && lex->at[1] == '>';
    return isalnum(c) || c == '_' || c == '.' || c == '+' || (c == '-' && !arrow);
}

bool isa_lex_value(struct isa_lex *lex, struct isa_slice *value)
{
    skip_blanks(lex);
    const char *from = lex->at;
    while (is_value_byte(lex))
        lex->at++;
    *value = (struct isa_slice){from, (size_t)(lex->at - from)};
    return value->length > 0;
}

bool isa_lex_at_digit(struct isa_lex *lex)
{
    skip_blanks(lex);
    return isdigit(peek(lex));
}

bool isa_lex_number(struct isa_lex *lex, const char *what, uint32_t *number)
{
    if (!isa_lex_at_digit(lex))
        return isa_lex_expected(lex, what);
    const char *from = lex->at;
    uint64_t value = 0;
    while (isdigit(peek(lex))) {
        if (value <= UINT32_MAX)
            value = value * 10 + (peek(lex) - (unsigned)'0');
        lex->at++;
    }
    *number = (uint32_t)value;
    if (value <= UINT32_MAX)
        return true;
    return isa_lex_error(lex, LIB_DIAG_LIMIT,
                         (struct isa_slice){from, (size_t)(lex->at - from)},
                         "%s is too large: more than %u", what, UINT32_MAX);
}

/* --- names -------------------------------------------------------------------------- */

static int hex_digit(unsigned char c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

/* Reads the byte that an escape means, with the cursor after the backslash. */
static bool read_escape(struct isa_lex *lex, char *byte)
{
    const char *from = lex->at - 1;
    unsigned char c = peek(lex);
    if (c == 'x' && lex->end - lex->at >= 3) {
        int high = hex_digit((unsigned char)lex->at[1]);
        int low = hex_digit((unsigned char)lex->at[2]);
        *byte = (char)(high * 16 + low);
        if (high >= 0 && low >= 0 && *byte) {
            lex->at += 3;
            return true;
        }
    } else if (c == '"' || c == '\\' || c == 'n' || c == 't') {
        *byte = c == 'n' ? '\n' : c == 't' ? '\t' : (char)c;
        lex->at++;
        return true;
    }
    return isa_lex_error(lex, LIB_DIAG_SYNTAX, (struct isa_slice){from, 2},
                         "expected one of \\\" \\\\ \\n \\t \\xHH");
}

static bool check_length(struct isa_lex *lex, const char *from, size_t length,
                         const char *what)
{
    if (length <= ISA_ASM_MAX_NAME)
        return true;
    return isa_lex_error(lex, LIB_DIAG_LIMIT, (struct isa_slice){from, 1},
                         "%s is too long: %zu bytes, %d at most", what, length,
                         ISA_ASM_MAX_NAME);
}

bool isa_lex_string(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                    const char **string)
{
    if (!isa_lex_accept(lex, "\""))
        return isa_lex_expected(lex, what);
    const char *from = lex->at - 1;
    struct lib_text text = {0};
    bool good = true;
    while (good && lex->at < lex->end && *lex->at != '\n' && *lex->at != '"') {
        char byte = *lex->at++;
        if (byte == '\\')
            good = read_escape(lex, &byte);
        else if (byte == '\0')
            good = isa_lex_error(lex, LIB_DIAG_SYNTAX, (struct isa_slice){lex->at - 1, 1},
                                 "a string cannot have a NUL byte");
        lib_text_add(&text, &byte, 1);
    }
    if (good && !isa_lex_accept(lex, "\""))
        good = isa_lex_error(lex, LIB_DIAG_SYNTAX, (struct isa_slice){from, 1},
                             "the string has no closing '\"'");
    good = good && check_length(lex, from, text.length, what);
    if (good)
        *string = lib_arena_copy(arena, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return good;
}

bool isa_lex_name(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                  const char **name)
{
    struct isa_slice word;
    skip_blanks(lex);
    if (peek(lex) == '"')
        return isa_lex_string(lex, arena, what, name);
    if (!isa_lex_word(lex, &word))
        return isa_lex_expected(lex, what);
    if (!check_length(lex, word.bytes, word.length, what))
        return false;
    *name = lib_arena_copy(arena, word.bytes, word.length);
    return true;
}

bool isa_lex_place(struct isa_lex *lex, struct lib_pos *place)
{
    *place = (struct lib_pos){0};
    if (!isa_lex_accept(lex, "@"))
        return true;
    struct isa_slice at = {lex->at - 1, 1};
    place->span = 1;
    if (!isa_lex_number(lex, "a line", &place->line) || !isa_lex_expect(lex, ":") ||
        !isa_lex_number(lex, "a column", &place->column))
        return false;
    if (isa_lex_accept(lex, "+") && !isa_lex_number(lex, "a width", &place->span))
        return false;
    if (place->line == 0 || place->column == 0)
        return isa_lex_error(lex, LIB_DIAG_SYNTAX, at, "lines and columns count from 1");
    return true;
}
