#include "isa/format/asm.h"
#include "isa/kernel_use.h"
#include "lib/name_table.h"

#include <ctype.h>

struct writer {
    const struct isa_graph *graph;
    struct lib_text *out;
    struct lib_name_table *functions, *cells, *inputs, *constructors;
    size_t label_width, item_width, list_width; /* widths of the columns of nodes */
};

/* Max widths of columns, so that one node with many arcs does not push all places off the
 * screen. */
enum { MAX_ITEM_WIDTH = 40, MAX_LIST_WIDTH = 36 };

static bool is_plain(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_'.", *p))
            return false;
    return true;
}

static void write_string(struct lib_text *out, const char *string)
{
    lib_text_puts(out, "\"");
    for (const char *p = string; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            lib_text_printf(out, "\\%c", c);
        else if (c == '\n')
            lib_text_puts(out, "\\n");
        else if (c == '\t')
            lib_text_puts(out, "\\t");
        else if (c < 0x20 || c == 0x7f)
            lib_text_printf(out, "\\x%02x", c);
        else
            lib_text_add(out, p, 1);
    }
    lib_text_puts(out, "\"");
}

static void write_name(struct lib_text *out, const char *name)
{
    if (is_plain(name))
        lib_text_puts(out, name);
    else
        write_string(out, name);
}

/* Writes a name if it is unique, else the index. */
static void write_reference(struct lib_text *out, const struct lib_name_table *names,
                            const char *name, uint32_t index)
{
    if (is_plain(name) && lib_name_table_find(names, name, strlen(name)) == index)
        lib_text_puts(out, name);
    else
        lib_text_printf(out, "%u", index);
}

static void write_function(struct writer *w, uint32_t f)
{
    write_reference(w->out, w->functions, w->graph->functions[f].name, f);
}

static void write_place(struct lib_text *out, struct lib_pos pos)
{
    if (pos.line == 0)
        return;
    lib_text_printf(out, "  @%u:%u", pos.line, pos.column);
    if (pos.span != 1)
        lib_text_printf(out, "+%u", pos.span);
}

static void write_types(struct lib_text *out, const enum isa_type *types, uint32_t count)
{
    lib_text_puts(out, "(");
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%s", i ? ", " : "", isa_type_name(types[i]));
    lib_text_puts(out, ")");
}

static void write_shape(struct writer *w)
{
    LIB_TEXT_OWN flat = {0};
    if (w->graph->function_count)
        isa_graph_flat_shape(w->graph->functions[0].results,
                             isa_graph_result_parts(w->graph), &flat);
    if (strcmp(w->graph->shape, lib_text_get(&flat)) != 0) {
        lib_text_puts(w->out, "shape ");
        write_string(w->out, w->graph->shape);
        lib_text_puts(w->out, "\n");
    }
}

static void write_constant(struct writer *w, uint32_t i)
{
    const struct isa_constant *c = &w->graph->constants[i];
    lib_text_printf(w->out, "tensor %u ", i);
    write_name(w->out, c->name);
    lib_text_puts(w->out, " ");
    isa_shape_write(w->out, &c->tensor->shape);
    lib_text_puts(w->out, " =");
    for (uint64_t k = 0; k < c->tensor->count; k++) {
        lib_text_puts(w->out, k ? ", " : " ");
        isa_tensor_write_element(w->out, c->tensor, k);
    }
    lib_text_puts(w->out, "\n");
}

static bool inputs_need_tensors(const struct isa_graph *g)
{
    for (uint32_t i = 0; i < g->input_count; i++)
        if (g->inputs[i].part_count)
            return true;
    return false;
}

static void write_input(struct writer *w, uint32_t i)
{
    const struct isa_input *input = &w->graph->inputs[i];
    lib_text_printf(w->out, "input %u ", i);
    write_name(w->out, input->name);
    lib_text_printf(w->out, " %s = ", isa_type_name(input->type));
    if (input->part_count)
        lib_text_printf(w->out, "tensors %u to %u", input->first,
                        input->first + input->part_count - 1);
    else
        isa_value_write(w->out, input->type, input->value);
    lib_text_puts(w->out, "\n");
}

