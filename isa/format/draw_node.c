#include "isa/format/draw_internal.h"
#include "isa/kernel_use.h"
#include "isa/op_columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void isa_draw_text(struct lib_text *out, const char *text)
{
    lib_text_html(out, text, strlen(text));
}

/* Returns the label of an opcode in figures, with mathematical signs. */
static const char *symbol(enum isa_op op)
{
    static const struct {
        const char *label, *shown;
    } signs[] = {
        {"-", "&#8722;"},  {"*", "&#215;"}, {"/=", "&#8800;"}, {"<=", "&#8804;"},
        {">=", "&#8805;"}, {"<", "&lt;"},   {">", "&gt;"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(isa_op_table[op].label, signs[i].label) == 0)
            return signs[i].shown;
    return isa_op_table[op].label;
}

static void put_immediate(struct drawing *d, const struct isa_node *n, uint32_t port)
{
    const struct isa_operand *operand = &n->operands[port];
    if (operand->kind == ISA_OPERAND_INPUT) {
        lib_text_puts(d->out, "<i>");
        isa_draw_text(d->out, d->graph->inputs[operand->input].name);
        lib_text_puts(d->out, "</i>");
    } else if (operand->kind == ISA_OPERAND_HELD) {
        lib_text_printf(d->out, "held<sub>%u</sub>", operand->held);
    } else if (isa_node_operand_type(d->graph, n, port) == ISA_DATA) {
        isa_draw_text(d->out, d->graph->constructors[operand->value].name);
    } else {
        isa_value_write(d->out, isa_node_operand_type(d->graph, n, port), operand->value);
    }
}

/* --- nodes as circles and boxes: stages FUNCTIONS and STATIC ------------------------ */

static void put_name(struct drawing *d, const char *name)
{
    lib_text_puts(d->out, "<i>");
    isa_draw_text(d->out, name);
    lib_text_puts(d->out, "</i>");
}

static const char *name_of(const struct isa_function *f, uint32_t param)
{
    return f->names ? f->names[param] : NULL;
}

/* Appends "CALL" with the site as subscript, followed by a name or number if there are several. */
static void put_subscripted(struct drawing *d, const struct isa_node *n, uint32_t count,
                            const char *name)
{
    lib_text_printf(d->out, "%s<sub>%u", isa_op_table[n->op].label, n->site);
    if (count > 1 && !name)
        lib_text_printf(d->out, ",%u", n->index);
    lib_text_puts(d->out, "</sub>");
    if (count > 1 && name) {
        lib_text_puts(d->out, " ");
        put_name(d, name);
    }
}

/* Draws a PARAM, RESULT, or other end of a graph. */
static void put_end(struct drawing *d, const char *word, uint32_t count, uint32_t index,
                    const char *name)
{
    lib_text_printf(d->out, "%s%s", word, name ? " " : "");
    if (name)
        put_name(d, name);
    else if (count > 1)
        lib_text_printf(d->out, "<sub>%u</sub>", index);
}

static void put_port(struct drawing *d, const char *word, const struct isa_port *port,
                     uint32_t part, bool is_part)
{
    lib_text_printf(d->out, "%s ", word);
    put_name(d, port->name);
    if (is_part && port->part_count > 1)
        lib_text_printf(d->out, "<sub>%u</sub>", part);
}

static void put_label(struct drawing *d, const struct isa_node *n)
{
    const struct isa_graph *g = d->graph;
    const struct isa_function *callee = isa_op_has_site(n->op)
                                            ? &g->functions[g->sites[n->site].callee]
                                            : NULL;
    const struct isa_function *own = &g->functions[n->function];
    switch (isa_op_table[n->op].attributes) {
    case ISA_ATTR_SITE_PARAM:
        put_subscripted(d, n, callee->param_count, name_of(callee, n->index));
        break;
    case ISA_ATTR_SITE_PART:
        put_subscripted(d, n, callee->result_count, NULL);
        break;
    case ISA_ATTR_SITE_HELD:
        put_subscripted(d, n, callee->held_count, NULL);
        break;
    case ISA_ATTR_SITE:
        if (n->op == ISA_OP_APPLY)
            isa_draw_text(d->out, callee->name);
        else
            put_subscripted(d, n, 1, NULL);
        break;
    case ISA_ATTR_PARAM:
        put_end(d, "in", own->param_count, n->index, name_of(own, n->index));
        break;
    case ISA_ATTR_ARRAY: {
        const struct isa_port *port = isa_graph_port_of_array(g, n->index);
        put_port(d, isa_op_table[n->op].label, port,
                 n->op == ISA_OP_PORT ? n->index - port->first : 0, n->op == ISA_OP_PORT);
        break;
    }
    case ISA_ATTR_PART: {
        const struct isa_port *port = n->function ? NULL
                                                  : isa_graph_port_of_part(g, n->index);
        const uint32_t results = isa_graph_result_parts(g);
        if (port)
            put_port(d, "out", port, n->index - results - port->first, true);
        else
            put_end(d, "out", n->function ? own->result_count : results, n->index, NULL);
        break;
    }
    case ISA_ATTR_CELL:
        lib_text_printf(d->out, "%s ", isa_op_table[n->op].label);
        put_name(d, g->cells[n->index].name);
        break;
    case ISA_ATTR_CONSTANT:
        lib_text_printf(d->out, "%s ", isa_op_table[n->op].label);
        put_name(d, g->constants[n->index].name);
        break;
    case ISA_ATTR_CONSTRUCTOR:
        put_name(d, g->constructors[n->index].name);
        break;
    case ISA_ATTR_FIELD: {
        const struct isa_constructor *c = isa_graph_constructor_of(g, n->index);
        const char *name = c->fields[n->index - c->first].name;
        lib_text_printf(d->out, "%s ", isa_op_table[n->op].label);
        put_name(d, c->name);
        lib_text_puts(d->out, ".");
        if (name)
            put_name(d, name);
        else
            lib_text_printf(d->out, "%u", n->index - c->first);
        break;
    }
    case ISA_ATTR_KERNEL:
        isa_use_write(n->index, d->out);
        break;
    case ISA_ATTR_CHANNEL:
        lib_text_printf(d->out, "%s<sub>%u</sub>", isa_op_table[n->op].label, n->index);
        break;
    default:
        if (d->graph->stage == ISA_STAGE_IMAGE)
            isa_node_write_opcode(n, d->out);
        else if (n->op == ISA_OP_CONST)
            put_immediate(d, n, 0);
        else
            lib_text_puts(d->out, symbol(n->op));
        if (d->entered[n - g->nodes]) {
            lib_text_puts(d->out, " ");
            put_name(d, d->entered[n - g->nodes]);
        }
    }
}

/* Colours go from white to orange, on which black text is readable. */
void isa_draw_colour(struct drawing *d, uint64_t heat)
{
    static const int hot[] = {0xf0, 0x8a, 0x30};
    const double part = heat ? 0.1 + 0.9 * log1p((double)heat) / log1p((double)d->hottest)
                             : 0;
    const double share = part < 1 ? part : 1;
    lib_text_printf(d->out, "#%02x%02x%02x",
                    (unsigned)(255 - share * (255 - hot[0])) & 255,
                    (unsigned)(255 - share * (255 - hot[1])) & 255,
                    (unsigned)(255 - share * (255 - hot[2])) & 255);
}

void isa_draw_heat(struct drawing *d, uint64_t heat)
{
    lib_text_printf(d->out, "<br/><font point-size=\"9\">%" PRIu64 "</font>", heat);
}

/* Sets the colour of a node; `usual` if work is not shown. */
static void put_colour(struct drawing *d, uint32_t node, const char *usual)
{
    if (isa_draw_is_hot(d))
        isa_draw_colour(d, d->plan->heat[node]);
    else
        lib_text_puts(d->out, usual);
}

static void put_heat(struct drawing *d, uint32_t node)
{
    if (isa_draw_is_hot(d))
        isa_draw_heat(d, d->plan->heat[node]);
}

static const char *style(enum isa_op op)
{
    const struct isa_op_info *info = &isa_op_table[op];
    const enum isa_op_takes takes = isa_op_does[op].takes;
    if (isa_op_carries(op))
        return "shape=box, style=filled, fillcolor=lightblue";
    if (isa_op_tracks(op)) /* as in paper 2, figure 6 */
        return "shape=box, color=blue, style=\"rounded,filled\", fillcolor=aliceblue";
    if (info->effect == ISA_EFFECT_TAG)
        return "shape=box, style=\"rounded,filled\", fillcolor=grey90";
    if (isa_op_takes_control(op))
        return "shape=box, style=\"rounded,dashed\"";
    if (takes == ISA_TAKES_PAIR || takes == ISA_TAKES_MANY)
        return "shape=box, style=rounded";
    if (info->unit == ISA_UNIT_MEMORY)
        return "shape=cylinder, margin=\"0.07,0.07\"";
    if (info->effect == ISA_EFFECT_RESULT || info->effect == ISA_EFFECT_FUNCTION)
        return "shape=plain, margin=0.04";
    return "shape=ellipse";
}

/* Draws a SWITCH as a box whose lower half names the T and F sides. */
static void put_switch(struct drawing *d, uint32_t node)
{
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" style=\"rounded\" "
                    "cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\"",
                    node);
    if (isa_draw_is_hot(d)) {
        lib_text_puts(d->out, " bgcolor=\"");
        put_colour(d, node, "");
        lib_text_puts(d->out, "\"");
    } else if (isa_op_tracks(d->graph->nodes[node].op)) {
        lib_text_puts(d->out, " color=\"blue\" bgcolor=\"aliceblue\"");
    }
    lib_text_puts(d->out, "><tr><td colspan=\"2\" port=\"in\" cellpadding=\"4\">SWITCH");
    put_heat(d, node);
    lib_text_puts(d->out,
                  "</td></tr>"
                  "<hr/><tr><td port=\"o0\">T</td><vr/><td port=\"o1\">F</td></tr>"
                  "</table>>];\n");
}

