#include "isa/tensor/files/matrix_market.h"

#include "isa/tensor/files/reader.h"
#include "lib/cursor.h"
#include "lib/invisible.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 32 };

struct market {
    struct lib_cursor c;
    struct isa_parts *parts;
    bool is_array, is_symmetric, is_skew, is_pattern, is_integer;
    uint64_t rows, columns, entries;
    uint64_t count; /* elements of each part so far, or in all once they were counted */
};

/* Reads a word of the first line, in lower case. */
static struct lib_slice read_word(struct market *m, char word[WORD_MAX])
{
    const struct lib_slice at = lib_cursor_next(&m->c);
    const struct lib_slice slice = lib_cursor_until(&m->c, " \t\r\n");
    lib_slice_copy(slice, word, WORD_MAX);
    for (char *p = word; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return slice.length ? slice : at;
}

/* Reads one of the words of a choice, divided by bars, and sets *found to its number. */
static bool read_choice(struct market *m, const char *choice, const char *expected,
                        int *found)
{
    char word[WORD_MAX];
    const struct lib_slice at = read_word(m, word);
    const char *p = choice;
    for (*found = 0; *word && p; ++*found) {
        const size_t length = strcspn(p, "|");
        if (strlen(word) == length && strncmp(p, word, length) == 0)
            return true;
        p = p[length] ? p + length + 1 : NULL;
    }
    return lib_cursor_found(&m->c, at, expected);
}

static bool read_head(struct market *m)
{
    char word[WORD_MAX];
    int object, format, field, symmetry;
    read_word(m, word); /* %%MatrixMarket */
    if (!read_choice(m, "matrix", "`matrix`", &object) ||
        !read_choice(m, "coordinate|array", "`coordinate` or `array`", &format) ||
        !read_choice(m, "real|double|integer|pattern",
                     "`real`, `integer` or `pattern`; `complex` is not read", &field))
        return false;
    const struct lib_slice at = lib_cursor_next(&m->c);
    if (!read_choice(
            m, "general|symmetric|skew-symmetric",
            "`general`, `symmetric` or `skew-symmetric`; `hermitian` is not read",
            &symmetry))
        return false;
    m->is_array = format == 1;
    m->is_integer = field == 2;
    m->is_pattern = field == 3;
    m->is_symmetric = symmetry > 0;
    m->is_skew = symmetry == 2;
    if (m->is_array && (m->is_symmetric || m->is_pattern))
        return lib_cursor_error(&m->c, LIB_DIAG_MEANING, at,
                                "an array is read if it is of numbers and `general`");
    m->c.line_ends = "\n%";
    return lib_cursor_expect_end(&m->c);
}

/* Whether the parts are what the file has. */
static bool check_type(struct market *m)
{
    const struct isa_parts *p = m->parts;
    const uint32_t expected = m->is_array ? 1 : m->is_pattern ? 2 : 3;
    bool good = p->count == expected && p->rank == (m->is_array ? 2 : 1);
    for (uint32_t k = 0; good && !m->is_array && k < 2; k++)
        good = p->elements[k] == ISA_ELEMENT_INT;
    if (good && !m->is_pattern) {
        const enum isa_element_kind value = p->elements[p->count - 1];
        good = isa_element_is_real(value) || (value == ISA_ELEMENT_INT && m->is_integer);
    }
    if (good)
        return true;
    LIB_TEXT_OWN type = {0};
    isa_parts_write_type(&type, p);
    lib_diag_error(m->c.diags, LIB_DIAG_TYPE, m->c.source, (struct lib_pos){1, 1, 1},
                   "expected %s, found a matrix, which is %s", type.bytes,
                   m->is_array     ? "[[real]]"
                   : m->is_pattern ? "[(int, int)]"
                   : m->is_integer ? "[(int, int, int)]"
                                   : "[(int, int, real)]");
    return false;
}

static bool read_sizes(struct market *m)
{
    const uint64_t most = (uint64_t)ISA_EXTENT_MAX;
    if (!lib_cursor_find_line(&m->c))
        return lib_cursor_expected(&m->c, "the numbers of rows and columns");
    const struct lib_slice rows_at = lib_cursor_next(&m->c);
    if (!lib_cursor_number(&m->c, "the number of rows", 0, most, &m->rows) ||
        !lib_cursor_number(&m->c, "the number of columns", 0, most, &m->columns))
        return false;
    if (m->is_symmetric && m->rows != m->columns)
        return lib_cursor_error(&m->c, LIB_DIAG_MEANING, rows_at,
                                "a symmetric matrix has as many rows as columns, found "
                                "%llu and %llu",
                                (unsigned long long)m->rows,
                                (unsigned long long)m->columns);
    m->entries = m->rows * m->columns;
    const struct lib_slice at = lib_cursor_next(&m->c);
    if (!m->is_array &&
        !lib_cursor_number(&m->c, "the number of entries", 0, most, &m->entries))
        return false;
    /* An entry takes a line of at least a digit and a newline. */
    if (m->entries > m->c.source->length)
        return lib_cursor_error(&m->c, LIB_DIAG_MEANING, at,
                                "the file is too short for %llu entries",
                                (unsigned long long)m->entries);
    return lib_cursor_expect_end(&m->c);
}

static bool read_value(struct market *m, double *real, int64_t *integer)
{
    char text[ISA_READER_FIELD_MAX + 1] = "";
    const struct lib_slice at = lib_cursor_next(&m->c);
    const struct lib_slice slice = lib_cursor_until(&m->c, " \t\r\n");
    if (slice.length < sizeof text)
        lib_slice_copy(slice, text, sizeof text);
    const bool good = m->is_integer ? lib_text_to_int(text, integer)
                                    : lib_text_to_real(text, real);
    if (m->is_integer)
        *real = (double)*integer;
    return good || lib_cursor_found(&m->c, slice.length ? slice : at,
                                    m->is_integer ? "an int" : "a number");
}

static void put_value(struct isa_tensor *tensor, uint64_t at, double real,
                      int64_t integer)
{
    if (tensor && tensor->shape.element == ISA_ELEMENT_INT)
        tensor->ints[at] = integer;
    else if (tensor)
        isa_tensor_set(tensor, at, real);
}

static void put_entry(struct market *m, uint64_t row, uint64_t column, double real,
                      int64_t integer)
{
    struct isa_tensor *const *tensors = m->parts->tensors;
    if (tensors[0]) {
        tensors[0]->ints[m->count] = (int64_t)row - 1;
        tensors[1]->ints[m->count] = (int64_t)column - 1;
    }
    if (!m->is_pattern)
        put_value(tensors[2], m->count, real, integer);
    m->count++;
}

static bool read_coordinate(struct market *m)
{
    uint64_t row, column;
    double real = 0;
    int64_t integer = 0;
    if (!lib_cursor_number(&m->c, "a row", 1, m->rows, &row) ||
        !lib_cursor_number(&m->c, "a column", 1, m->columns, &column))
        return false;
    const struct lib_slice at = lib_cursor_next(&m->c);
    if ((!m->is_pattern && !read_value(m, &real, &integer)) ||
        !lib_cursor_expect_end(&m->c))
        return false;
    if (m->is_skew && m->is_integer && integer == INT64_MIN)
        return lib_cursor_error(
            &m->c, LIB_DIAG_LIMIT, at,
            "the mirror image of this value is not an int of 64 bits");
    put_entry(m, row, column, real, integer);
    if (m->is_symmetric && row != column)
        put_entry(m, column, row, m->is_skew ? -real : real,
                  m->is_skew ? -integer : integer);
    return true;
}

/* Reads the next element of a dense matrix, which lie column by column. */
static bool read_element(struct market *m)
{
    double real;
    int64_t integer = 0;
    const uint64_t row = m->count % m->rows, column = m->count / m->rows;
    if (!read_value(m, &real, &integer) || !lib_cursor_expect_end(&m->c))
        return false;
    put_value(m->parts->tensors[0], row * m->columns + column, real, integer);
    m->count++;
    return true;
}

static bool read_entries(struct market *m)
{
    m->count = 0;
    for (uint64_t i = 0; i < m->entries; i++) {
        lib_cursor_skip_line(&m->c);
        if (!lib_cursor_find_line(&m->c)) {
            char expected[64];
            snprintf(expected, sizeof expected, "entry %llu of %llu",
                     (unsigned long long)i + 1, (unsigned long long)m->entries);
            return lib_cursor_expected(&m->c, expected);
        }
        if (!(m->is_array ? read_element(m) : read_coordinate(m)))
            return false;
    }
    lib_cursor_skip_line(&m->c);
    return !lib_cursor_find_line(&m->c) ||
           lib_cursor_expected(&m->c, "the end, after the last entry");
}

bool isa_matrix_market_read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                            const struct lib_source *source, struct lib_diags *diags)
{
    struct market m = {.parts = parts};
    if (!lib_source_is_text(source, diags))
        return false;
    lib_cursor_start(&m.c, source, diags);
    m.c.line_ends = "\n";
    if (!read_head(&m) || !check_type(&m))
        return false;
    lib_cursor_skip_line(&m.c);
    if (!read_sizes(&m))
        return false;
    const struct lib_cursor before = m.c;
    if (!read_entries(&m))
        return false;
    struct isa_shape shape = {.rank = 1, .extents = {(int64_t)m.count}};
    if (m.is_array)
        shape = (struct isa_shape){.rank = 2,
                                   .extents = {(int64_t)m.rows, (int64_t)m.columns}};
    m.c = before;
    return isa_parts_allocate(parts, memory, source, &shape, diags) && read_entries(&m);
}
