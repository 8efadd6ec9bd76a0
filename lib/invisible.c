#include "lib/invisible.h"

#include <string.h>

#define BLANK "write a blank"
#define DELETE "delete it"

static const struct {
    uint32_t first, last;
    const char *name, *advice;
} ranges[] = {
    {0x80, 0x9f, "control character", DELETE},
    {0xa0, 0xa0, "no-break space", BLANK},
    {0xad, 0xad, "soft hyphen", DELETE},
    {0x34f, 0x34f, "grapheme joiner", DELETE},
    {0x61c, 0x61c, "direction mark", DELETE},
    {0x115f, 0x1160, "Hangul filler", DELETE},
    {0x1680, 0x1680, "Ogham space mark", BLANK},
    {0x17b4, 0x17b5, "Khmer vowel without shape", DELETE},
    {0x180b, 0x180f, "Mongolian separator or selector", DELETE},
    {0x2000, 0x200a, "space of another width", BLANK},
    {0x200b, 0x200b, "zero-width space", DELETE},
    {0x200c, 0x200c, "zero-width non-joiner", DELETE},
    {0x200d, 0x200d, "zero-width joiner", DELETE},
    {0x200e, 0x200f, "direction mark", DELETE},
    {0x2028, 0x2028, "line separator", "begin a new line"},
    {0x2029, 0x2029, "paragraph separator", "begin a new line"},
    {0x202a, 0x202e, "direction mark", DELETE},
    {0x202f, 0x202f, "narrow no-break space", BLANK},
    {0x205f, 0x205f, "mathematical space", BLANK},
    {0x2060, 0x2060, "word joiner", DELETE},
    {0x2061, 0x2064, "invisible operator", DELETE},
    {0x2065, 0x206f, "direction or format mark", DELETE},
    {0x2800, 0x2800, "empty Braille pattern", BLANK},
    {0x3000, 0x3000, "ideographic space", BLANK},
    {0x3164, 0x3164, "Hangul filler", DELETE},
    {0xfe00, 0xfe0f, "variation selector", DELETE},
    {0xfeff, 0xfeff, "byte-order mark", DELETE},
    {0xffa0, 0xffa0, "Hangul filler", DELETE},
    {0xfff9, 0xfffb, "annotation mark", DELETE},
    {0x1d173, 0x1d17a, "format mark of music", DELETE},
    {0xe0000, 0xe0fff, "tag or variation selector", DELETE},
};

/* Decodes a sequence of 2 to 4 bytes. Returns its length, or 0 if it is none. */
static size_t decode(const unsigned char *p, size_t length, uint32_t *code)
{
    const size_t size = *p >= 0xc2 && *p < 0xe0   ? 2
                        : *p >= 0xe0 && *p < 0xf0 ? 3
                        : *p >= 0xf0 && *p < 0xf5 ? 4
                                                  : 0;
    if (size == 0 || size > length)
        return 0;
    *code = *p & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3fu);
    }
    return size;
}

bool lib_invisible_at(const char *bytes, size_t length, struct lib_invisible *found)
{
    uint32_t code = 0;
    const size_t size = length ? decode((const unsigned char *)bytes, length, &code) : 0;
    for (size_t i = 0; size && i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) {
            *found = (struct lib_invisible){code, size, ranges[i].name, ranges[i].advice};
            return true;
        }
    return false;
}

/* Whether a byte that is no part of a longer sequence commands a terminal. */
static bool is_command(unsigned char c)
{
    return (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f);
}

size_t lib_invisible_step(const char *bytes, size_t length, bool *is_visible)
{
    struct lib_invisible found;
    uint32_t code = 0;
    const size_t size = decode((const unsigned char *)bytes, length, &code);
    *is_visible = size ? !lib_invisible_at(bytes, length, &found)
                       : !is_command((unsigned char)*bytes);
    return size ? size : 1;
}

/* Appends the first character of the bytes, or its code if it is not visible. Returns its length in
 * bytes. */
static size_t write_named(struct lib_text *out, const char *bytes, size_t length)
{
    struct lib_invisible found;
    bool is_visible;
    const size_t size = lib_invisible_step(bytes, length, &is_visible);
    if (is_visible)
        lib_text_add(out, bytes, size);
    else if (lib_invisible_at(bytes, length, &found))
        lib_text_printf(out, "<U+%04X>", found.code);
    else
        lib_text_printf(out, "<0x%02x>", (unsigned char)*bytes);
    return size;
}

void lib_invisible_write(struct lib_text *out, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length;)
        i += write_named(out, text + i, length - i);
}

void lib_invisible_name(struct lib_text *message)
{
    LIB_TEXT_OWN named = {0};
    struct lib_invisible first = {0};
    for (size_t i = 0; i < message->length;) {
        const char *bytes = message->bytes + i;
        if (!first.length)
            lib_invisible_at(bytes, message->length - i, &first);
        i += write_named(&named, bytes, message->length - i);
    }
    if (first.length)
        lib_text_printf(&named, "; U+%04X is a %s that nobody sees: %s", first.code,
                        first.name, first.advice);
    else if (named.length == message->length)
        return;
    lib_text_clear(message);
    lib_text_add(message, named.bytes, named.length);
}

void lib_invisible_name_at(struct lib_text *message, const struct lib_source *source,
                           struct lib_pos pos)
{
    struct lib_invisible found;
    size_t length;
    if (!source || !source->bytes || !pos.line || strstr(lib_text_get(message), "U+"))
        return;
    const char *line = lib_source_line(source, pos.line, &length);
    if (pos.column && pos.column <= length &&
        lib_invisible_at(line + pos.column - 1, length - pos.column + 1, &found))
        lib_text_printf(message, "; U+%04X is a %s that nobody sees: %s", found.code,
                        found.name, found.advice);
}

const char *lib_source_start(const struct lib_source *source)
{
    const bool has_mark = source->length >= 3 &&
                          memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
    return source->bytes + (has_mark ? 3 : 0);
}

static bool is_utf16(const struct lib_source *source)
{
    return source->length >= 2 && (memcmp(source->bytes, "\xff\xfe", 2) == 0 ||
                                   memcmp(source->bytes, "\xfe\xff", 2) == 0);
}

bool lib_source_is_text(const struct lib_source *source, struct lib_diags *diags)
{
    const char *zero = memchr(source->bytes, '\0', source->length);
    struct lib_pos pos = {1, 1, 1};
    if (!zero)
        return true;
    const char *line = source->bytes;
    for (const char *newline; (newline = memchr(line, '\n', (size_t)(zero - line)));
         line = newline + 1)
        pos.line++;
    pos.column = (uint32_t)(zero - line) + 1;
    if (is_utf16(source))
        lib_diag_error(diags, LIB_DIAG_SYNTAX, source, (struct lib_pos){0},
                       "expected a text in UTF-8, found UTF-16");
    else
        lib_diag_error(diags, LIB_DIAG_SYNTAX, source, pos,
                       "expected a text, found byte 0x00");
    return false;
}