/* Draws a row of operands or results by name or number; a table of its own, so that it is
 * centred. */
static void put_row(struct drawing *d, char letter, uint32_t count, const char **names)
{
    if (count < 2)
        return;
    lib_text_puts(d->out, "<tr><td cellpadding=\"0\"><table border=\"0\" "
                          "cellborder=\"0\" cellspacing=\"0\"><tr>");
    for (uint32_t i = 0; i < count; i++) {
        lib_text_printf(d->out,
                        "<td port=\"%c%u\" cellpadding=\"2\">"
                        "<font point-size=\"9\">",
                        letter, i);
        if (names && names[i])
            put_name(d, names[i]);
        else
            lib_text_printf(d->out, "%u", i);
        lib_text_puts(d->out, "</font></td>");
    }
    lib_text_puts(d->out, "</tr></table></td></tr>");
}

/* Draws a call of a function graph as a box with the function's name and rows of operands and
 * results. */
static void put_apply(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" cellborder=\"0\" "
                    "cellspacing=\"0\" bgcolor=\"",
                    node);
    put_colour(d, node, "grey90");
    lib_text_puts(d->out, "\">");
    put_row(d, 'i', n->operand_count,
            d->graph->functions[d->graph->sites[n->site].callee].names);
    lib_text_puts(d->out, "<tr><td cellpadding=\"5\">");
    put_label(d, n);
    put_heat(d, node);
    lib_text_puts(d->out, "</td></tr>");
    put_row(d, 'o', n->output_count, NULL);
    lib_text_puts(d->out, "</table>>];\n");
}

