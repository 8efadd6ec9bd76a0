#include "lib/diag.h"

#include "lib/invisible.h"
#include "lib/memory.h"

#include <string.h>

/* Whether `diags` has this warning already: a program may be compiled several times. */
static bool has_warning(const struct lib_diags *diags, const struct lib_diag *warning,
                        const char *text)
{
    for (size_t i = 0; i < diags->count; i++) {
        const struct lib_diag *d = &diags->items[i];
        if (d->warning && d->source == warning->source && d->code == warning->code &&
            d->pos.line == warning->pos.line && d->pos.column == warning->pos.column &&
            strcmp(d->text, text) == 0)
            return true;
    }
    return false;
}

static size_t count_kept(const struct lib_diags *diags, bool warnings)
{
    size_t count = 0;
    for (size_t i = 0; i < diags->count; i++)
        count += diags->items[i].warning == warnings;
    return count;
}

static void add_diag(struct lib_diags *diags, struct lib_diag diag, const char *format,
                     va_list ap)
{
    const size_t kept = count_kept(diags, diag.warning);
    if (!diag.warning)
        diags->errors++;
    diags->of_host |= !diag.warning && diag.code == LIB_DIAG_HOST;
    if (kept >= LIB_DIAG_MAX) {
        ++*(diag.warning ? &diags->dropped_warnings : &diags->dropped);
        return;
    }
    struct lib_text text = {0};
    lib_text_vprintf(&text, format, ap);
    lib_invisible_name(&text);
    lib_invisible_name_at(&text, diag.source, diag.pos);
    if (diag.warning && has_warning(diags, &diag, text.bytes)) {
        lib_text_free(&text);
        return;
    }
    diag.text = text.bytes;
    *LIB_VEC_PUSH(diags) = diag;
}

void lib_diag_verror(struct lib_diags *diags, enum lib_diag_code code,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *format, va_list ap)
{
    add_diag(diags, (struct lib_diag){.code = code, .source = source, .pos = pos}, format,
             ap);
}

void lib_diag_error(struct lib_diags *diags, enum lib_diag_code code,
                    const struct lib_source *source, struct lib_pos pos,
                    const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    add_diag(diags, (struct lib_diag){.code = code, .source = source, .pos = pos}, format,
             ap);
    va_end(ap);
}

void lib_diag_plain(struct lib_diags *diags, enum lib_diag_code code, const char *format,
                    ...)
{
    va_list ap;
    va_start(ap, format);
    add_diag(diags, (struct lib_diag){.code = code}, format, ap);
    va_end(ap);
}

void lib_diag_warning(struct lib_diags *diags, enum lib_diag_code code,
                      const struct lib_source *source, struct lib_pos pos,
                      const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const struct lib_diag warning = {
        .code = code, .warning = true, .source = source, .pos = pos};
    add_diag(diags, warning, format, ap);
    va_end(ap);
}

void lib_diags_free(struct lib_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        lib_mem_free(diags->items[i].text);
    lib_mem_free(diags->items);
    *diags = (struct lib_diags){0};
}

void lib_diags_adopt(struct lib_diags *diags, struct lib_diags *from,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *prefix, const char *advice)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct lib_diag *d = &from->items[i];
        (d->warning ? lib_diag_warning : lib_diag_error)(
            diags, d->code, d->source ? d->source : source, d->source ? d->pos : pos,
            "%s%s%s", d->source ? "" : prefix, d->text, d->source ? "" : advice);
    }
    lib_diags_free(from);
}

const char *lib_source_line(const struct lib_source *source, uint32_t line,
                            size_t *length)
{
    const char *p = source->bytes, *end = source->bytes + source->length;
    for (uint32_t n = 1; n < line && p < end; n++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    *length = (size_t)((newline ? newline : end) - p);
    if (*length > 0 && p[*length - 1] == '\r')
        --*length;
    return p;
}

/* Bytes of a long line that are shown before the caret, and in all. */
enum { SHOWN_BEFORE = 60, SHOWN_BYTES = 100 };

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* continues a UTF-8 sequence */
}