static void write_port(struct writer *w, uint32_t i)
{
    const struct isa_port *port = &w->graph->ports[i];
    lib_text_printf(w->out, "port %u %s ", i, port->is_input ? "in" : "out");
    write_name(w->out, port->name);
    for (uint32_t k = 0; k < port->part_count; k++) {
        const struct isa_port_part *part = &port->parts[k];
        lib_text_printf(w->out, "%s%s", k ? ", " : " (", isa_type_name(part->type));
        if (part->type == ISA_TENSOR)
            lib_text_printf(w->out, " %s %u", isa_element_name(part->element),
                            part->rank);
    }
    lib_text_puts(w->out, ")");
    write_place(w->out, port->pos);
    lib_text_puts(w->out, "\n");
}

static void write_constructor_name(struct writer *w, uint32_t i)
{
    write_reference(w->out, w->constructors, w->graph->constructors[i].name, i);
}

/* Writes a field as its constructor and its number there: "Node.1". */
static void write_field(struct writer *w, uint32_t field)
{
    const struct isa_constructor *c = isa_graph_constructor_of(w->graph, field);
    write_constructor_name(w, (uint32_t)(c - w->graph->constructors));
    lib_text_printf(w->out, ".%u", field - c->first);
}

static void write_constructor(struct writer *w, uint32_t i)
{
    const struct isa_constructor *c = &w->graph->constructors[i];
    LIB_TEXT_OWN flat = {0};
    lib_text_printf(w->out, "constructor %u ", i);
    write_name(w->out, c->name);
    lib_text_puts(w->out, " of ");
    write_name(w->out, c->type);
    lib_text_printf(w->out, " %u", c->number);
    for (uint32_t k = 0; k < c->field_count; k++) {
        lib_text_printf(w->out, "%s%s", k ? ", " : " (",
                        isa_type_name(c->fields[k].type));
        if (c->fields[k].name) {
            lib_text_puts(w->out, " ");
            write_name(w->out, c->fields[k].name);
        }
    }
    lib_text_puts(w->out, c->field_count ? ")" : "");
    isa_constructor_flat_shape(c, &flat);
    if (strcmp(c->shape, lib_text_get(&flat)) != 0) {
        lib_text_puts(w->out, " shape ");
        write_string(w->out, c->shape);
    }
    lib_text_puts(w->out, "\n");
}

static void write_declarations(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    lib_text_printf(w->out, "hiaton assembly 1\nstage %s", isa_stage_name(g->stage));
    if (g->stage >= ISA_STAGE_EXPANDING)
        lib_text_printf(w->out, "  # %s", isa_stage_about(g->stage));
    lib_text_puts(w->out, "\n");
    if (g->stage == ISA_STAGE_PARTITIONED)
        lib_text_printf(w->out, "machines %u\n", g->machine_count);
    if (*g->source) {
        lib_text_puts(w->out, "source ");
        write_string(w->out, g->source);
        lib_text_puts(w->out, "\n");
    }
    /* The tensors of inputs come before them. */
    const bool gives = inputs_need_tensors(g);
    for (uint32_t i = 0; gives && i < g->constant_count; i++)
        write_constant(w, i);
    for (uint32_t i = 0; i < g->input_count; i++)
        write_input(w, i);
    for (uint32_t i = 0; i < g->cell_count; i++) {
        lib_text_printf(w->out, "cell %u ", i);
        write_name(w->out, g->cells[i].name);
        lib_text_printf(w->out, " %s\n", isa_type_name(g->cells[i].type));
    }
    for (uint32_t i = 0; !gives && i < g->constant_count; i++)
        write_constant(w, i);
    for (uint32_t i = 0; i < g->constructor_count; i++)
        write_constructor(w, i);
    for (uint32_t i = 0; i < g->function_count; i++) {
        const struct isa_function *f = &g->functions[i];
        lib_text_printf(w->out, "%s %u ", f->is_loop ? "loop" : "function", i);
        write_name(w->out, f->name);
        lib_text_puts(w->out, " ");
        write_types(w->out, f->params, f->param_count);
        lib_text_puts(w->out, " -> ");
        write_types(w->out, f->results, f->result_count);
        if (f->held_count) {
            lib_text_puts(w->out, " held ");
            write_types(w->out, f->held, f->held_count);
        }
        if (f->bound == ISA_LOOP_UNBOUNDED)
            lib_text_puts(w->out, " unbounded");
        else if (f->bound)
            lib_text_printf(w->out, " bound %u", f->bound);
        if (f->early_params)
            lib_text_printf(w->out, " early %u %u", f->early_params, f->early_results);
        if (f->strand)
            lib_text_printf(w->out, " strand %u", f->strand);
        if (f->on) {
            lib_text_puts(w->out, " on ");
            write_name(w->out, f->on);
        }
        write_place(w->out, f->pos);
        lib_text_puts(w->out, "\n");
    }
    for (uint32_t i = 0; i < g->placing_count; i++) {
        const struct isa_placing *p = &g->placings[i];
        lib_text_printf(w->out, "lines %u to %u on %u", p->first, p->last, p->machine);
        write_place(w->out, p->pos);
        lib_text_puts(w->out, "\n");
    }
    for (uint32_t i = 0; i < g->port_count; i++)
        write_port(w, i);
    write_shape(w);
    for (uint32_t i = 0; i < g->site_count; i++) {
        lib_text_printf(w->out, "site %u ", i);
        write_function(w, g->sites[i].caller);
        lib_text_puts(w->out, " -> ");
        write_function(w, g->sites[i].callee);
        write_place(w->out, g->sites[i].pos);
        lib_text_puts(w->out, "\n");
    }
}

