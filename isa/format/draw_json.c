#include "isa/format/draw.h"
#include "isa/kernel_use.h"

#include <math.h>

#include "lib/json.h"

/* Adds a value; a real that is not finite as a string, as JSON has no such numbers. */
static void put_value(struct lib_json *json, const char *key, enum isa_type type,
                      isa_value value)
{
    if (type == ISA_BOOL) {
        lib_json_bool(json, key, value != 0);
    } else if (type != ISA_REAL) {
        lib_json_int(json, key, isa_value_int(value));
    } else if (isfinite(isa_value_real(value))) {
        lib_json_real(json, key, isa_value_real(value));
    } else {
        LIB_TEXT_OWN text = {0};
        isa_value_write(&text, type, value);
        lib_json_string(json, key, text.bytes);
    }
}

static void put_pos(struct lib_json *json, struct lib_pos pos)
{
    if (pos.line == 0) {
        lib_json_null(json, "pos");
        return;
    }
    lib_json_open_line(json, "pos", '{');
    lib_json_uint(json, "line", pos.line);
    lib_json_uint(json, "column", pos.column);
    lib_json_uint(json, "span", pos.span);
    lib_json_close(json);
}

static void put_type(struct lib_json *json, const char *key, enum isa_type type)
{
    lib_json_string(json, key, isa_type_name(type));
}

