#include "isa/format/asm.h"

#include "isa/format/asm_reader.h"
#include "lib/invisible.h"

#include <ctype.h>
#include <string.h>

enum { FORMAT = 1 };

bool isa_asm_is(const struct lib_source *source)
{
    /* No equation begins so, even if the second word is misspelt. */
    static const char program[] = "hiaton ";
    const size_t length = sizeof program - 1;
    const char *const start = lib_source_start(source);
    return strncmp(start, program, length) == 0 && isalpha((unsigned char)start[length]);
}

bool isa_asm_lacks_head(const struct lib_source *source)
{
    static const char word[] = "\nstage ";
    if (isa_asm_is(source))
        return false;
    const char *const start = lib_source_start(source);
    for (const char *p = start; p; p = strstr(p + 1, word)) {
        const char *name = p + (p == start ? 0 : 1);
        if (strncmp(name, word + 1, sizeof word - 2) != 0)
            continue;
        name += sizeof word - 2;
        const size_t length = strcspn(name, " \t\r\n");
        for (int stage = 0; stage < ISA_STAGE_COUNT; stage++) {
            const char *known = isa_stage_name((enum isa_stage)stage);
            if (strlen(known) == length && memcmp(known, name, length) == 0)
                return true;
        }
    }
    return false;
}

/* Items that a reference can name; `what` has an article, as "a cell". */
struct declared {
    const struct isa_graph *graph;
    const char *what;
};

static size_t declared_count(const struct declared *d)
{
    return strcmp(d->what, "a function") == 0      ? d->graph->function_count
           : strcmp(d->what, "a cell") == 0        ? d->graph->cell_count
           : strcmp(d->what, "a constructor") == 0 ? d->graph->constructor_count
                                                   : d->graph->input_count;
}

static const char *declared_name(size_t i, const void *context)
{
    const struct declared *d = context;
    return strcmp(d->what, "a function") == 0      ? d->graph->functions[i].name
           : strcmp(d->what, "a cell") == 0        ? d->graph->cells[i].name
           : strcmp(d->what, "a constructor") == 0 ? d->graph->constructors[i].name
                                                   : d->graph->inputs[i].name;
}

static bool unknown_reference(struct isa_reader *r, struct lib_slice at, const char *what,
                              const char *name)
{
    const struct declared all = {r->graph, what};
    const char *near = NULL;
    if (r->lacks_declaration) /* the declaration with the error may be the one */
        return false;
    if (r->lex.diags->errors < LIB_DIAG_MAX) /* else the message is not printed */
        near = lib_text_nearest(name, declared_count(&all), declared_name, &all);
    return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                            "unknown %s `%s`: names are declared before their use%s%s%s",
                            strchr(what, ' ') + 1, name, near ? "; did you mean `" : "",
                            near ? near : "", near ? "`?" : "");
}

bool isa_asm_read_reference(struct isa_reader *r, const struct lib_name_table *names,
                            uint32_t count, const char *what, uint32_t *index)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (lib_cursor_at_digit(&r->lex)) {
        if (!isa_lex_number(&r->lex, what, index))
            return false;
        at.length = (size_t)(r->lex.at - at.bytes);
        if (*index >= count && r->lacks_declaration)
            return false;
        return *index < count ||
               lib_cursor_error(&r->lex, LIB_DIAG_NAME, at, "unknown %s %u: there are %u",
                                strchr(what, ' ') + 1, *index, count);
    }
    const char *name;
    if (!isa_lex_name(&r->lex, r->arena, what, &name))
        return false;
    at.length = (size_t)(r->lex.at - at.bytes);
    *index = lib_name_table_find(names, name, strlen(name));
    if (*index < LIB_NAME_TABLE_AMBIGUOUS)
        return true;
    if (*index == LIB_NAME_TABLE_NONE)
        return unknown_reference(r, at, what, name);
    return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                            "more than one %s has this name: use the number",
                            strchr(what, ' ') + 1);
}

