#include "isa/draw.h"

#include <math.h>

/* Starts the next line of an array. */
static void start(struct lib_text *out, uint32_t index)
{
    lib_text_puts(out, index ? ",\n    " : "\n    ");
}

static void open_array(struct lib_text *out, const char *name)
{
    lib_text_printf(out, ",\n  \"%s\": [", name);
}

static void close_array(struct lib_text *out, uint32_t count)
{
    lib_text_puts(out, count ? "\n  ]" : "]");
}

static void put_value(struct lib_text *out, enum isa_type type, isa_value value)
{
    bool finite = type != ISA_REAL || isfinite(isa_value_real(value));
    lib_text_puts(out, finite ? "" : "\"");
    isa_value_write(out, type, value);
    lib_text_puts(out, finite ? "" : "\"");
}

static void put_pos(struct lib_text *out, struct lib_pos pos)
{
    if (pos.line == 0)
        lib_text_puts(out, ", \"pos\": null}");
    else
        lib_text_printf(out, ", \"pos\": {\"line\": %u, \"column\": %u, \"span\": %u}}",
                        pos.line, pos.column, pos.span);
}

static void put_types(struct lib_text *out, const enum isa_type *types, uint32_t count)
{
    lib_text_puts(out, "[");
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s\"%s\"", i ? ", " : "", isa_type_name(types[i]));
    lib_text_puts(out, "]");
}

static void put_declarations(const struct isa_graph *g, struct lib_text *out)
{
    open_array(out, "inputs");
    for (uint32_t i = 0; i < g->input_count; i++) {
        start(out, i);
        lib_text_printf(out, "{\"index\": %u, \"name\": ", i);
        lib_text_json(out, g->inputs[i].name);
        lib_text_printf(
            out, ", \"type\": \"%s\", \"value\": ", isa_type_name(g->inputs[i].type));
        put_value(out, g->inputs[i].type, g->inputs[i].value);
        lib_text_puts(out, "}");
    }
    close_array(out, g->input_count);
    open_array(out, "cells");
    for (uint32_t i = 0; i < g->cell_count; i++) {
        start(out, i);
        lib_text_printf(out, "{\"index\": %u, \"name\": ", i);
        lib_text_json(out, g->cells[i].name);
        lib_text_printf(out, ", \"type\": \"%s\"}", isa_type_name(g->cells[i].type));
    }
    close_array(out, g->cell_count);
    open_array(out, "functions");
    for (uint32_t i = 0; i < g->function_count; i++) {
        const struct isa_function *f = &g->functions[i];
        start(out, i);
        lib_text_printf(out, "{\"index\": %u, \"name\": ", i);
        lib_text_json(out, f->name);
        lib_text_puts(out, ", \"params\": ");
        put_types(out, f->params, f->param_count);
        lib_text_puts(out, ", \"results\": ");
        put_types(out, f->results, f->result_count);
        if (f->is_loop && f->bound == ISA_LOOP_UNBOUNDED)
            lib_text_puts(out, ", \"loop\": true, \"bound\": null");
        else if (f->is_loop)
            lib_text_printf(out, ", \"loop\": true, \"bound\": %u", f->bound);
        if (f->is_loop) {
            lib_text_puts(out, ", \"held\": ");
            put_types(out, f->held, f->held_count);
        }
        put_pos(out, f->pos);
    }
    close_array(out, g->function_count);
    open_array(out, "sites");
    for (uint32_t i = 0; i < g->site_count; i++) {
        start(out, i);
        lib_text_printf(out, "{\"index\": %u, \"caller\": %u, \"callee\": %u", i,
                        g->sites[i].caller, g->sites[i].callee);
        put_pos(out, g->sites[i].pos);
    }
    close_array(out, g->site_count);
}

static void put_attributes(struct lib_text *out, const struct isa_node *n)
{
    const char *word = isa_op_index_word(n->op);
    if (isa_op_has_site(n->op))
        lib_text_printf(out, ", \"site\": %u", n->site);
    if (word)
        lib_text_printf(out, ", \"%s\": %u", word, n->index);
}