/* Writes one character in place of each one that has no shape of its own, and of each byte that is
 * not UTF-8. */
static void write_visible(struct lib_text *out, const char *bytes, size_t length)
{
    bool is_visible;
    for (size_t i = 0, size; i < length; i += size) {
        size = lib_invisible_step(bytes + i, length - i, &is_visible);
        if (bytes[i] == '\t')
            lib_text_puts(out, " ");
        else if (is_visible && (size > 1 || (unsigned char)bytes[i] < 0x80))
            lib_text_add(out, bytes + i, size);
        else
            lib_text_puts(out, "?");
    }
}

/* Writes a sign under each character of bytes[from] to bytes[to - 1]. */
static void write_below(struct lib_text *out, const char *bytes, size_t from, size_t to,
                        const char *sign)
{
    bool is_visible;
    for (size_t i = from; i < to; i += lib_invisible_step(bytes + i, to - i, &is_visible))
        lib_text_puts(out, sign);
}

static void write_caret(struct lib_text *out, const struct lib_source *source,
                        struct lib_pos pos)
{
    size_t length;
    const char *line = lib_source_line(source, pos.line, &length);
    size_t at = pos.column - 1;
    if (at > length)
        at = length;
    const size_t mark = pos.line == 1 ? (size_t)(lib_source_start(source) - line) : 0;
    size_t from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : at >= mark ? mark : 0;
    while (from > 0 && is_continuation(line[from]))
        from--;
    size_t to = length - from > SHOWN_BYTES ? from + SHOWN_BYTES : length;
    while (to < length && is_continuation(line[to]))
        to++;

    lib_text_printf(out, "%5u | %s", pos.line, from > mark ? "..." : "");
    write_visible(out, line + from, to - from);
    lib_text_printf(out, "%s\n      | %s", to < length ? "..." : "",
                    from > mark ? "   " : "");
    write_below(out, line, from, at, " ");
    lib_text_puts(out, "^");
    bool is_visible;
    const size_t end = at + pos.span < to ? at + pos.span : to;
    if (at < end)
        write_below(out, line,
                    at + lib_invisible_step(line + at, length - at, &is_visible), end,
                    "~");
    lib_text_puts(out, "\n");
}

void lib_diags_write_dropped(const struct lib_diags *diags, bool with_warnings,
                             struct lib_text *out)
{
    const size_t errors = diags->dropped,
                 warnings = with_warnings ? diags->dropped_warnings : 0;
    if (errors)
        lib_text_printf(out, "%zu more error%s", errors, errors > 1 ? "s" : "");
    if (warnings)
        lib_text_printf(out, "%s%zu more warning%s", errors ? " and " : "", warnings,
                        warnings > 1 ? "s" : "");
    if (errors || warnings)
        lib_text_puts(out, errors + warnings > 1 ? " are not shown" : " is not shown");
}

void lib_diags_write(const struct lib_diags *diags, struct lib_text *out)
{
    for (size_t i = 0; i < diags->count; i++) {
        const struct lib_diag *d = &diags->items[i];
        const char *kind = d->warning ? "warning" : "error";
        lib_invisible_write(out, d->source ? d->source->name : "hiaton");
        if (d->source && d->pos.line)
            lib_text_printf(out, ":%u:%u", d->pos.line, d->pos.column);
        lib_text_printf(out, ": %s: %s\n", kind, d->text);
        if (d->source && d->source->bytes && d->pos.line)
            write_caret(out, d->source, d->pos);
    }
    LIB_TEXT_OWN dropped = {0};
    lib_diags_write_dropped(diags, true, &dropped);
    if (dropped.length)
        lib_text_printf(out, "hiaton: %s\n", dropped.bytes);
}