static void put_types(struct lib_json *json, const char *key, const enum isa_type *types,
                      uint32_t count)
{
    lib_json_open_line(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        put_type(json, NULL, types[i]);
    lib_json_close(json);
}

static void open_item(struct lib_json *json, uint32_t index)
{
    lib_json_open_line(json, NULL, '{');
    lib_json_uint(json, "index", index);
}

/* The indices of the tensors that are the parts of an input. */
static void put_input_tensors(struct lib_json *json, const struct isa_input *input)
{
    lib_json_open(json, "tensors", '[');
    for (uint32_t i = 0; i < input->part_count; i++)
        lib_json_uint(json, NULL, input->first + i);
    lib_json_close(json);
}

static void put_inputs(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "inputs", '[');
    for (uint32_t i = 0; i < g->input_count; i++) {
        open_item(json, i);
        lib_json_string(json, "name", g->inputs[i].name);
        lib_json_string(json, "type", g->inputs[i].text);
        if (g->inputs[i].part_count)
            put_input_tensors(json, &g->inputs[i]);
        else
            put_value(json, "value", g->inputs[i].type, g->inputs[i].value);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_cells(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "cells", '[');
    for (uint32_t i = 0; i < g->cell_count; i++) {
        open_item(json, i);
        lib_json_string(json, "name", g->cells[i].name);
        put_type(json, "type", g->cells[i].type);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_loop(struct lib_json *json, const struct isa_function *f)
{
    lib_json_bool(json, "loop", true);
    if (f->bound == ISA_LOOP_UNBOUNDED)
        lib_json_null(json, "bound");
    else
        lib_json_uint(json, "bound", f->bound);
    put_types(json, "held", f->held, f->held_count);
}

static void put_names(struct lib_json *json, const struct isa_function *f)
{
    lib_json_open_line(json, "names", '[');
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (f->names[i])
            lib_json_string(json, NULL, f->names[i]);
        else
            lib_json_null(json, NULL);
    }
    lib_json_close(json);
}

static void put_functions(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < g->function_count; i++) {
        const struct isa_function *f = &g->functions[i];
        open_item(json, i);
        lib_json_string(json, "name", f->name);
        put_types(json, "params", f->params, f->param_count);
        put_types(json, "results", f->results, f->result_count);
        if (f->names)
            put_names(json, f);
        if (f->is_loop)
            put_loop(json, f);
        if (f->strand)
            lib_json_uint(json, "strand", f->strand);
        if (f->on)
            lib_json_string(json, "on", f->on);
        put_pos(json, f->pos);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_ports(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "ports", '[');
    for (uint32_t i = 0; i < g->port_count; i++) {
        const struct isa_port *port = &g->ports[i];
        open_item(json, i);
        lib_json_string(json, "name", port->name);
        lib_json_string(json, "direction", port->is_input ? "in" : "out");
        lib_json_open_line(json, "parts", '[');
        for (uint32_t k = 0; k < port->part_count; k++)
            lib_json_string(json, NULL, isa_type_name(port->parts[k].type));
        lib_json_close(json);
        put_pos(json, port->pos);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_sites(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "sites", '[');
    for (uint32_t i = 0; i < g->site_count; i++) {
        open_item(json, i);
        lib_json_uint(json, "caller", g->sites[i].caller);
        lib_json_uint(json, "callee", g->sites[i].callee);
        put_pos(json, g->sites[i].pos);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_opcode(struct lib_json *json, const struct isa_node *n)
{
    LIB_TEXT_OWN text = {0};
    lib_text_puts(&text, isa_op_table[n->op].text);
    if (isa_op_is_typed(n->op))
        lib_text_printf(&text, ".%s", isa_type_name(n->type));
    lib_json_string(json, "opcode", text.bytes);
}

static void put_operand(struct lib_json *json, const struct isa_graph *g,
                        const struct isa_node *n, uint32_t port)
{
    const struct isa_operand *operand = &n->operands[port];
    enum isa_type type = isa_node_operand_type(g, n, port);
    bool trigger = isa_node_operand_is_trigger(n, port);
    const char *name = isa_node_operand_is_control(n, port) ? "control"
                       : trigger                            ? "trigger"
                                                            : isa_type_name(type);
    bool typed = true;
    lib_json_open_line(json, NULL, '{');
    switch (operand->kind) {
    case ISA_OPERAND_TOKEN:
    case ISA_OPERAND_ABSENT:
        lib_json_string(json, operand->kind == ISA_OPERAND_TOKEN ? "token" : "absent",
                        name);
        typed = false;
        break;
    case ISA_OPERAND_INPUT:
        lib_json_uint(json, "input", operand->input);
        break;
    case ISA_OPERAND_HELD:
        lib_json_uint(json, "held", operand->held);
        break;
    case ISA_OPERAND_LITERAL:
        if (type == ISA_DATA)
            lib_json_string(json, "value", g->constructors[operand->value].name);
        else
            put_value(json, "value", type, operand->value);
        break;
    }
    if (typed)
        lib_json_string(json, "type", name);
    lib_json_close(json);
}

static void put_kernel(struct lib_json *json, const struct isa_node *n)
{
    LIB_TEXT_OWN text = {0};
    isa_use_write(n->index, &text);
    lib_json_string(json, "kernel", lib_text_get(&text));
}

static void put_constants(struct lib_json *json, const struct isa_graph *g)
{
    if (g->constant_count == 0)
        return;
    lib_json_open(json, "tensors", '[');
    for (uint32_t i = 0; i < g->constant_count; i++) {
        LIB_TEXT_OWN shape = {0};
        isa_shape_write(&shape, &g->constants[i].tensor->shape);
        open_item(json, i);
        lib_json_string(json, "name", g->constants[i].name);
        lib_json_string(json, "shape", lib_text_get(&shape));
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_nodes(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "nodes", '[');
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        const char *word = isa_op_index_word(n->op);
        open_item(json, i);
        put_opcode(json, n);
        lib_json_string(json, "unit", isa_unit_name(isa_op_table[n->op].unit));
        lib_json_uint(json, "function", n->function);
        if (g->stage == ISA_STAGE_PARTITIONED)
            lib_json_uint(json, "machine", n->machine);
        if (isa_op_has_site(n->op))
            lib_json_uint(json, "site", n->site);
        if (isa_op_table[n->op].attributes == ISA_ATTR_KERNEL)
            put_kernel(json, n);
        else if (word)
            lib_json_uint(json, word, n->index);
        lib_json_open_line(json, "operands", '[');
        for (uint32_t port = 0; port < n->operand_count; port++)
            put_operand(json, g, n, port);
        lib_json_close(json);
        put_pos(json, n->pos);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void put_arc(struct lib_json *json, const struct isa_graph *g, uint32_t node,
                    uint32_t output, struct isa_dest to)
{
    const struct isa_node *n = &g->nodes[node];
    lib_json_open_line(json, NULL, '{');
    lib_json_uint(json, "from", node);
    lib_json_uint(json, "output", output);
    if (isa_node_output_is_control(n, output))
        lib_json_string(json, "type", "control");
    else
        put_type(json, "type", isa_node_output_type(g, n, output));
    if (to.node == ISA_TO_RETURN) {
        lib_json_uint(json, "return", to.port);
    } else {
        lib_json_uint(json, "to", to.node);
        lib_json_uint(json, "port", to.port);
    }
    lib_json_close(json);
}

static void put_arcs(struct lib_json *json, const struct isa_graph *g)
{
    lib_json_open(json, "arcs", '[');
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++)
                put_arc(json, g, i, o, g->nodes[i].outputs[o].items[k]);
    lib_json_close(json);
}

void isa_draw_json(const struct isa_graph *graph, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "format", "hiaton graph");
    lib_json_uint(&json, "version", 1);
    lib_json_string(&json, "stage", isa_stage_name(graph->stage));
    lib_json_string(&json, "about", isa_stage_about(graph->stage));
    lib_json_string(&json, "source", graph->source);
    lib_json_string(&json, "shape", graph->shape);
    if (graph->stage == ISA_STAGE_PARTITIONED)
        lib_json_uint(&json, "machines", graph->machine_count);
    put_inputs(&json, graph);
    put_cells(&json, graph);
    put_constants(&json, graph);
    put_functions(&json, graph);
    if (graph->port_count)
        put_ports(&json, graph);
    put_sites(&json, graph);
    put_nodes(&json, graph);
    put_arcs(&json, graph);
    lib_json_close(&json);
}