static void put_operand(const struct isa_graph *g, struct lib_text *out,
                        const struct isa_node *n, uint32_t port)
{
    const struct isa_operand *operand = &n->operands[port];
    enum isa_type type = isa_node_operand_type(g, n, port);
    bool trigger = n->op != ISA_OP_APPLY && isa_op_table[n->op].in[port] == '?';
    const char *name = isa_node_operand_is_control(n, port) ? "control"
                       : trigger                            ? "trigger"
                                                            : isa_type_name(type);
    switch (operand->kind) {
    case ISA_OPERAND_TOKEN:
        lib_text_printf(out, "{\"token\": \"%s\"}", name);
        break;
    case ISA_OPERAND_ABSENT:
        lib_text_printf(out, "{\"absent\": \"%s\"}", name);
        break;
    case ISA_OPERAND_INPUT:
        lib_text_printf(out, "{\"input\": %u, \"type\": \"%s\"}", operand->input, name);
        break;
    case ISA_OPERAND_HELD:
        lib_text_printf(out, "{\"held\": %u, \"type\": \"%s\"}", operand->held, name);
        break;
    case ISA_OPERAND_LITERAL:
        lib_text_puts(out, "{\"value\": ");
        put_value(out, type, operand->value);
        lib_text_printf(out, ", \"type\": \"%s\"}", name);
        break;
    }
}

static void put_nodes(const struct isa_graph *g, struct lib_text *out)
{
    open_array(out, "nodes");
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        start(out, i);
        lib_text_printf(out, "{\"index\": %u, \"opcode\": \"%s%s%s\", \"unit\": \"%s\"",
                        i, isa_op_table[n->op].text, isa_op_is_typed(n->op) ? "." : "",
                        isa_op_is_typed(n->op) ? isa_type_name(n->type) : "",
                        isa_unit_name(isa_op_table[n->op].unit));
        lib_text_printf(out, ", \"function\": %u", n->function);
        put_attributes(out, n);
        lib_text_puts(out, ", \"operands\": [");
        for (uint32_t port = 0; port < n->operand_count; port++) {
            lib_text_puts(out, port ? ", " : "");
            put_operand(g, out, n, port);
        }
        lib_text_puts(out, "]");
        put_pos(out, n->pos);
    }
    close_array(out, g->node_count);
}

static void put_arc(const struct isa_graph *g, struct lib_text *out, uint32_t node,
                    uint32_t output, struct isa_dest to)
{
    const struct isa_node *n = &g->nodes[node];
    lib_text_printf(out, "{\"from\": %u, \"output\": %u, \"type\": \"%s\", ", node,
                    output,
                    isa_node_output_is_control(n, output)
                        ? "control"
                        : isa_type_name(isa_node_output_type(g, n, output)));
    if (to.node == ISA_TO_RETURN)
        lib_text_printf(out, "\"return\": %u}", to.port);
    else
        lib_text_printf(out, "\"to\": %u, \"port\": %u}", to.node, to.port);
}

static void put_arcs(const struct isa_graph *g, struct lib_text *out)
{
    uint32_t count = 0;
    open_array(out, "arcs");
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++) {
                start(out, count++);
                put_arc(g, out, i, o, g->nodes[i].outputs[o].items[k]);
            }
    close_array(out, count);
}

void isa_draw_json(const struct isa_graph *graph, struct lib_text *out)
{
    lib_text_puts(out, "{\n  \"format\": \"hiaton graph\",\n  \"version\": 1,\n");
    lib_text_printf(out,
                    "  \"stage\": \"%s\",\n  \"source\": ", isa_stage_name(graph->stage));
    lib_text_json(out, graph->source);
    lib_text_puts(out, ",\n  \"shape\": ");
    lib_text_json(out, graph->shape);
    put_declarations(graph, out);
    put_nodes(graph, out);
    put_arcs(graph, out);
    lib_text_puts(out, "\n}\n");
}
