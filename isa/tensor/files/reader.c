#include "isa/tensor/files/reader.h"

#include <ctype.h>
#include <string.h>

struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    struct isa_shape shape = found;
    struct isa_tensor *tensor = NULL;
    if (expected &&
        (isa_element_is_real(expected->element) ||
         (expected->element == ISA_ELEMENT_INT && found.element == ISA_ELEMENT_BOOL)))
        shape.element = expected->element;
    if (expected && !isa_shape_agrees(&shape, expected)) {
        isa_shape_write(&text, &found);
        lib_text_puts(&text, " was found; expected ");
        isa_shape_write(&text, expected);
        lib_diag_error(diags, LIB_DIAG_TYPE, source, (struct lib_pos){0}, "%s",
                       text.bytes);
    } else if (!(tensor = isa_tensor_new(memory, &shape))) {
        isa_tensor_refusal(&text, memory, &shape);
        lib_diag_error(diags, LIB_DIAG_LIMIT, source, (struct lib_pos){0}, "%s",
                       text.bytes);
    }
    return tensor;
}

static bool read_real(const char *bytes, size_t length, double *value)
{
    char copy[ISA_READER_FIELD_MAX + 2];
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        const bool is_start = i == 0 || (i == 1 && strchr("+-", bytes[0]));
        if (is_start && bytes[i] == '.' && i + 1 < length &&
            isdigit((unsigned char)bytes[i + 1]))
            copy[kept++] = '0'; /* as in .5 */
        copy[kept++] = (char)tolower((unsigned char)bytes[i]);
    }
    copy[kept] = '\0';
    return lib_text_to_real(copy, value);
}

static bool read_int(const char *bytes, size_t length, int64_t *value)
{
    char copy[ISA_READER_FIELD_MAX + 1];
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return lib_text_to_int(copy, value) || lib_text_to_bits(copy, value);
}

static bool is_word(const char *bytes, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(bytes, word, length) == 0;
}

static bool read_bool(const char *bytes, size_t length, int64_t *value)
{
    *value = is_word(bytes, length, "true") || is_word(bytes, length, "1");
    return *value || is_word(bytes, length, "false") || is_word(bytes, length, "0");
}

bool isa_reader_set(struct isa_tensor *tensor, uint64_t at, enum isa_element_kind element,
                    const char *bytes, size_t length)
{
    double real = 0;
    int64_t integer = 0;
    if (length == 0 || length > ISA_READER_FIELD_MAX)
        return false;
    const bool good = isa_element_is_real(element) ? read_real(bytes, length, &real)
                      : element == ISA_ELEMENT_INT ? read_int(bytes, length, &integer)
                                                   : read_bool(bytes, length, &integer);
    if (!good || !tensor)
        return good;
    if (isa_element_is_real(element))
        isa_tensor_set(tensor, at, real);
    else if (element == ISA_ELEMENT_INT)
        tensor->ints[at] = integer;
    else
        tensor->bools[at] = integer != 0;
    return true;
}

const char *isa_reader_expected(enum isa_element_kind element, const char *bytes,
                                size_t length)
{
    if (isa_element_is_real(element))
        return "a number";
    if (element == ISA_ELEMENT_BOOL)
        return "true or false";
    size_t digits = length && strchr("+-", *bytes) ? 1 : 0;
    while (digits < length && isdigit((unsigned char)bytes[digits]))
        digits++;
    return length > 18 && digits == length ? "an int of 64 bits" : "an int";
}
