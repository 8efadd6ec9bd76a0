#include "isa/format/asm_reader.h"
#include "isa/kernel_use.h"

#include <string.h>

/* Attributes of a node; UINT32_MAX if the node has none. */
struct attributes {
    uint32_t site, param, part, cell, kernel, constant, channel, array, constructor,
        field, on;
};

struct node {
    struct lib_slice label, opcode; /* `label` includes the % */
    enum isa_op op;
    enum isa_type type;
    struct attributes attributes;
    uint32_t lists; /* number of output lists in the text */
};

/* Returns the label of that name, making it if it is new. */
static uint32_t find_label(struct isa_reader *r, struct lib_slice name)
{
    uint32_t label = lib_name_table_find(r->labels, name.bytes, name.length);
    if (label != LIB_NAME_TABLE_NONE)
        return label;
    label = (uint32_t)r->label_list.count;
    *LIB_VEC_PUSH(&r->label_list) = (struct isa_label){.name = name};
    lib_name_table_add(r->labels, name.bytes, name.length, label);
    return label;
}

static bool read_label(struct isa_reader *r, const char *what, struct lib_slice *name)
{
    const char *from = r->lex.at;
    if (lib_cursor_accept(&r->lex, "%") && isa_lex_label(&r->lex, name))
        return true;
    r->lex.at = from;
    return lib_cursor_expected(&r->lex, what);
}

/* All spellings of opcodes: four per row of isa/ops.def, without and with each plain type. */
static const char *const spellings[][4] = {
#define OP(NAME, text, ...) {text, text ".int", text ".real", text ".bool"},
#include "isa/ops.def"
#undef OP
};

static const char *spelling(size_t i, const void *context)
{
    (void)context;
    bool typed = isa_op_is_typed((enum isa_op)(i / 4));
    return typed == (i % 4 > 0) ? spellings[i / 4][i % 4] : "";
}

/* Returns the spelling most like a wrong opcode; the first one with a type if only that is
 * missing. */
static const char *nearest_opcode(const char *wrong)
{
    const size_t count = (size_t)ISA_OP_COUNT * 4, length = strlen(wrong);
    for (size_t i = 0; i < count; i++)
        if (strncmp(spelling(i, NULL), wrong, length) == 0 &&
            spelling(i, NULL)[length] == '.')
            return spelling(i, NULL);
    return lib_text_nearest(wrong, count, spelling, NULL);
}