bool isa_asm_read_type(struct isa_reader *r, enum isa_type *type)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word;
    char text[64];
    const char *back = r->lex.at;
    if (isa_lex_type(&r->lex, &word) && word.length < sizeof text) {
        lib_slice_copy(word, text, sizeof text);
        if (isa_type_find(text, type))
            return true;
    }
    r->lex.at = at.length ? at.bytes : back;
    return lib_cursor_expected(&r->lex, "a type (int, real, bool, [int], ...)");
}

struct types {
    enum isa_type *items;
    size_t count, capacity;
};

static bool read_types(struct isa_reader *r, struct types *types)
{
    if (!lib_cursor_expect(&r->lex, "("))
        return false;
    if (lib_cursor_accept(&r->lex, ")"))
        return true;
    do {
        if (types->count == ISA_MAX_PARAMS)
            return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, lib_cursor_next(&r->lex),
                                    "a function has at most %d parameters and %d results",
                                    ISA_MAX_PARAMS, ISA_MAX_PARAMS);
        if (!isa_asm_read_type(r, LIB_VEC_PUSH(types)))
            return false;
    } while (lib_cursor_accept(&r->lex, ","));
    return lib_cursor_accept(&r->lex, ")") || lib_cursor_expected(&r->lex, "`,` or `)`");
}

/* Reads the optional number of a declaration, which must be `next`. */
bool isa_asm_read_index(struct isa_reader *r, uint32_t next)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    uint32_t index;
    if (next >= ISA_MAX_NODES) {
        r->full = true;
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at, "more than %d are too many",
                                ISA_MAX_NODES);
    }
    if (!lib_cursor_at_digit(&r->lex))
        return true;
    if (!isa_lex_number(&r->lex, "a number", &index))
        return false;
    return index == next || lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, at,
                                             "expected number %u, found %u", next, index);
}

static bool read_source(struct isa_reader *r)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    const char *name;
    if (!isa_lex_string(&r->lex, r->graph->arena, "the name of the source as a string",
                        &name) ||
        !lib_cursor_expect_end(&r->lex))
        return false;
    if (r->has_source)
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at, "a second source");
    r->has_source = true;
    r->graph->source = name;
    return true;
}

static bool read_machines(struct isa_reader *r)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (r->graph->stage != ISA_STAGE_PARTITIONED)
        return lib_cursor_error(&r->lex, LIB_DIAG_MEANING, at,
                                "only a graph of stage partitioned has machines");
    if (r->graph->machine_count)
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                                "a second number of machines");
    uint32_t count;
    if (!isa_lex_number(&r->lex, "a number of machines", &count) ||
        !lib_cursor_expect_end(&r->lex))
        return false;
    if (count == 0 || count > ISA_MAX_MACHINES)
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at,
                                "there are 1 to %d machines, not %u", ISA_MAX_MACHINES,
                                count);
    r->graph->machine_count = count;
    return true;
}

static bool read_shape(struct isa_reader *r)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    const char *shape;
    if (!isa_lex_string(&r->lex, r->arena, "the shape of the result as a string",
                        &shape) ||
        !lib_cursor_expect_end(&r->lex))
        return false;
    return isa_graph_set_shape(r->graph, shape) ||
           lib_cursor_error(
               &r->lex, LIB_DIAG_SYNTAX, at,
               "expected a text such as \"((_, _), [_])\", with a _ for each result "
               "of function 0, which comes before it, in brackets as its type is");
}

static bool add_input(struct isa_reader *r, const char *name, enum isa_type type,
                      isa_value value, struct lib_slice at)
{
    if (!lib_name_table_add(r->inputs, name, strlen(name), r->graph->input_count))
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                                "a second input of the same name");
    isa_graph_add_input(r->graph, name, type, value);
    return true;
}

/* Reads the value of an input that is an array or a tensor: `tensors 0 to 1`, which come before
 * it. */
