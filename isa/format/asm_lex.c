#include "isa/format/asm_lex.h"

#include "isa/format/asm.h"

#include <ctype.h>
#include <string.h>

static unsigned char peek(const struct lib_cursor *lex)
{
    return lex->at < lex->end ? (unsigned char)*lex->at : '\0';
}

static bool is_word_byte(unsigned char c)
{
    return isalnum(c) || c == '_' || c == '\'' || c == '.';
}

static bool is_type_byte(unsigned char c)
{
    return isalnum(c) || c == '[' || c == ']' || c == '&';
}

static bool is_label_byte(unsigned char c)
{
    return isalnum(c) || c == '_';
}

static bool read_bytes(struct lib_cursor *lex, bool (*is_byte)(unsigned char c),
                       struct lib_slice *bytes)
{
    const char *p = lex->at;
    while (p < lex->end && is_byte((unsigned char)*p))
        p++;
    *bytes = lib_cursor_move(lex, p);
    return bytes->length > 0;
}

bool isa_lex_word(struct lib_cursor *lex, struct lib_slice *word)
{
    return !lib_cursor_at_end(lex) && (isalpha(peek(lex)) || peek(lex) == '_') &&
           read_bytes(lex, is_word_byte, word);
}

bool isa_lex_type(struct lib_cursor *lex, struct lib_slice *type)
{
    return !lib_cursor_at_end(lex) && read_bytes(lex, is_type_byte, type);
}

bool isa_lex_opcode(struct lib_cursor *lex, struct lib_slice *opcode)
{
    struct lib_slice type;
    if (!isa_lex_word(lex, opcode))
        return false;
    if (lex->at[-1] == '.' && read_bytes(lex, is_type_byte, &type))
        opcode->length += type.length;
    return true;
}

bool isa_lex_label(struct lib_cursor *lex, struct lib_slice *label)
{
    return read_bytes(lex, is_label_byte, label);
}

static bool is_value_byte(unsigned char c)
{
    return is_word_byte(c) || c == '+' || c == '-'; /* names of constructors are values */
}

bool isa_lex_value(struct lib_cursor *lex, struct lib_slice *value)
{
    if (lib_cursor_at_end(lex) || !read_bytes(lex, is_value_byte, value))
        return false;
    if (peek(lex) == '>' && lex->at[-1] == '-') {
        value->length--;
        lex->at--;
    }
    return value->length > 0;
}

bool isa_lex_number(struct lib_cursor *lex, const char *what, uint32_t *number)
{
    uint64_t value;
    const bool good = lib_cursor_number(lex, what, 0, UINT32_MAX, &value);
    *number = (uint32_t)value;
    return good;
}

static int hex_digit(unsigned char c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

/* Reads an escape from after its backslash, as the byte that it means. */
static bool read_escape(struct lib_cursor *lex, char *byte)
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
    return lib_cursor_error(lex, LIB_DIAG_SYNTAX, (struct lib_slice){from, 2},
                            "expected one of \\\" \\\\ \\n \\t \\xHH");
}

static bool check_length(struct lib_cursor *lex, const char *from, size_t length,
                         const char *what)
{
    if (length <= ISA_ASM_MAX_NAME)
        return true;
    return lib_cursor_error(lex, LIB_DIAG_LIMIT, (struct lib_slice){from, 1},
                            "%s is too long: %zu bytes, %d at most", what, length,
                            ISA_ASM_MAX_NAME);
}

bool isa_lex_string(struct lib_cursor *lex, struct lib_arena *arena, const char *what,
                    const char **string)
{
    if (!lib_cursor_accept(lex, "\""))
        return lib_cursor_expected(lex, what);
    const char *from = lex->at - 1;
    LIB_TEXT_OWN text = {0};
    bool good = true;
    while (good && lex->at < lex->end && *lex->at != '\n' && *lex->at != '"') {
        char byte = *lex->at++;
        if (byte == '\\')
            good = read_escape(lex, &byte);
        else if (byte == '\0')
            good = lib_cursor_error(lex, LIB_DIAG_SYNTAX,
                                    (struct lib_slice){lex->at - 1, 1},
                                    "a string cannot have a NUL byte");
        lib_text_add(&text, &byte, 1);
    }
    if (good && !lib_cursor_accept(lex, "\""))
        good = lib_cursor_error(lex, LIB_DIAG_SYNTAX, (struct lib_slice){from, 1},
                                "the string has no closing `\"`");
    good = good && check_length(lex, from, text.length, what);
    if (good)
        *string = lib_arena_keep(arena, &text);
    return good;
}

bool isa_lex_name(struct lib_cursor *lex, struct lib_arena *arena, const char *what,
                  const char **name)
{
    struct lib_slice word;
    if (!lib_cursor_at_end(lex) && peek(lex) == '"')
        return isa_lex_string(lex, arena, what, name);
    if (!isa_lex_word(lex, &word))
        return lib_cursor_expected(lex, what);
    if (!check_length(lex, word.bytes, word.length, what))
        return false;
    *name = lib_arena_copy(arena, word.bytes, word.length);
    return true;
}

bool isa_lex_place(struct lib_cursor *lex, struct lib_pos *place)
{
    *place = (struct lib_pos){0};
    if (!lib_cursor_accept(lex, "@"))
        return true;
    struct lib_slice at = {lex->at - 1, 1};
    place->span = 1;
    if (!isa_lex_number(lex, "a line", &place->line) || !lib_cursor_expect(lex, ":") ||
        !isa_lex_number(lex, "a column", &place->column))
        return false;
    if (lib_cursor_accept(lex, "+") && !isa_lex_number(lex, "a width", &place->span))
        return false;
    if (place->line == 0 || place->column == 0)
        return lib_cursor_error(lex, LIB_DIAG_SYNTAX, at,
                                "lines and columns count from 1");
    return true;
}
