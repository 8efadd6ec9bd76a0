/* Reader of assembly: ports, as port 0 in xs (int, tensor real 2) @3:9+2 */
#include "isa/format/asm_reader.h"

#include <string.h>

enum { PORT_PARTS_MAX = 1000 };

static const char expected_type[] =
    "int, real, bool, or tensor with its element and its rank, such as tensor real 2";

static bool read_tensor_part(struct isa_reader *r, struct isa_port_part *part)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word;
    char text[16] = "";
    if (isa_lex_word(&r->lex, &word) && word.length < sizeof text)
        lib_slice_copy(word, text, sizeof text);
    if (!isa_element_find(text, &part->element)) {
        return lib_cursor_found(&r->lex, at, "real, real32, int or bool");
    }
    at = lib_cursor_next(&r->lex);
    if (!isa_lex_number(&r->lex, "a rank", &part->rank))
        return false;
    return part->rank <= ISA_RANK_MAX ||
           lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at,
                            "a tensor has a rank of at most %d", ISA_RANK_MAX);
}

static bool read_part(struct isa_reader *r, struct isa_port_part *part)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word;
    char text[16] = "";
    *part = (struct isa_port_part){0};
    if (isa_lex_type(&r->lex, &word) && word.length < sizeof text)
        lib_slice_copy(word, text, sizeof text);
    if (isa_type_find(text, &part->type) && part->type < ISA_LEAF_COUNT)
        return part->type != ISA_TENSOR || read_tensor_part(r, part);
    return lib_cursor_found(&r->lex, at, expected_type);
}

struct parts {
    struct isa_port_part *items;
    size_t count, capacity;
};

static bool read_parts(struct isa_reader *r, struct parts *parts)
{
    if (!lib_cursor_expect(&r->lex, "("))
        return false;
    do {
        if (parts->count == PORT_PARTS_MAX)
            return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, lib_cursor_next(&r->lex),
                                    "an element of a port has at most %d parts",
                                    PORT_PARTS_MAX);
        if (!read_part(r, LIB_VEC_PUSH(parts)))
            return false;
    } while (lib_cursor_accept(&r->lex, ","));
    return lib_cursor_accept(&r->lex, ")") || lib_cursor_expected(&r->lex, "`,` or `)`");
}

static bool read_direction(struct isa_reader *r, bool *is_input)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word = {r->lex.at, 0};
    if (isa_lex_word(&r->lex, &word) &&
        (lib_slice_is(word, "in") || lib_slice_is(word, "out"))) {
        *is_input = lib_slice_is(word, "in");
        return true;
    }
    return lib_cursor_found(&r->lex, at, "`in` or `out`");
}

/* As in each declaration, a number may come first. */
bool isa_asm_read_port(struct isa_reader *r)
{
    const char *name;
    struct lib_pos pos;
    struct parts parts = {0};
    bool is_input = false;
    const struct lib_slice start = lib_cursor_next(&r->lex);
    const uint32_t next = r->graph->port_count;
    uint32_t number = next;
    if (lib_cursor_at_digit(&r->lex) && !isa_lex_number(&r->lex, "a number", &number))
        return false;
    if (number != next)
        return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, start,
                                "expected number %u, found %u", next, number);
    if (!read_direction(r, &is_input))
        return false;
    if (!is_input && r->graph->function_count == 0)
        return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, start,
                                "a port out follows function 0, which has its results");
    bool good = isa_lex_name(&r->lex, r->arena, "the name of the port", &name) &&
                read_parts(r, &parts) && isa_lex_place(&r->lex, &pos) &&
                lib_cursor_expect_end(&r->lex);
    if (good)
        isa_graph_add_port(r->graph, name, is_input, parts.items, (uint32_t)parts.count,
                           pos);
    LIB_VEC_FREE(&parts);
    return good;
}