static bool read_given(struct isa_reader *r, const char *name, enum isa_type type,
                       struct lib_slice at)
{
    struct lib_slice value_at = lib_cursor_next(&r->lex), word;
    uint32_t first, last;
    if (!isa_lex_word(&r->lex, &word) || !lib_slice_is(word, "tensors"))
        return lib_cursor_found(&r->lex, value_at, "tensors such as `tensors 0 to 1`");
    if (!isa_lex_number(&r->lex, "the first tensor", &first) ||
        !lib_cursor_expect(&r->lex, "to") ||
        !isa_lex_number(&r->lex, "the last tensor", &last) ||
        !lib_cursor_expect_end(&r->lex))
        return false;
    if (last >= first && last - first >= ISA_PARTS_MAX)
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, value_at,
                                "an element of an input has at most %d parts, found %llu",
                                ISA_PARTS_MAX, (unsigned long long)last - first + 1);
    if (!add_input(r, name, type, 0, at))
        return false;
    if (last < first || !isa_graph_bind_input(r->graph, r->graph->input_count - 1, first,
                                              last - first + 1))
        return lib_cursor_error(
            &r->lex, LIB_DIAG_TYPE, value_at,
            "these are not tensors before this line whose elements, rank "
            "and extents are those of %s",
            isa_type_name(type));
    return true;
}

static bool read_input(struct isa_reader *r)
{
    const char *name;
    enum isa_type type;
    struct lib_slice at, text;
    char literal[256];
    isa_value value;
    if (!isa_asm_read_index(r, r->graph->input_count))
        return false;
    at = lib_cursor_next(&r->lex);
    if (!isa_lex_name(&r->lex, r->arena, "the name of the input", &name) ||
        !isa_asm_read_type(r, &type) || !lib_cursor_expect(&r->lex, "="))
        return false;
    if (type == ISA_DATA || isa_type_is_address(type))
        return lib_cursor_error(&r->lex, LIB_DIAG_TYPE, at, "an input cannot be %s",
                                isa_type_name(type));
    if (isa_type_is_reference(type))
        return read_given(r, name, type, at);
    struct lib_slice value_at = lib_cursor_next(&r->lex);
    literal[0] = '\0';
    if (isa_lex_value(&r->lex, &text) && text.length < sizeof literal)
        lib_slice_copy(text, literal, sizeof literal);
    if (!isa_value_read(literal, type, &value)) {
        return lib_cursor_found(&r->lex, value_at,
                                type == ISA_INT    ? "an int"
                                : type == ISA_REAL ? "a real"
                                                   : "true or false");
    }
    if (!lib_cursor_expect_end(&r->lex))
        return false;
    return add_input(r, name, type, value, at);
}

static bool read_cell(struct isa_reader *r)
{
    const char *name;
    enum isa_type type;
    if (!isa_asm_read_index(r, r->graph->cell_count) ||
        !isa_lex_name(&r->lex, r->arena, "the name of the cell", &name) ||
        !isa_asm_read_type(r, &type) || !lib_cursor_expect_end(&r->lex))
        return false;
    lib_name_table_add(r->cells, name, strlen(name), r->graph->cell_count);
    isa_graph_add_cell(r->graph, name, type);
    return true;
}

/* Reads element kind and shape, as "real[2, 3]", with at most ISA_RANK_MAX extents, all known. */
static bool read_tensor_shape(struct isa_reader *r, struct isa_shape *shape)
{
    struct lib_slice at = lib_cursor_next(&r->lex), word;
    enum isa_element_kind element;
    char text[16];
    if (isa_lex_word(&r->lex, &word) && word.length < sizeof text)
        lib_slice_copy(word, text, sizeof text);
    else
        *text = '\0';
    if (!isa_element_find(text, &element)) {
        return lib_cursor_found(&r->lex, at,
                                "real, real32, int or bool, and extents such as [2, 3]");
    }
    *shape = isa_shape_scalar(element);
    if (!lib_cursor_accept(&r->lex, "["))
        return true;
    do {
        uint32_t extent;
        if (shape->rank == ISA_RANK_MAX)
            return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at,
                                    "a tensor has a rank of at most %d", ISA_RANK_MAX);
        if (!isa_lex_number(&r->lex, "an extent", &extent))
            return false;
        shape->extents[shape->rank++] = extent;
    } while (lib_cursor_accept(&r->lex, ","));
    return lib_cursor_accept(&r->lex, "]") || lib_cursor_expected(&r->lex, "`,` or `]`");
}