static void put_shape(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (isa_draw_is_switch(n->op)) {
        put_switch(d, node);
        return;
    }
    if (n->op == ISA_OP_APPLY) {
        put_apply(d, node);
        return;
    }
    const char *usual = style(n->op);
    lib_text_printf(d->out, "n%u [%s, ", node, usual);
    if (isa_draw_is_hot(d)) {
        lib_text_printf(d->out, "style=\"%s%sfilled\", fillcolor=\"",
                        strstr(usual, "rounded") ? "rounded," : "",
                        strstr(usual, "dashed") ? "dashed," : "");
        put_colour(d, node, "");
        lib_text_puts(d->out, "\", ");
    }
    lib_text_puts(d->out, "label=<");
    put_label(d, n);
    put_heat(d, node);
    lib_text_puts(d->out, ">];\n");
}

/* --- nodes as instructions: stage IMAGE --------------------------------------------- */

static void put_instruction(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    uint32_t columns = n->operand_count ? n->operand_count : 1;
    bool sided = isa_draw_is_switch(n->op);
    columns = sided ? 2 : columns;
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" cellborder=\"0\" "
                    "cellspacing=\"0\" cellpadding=\"3\"><tr><td rowspan=\"%d\" "
                    "bgcolor=\"",
                    node, sided ? 3 : 2);
    put_colour(d, node, "grey90");
    lib_text_printf(d->out, "\">%u", node);
    put_heat(d, node);
    lib_text_puts(d->out, "</td><vr/>");
    for (uint32_t port = 0; port < n->operand_count; port++) {
        lib_text_printf(d->out, "%s<td port=\"i%u\">", port ? "<vr/>" : "", port);
        if (n->operands[port].kind == ISA_OPERAND_TOKEN)
            lib_text_puts(d->out, "&#8226;");
        else if (n->operands[port].kind != ISA_OPERAND_ABSENT)
            put_immediate(d, n, port);
        lib_text_puts(d->out, "</td>");
    }
    lib_text_printf(d->out, "</tr><hr/><tr><td colspan=\"%u\" port=\"op\">", columns);
    put_label(d, n);
    lib_text_puts(d->out, "</td></tr>");
    if (sided)
        lib_text_puts(d->out, "<hr/><tr><td port=\"o0\">T</td><vr/>"
                              "<td port=\"o1\">F</td></tr>");
    lib_text_puts(d->out, "</table>>];\n");
}