/* Starts an operand or attribute of a node; the first one follows the opcode. */
static void separate(struct lib_text *out, bool *first)
{
    lib_text_puts(out, *first ? " " : ", ");
    *first = false;
}

static void write_operands(struct writer *w, const struct isa_node *node, bool *first)
{
    for (uint32_t port = 0; port < node->operand_count; port++) {
        const struct isa_operand *operand = &node->operands[port];
        if (operand->kind == ISA_OPERAND_ABSENT)
            continue;
        separate(w->out, first);
        if (operand->kind == ISA_OPERAND_TOKEN) {
            lib_text_puts(w->out, "_");
        } else if (operand->kind == ISA_OPERAND_INPUT) {
            lib_text_puts(w->out, "$");
            write_reference(w->out, w->inputs, w->graph->inputs[operand->input].name,
                            operand->input);
        } else if (operand->kind == ISA_OPERAND_HELD) {
            lib_text_printf(w->out, "held %u", operand->held);
        } else if (isa_node_operand_type(w->graph, node, port) == ISA_DATA) {
            write_constructor_name(w, (uint32_t)operand->value);
        } else {
            isa_value_write(w->out, isa_node_operand_type(w->graph, node, port),
                            operand->value);
        }
    }
}

static void write_machine(struct writer *w, const struct isa_node *node, bool *first)
{
    if (w->graph->stage != ISA_STAGE_PARTITIONED)
        return;
    separate(w->out, first);
    lib_text_printf(w->out, "on %u", node->machine);
}

static void write_attributes(struct writer *w, const struct isa_node *node, bool *first)
{
    const char *word = isa_op_index_word(node->op);
    if (isa_op_has_site(node->op)) {
        separate(w->out, first);
        lib_text_printf(w->out, "site %u", node->site);
    }
    if (!word) {
        write_machine(w, node, first);
        return;
    }
    separate(w->out, first);
    lib_text_printf(w->out, "%s ", word);
    if (isa_op_table[node->op].attributes == ISA_ATTR_CELL)
        write_reference(w->out, w->cells, w->graph->cells[node->index].name, node->index);
    else if (isa_op_table[node->op].attributes == ISA_ATTR_CONSTRUCTOR)
        write_constructor_name(w, node->index);
    else if (isa_op_table[node->op].attributes == ISA_ATTR_FIELD)
        write_field(w, node->index);
    else if (isa_op_table[node->op].attributes == ISA_ATTR_KERNEL)
        isa_use_write(node->index, w->out);
    else
        lib_text_printf(w->out, "%u", node->index);
    write_machine(w, node, first);
}

static void write_items(struct writer *w, const struct isa_node *node)
{
    bool first = true;
    isa_node_write_opcode(node, w->out);
    write_operands(w, node, &first);
    write_attributes(w, node, &first);
}

