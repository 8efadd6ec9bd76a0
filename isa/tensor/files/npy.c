#include "isa/tensor/files/npy.h"

#include "isa/tensor/files/reader.h"

#include <inttypes.h>
#include <string.h>

/* The header is what Python writes for a dictionary, with keys in any order:
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } */
static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, ALIGNMENT = 64 };

struct reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    size_t at, end; /* in the header */
    bool has_descr, has_order, has_shape;
    bool is_fortran;
    /* `element` is the tensor's kind: int also for ints of 4 bytes */
    struct isa_shape shape;
    size_t size; /* bytes of an element in the file */
};

static bool __attribute__((format(printf, 3, 4)))
fail(const struct reader *reader, size_t at, const char *format, ...)
{
    LIB_TEXT_OWN text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    lib_diag_error(reader->diags, LIB_DIAG_FILE, reader->source, (struct lib_pos){0},
                   "byte %zu: %s", at, text.bytes);
    return false;
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end &&
           strchr(" \t\r\n", reader->source->bytes[reader->at]) &&
           reader->source->bytes[reader->at])
        reader->at++;
}

/* Reads a word if it is next. Returns whether it is. */
static bool take_word(struct reader *reader, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(reader);
    if (reader->end - reader->at < length ||
        memcmp(reader->source->bytes + reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* Reports what was expected and what was found. Always returns false. */
static bool report_expected(const struct reader *reader, const char *what)
{
    char shown[17] = "";
    size_t length = 0;
    for (size_t i = reader->at; i < reader->end && length < sizeof shown - 1; i++) {
        const unsigned char c = (unsigned char)reader->source->bytes[i];
        if (c == '\n' || (c == ',' && length > 0))
            break;
        shown[length++] = c < 0x20 || c > 0x7e || c == '`' ? '?' : (char)c;
    }
    return length > 0 ? fail(reader, reader->at, "expected %s; found `%s`", what, shown)
                      : fail(reader, reader->at, "expected %s; the header ends", what);
}

static bool read_descr(struct reader *reader)
{
    static const struct {
        const char *text, *alike;
        enum isa_element_kind element;
        size_t size;
    } kinds[] = {
        {"'<f8'", "\"<f8\"", ISA_ELEMENT_REAL, 8},
        {"'<f4'", "\"<f4\"", ISA_ELEMENT_REAL32, 4},
        {"'<i8'", "\"<i8\"", ISA_ELEMENT_INT, 8},
        {"'<i4'", "\"<i4\"", ISA_ELEMENT_INT, 4},
        {"'|b1'", "\"|b1\"", ISA_ELEMENT_BOOL, 1},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (take_word(reader, kinds[i].text) || take_word(reader, kinds[i].alike)) {
            reader->shape.element = (uint8_t)kinds[i].element;
            reader->size = kinds[i].size;
            return true;
        }
    return report_expected(reader, "'<f8' or '<f4', little-endian reals of 8 or 4 bytes, "
                                   "'<i8' or '<i4', ints, or '|b1', bools");
}

static bool read_order(struct reader *reader)
{
    if (take_word(reader, "True"))
        reader->is_fortran = true;
    else if (!take_word(reader, "False"))
        return report_expected(reader, "True or False");
    return true;
}

static bool read_extent(struct reader *reader, int64_t *extent)
{
    skip_blanks(reader);
    const size_t from = reader->at;
    *extent = 0;
    while (reader->at < reader->end) {
        const char c = reader->source->bytes[reader->at];
        if (c < '0' || c > '9')
            break;
        *extent = *extent * 10 + (c - '0');
        if (*extent > ISA_EXTENT_MAX)
            return fail(reader, from, "an extent is %" PRId64 " at most", ISA_EXTENT_MAX);
        reader->at++;
    }
    return reader->at > from || report_expected(reader, "an extent");
}

/* (), (3,), (3, 4), (3, 4,) */
static bool read_shape(struct reader *reader)
{
    if (!take_word(reader, "("))
        return report_expected(reader, "`(`");
    while (!take_word(reader, ")")) {
        if (reader->shape.rank == ISA_RANK_MAX)
            return fail(reader, reader->at, "more than %d axes", ISA_RANK_MAX);
        if (!read_extent(reader, &reader->shape.extents[reader->shape.rank]))
            return false;
        reader->shape.rank++;
        if (take_word(reader, ","))
            continue;
        if (!take_word(reader, ")"))
            return report_expected(reader, "`,` or `)`");
        if (reader->shape.rank == 1)
            return fail(reader, reader->at - 1, "expected `,`, as in (3,); found `)`");
        return true;
    }
    return true;
}

static bool read_entry(struct reader *reader)
{
    static const struct {
        const char *key, *alike;
        size_t seen;
        bool (*read)(struct reader *);
    } entries[] = {
        {"'descr'", "\"descr\"", offsetof(struct reader, has_descr), read_descr},
        {"'fortran_order'", "\"fortran_order\"", offsetof(struct reader, has_order),
         read_order},
        {"'shape'", "\"shape\"", offsetof(struct reader, has_shape), read_shape},
    };
    skip_blanks(reader);
    const size_t from = reader->at;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!take_word(reader, entries[i].key) && !take_word(reader, entries[i].alike))
            continue;
        bool *seen = (bool *)((char *)reader + entries[i].seen);
        if (*seen)
            return fail(reader, from, "duplicate key %s", entries[i].key);
        *seen = true;
        if (!take_word(reader, ":"))
            return report_expected(reader, "`:`");
        return entries[i].read(reader);
    }
    return report_expected(reader, "'descr', 'fortran_order' or 'shape'");
}

static bool read_header(struct reader *reader)
{
    if (!take_word(reader, "{"))
        return report_expected(reader, "`{`");
    while (!take_word(reader, "}")) {
        if (!read_entry(reader))
            return false;
        if (take_word(reader, ","))
            continue;
        if (!take_word(reader, "}"))
            return report_expected(reader, "`,` or `}`");
        break;
    }
    skip_blanks(reader);
    if (reader->at < reader->end)
        return report_expected(reader, "nothing but blanks");
    if (reader->has_descr && reader->has_order && reader->has_shape)
        return true;
    return fail(reader, reader->end, "the header ends without %s",
                !reader->has_descr   ? "'descr'"
                : !reader->has_order ? "'fortran_order'"
                                     : "'shape'");
}

/* Reads the bytes before the header, and finds the end of the header. */
static bool read_start(struct reader *reader)
{
    const unsigned char *bytes = (const unsigned char *)reader->source->bytes;
    const size_t length = reader->source->length;
    if (length < MAGIC || memcmp(bytes, magic, MAGIC) != 0)
        return fail(reader, 0,
                    "it does not start as a file .npy does, with 0x93 and NUMPY; "
                    "the name of a table ends in .csv");
    if (length < MAGIC + 2)
        return fail(reader, length, "it ends where its version should stand");
    const unsigned major = bytes[6], minor = bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return fail(reader, 6, "version %u.%u; expected 1.0, 2.0 or 3.0", major, minor);
    const size_t size = major == 1 ? 2 : 4;
    if (length < MAGIC + 2 + size)
        return fail(reader, length,
                    "it ends where the length of its header should stand");
    uint32_t header = 0;
    memcpy(&header, bytes + MAGIC + 2, size);
    reader->at = MAGIC + 2 + size;
    if (header > length - reader->at)
        return fail(reader, MAGIC + 2,
                    "a header of %" PRIu32 " bytes; the file has %zu after this", header,
                    length - reader->at);
    reader->end = reader->at + header;
    return true;
}

static double real_at(const char *bytes, enum isa_element_kind element, uint64_t i)
{
    if (element == ISA_ELEMENT_REAL) {
        double value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, bytes + i * sizeof value, sizeof value);
    return value;
}

static int64_t int_at(const char *bytes, size_t size, uint64_t i)
{
    int64_t value;
    int32_t small;
    if (size == sizeof value) {
        memcpy(&value, bytes + i * size, size);
        return value;
    }
    if (size == 1)
        return (unsigned char)bytes[i];
    memcpy(&small, bytes + i * size, size);
    return small;
}

/* Converts the element at `from` of the file to element `to` of the tensor. */
static void fill_one(const struct reader *reader, struct isa_tensor *tensor, uint64_t to,
                     uint64_t from)
{
    const char *bytes = reader->source->bytes + reader->end;
    const enum isa_element_kind element = reader->shape.element;
    if (isa_element_is_real(element))
        isa_tensor_set(tensor, to, real_at(bytes, element, from));
    else if (tensor->shape.element == ISA_ELEMENT_INT)
        tensor->ints[to] = int_at(bytes, reader->size, from);
    else
        isa_tensor_set(tensor, to, (double)int_at(bytes, reader->size, from));
}

/* Returns the index of an element in Fortran order, in which the first axis varies fastest. */
static uint64_t fortran_place(const struct isa_shape *shape, const int64_t *places)
{
    uint64_t place = 0;
    for (unsigned i = shape->rank; i-- > 0;)
        place = place * (uint64_t)shape->extents[i] + (uint64_t)places[i];
    return place;
}

static void advance_places(const struct isa_shape *shape, int64_t *places)
{
    for (unsigned i = shape->rank; i-- > 0;) {
        if (++places[i] < shape->extents[i])
            return;
        places[i] = 0;
    }
}

static void fill_tensor(const struct reader *reader, struct isa_tensor *tensor)
{
    int64_t places[ISA_RANK_MAX] = {0};
    if (!reader->is_fortran && reader->shape.element == tensor->shape.element &&
        reader->size == isa_element_size(tensor->shape.element)) {
        memcpy(tensor->data, reader->source->bytes + reader->end, tensor->bytes);
        return;
    }
    for (uint64_t i = 0; i < tensor->count; i++, advance_places(&tensor->shape, places)) {
        const uint64_t place = reader->is_fortran ? fortran_place(&tensor->shape, places)
                                                  : i;
        fill_one(reader, tensor, i, place);
    }
}

struct isa_tensor *isa_npy_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected_shape, bool with_word,
                                struct lib_diags *diags)
{
    struct reader reader = {.source = source, .diags = diags};
    if (!read_start(&reader) || !read_header(&reader))
        return NULL;
    const uint64_t count = isa_shape_count(&reader.shape);
    const uint64_t bytes = count > UINT64_MAX / reader.size ? UINT64_MAX
                                                            : count * reader.size,
                   there = source->length - reader.end;
    if (bytes != there) {
        LIB_TEXT_OWN text = {0};
        isa_shape_write(&text, &reader.shape);
        fail(&reader, reader.end,
             "%s takes %s%" PRIu64 " bytes; the file has %" PRIu64 " here", text.bytes,
             bytes == UINT64_MAX ? "more than " : "", bytes, there);
        return NULL;
    }
    for (uint64_t i = 0; reader.shape.element == ISA_ELEMENT_BOOL && i < count; i++) {
        const unsigned found = (unsigned char)source->bytes[reader.end + i];
        if (found > 1) {
            fail(&reader, reader.end + i, "a bool is 0 or 1; found %u", found);
            return NULL;
        }
    }
    struct isa_tensor *tensor = isa_reader_new(memory, source, reader.shape,
                                               expected_shape, diags);
    if (!tensor)
        return NULL;
    fill_tensor(&reader, tensor);
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

void isa_npy_write(struct lib_text *out, const struct isa_tensor *tensor)
{
    static const char *const kinds[ISA_ELEMENT_COUNT] = {
        [ISA_ELEMENT_REAL] = "<f8",
        [ISA_ELEMENT_REAL32] = "<f4",
        [ISA_ELEMENT_INT] = "<i8",
        [ISA_ELEMENT_BOOL] = "|b1",
    };
    const struct isa_shape *shape = &tensor->shape;
    LIB_TEXT_OWN header = {0};
    lib_text_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                    kinds[shape->element]);
    for (unsigned i = 0; i < shape->rank; i++)
        lib_text_printf(&header, "%s%" PRId64, i > 0 ? ", " : "", shape->extents[i]);
    lib_text_puts(&header, shape->rank == 1 ? ",), }" : "), }");
    /* Aligns the elements of a file that is mapped. */
    while ((MAGIC + 4 + header.length + 1) % ALIGNMENT != 0)
        lib_text_puts(&header, " ");
    lib_text_puts(&header, "\n");
    const char start[] = {1, 0, (char)(header.length & 0xff), (char)(header.length >> 8)};
    lib_text_add(out, magic, MAGIC);
    lib_text_add(out, start, sizeof start);
    lib_text_add(out, header.bytes, header.length);
    lib_text_add(out, tensor->data, tensor->bytes);
}