/* Reads the elements of a tensor. Each takes at least two bytes of text, so that a short text needs
 * little memory. */
static bool read_elements(struct isa_reader *r, struct isa_tensor *tensor)
{
    const enum isa_type type = tensor->shape.element == ISA_ELEMENT_INT    ? ISA_INT
                               : tensor->shape.element == ISA_ELEMENT_BOOL ? ISA_BOOL
                                                                           : ISA_REAL;
    for (uint64_t i = 0; i < tensor->count; i++) {
        struct lib_slice at = lib_cursor_next(&r->lex), text;
        char literal[512] = "";
        isa_value value;
        if (i > 0 && !lib_cursor_expect(&r->lex, ","))
            return false;
        if (isa_lex_value(&r->lex, &text) && text.length < sizeof literal)
            lib_slice_copy(text, literal, sizeof literal);
        if (!isa_value_read(literal, type, &value)) {
            return lib_cursor_found(&r->lex, at,
                                    type == ISA_INT    ? "an int"
                                    : type == ISA_BOOL ? "true or false"
                                                       : "a real");
        }
        if (type == ISA_INT)
            tensor->ints[i] = isa_value_int(value);
        else
            isa_tensor_set(tensor, i,
                           type == ISA_BOOL ? (double)value : isa_value_real(value));
    }
    return true;
}

static bool read_tensor(struct isa_reader *r)
{
    const char *name;
    struct isa_shape shape;
    if (!isa_asm_read_index(r, r->graph->constant_count) ||
        !isa_lex_name(&r->lex, r->arena, "the name of the tensor", &name))
        return false;
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (!read_tensor_shape(r, &shape) || !lib_cursor_expect(&r->lex, "="))
        return false;
    if (!isa_shape_is_legal(&shape) || isa_shape_count(&shape) > r->lex.source->length)
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at,
                                "the tensor has more elements than the text can hold");
    struct isa_tensor *tensor = isa_tensor_new(&r->graph->tensors, &shape);
    if (!tensor || !read_elements(r, tensor) || !lib_cursor_expect_end(&r->lex)) {
        isa_tensor_free(&r->graph->tensors, tensor);
        return false;
    }
    isa_tensor_seal(tensor, true);
    isa_graph_add_constant(r->graph, name, tensor);
    return true;
}

enum callable { FUNCTION, LOOP };

/* Reads a word, after the types, that only loops may have. */
static bool accept_word(struct isa_reader *r, enum callable callable, const char *word)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    return callable == LOOP && lib_slice_is(at, word) && isa_lex_word(&r->lex, &at);
}

static bool read_held(struct isa_reader *r, enum callable callable, struct types *held)
{
    return !accept_word(r, callable, "held") || read_types(r, held);
}

static bool read_bound(struct isa_reader *r, enum callable callable, uint32_t *bound)
{
    *bound = 0;
    if (accept_word(r, callable, "unbounded")) {
        *bound = ISA_LOOP_UNBOUNDED;
        return true;
    }
    if (!accept_word(r, callable, "bound"))
        return true;
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (!isa_lex_number(&r->lex, "a number of iterations", bound))
        return false;
    return *bound > 0 || lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, at,
                                          "a loop has at least 1 iteration in flight");
}