static void write_lists(struct writer *w, const struct isa_node *node)
{
    for (uint32_t o = 0; o < node->output_count; o++) {
        const struct isa_dests *dests = &node->outputs[o];
        lib_text_puts(w->out, o ? " | " : "-> ");
        for (uint32_t i = 0; i < dests->count; i++) {
            struct isa_dest to = dests->items[i];
            lib_text_puts(w->out, i ? ", " : "");
            if (to.node == ISA_TO_RETURN)
                lib_text_printf(w->out, "return %u", to.port);
            else
                lib_text_printf(w->out, "%%%u.%u", to.node, to.port);
        }
        if (dests->count == 0)
            lib_text_puts(w->out, "-");
    }
}

static void pad(struct lib_text *out, size_t from, size_t width)
{
    for (size_t length = out->length - from; length < width; length++)
        lib_text_puts(out, " ");
}

static void widen(size_t *width, size_t length, size_t max)
{
    if (length > *width && length <= max)
        *width = length;
}

static void measure(struct writer *w)
{
    struct lib_text scratch = {0};
    struct writer trial = *w;
    trial.out = &scratch;
    for (uint32_t i = 0; i < w->graph->node_count; i++) {
        write_items(&trial, &w->graph->nodes[i]);
        widen(&w->item_width, scratch.length, MAX_ITEM_WIDTH);
        lib_text_clear(&scratch);
        write_lists(&trial, &w->graph->nodes[i]);
        widen(&w->list_width, scratch.length, MAX_LIST_WIDTH);
        lib_text_clear(&scratch);
    }
    lib_text_printf(&scratch, "%%%u",
                    w->graph->node_count ? w->graph->node_count - 1 : 0);
    w->label_width = scratch.length;
    lib_text_free(&scratch);
}

static void write_node(struct writer *w, uint32_t i)
{
    struct lib_text *out = w->out;
    const struct isa_node *node = &w->graph->nodes[i];
    lib_text_puts(out, "  ");
    size_t from = out->length;
    lib_text_printf(out, "%%%u", i);
    pad(out, from, w->label_width);
    lib_text_puts(out, "  ");

    from = out->length;
    write_items(w, node);
    if (node->output_count || node->pos.line)
        pad(out, from, w->item_width);
    if (node->output_count) {
        lib_text_puts(out, "  ");
        from = out->length;
        write_lists(w, node);
        if (node->pos.line)
            pad(out, from, w->list_width);
    } else if (node->pos.line) {
        pad(out, out->length, w->list_width + 2);
    }
    write_place(out, node->pos);
    lib_text_puts(out, "\n");
}

void isa_asm_write(const struct isa_graph *graph, struct lib_text *out)
{
    struct writer w = {.graph = graph,
                       .out = out,
                       .functions = lib_name_table_new(),
                       .cells = lib_name_table_new(),
                       .inputs = lib_name_table_new(),
                       .constructors = lib_name_table_new()};
    for (uint32_t i = 0; i < graph->function_count; i++)
        lib_name_table_add(w.functions, graph->functions[i].name,
                           strlen(graph->functions[i].name), i);
    for (uint32_t i = 0; i < graph->cell_count; i++)
        lib_name_table_add(w.cells, graph->cells[i].name, strlen(graph->cells[i].name),
                           i);
    for (uint32_t i = 0; i < graph->input_count; i++)
        lib_name_table_add(w.inputs, graph->inputs[i].name, strlen(graph->inputs[i].name),
                           i);
    for (uint32_t i = 0; i < graph->constructor_count; i++)
        lib_name_table_add(w.constructors, graph->constructors[i].name,
                           strlen(graph->constructors[i].name), i);

    write_declarations(&w);
    measure(&w);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (i == 0 || graph->nodes[i].function != graph->nodes[i - 1].function) {
            lib_text_puts(out, "\nin ");
            write_function(&w, graph->nodes[i].function);
            lib_text_puts(out, "\n");
        }
        write_node(&w, i);
    }
    lib_name_table_free(w.functions);
    lib_name_table_free(w.cells);
    lib_name_table_free(w.inputs);
    lib_name_table_free(w.constructors);
}
