#include "lib/cursor.h"

#include "lib/invisible.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lib_cursor_start(struct lib_cursor *c, const struct lib_source *source,
                      struct lib_diags *diags)
{
    *c = (struct lib_cursor){
        .at = lib_source_start(source),
        .end = source->bytes + source->length,
        .line = source->bytes,
        .pos = {1, 1, 1},
        .source = source,
        .diags = diags,
        .blanks = " \t\r",
        .line_ends = "\n#",
    };
}

void lib_cursor_on(struct lib_cursor *c, const char *text, const char *prefix,
                   struct lib_text *why)
{
    *c = (struct lib_cursor){
        .at = text,
        .end = text + strlen(text),
        .line = text,
        .why = why,
        .prefix = prefix,
        .blanks = "",
        .line_ends = "",
    };
}

struct lib_pos lib_cursor_pos(const struct lib_cursor *c, struct lib_slice slice)
{
    struct lib_pos pos = c->pos;
    if (!c->is_rough) {
        pos.column += (uint32_t)(slice.bytes - c->line);
        pos.span = slice.length ? (uint32_t)slice.length : 1;
    }
    return pos;
}

bool lib_cursor_error(struct lib_cursor *c, enum lib_diag_code code, struct lib_slice at,
                      const char *format, ...)
{
    LIB_TEXT_OWN text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_puts(&text, c->prefix ? c->prefix : "");
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    if (c->why)
        lib_text_add(c->why, text.bytes, text.length);
    else if (c->diags)
        lib_diag_error(c->diags, code, c->source, lib_cursor_pos(c, at), "%s",
                       lib_text_get(&text));
    return false;
}

bool lib_cursor_found(struct lib_cursor *c, struct lib_slice slice, const char *what)
{
    enum { SHOWN = 40 };
    const unsigned char first = slice.length ? (unsigned char)*slice.bytes : 'x';
    char found[2 * SHOWN], place[4 * SHOWN] = "";
    if (slice.length == 0)
        snprintf(found, sizeof found, "%s",
                 *c->line_ends       ? "the end of the line"
                 : c->line == c->end ? "nothing"
                                     : "the end");
    else if (first < 0x20 || first == 0x7f)
        snprintf(found, sizeof found, "byte 0x%02x", first);
    else
        snprintf(found, sizeof found, "`%.*s%s`",
                 (int)(slice.length < SHOWN ? slice.length : SHOWN), slice.bytes,
                 slice.length > SHOWN ? "..." : "");
    if (c->why && slice.bytes > c->line)
        snprintf(place, sizeof place, ", character %zu of `%.*s%s`",
                 (size_t)(slice.bytes - c->line) + 1, 2 * SHOWN, c->line,
                 c->end - c->line > 2 * SHOWN ? "..." : "");
    return lib_cursor_error(c, LIB_DIAG_SYNTAX, slice, "expected %s, found %s%s", what,
                            found, place);
}

bool lib_cursor_expected(struct lib_cursor *c, const char *what)
{
    return lib_cursor_found(c, lib_cursor_next(c), what);
}

static bool is_at_any(const struct lib_cursor *c, const char *characters)
{
    return c->at < c->end && *c->at && strchr(characters, *c->at);
}

static void skip_blanks(struct lib_cursor *c)
{
    while (is_at_any(c, c->blanks))
        c->at++;
}

bool lib_cursor_at_end(struct lib_cursor *c)
{
    skip_blanks(c);
    return c->at == c->end || is_at_any(c, c->line_ends);
}

bool lib_cursor_expect_end(struct lib_cursor *c)
{
    static const char *const foreign[] = {";", "//", "--"};
    if (lib_cursor_at_end(c))
        return true;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (*c->line_ends && strncmp(c->at, foreign[i], strlen(foreign[i])) == 0)
            return lib_cursor_expected(c, "the end of the line, or a comment behind `#`");
    return lib_cursor_expected(c, *c->line_ends ? "the end of the line" : "the end");
}

void lib_cursor_skip_line(struct lib_cursor *c)
{
    const char *newline = memchr(c->at, '\n', (size_t)(c->end - c->at));
    c->at = newline ? newline + 1 : c->end;
    c->line = c->at;
    c->pos.line += newline != NULL;
}

bool lib_cursor_find_line(struct lib_cursor *c)
{
    while (lib_cursor_at_end(c)) {
        if (c->at == c->end)
            return false;
        lib_cursor_skip_line(c);
    }
    return true;
}

bool lib_slice_is(struct lib_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}

void lib_slice_copy(struct lib_slice slice, char *text, size_t size)
{
    size_t length = slice.length < size ? slice.length : size - 1;
    memcpy(text, slice.bytes, length);
    text[length] = '\0';
}

struct lib_slice lib_cursor_move(struct lib_cursor *c, const char *to)
{
    const struct lib_slice slice = {c->at, (size_t)(to - c->at)};
    c->at = to;
    return slice;
}

struct lib_slice lib_cursor_until(struct lib_cursor *c, const char *stops)
{
    const char *p = c->at;
    while (p < c->end && !strchr(stops, *p))
        p++;
    return lib_cursor_move(c, p);
}

bool lib_cursor_accept(struct lib_cursor *c, const char *text)
{
    const size_t length = strlen(text);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0)
        return false;
    c->at += length;
    return true;
}

bool lib_cursor_expect(struct lib_cursor *c, const char *text)
{
    char quoted[16];
    if (lib_cursor_accept(c, text))
        return true;
    snprintf(quoted, sizeof quoted, "`%s`", text);
    return lib_cursor_expected(c, quoted);
}

struct lib_slice lib_cursor_next(struct lib_cursor *c)
{
    if (lib_cursor_at_end(c))
        return (struct lib_slice){c->at, 0};
    const char *p = c->at + is_at_any(c, "%$-+");
    while (p < c->end &&
           (isalnum((unsigned char)*p) || (*p & 0x80) || (*p && strchr("_'.", *p))))
        p++;
    if (p == c->at || (p == c->at + 1 && *c->at == '-' && p < c->end && *p == '>'))
        p++;
    return (struct lib_slice){c->at, (size_t)(p - c->at)};
}

bool lib_cursor_at_digit(struct lib_cursor *c)
{
    skip_blanks(c);
    return c->at < c->end && isdigit((unsigned char)*c->at);
}

bool lib_cursor_number(struct lib_cursor *c, const char *what, uint64_t least,
                       uint64_t most, uint64_t *number)
{
    bool is_good = lib_cursor_at_digit(c);
    const char *const from = c->at;
    *number = 0;
    if (!is_good && least == 0 && most >= UINT32_MAX)
        return lib_cursor_expected(c, what);
    for (; c->at < c->end && isdigit((unsigned char)*c->at); c->at++)
        is_good = is_good && !__builtin_mul_overflow(*number, 10, number) &&
                  !__builtin_add_overflow(*number, (uint64_t)(*c->at - '0'), number);
    if (is_good && *number >= least && *number <= most)
        return true;
    char range[128];
    snprintf(range, sizeof range, "%s from %" PRIu64 " to %" PRIu64, what, least, most);
    c->at = from;
    return lib_cursor_expected(c, range);
}