/* Reads `early P R`: numbers of early parameters and results. */
static bool read_early(struct isa_reader *r, enum callable callable, uint32_t most_params,
                       uint32_t most_results, uint32_t *early)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    early[0] = early[1] = 0;
    if (callable == LOOP || !lib_slice_is(at, "early"))
        return true;
    if (!isa_lex_word(&r->lex, &at) ||
        !isa_lex_number(&r->lex, "a number of parameters", &early[0]) ||
        !isa_lex_number(&r->lex, "a number of results", &early[1]))
        return false;
    return (r->graph->stage == ISA_STAGE_FUNCTIONS && early[0] > 0 &&
            early[0] < most_params && early[1] < most_results) ||
           lib_cursor_error(
               &r->lex, LIB_DIAG_SYNTAX, at,
               "some, but not all parameters and results of a function graph can "
               "be early");
}

/* Reads `strand N`: elements of an array that an activation of the function makes. */
static bool read_strand(struct isa_reader *r, enum callable callable, uint32_t *strand)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    *strand = 0;
    if (callable == LOOP || !lib_slice_is(at, "strand"))
        return true;
    if (!isa_lex_word(&r->lex, &at))
        return false;
    at = lib_cursor_next(&r->lex);
    if (!isa_lex_number(&r->lex, "a number of elements", strand))
        return false;
    return *strand > 0 || lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, at,
                                           "a strand has at least 1 element");
}

/* Reads `on CLASS`: the class of PEs of a function; *on is NULL if there is none. */
static bool read_class(struct isa_reader *r, enum callable callable, const char **on)
{
    struct lib_slice at = lib_cursor_next(&r->lex);
    *on = NULL;
    if (callable == LOOP || !lib_slice_is(at, "on"))
        return true;
    return isa_lex_word(&r->lex, &at) &&
           isa_lex_name(&r->lex, r->arena, "the name of a class of PEs", on);
}

static bool read_callable(struct isa_reader *r, enum callable callable)
{
    const char *name, *on;
    struct lib_pos pos;
    struct types params = {0}, results = {0}, held = {0};
    uint32_t bound, early[2], strand;
    bool good = isa_asm_read_index(r, r->graph->function_count) &&
                isa_lex_name(&r->lex, r->arena,
                             callable == LOOP ? "the name of the loop"
                                              : "the name of the function",
                             &name) &&
                read_types(r, &params) && lib_cursor_expect(&r->lex, "->") &&
                read_types(r, &results) && read_held(r, callable, &held) &&
                read_bound(r, callable, &bound) &&
                read_early(r, callable, (uint32_t)params.count, (uint32_t)results.count,
                           early) &&
                read_strand(r, callable, &strand) && read_class(r, callable, &on) &&
                isa_lex_place(&r->lex, &pos) && lib_cursor_expect_end(&r->lex);
    if (good) {
        lib_name_table_add(r->functions, name, strlen(name), r->graph->function_count);
        uint32_t f = isa_graph_add_function(r->graph, name, params.items,
                                            (uint32_t)params.count, results.items,
                                            (uint32_t)results.count, pos);
        if (callable == LOOP)
            isa_graph_set_loop(r->graph, f, bound);
        isa_graph_set_early(r->graph, f, early[0], early[1]);
        isa_graph_set_strand(r->graph, f, strand);
        isa_graph_set_class(r->graph, f, on);
        isa_graph_set_constants(r->graph, f, held.items, (uint32_t)held.count);
    }
    LIB_VEC_FREE(&held, &params, &results);
    return good;
}

static bool read_function(struct isa_reader *r)
{
    return read_callable(r, FUNCTION);
}

static bool read_loop(struct isa_reader *r)
{
    return read_callable(r, LOOP);
}

