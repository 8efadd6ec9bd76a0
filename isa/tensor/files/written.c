#include "isa/tensor/files/written.h"

#include "isa/tensor/files/reader.h"
#include "lib/invisible.h"

#include <string.h>

struct written {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct isa_parts *parts;
    const char *at, *end, *start; /* next byte; end of the text; start of the line */
    uint32_t line;
    uint64_t count; /* elements of each part so far */
    int64_t extents[ISA_RANK_MAX];
    bool known[ISA_RANK_MAX]; /* the extent of the axis is known */
};

static bool __attribute__((format(printf, 4, 5)))
fail(const struct written *w, const char *at, size_t span, const char *format, ...)
{
    const struct lib_pos pos = {w->line, (uint32_t)(at - w->start) + 1,
                                span ? (uint32_t)span : 1};
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(w->diags, LIB_DIAG_SYNTAX, w->source, pos, format, ap);
    va_end(ap);
    return false;
}

static void skip_blanks(struct written *w)
{
    for (; w->at < w->end && *w->at && strchr(" \t\r\n", *w->at); w->at++)
        if (*w->at == '\n') {
            w->line++;
            w->start = w->at + 1;
        }
}

/* Returns the length of the word or sign at the current byte. */
static size_t find_word(const struct written *w)
{
    const size_t left = (size_t)(w->end - w->at);
    size_t length = 0;
    while (length < left && !strchr(" \t\r\n,()[]", w->at[length]))
        length++;
    return length ? length : left ? 1 : 0;
}

static bool fail_expected(const struct written *w, const char *expected)
{
    enum { SHOWN = 40 };
    const size_t length = find_word(w);
    if (length == 0)
        return fail(w, w->at, 1, "expected %s, found the end", expected);
    return fail(w, w->at, length, "expected %s, found `%.*s%s`", expected,
                (int)(length < SHOWN ? length : SHOWN), w->at,
                length > SHOWN ? "..." : "");
}

static bool accept(struct written *w, char sign)
{
    skip_blanks(w);
    if (w->at == w->end || *w->at != sign)
        return false;
    w->at++;
    return true;
}

static bool expect(struct written *w, char sign, const char *expected)
{
    return accept(w, sign) || fail_expected(w, expected);
}

static bool read_scalar(struct written *w, uint32_t part)
{
    skip_blanks(w);
    const size_t length = find_word(w);
    const enum isa_element_kind element = w->parts->elements[part];
    if (!isa_reader_set(w->parts->tensors[part], w->count, element, w->at, length))
        return fail_expected(w, isa_reader_expected(element, w->at, length));
    w->at += length;
    return true;
}

/* Reads a scalar, or a tuple of one for each part. */
static bool read_element(struct written *w)
{
    const uint32_t count = w->parts->count;
    if (count > 1 && !expect(w, '(', "a tuple, which begins with `(`"))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if ((i && !expect(w, ',', "`,` and another part of the tuple")) ||
            !read_scalar(w, i))
            return false;
    w->count++;
    return count == 1 || expect(w, ')', "`)`, which ends the tuple");
}

static bool read_axis(struct written *w, unsigned axis)
{
    if (axis == w->parts->rank)
        return read_element(w);
    skip_blanks(w);
    const struct written before = *w;
    int64_t extent = 0;
    if (!expect(w, '[', "an array, which begins with `[`"))
        return false;
    while (!accept(w, ']')) {
        if (extent && !expect(w, ',', "`,` or `]`"))
            return false;
        if (!read_axis(w, axis + 1))
            return false;
        extent++;
    }
    if (w->known[axis] && w->extents[axis] != extent)
        return fail(
            &before, before.at, 1, "a row of %lld element%s; the rows before have %lld",
            (long long)extent, extent == 1 ? "" : "s", (long long)w->extents[axis]);
    w->extents[axis] = extent;
    w->known[axis] = true;
    return true;
}

static bool read_value(struct written *w)
{
    w->at = lib_source_start(w->source);
    w->start = w->source->bytes;
    w->line = 1;
    w->count = 0;
    if (!read_axis(w, 0))
        return false;
    skip_blanks(w);
    return w->at == w->end || fail_expected(w, "the end");
}

bool isa_written_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                      const struct lib_source *source, struct lib_diags *diags)
{
    struct written w = {.source = source,
                        .diags = diags,
                        .parts = parts,
                        .end = source->bytes + source->length};
    struct isa_shape shape = {.rank = (uint8_t)parts->rank};
    if (!lib_source_is_text(source, diags) || !read_value(&w))
        return false;
    memcpy(shape.extents, w.extents, parts->rank * sizeof *w.extents);
    return isa_parts_allocate(parts, memory, source, &shape, diags) && read_value(&w);
}
