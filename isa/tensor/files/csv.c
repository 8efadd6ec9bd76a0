#include "isa/tensor/files/csv.h"

#include "isa/tensor/files/reader.h"
#include "lib/invisible.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELD_MAX = ISA_READER_FIELD_MAX };

struct field {
    const char *bytes;
    size_t length;
};

struct reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    const char *at, *end; /* bytes that are not read yet */
    uint32_t line;
    const char *start;
    /* Not set for matrices of reals: lines that begin with # or % are comments; fields have
     * blanks between them if the first line has no comma. */
    bool is_table, has_blanks;
};

/* Elements of the fields of a row, in turn: one kind for all fields, or one for each. */
struct target {
    uint32_t count;
    enum isa_element_kind elements[ISA_PARTS_MAX];
    struct isa_tensor *tensors[ISA_PARTS_MAX]; /* NULL in the pass that counts the rows */
};

static bool __attribute__((format(printf, 4, 5)))
fail(const struct reader *reader, const char *at, size_t span, const char *format, ...)
{
    const struct lib_pos pos = {
        .line = reader->line,
        .column = (uint32_t)(at - reader->start) + 1,
        .span = span > 0 ? (uint32_t)span : 1,
    };
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(reader->diags, LIB_DIAG_SYNTAX, reader->source, pos, format, ap);
    va_end(ap);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct field trim_field(const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (to > from && is_blank(to[-1]))
        to--;
    return (struct field){from, (size_t)(to - from)};
}

static bool next_line(struct reader *reader, struct field *line)
{
    while (reader->at < reader->end) {
        const char *newline = memchr(reader->at, '\n',
                                     (size_t)(reader->end - reader->at));
        const char *to = newline ? newline : reader->end;
        reader->line++;
        reader->start = reader->line == 1 ? reader->source->bytes : reader->at;
        *line = trim_field(reader->at, to);
        reader->at = newline ? newline + 1 : to;
        if (line->length > 0 && !(reader->is_table && strchr("#%", *line->bytes)))
            return true;
    }
    return false;
}

/* Removes the next field from a line, whose bytes are NULL after the last one. */
static struct field next_field(const struct reader *reader, struct field *line)
{
    const char *end = line->bytes + line->length;
    const char *stop = memchr(line->bytes, ',', line->length);
    if (reader->has_blanks)
        for (stop = line->bytes; stop < end && !is_blank(*stop);)
            stop++;
    if (stop == end)
        stop = NULL;
    const struct field field = trim_field(line->bytes, stop ? stop : end);
    *line = stop ? (struct field){stop + 1, (size_t)(end - stop - 1)} : (struct field){0};
    if (stop && reader->has_blanks)
        *line = trim_field(line->bytes, end);
    return field;
}

/* --- names or numbers ------------------------------------------------------------------------ */

/* Words that mean a number, or a value that is missing, to other programs. */
static const char *const number_words[] = {
    "nan",  "inf", "infinity", "na",    "n/a",     "null",
    "none", "nil", "true",     "false", "missing", "nat",
};

/* Whether bytes from 0xc3 on can begin a letter: those of signs, such as a minus or wide digits,
 * cannot. */
static bool begins_letter(const char *bytes, size_t length)
{
    const unsigned char lead = (unsigned char)*bytes;
    const unsigned char next = length > 1 ? (unsigned char)bytes[1] : 0;
    struct lib_invisible found;
    if (lead < 0xc3 || lib_invisible_at(bytes, length, &found))
        return false;
    if (lead == 0xc3)
        return next != 0x97 && next != 0xb7; /* times, divided by */
    if (lead == 0xe2)
        return next >= 0xb0; /* below: punctuation and mathematical signs */
    return lead != 0xef;     /* wide forms of ASCII */
}

static bool is_number_word(struct field field)
{
    for (size_t i = 0; i < sizeof number_words / sizeof *number_words; i++)
        if (strlen(number_words[i]) == field.length &&
            strncasecmp(number_words[i], field.bytes, field.length) == 0)
            return true;
    return field.length > 4 && strncasecmp(field.bytes, "nan(", 4) == 0;
}

/* Whether a field of a first line is a name: it begins with a letter, perhaps after quotes or a
 * bracket, and does not stand for a number. */
static bool is_name(struct field field)
{
    while (field.length > 0 && strchr("\"'([{<$#% ", *field.bytes))
        field = (struct field){field.bytes + 1, field.length - 1};
    while (field.length > 0 && strchr("\"')]}>% ", field.bytes[field.length - 1]))
        field.length--;
    if (field.length == 0 || is_number_word(field))
        return false;
    return isalpha((unsigned char)*field.bytes) || *field.bytes == '_' ||
           begins_letter(field.bytes, field.length);
}

/* Whether a line has names instead of numbers. An empty field may be above names of rows. */
static bool is_names(const struct reader *reader, struct field line)
{
    bool has_name = false;
    while (line.bytes) {
        const struct field field = next_field(reader, &line);
        if (field.length > 0 && !is_name(field))
            return false;
        has_name |= field.length > 0;
    }
    return has_name;
}

static bool is_out_of_range(struct field field)
{
    char copy[FIELD_MAX + 1], *end;
    if (field.length > FIELD_MAX)
        return false;
    memcpy(copy, field.bytes, field.length);
    copy[field.length] = '\0';
    const double value = strtod(copy, &end);
    return *end == '\0' && strpbrk(copy, "0123456789") && isinf(value);
}

static bool fail_field(const struct reader *reader, struct field field)
{
    const int shown = (int)(field.length < 40 ? field.length : 40);
    if (field.length == 0)
        return fail(reader, field.bytes, 0, "expected a number; the field is empty");
    if (is_out_of_range(field))
        return fail(reader, field.bytes, field.length,
                    "expected a number up to about 1.8e308; found `%.*s`", shown,
                    field.bytes);
    return fail(reader, field.bytes, field.length, "expected a number; found `%.*s`%s",
                shown, field.bytes,
                is_number_word(field) ? "; a value that is missing is written nan" : "");
}

static bool fail_other(const struct reader *reader, struct field field,
                       enum isa_element_kind element)
{
    const int shown = (int)(field.length < 40 ? field.length : 40);
    const char *expected = isa_reader_expected(element, field.bytes, field.length);
    return field.length == 0
               ? fail(reader, field.bytes, 0, "expected %s; the field is empty", expected)
               : fail(reader, field.bytes, field.length, "expected %s; found `%.*s`",
                      expected, shown, field.bytes);
}

/* Reads a field, and sets the element for it unless rows are only counted. */
static bool read_field(const struct reader *reader, struct field field,
                       const struct target *target, uint64_t row, uint64_t column,
                       uint64_t number)
{
    const bool is_one = target->count == 1;
    const size_t part = is_one ? 0 : (size_t)column;
    const uint64_t at = is_one ? number : row;
    struct isa_tensor *tensor = target->tensors[part];
    const enum isa_element_kind element = target->elements[part];
    if (isa_reader_set(tensor, at, element, field.bytes, field.length))
        return true;
    return isa_element_is_real(element) ? fail_field(reader, field)
                                        : fail_other(reader, field, element);
}

static bool fail_columns(const struct reader *reader, int64_t fields, int64_t expected)
{
    return fail(reader, reader->start, 0,
                "expected %lld fields, one for each part of a tuple; found %s%lld",
                (long long)expected, fields > expected ? "more than " : "",
                (long long)(fields > expected ? expected : fields));
}

static bool each_row(struct reader *reader, int64_t *rows, int64_t *columns,
                     const struct target *target)
{
    struct field line;
    bool is_first = true;
    uint64_t i = 0;
    *rows = *columns = 0;
    for (; next_line(reader, &line); is_first = false) {
        if (is_first && reader->is_table)
            reader->has_blanks = !memchr(line.bytes, ',', line.length);
        if (is_first && is_names(reader, line))
            continue;
        int64_t fields = 0;
        for (; line.bytes; fields++, i++) {
            const struct field field = next_field(reader, &line);
            if (target->count > 1 && fields == target->count)
                return fail_columns(reader, fields + 1, target->count);
            if (!read_field(reader, field, target, (uint64_t)*rows, (uint64_t)fields, i))
                return false;
        }
        if (target->count > 1 && fields < target->count)
            return fail_columns(reader, fields, target->count);
        if (*rows > 0 && fields != *columns)
            return fail(reader, reader->start, 0,
                        "a row of %lld field%s; the rows above have %lld",
                        (long long)fields, fields == 1 ? "" : "s", (long long)*columns);
        *columns = fields;
        ++*rows;
    }
    return true;
}

static struct reader start_reader(const struct lib_source *source,
                                  struct lib_diags *diags)
{
    return (struct reader){
        .source = source,
        .diags = diags,
        .at = lib_source_start(source),
        .end = source->bytes + source->length,
        .start = source->bytes,
    };
}

/* One row or column may be a vector, one number a tensor of rank 0, if that is expected. */
static struct isa_shape shape_of(int64_t rows, int64_t columns,
                                 const struct isa_shape *expected)
{
    struct isa_shape shape = {.rank = 2, .extents = {rows, columns}};
    if (expected && expected->rank == 1 && (rows == 1 || columns == 1))
        shape = (struct isa_shape){.rank = 1, .extents = {rows * columns}};
    if (expected && expected->rank == 0 && rows == 1 && columns == 1)
        shape = isa_shape_scalar(ISA_ELEMENT_REAL);
    return shape;
}

struct isa_tensor *isa_csv_read(struct isa_tensor_memory *memory,
                                const struct lib_source *source,
                                const struct isa_shape *expected, bool with_word,
                                struct lib_diags *diags)
{
    int64_t rows, columns;
    struct target target = {.count = 1, .elements = {ISA_ELEMENT_REAL}};
    struct reader reader = start_reader(source, diags);
    if (!lib_source_is_text(source, diags) ||
        !each_row(&reader, &rows, &columns, &target))
        return NULL;
    if (rows == 0) {
        lib_diag_error(diags, LIB_DIAG_SYNTAX, source, (struct lib_pos){0},
                       "expected rows of numbers; there is none");
        return NULL;
    }
    struct isa_tensor *tensor = isa_reader_new(
        memory, source, shape_of(rows, columns, expected), expected, diags);
    if (!tensor)
        return NULL;
    reader = start_reader(source, diags);
    target.tensors[0] = tensor;
    each_row(&reader, &rows, &columns, &target);
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

/* --- parts ----------------------------------------------------------------------------------- */

/* Sets the shape of the parts of a table. Returns false if the table has another rank. */
static bool find_shape(const struct reader *reader, const struct isa_parts *parts,
                       int64_t rows, int64_t columns, struct isa_shape *shape)
{
    *shape = (struct isa_shape){.rank = (uint8_t)parts->rank};
    if (parts->rank == 2 && parts->count == 1) {
        shape->extents[0] = rows;
        shape->extents[1] = columns;
        return true;
    }
    shape->extents[0] = parts->count > 1 ? rows : rows * columns;
    if (parts->rank == 1 && (parts->count > 1 || rows <= 1 || columns == 1))
        return true;
    LIB_TEXT_OWN expected = {0};
    isa_parts_write_type(&expected, parts);
    lib_diag_error(reader->diags, LIB_DIAG_TYPE, reader->source, (struct lib_pos){0},
                   "expected %s, found a table of %lld rows and %lld columns",
                   expected.bytes, (long long)rows, (long long)columns);
    return false;
}

bool isa_csv_read_parts(struct isa_parts *parts, struct isa_tensor_memory *memory,
                        const struct lib_source *source, struct lib_diags *diags)
{
    int64_t rows, columns;
    struct isa_shape shape;
    struct target target = {.count = parts->count};
    memcpy(target.elements, parts->elements, sizeof target.elements);
    struct reader reader = start_reader(source, diags);
    reader.is_table = true;
    if (!lib_source_is_text(source, diags) ||
        !each_row(&reader, &rows, &columns, &target) ||
        !find_shape(&reader, parts, rows, columns, &shape) ||
        !isa_parts_allocate(parts, memory, source, &shape, diags))
        return false;
    memcpy(target.tensors, parts->tensors, sizeof target.tensors);
    reader = start_reader(source, diags);
    reader.is_table = true;
    return each_row(&reader, &rows, &columns, &target);
}