static bool read_site(struct isa_reader *r)
{
    uint32_t caller, callee, functions = r->graph->function_count;
    struct lib_pos pos;
    if (!isa_asm_read_index(r, r->graph->site_count) ||
        !isa_asm_read_reference(r, r->functions, functions, "a function", &caller) ||
        !lib_cursor_expect(&r->lex, "->") ||
        !isa_asm_read_reference(r, r->functions, functions, "a function", &callee) ||
        !isa_lex_place(&r->lex, &pos) || !lib_cursor_expect_end(&r->lex))
        return false;
    isa_graph_add_site(r->graph, caller, callee, pos);
    return true;
}

/* Reads "lines 3 to 7 on 1". */
static bool read_lines_on(struct isa_reader *r)
{
    struct isa_placing placing;
    const struct lib_slice at = lib_cursor_next(&r->lex);
    if (r->graph->stage == ISA_STAGE_PARTITIONED)
        return lib_cursor_error(&r->lex, LIB_DIAG_MEANING, at,
                                "in stage partitioned each node says its machine");
    if (!isa_lex_number(&r->lex, "the number of a line", &placing.first) ||
        !lib_cursor_expect(&r->lex, "to") ||
        !isa_lex_number(&r->lex, "the number of a line", &placing.last) ||
        !lib_cursor_expect(&r->lex, "on") ||
        !isa_lex_number(&r->lex, "the number of a machine", &placing.machine) ||
        !isa_lex_place(&r->lex, &placing.pos) || !lib_cursor_expect_end(&r->lex))
        return false;
    if (!isa_placing_is_legal(&placing))
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at,
                                "expected lines from 1 on, the first one first, and a "
                                "machine from 0 to %d",
                                ISA_MAX_MACHINES - 1);
    isa_graph_add_placing(r->graph, placing);
    return true;
}

static bool read_in(struct isa_reader *r)
{
    r->in_function = true;
    return isa_asm_read_reference(r, r->functions, r->graph->function_count, "a function",
                                  &r->function) &&
           lib_cursor_expect_end(&r->lex);
}

static const char *const declarations[] = {
    "source", "machines", "input", "cell", "function", "loop",        "shape",
    "site",   "tensor",   "lines", "port", "in",       "constructor",
};
static bool (*const readers[])(struct isa_reader *) = {
    read_source,
    read_machines,
    read_input,
    read_cell,
    read_function,
    read_loop,
    read_shape,
    read_site,
    read_tensor,
    read_lines_on,
    isa_asm_read_port,
    read_in,
    isa_asm_read_constructor,
};

enum { DECLARATIONS = sizeof declarations / sizeof *declarations };

static const char *declaration_name(size_t i, const void *context)
{
    (void)context;
    return declarations[i];
}

static bool unknown_line(struct isa_reader *r, struct lib_slice word)
{
    char text[32];
    lib_slice_copy(word, text, sizeof text);
    const char *near = lib_text_nearest(text, DECLARATIONS, declaration_name, NULL);
    r->lex.at = word.bytes;
    if (word.length == 0 || !near)
        return lib_cursor_expected(
            &r->lex,
            "a node such as %3, `in`, `function`, `loop`, "
            "`site`, `cell`, `input`, `port`, `shape`, `tensor`, `constructor` or "
            "`source`");
    return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, word,
                            "unknown declaration `%s`; did you mean `%s`?", text, near);
}

static bool read_line(struct isa_reader *r)
{
    struct lib_slice word = {r->lex.at, 0};
    if (*r->lex.at == '%')
        return isa_asm_read_node(r);
    if (!isa_lex_word(&r->lex, &word))
        return unknown_line(r, word);
    for (int i = 0; i < DECLARATIONS; i++) {
        if (!lib_slice_is(word, declarations[i]))
            continue;
        if (r->in_function && readers[i] != read_in)
            return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, word,
                                    "declarations come before the first `in`");
        const bool good = readers[i](r);
        r->lacks_declaration |= !good && readers[i] != read_in;
        return good;
    }
    return unknown_line(r, word);
}