static bool read_opcode(struct isa_reader *r, struct node *n)
{
    char text[64];
    n->opcode = lib_cursor_next(&r->lex);
    if (!isa_lex_opcode(&r->lex, &n->opcode))
        return lib_cursor_expected(&r->lex, "an opcode");
    lib_slice_copy(n->opcode, text, sizeof text);
    n->type = ISA_INT;
    n->op = n->opcode.length < sizeof text ? isa_op_find(text, &n->type) : ISA_OP_NONE;
    if (n->op != ISA_OP_NONE)
        return true;
    for (int op = 0; op < ISA_OP_COUNT; op++)
        if (lib_slice_is(n->opcode, isa_op_table[op].text))
            return lib_cursor_error(
                &r->lex, LIB_DIAG_NAME, n->opcode,
                "opcode `%s` needs a type: %s.int, %s.real or %s.bool", text, text, text,
                text);
    const char *near = NULL;
    if (r->lex.diags->errors < LIB_DIAG_MAX) /* else the message is not printed */
        near = nearest_opcode(text);
    return lib_cursor_error(
        &r->lex, LIB_DIAG_NAME, n->opcode, "unknown opcode `%s`%s%s%s", text,
        near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

/* --- items: operands and attributes ------------------------------------------------- */

static uint32_t *find_attribute(struct attributes *a, struct lib_slice word)
{
    return lib_slice_is(word, "site")          ? &a->site
           : lib_slice_is(word, "param")       ? &a->param
           : lib_slice_is(word, "part")        ? &a->part
           : lib_slice_is(word, "cell")        ? &a->cell
           : lib_slice_is(word, "kernel")      ? &a->kernel
           : lib_slice_is(word, "constant")    ? &a->constant
           : lib_slice_is(word, "channel")     ? &a->channel
           : lib_slice_is(word, "array")       ? &a->array
           : lib_slice_is(word, "field")       ? &a->field
           : lib_slice_is(word, "constructor") ? &a->constructor
           : lib_slice_is(word, "on")          ? &a->on
                                               : NULL;
}

static bool read_kernel(struct isa_reader *r, uint32_t *value)
{
    struct lib_slice text = lib_cursor_next(&r->lex);
    char name[64] = "";
    const char *from = r->lex.at;
    if (isa_lex_value(&r->lex, &text) && text.length < sizeof name)
        lib_slice_copy(text, name, sizeof name);
    if (isa_use_read(name, value))
        return true;
    r->lex.at = from;
    return lib_cursor_expected(&r->lex, "a kernel such as matmul, or reduce_sum.1");
}

/* Reports a site that no line declares. If no line declares any, only the first use is reported. */
static bool unknown_site(struct isa_reader *r, struct lib_slice at, uint32_t site)
{
    const uint32_t count = r->graph->site_count;
    if (r->lacks_declaration)
        return false;
    r->lacks_declaration = count == 0;
    return lib_cursor_error(
        &r->lex, LIB_DIAG_NAME, at,
        count ? "unknown site %u: there are %u, from 0 on"
              : "unknown site %u: no line declares one, as `site CALLER -> CALLEE` does",
        site, count);
}

static bool read_attribute(struct isa_reader *r, struct node *n, struct lib_slice word)
{
    uint32_t *value = find_attribute(&n->attributes, word);
    bool cell = value == &n->attributes.cell;
    if (*value != UINT32_MAX)
        return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, word, "a second `%.*s`",
                                (int)word.length, word.bytes);
    if (cell)
        return isa_asm_read_reference(r, r->cells, r->graph->cell_count, "a cell", value);
    if (value == &n->attributes.constructor)
        return isa_asm_read_reference(r, r->constructors, r->graph->constructor_count,
                                      "a constructor", value);
    if (value == &n->attributes.field)
        return isa_asm_read_field(r, value);
    struct lib_slice at = lib_cursor_next(&r->lex);
    if (value == &n->attributes.kernel)
        return read_kernel(r, value);
    if (!isa_lex_number(&r->lex, "a number", value))
        return false;
    const uint32_t sites = r->graph->site_count;
    if (value == &n->attributes.site && *value >= sites)
        return unknown_site(r, at, *value);
    if (value == &n->attributes.on && *value >= r->graph->machine_count)
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, at,
                                "unknown machine %u: there are %u", *value,
                                r->graph->machine_count);
    return *value != UINT32_MAX ||
           lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, at, "the number is too large");
}

static bool read_item(struct isa_reader *r, struct node *n)
{
    struct lib_slice text;
    if (lib_cursor_accept(&r->lex, "$")) {
        const char *from = r->lex.at;
        uint32_t input;
        if (!isa_asm_read_reference(r, r->inputs, r->graph->input_count, "an input",
                                    &input))
            return false;
        *LIB_VEC_PUSH(&r->items) = (struct isa_item){
            {from, (size_t)(r->lex.at - from)}, ISA_OPERAND_INPUT, input};
        return true;
    }
    if (!isa_lex_value(&r->lex, &text))
        return lib_cursor_expected(
            &r->lex, "`_`, a value, an input such as $n, a constant such as held 0, or "
                     "what the node names (site, param, part, cell)");
    if (find_attribute(&n->attributes, text))
        return read_attribute(r, n, text);
    struct isa_item item = {text, ISA_OPERAND_LITERAL, 0};
    if (lib_slice_is(text, "_"))
        item.kind = ISA_OPERAND_TOKEN;
    if (lib_slice_is(text, "held")) {
        item.kind = ISA_OPERAND_HELD;
        if (!isa_lex_number(&r->lex, "the number of a constant of the loop", &item.index))
            return false;
    }
    *LIB_VEC_PUSH(&r->items) = item;
    return true;
}