void isa_draw_head(struct drawing *d, uint32_t node, uint32_t port)
{
    const struct isa_node *n = &d->graph->nodes[node];
    bool row = n->op == ISA_OP_APPLY && n->operand_count > 1;
    if (d->graph->stage == ISA_STAGE_IMAGE || row)
        lib_text_printf(d->out, "n%u:i%u:n", node, port);
    else if (isa_draw_is_switch(n->op))
        lib_text_printf(d->out, "n%u:in", node);
    else if (isa_op_does[n->op].takes == ISA_TAKES_ORDERED)
        lib_text_printf(d->out, "n%u:%s", node, port ? "ne" : "nw");
    else
        lib_text_printf(d->out, "n%u", node);
}

static void put_immediates(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (n->op == ISA_OP_CONST)
        return;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        if (!isa_operand_is_immediate(&n->operands[port]))
            continue;
        lib_text_printf(d->out, "v%u_%u [shape=plain, margin=0.03, label=<", node, port);
        put_immediate(d, n, port);
        lib_text_printf(d->out, ">]; v%u_%u -> ", node, port);
        isa_draw_head(d, node, port);
        lib_text_puts(d->out, ";\n");
    }
}

void isa_draw_tail(struct drawing *d, uint32_t node, uint32_t output)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (isa_draw_is_switch(n->op) || (n->op == ISA_OP_APPLY && n->output_count > 1))
        lib_text_printf(d->out, "n%u:o%u:s", node, output);
    else if (d->graph->stage == ISA_STAGE_IMAGE)
        lib_text_printf(d->out, "n%u:op:s", node);
    else
        lib_text_printf(d->out, "n%u", node);
}
void isa_draw_node(struct drawing *d, uint32_t node)
{
    if (d->graph->stage == ISA_STAGE_IMAGE) {
        put_instruction(d, node);
    } else {
        put_shape(d, node);
        put_immediates(d, node);
    }
}