static bool read_first_line(struct lib_cursor *lex)
{
    struct lib_slice at, word;
    uint32_t format;
    lib_cursor_find_line(lex);
    at = lib_cursor_next(lex);
    if (!isa_lex_word(lex, &word) || !lib_slice_is(word, "hiaton")) {
        return lib_cursor_found(lex, at, "`hiaton assembly 1`");
    }
    at = lib_cursor_next(lex);
    if (!isa_lex_word(lex, &word) || !lib_slice_is(word, "assembly")) {
        return lib_cursor_found(lex, at, "`assembly 1`");
    }
    at = lib_cursor_next(lex);
    if (!isa_lex_number(lex, "the version of the format", &format) ||
        !lib_cursor_expect_end(lex))
        return false;
    return format == FORMAT || lib_cursor_error(lex, LIB_DIAG_SYNTAX, at,
                                                "format %u is unknown: this version of "
                                                "hiaton reads format %d",
                                                format, FORMAT);
}

static bool read_stage(struct lib_cursor *lex, enum isa_stage *stage)
{
    lib_cursor_skip_line(lex);
    struct lib_slice word = {lex->at, 0};
    bool found = lib_cursor_find_line(lex);
    struct lib_slice at = lib_cursor_next(lex);
    if (!found || !isa_lex_word(lex, &word) || !lib_slice_is(word, "stage")) {
        return lib_cursor_found(lex, at,
                                "`stage functions`, `stage static`, `stage image`, "
                                "`stage expanding` or `stage partitioned`");
    }
    at = lib_cursor_next(lex);
    if (isa_lex_word(lex, &word))
        for (int i = 0; i < ISA_STAGE_COUNT; i++)
            if (lib_slice_is(word, isa_stage_name((enum isa_stage)i))) {
                *stage = (enum isa_stage)i;
                return lib_cursor_expect_end(lex);
            }
    return lib_cursor_found(
        lex, at, "`functions`, `static`, `image`, `expanding` or `partitioned`");
}

static void read_lines(struct isa_reader *r)
{
    lib_cursor_skip_line(&r->lex);
    while (!r->full && lib_cursor_find_line(&r->lex)) {
        read_line(r);
        lib_cursor_skip_line(&r->lex);
    }
}

static void free_reader(struct isa_reader *r)
{
    lib_name_table_free(r->functions);
    lib_name_table_free(r->cells);
    lib_name_table_free(r->inputs);
    lib_name_table_free(r->labels);
    lib_name_table_free(r->constructors);
    LIB_VEC_FREE(&r->label_list, &r->ends, &r->places, &r->items);
    lib_arena_free(r->arena);
}

struct isa_graph *isa_asm_read(const struct lib_source *source, struct lib_diags *diags)
{
    struct isa_reader r = {0};
    enum isa_stage stage = ISA_STAGE_FUNCTIONS;
    size_t before = diags->errors;
    lib_cursor_start(&r.lex, source, diags);
    if (source->length > ISA_ASM_MAX_BYTES) {
        lib_cursor_error(&r.lex, LIB_DIAG_LIMIT, (struct lib_slice){r.lex.at, 1},
                         "the text is too long: %zu bytes, %d at most", source->length,
                         ISA_ASM_MAX_BYTES);
        return NULL;
    }
    if (!read_first_line(&r.lex) || !read_stage(&r.lex, &stage))
        return NULL;

    r.graph = isa_graph_new(stage, "");
    r.arena = lib_arena_new();
    r.functions = lib_name_table_new();
    r.cells = lib_name_table_new();
    r.inputs = lib_name_table_new();
    r.labels = lib_name_table_new();
    r.constructors = lib_name_table_new();
    read_lines(&r);
    if (!r.full)
        isa_asm_connect(&r);
    bool good = diags->errors == before &&
                isa_check_text(r.graph, source, r.places.items, diags);
    if (good)
        isa_check_arms(r.graph, source, r.places.items, diags);
    free_reader(&r);
    if (good)
        return r.graph;
    isa_graph_free(r.graph);
    return NULL;
}