/* Whether the operands and attributes of a node end here. */
static bool at_items_end(struct isa_reader *r)
{
    if (lib_cursor_at_end(&r->lex) || *r->lex.at == '@')
        return true;
    struct lib_slice next = lib_cursor_next(&r->lex);
    return lib_slice_is(next, "->");
}

static bool read_items(struct isa_reader *r, struct node *n)
{
    n->attributes = (struct attributes){UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                        UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                        UINT32_MAX, UINT32_MAX, UINT32_MAX};
    r->items.count = 0;
    if (at_items_end(r))
        return true;
    do {
        if (!read_item(r, n))
            return false;
    } while (lib_cursor_accept(&r->lex, ","));
    return at_items_end(r) ||
           lib_cursor_expected(&r->lex, "`,`, `->`, `@` or the end of the line");
}

static bool read_end(struct isa_reader *r, uint32_t output)
{
    struct isa_end end = {.node = r->graph->node_count, .output = output};
    struct lib_slice at = lib_cursor_next(&r->lex), name;
    if (isa_lex_word(&r->lex, &name)) {
        if (!lib_slice_is(name, "return")) {
            return lib_cursor_found(&r->lex, name,
                                    "a destination such as %3.0, or `return 0`");
        }
        if (r->graph->stage != ISA_STAGE_IMAGE)
            return lib_cursor_error(&r->lex, LIB_DIAG_MEANING, name,
                                    "`return` is a destination in stage image only");
        end.label = ISA_TO_RETURN;
        if (!isa_lex_number(&r->lex, "the number of a result", &end.port))
            return false;
    } else {
        if (!read_label(r, "a destination such as %3.0", &name) ||
            !lib_cursor_expect(&r->lex, ".") ||
            !isa_lex_number(&r->lex, "the number of an operand", &end.port))
            return false;
        end.label = find_label(r, name);
    }
    at.length = (size_t)(r->lex.at - at.bytes);
    end.pos = lib_cursor_pos(&r->lex, at);
    *LIB_VEC_PUSH(&r->ends) = end;
    return true;
}

static bool read_list(struct isa_reader *r, uint32_t output)
{
    if (lib_cursor_accept(&r->lex, "-"))
        return true;
    do {
        if (!read_end(r, output))
            return false;
    } while (lib_cursor_accept(&r->lex, ","));
    return true;
}

static bool read_lists(struct isa_reader *r, struct node *n)
{
    n->lists = 0;
    if (!lib_cursor_accept(&r->lex, "->"))
        return true;
    do {
        if (!read_list(r, n->lists++))
            return false;
    } while (lib_cursor_accept(&r->lex, "|"));
    return true;
}

static bool check_attribute(struct isa_reader *r, const struct node *n, const char *name,
                            uint32_t value, bool wanted)
{
    if (wanted == (value != UINT32_MAX))
        return true;
    return lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, n->opcode,
                            wanted ? "%.*s names %s %s, and this one does not"
                                   : "%.*s names %s %s",
                            (int)n->opcode.length, n->opcode.bytes,
                            !wanted        ? "no"
                            : *name == 'a' ? "an"
                                           : "a",
                            name);
}

static bool check_attributes(struct isa_reader *r, const struct node *n)
{
    const char *word = isa_op_index_word(n->op);
    bool param = word && strcmp(word, "param") == 0;
    bool part = word && strcmp(word, "part") == 0;
    bool cell = word && strcmp(word, "cell") == 0;
    bool kernel = word && strcmp(word, "kernel") == 0;
    bool constant = word && strcmp(word, "constant") == 0;
    bool channel = word && strcmp(word, "channel") == 0;
    bool array = word && strcmp(word, "array") == 0;
    bool constructor = word && strcmp(word, "constructor") == 0;
    bool field = word && strcmp(word, "field") == 0;
    const bool partitioned = r->graph->stage == ISA_STAGE_PARTITIONED;
    return check_attribute(r, n, "site", n->attributes.site, isa_op_has_site(n->op)) &&
           check_attribute(r, n, "param", n->attributes.param, param) &&
           check_attribute(r, n, "part", n->attributes.part, part) &&
           check_attribute(r, n, "cell", n->attributes.cell, cell) &&
           check_attribute(r, n, "kernel", n->attributes.kernel, kernel) &&
           check_attribute(r, n, "constant", n->attributes.constant, constant) &&
           check_attribute(r, n, "channel", n->attributes.channel, channel) &&
           check_attribute(r, n, "array", n->attributes.array, array) &&
           check_attribute(r, n, "constructor", n->attributes.constructor, constructor) &&
           check_attribute(r, n, "field", n->attributes.field, field) &&
           check_attribute(r, n, "machine: `on 0`", n->attributes.on, partitioned);
}

