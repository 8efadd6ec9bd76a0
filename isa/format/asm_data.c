/* Reader of assembly: constructors of data, as
 * constructor 1 Node of Tree 1 (data left, data right) shape "(_, _)" */
#include "isa/format/asm_reader.h"

#include <ctype.h>
#include <string.h>

struct fields {
    struct isa_field *items;
    size_t count, capacity;
};

/* Reads the fields, if there are any: each a type, and a name if it has one. */
static bool read_fields(struct isa_reader *r, struct fields *fields)
{
    if (!lib_cursor_accept(&r->lex, "("))
        return true;
    do {
        struct isa_field field = {0};
        if (fields->count == ISA_MAX_FIELDS)
            return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, lib_cursor_next(&r->lex),
                                    "a constructor has at most %d fields",
                                    ISA_MAX_FIELDS);
        if (!isa_asm_read_type(r, &field.type))
            return false;
        const char next = *lib_cursor_next(&r->lex).bytes;
        if (next != ',' && next != ')' &&
            !isa_lex_name(&r->lex, r->arena, "the name of the field", &field.name))
            return false;
        *LIB_VEC_PUSH(fields) = field;
    } while (lib_cursor_accept(&r->lex, ","));
    return lib_cursor_accept(&r->lex, ")") || lib_cursor_expected(&r->lex, "`,` or `)`");
}

static bool read_shape(struct isa_reader *r, struct isa_constructor *c)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (!lib_slice_is(at, "shape"))
        return true;
    (void)isa_lex_word(&r->lex, &at);
    at = lib_cursor_next(&r->lex);
    return isa_lex_string(&r->lex, r->arena, "the shape of the fields as a string",
                          &c->shape) &&
           (isa_constructor_shape_fits(c) ||
            lib_cursor_error(
                &r->lex, LIB_DIAG_SYNTAX, at,
                "expected a text such as \"((_, _), [_])\", with a _ for each "
                "field, in brackets as its type is"));
}

bool isa_asm_read_constructor(struct isa_reader *r)
{
    struct isa_constructor c = {0};
    struct fields fields = {0};
    bool good = isa_asm_read_index(r, r->graph->constructor_count) &&
                isa_lex_name(&r->lex, r->arena, "the name of the constructor", &c.name) &&
                lib_cursor_expect(&r->lex, "of") &&
                isa_lex_name(&r->lex, r->arena, "the name of the type", &c.type) &&
                isa_lex_number(&r->lex, "the number of the constructor in its type",
                               &c.number) &&
                read_fields(r, &fields);
    c.fields = fields.items;
    c.field_count = (uint32_t)fields.count;
    good = good && read_shape(r, &c) && lib_cursor_expect_end(&r->lex);
    if (good) {
        lib_name_table_add(r->constructors, c.name, strlen(c.name),
                           r->graph->constructor_count);
        isa_graph_add_constructor(r->graph, &c);
    }
    LIB_VEC_FREE(&fields);
    return good;
}

bool isa_asm_find_constructor(const struct isa_reader *r, const char *text,
                              uint32_t *constructor)
{
    isa_value number;
    if (isdigit((unsigned char)*text)) {
        *constructor = isa_value_read(text, ISA_INT, &number) && number <= UINT32_MAX
                           ? (uint32_t)number
                           : UINT32_MAX;
        return *constructor < r->graph->constructor_count;
    }
    *constructor = lib_name_table_find(r->constructors, text, strlen(text));
    return *constructor < LIB_NAME_TABLE_AMBIGUOUS;
}

bool isa_asm_read_field(struct isa_reader *r, uint32_t *index)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word;
    char text[512] = "";
    uint32_t constructor;
    isa_value field;
    const char *from = r->lex.at;
    if (isa_lex_value(&r->lex, &word) && word.length < sizeof text)
        lib_slice_copy(word, text, sizeof text);
    char *point = strrchr(text, '.');
    if (!point || !isdigit((unsigned char)point[1]) ||
        !isa_value_read(point + 1, ISA_INT, &field)) {
        r->lex.at = from;
        return lib_cursor_expected(&r->lex, "a field such as Node.0");
    }
    *point = '\0';
    if (r->lacks_declaration && r->graph->constructor_count == 0)
        return false;
    if (!isa_asm_find_constructor(r, text, &constructor))
        return lib_cursor_error(
            &r->lex, LIB_DIAG_NAME, at,
            "unknown constructor `%s`: one is declared before its use, "
            "and has a number if its name is not unique",
            text);
    const struct isa_constructor *c = &r->graph->constructors[constructor];
    if (field >= c->field_count)
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                                "unknown field %s: `%s` has %u", point + 1, c->name,
                                c->field_count);
    *index = c->first + (uint32_t)field;
    return true;
}