static bool check_count(struct isa_reader *r, const struct node *n, const char *what,
                        uint32_t wanted, uint32_t found)
{
    return wanted == found ||
           lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, n->opcode,
                            "%.*s has %u %s%s, found %u", (int)n->opcode.length,
                            n->opcode.bytes, wanted, what, wanted == 1 ? "" : "s", found);
}

/* Whether the node has the right number of operands and lists. Allocates nothing for missing ones,
 * so a short text cannot ask for much memory. */
static bool check_counts(struct isa_reader *r, const struct node *n, bool *absent)
{
    uint32_t found = (uint32_t)r->items.count;
    uint32_t operands = (uint32_t)isa_op_operands(n->op);
    uint32_t outputs = (uint32_t)isa_op_outputs(n->op);
    if (n->op == ISA_OP_APPLY) {
        uint32_t callee = r->graph->sites[n->attributes.site].callee;
        operands = r->graph->functions[callee].param_count;
        outputs = r->graph->functions[callee].result_count;
    }
    *absent = n->op != ISA_OP_APPLY && operands && found == operands - 1 &&
              isa_op_table[n->op].in[operands - 1] == '?';
    return (*absent || check_count(r, n, "operand", operands, found)) &&
           check_count(r, n, "output list", outputs, n->lists);
}

static bool set_operand(struct isa_reader *r, uint32_t node, uint32_t port,
                        const struct isa_item *item)
{
    enum isa_type type = isa_node_operand_type(r->graph, &r->graph->nodes[node], port);
    char text[512];
    isa_value value;
    switch (item->kind) {
    case ISA_OPERAND_TOKEN:
        return true;
    case ISA_OPERAND_INPUT:
        isa_graph_set_input(r->graph, node, port, item->index);
        return true;
    case ISA_OPERAND_HELD:
        isa_graph_set_held(r->graph, node, port, item->index);
        return true;
    default:
        break;
    }
    lib_slice_copy(item->text, text, sizeof text);
    uint32_t constructor;
    if (type == ISA_DATA && item->text.length < sizeof text &&
        isa_asm_find_constructor(r, text, &constructor) &&
        r->graph->constructors[constructor].field_count == 0) {
        isa_graph_set_literal(r->graph, node, port, constructor);
        return true;
    }
    if (item->text.length >= sizeof text || !isa_value_read(text, type, &value))
        return lib_cursor_error(
            &r->lex, LIB_DIAG_TYPE, item->text, "expected `_`%s, found `%.40s`",
            type == ISA_INT    ? ", an int or an input such as $n"
            : type == ISA_REAL ? ", a real or an input such as $n"
            : type == ISA_BOOL ? ", true, false or an input such as $n"
            : type == ISA_DATA ? " or a constructor without fields"
                               : "",
            text);
    isa_graph_set_literal(r->graph, node, port, value);
    return true;
}

static void set_written(struct isa_reader *r, uint32_t node, struct lib_slice label)
{
    const struct isa_written written = {
        .label = lib_arena_copy(r->arena, label.bytes, label.length),
        .number = node,
        .line = r->lex.pos.line,
    };
    isa_graph_set_written(r->graph, node, &written);
}

static bool add_node(struct isa_reader *r, const struct node *n, bool absent,
                     struct lib_pos pos)
{
    const struct attributes *a = &n->attributes;
    uint32_t index = a->param != UINT32_MAX         ? a->param
                     : a->part != UINT32_MAX        ? a->part
                     : a->cell != UINT32_MAX        ? a->cell
                     : a->kernel != UINT32_MAX      ? a->kernel
                     : a->constant != UINT32_MAX    ? a->constant
                     : a->channel != UINT32_MAX     ? a->channel
                     : a->array != UINT32_MAX       ? a->array
                     : a->field != UINT32_MAX       ? a->field
                     : a->constructor != UINT32_MAX ? a->constructor
                                                    : 0;
    uint32_t site = a->site != UINT32_MAX ? a->site : 0;
    uint32_t node = isa_graph_add_node(r->graph, n->op, n->type, r->function, site, index,
                                       pos);
    r->graph->nodes[node].machine = a->on != UINT32_MAX ? a->on : 0;
    *LIB_VEC_PUSH(&r->places) = (struct isa_place){
        lib_cursor_pos(&r->lex, n->label), n->label.bytes, (uint32_t)n->label.length};
    set_written(r, node, n->label);
    bool good = true;
    for (uint32_t port = 0; port < r->items.count; port++)
        good &= set_operand(r, node, port, &r->items.items[port]);
    if (absent)
        isa_graph_set_absent(r->graph, node, (uint32_t)r->items.count);
    return good;
}

static bool read_body(struct isa_reader *r, struct node *n)
{
    struct lib_pos pos;
    bool absent;
    return read_opcode(r, n) && read_items(r, n) && read_lists(r, n) &&
           isa_lex_place(&r->lex, &pos) && lib_cursor_expect_end(&r->lex) &&
           check_attributes(r, n) && check_counts(r, n, &absent) &&
           add_node(r, n, absent, pos);
}

bool isa_asm_read_node(struct isa_reader *r)
{
    struct node n;
    struct lib_slice name;
    const char *from = r->lex.at;
    if (!read_label(r, "the label of a node, such as %3", &name))
        return false;
    n.label = (struct lib_slice){from, (size_t)(r->lex.at - from)};
    uint32_t label = find_label(r, name);
    struct isa_label *l = &r->label_list.items[label];
    if (l->line)
        return lib_cursor_error(&r->lex, LIB_DIAG_NAME, n.label,
                                "the label is defined in line %u", l->line);
    l->line = r->lex.pos.line;
    l->node = r->graph->node_count;
    if (l->node == ISA_MAX_NODES) {
        r->full = true;
        return lib_cursor_error(&r->lex, LIB_DIAG_LIMIT, n.label,
                                "a graph has at most %d nodes", ISA_MAX_NODES);
    }
    bool good = true;
    if (!r->in_function)
        good = lib_cursor_error(&r->lex, LIB_DIAG_SYNTAX, n.label,
                                "a node before the first `in`");
    size_t ends = r->ends.count;
    good = good && read_body(r, &n);
    if (!good) {
        r->ends.count = ends;
        r->label_list.items[label].broken = true;
    }
    return good;
}

static bool check_end(struct isa_reader *r, const struct isa_end *end)
{
    struct isa_label *label = &r->label_list.items[end->label];
    if (label->broken)
        return false;
    if (label->line == 0) {
        label->broken = true;
        lib_diag_error(r->lex.diags, LIB_DIAG_NAME, r->lex.source, end->pos,
                       "no node has the label %%%.*s", (int)label->name.length,
                       label->name.bytes);
        return false;
    }
    const struct isa_node *node = &r->graph->nodes[label->node];
    if (end->port < node->operand_count)
        return true;
    lib_diag_error(r->lex.diags, LIB_DIAG_NAME, r->lex.source, end->pos,
                   "%s has %u operand%s; unknown operand %u", isa_op_table[node->op].text,
                   node->operand_count, node->operand_count == 1 ? "" : "s", end->port);
    return false;
}

void isa_asm_connect(struct isa_reader *r)
{
    for (size_t i = 0; i < r->ends.count; i++) {
        const struct isa_end *end = &r->ends.items[i];
        struct isa_dest to = {ISA_TO_RETURN, end->port};
        if (end->label != ISA_TO_RETURN) {
            if (!check_end(r, end))
                continue;
            to.node = r->label_list.items[end->label].node;
        }
        isa_graph_connect(r->graph, end->node, end->output, to);
    }
}
