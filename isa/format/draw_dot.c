#include "isa/format/draw.h"

#include "lib/memory.h"

#include <ctype.h>

struct drawing {
    const struct isa_graph *graph;
    struct lib_text *out;
    uint32_t *depth; /* of each function: how many calls it is away from the top level */
};

/* --- text --------------------------------------------------------------------------- */

/* Text in an HTML-like label. */
static void put_text(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '&' || c == '<' || c == '>' || c == '"')
            lib_text_printf(out, "&#%d;", c);
        else
            lib_text_printf(out, "%c", isprint(c) ? c : '?');
    }
}

/* What figures show for an opcode: its label, with the signs of mathematics. */
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
        put_text(d->out, d->graph->inputs[operand->input].name);
        lib_text_puts(d->out, "</i>");
    } else if (operand->kind == ISA_OPERAND_HELD) {
        lib_text_printf(d->out, "held<sub>%u</sub>", operand->held);
    } else {
        isa_value_write(d->out, isa_node_operand_type(d->graph, n, port), operand->value);
    }
}

/* --- nodes as circles and boxes: stages FUNCTIONS and STATIC ------------------------ */

/* "CALL" with its subscript: the site, and which parameter where there are several. */
static void put_subscripted(struct drawing *d, const struct isa_node *n, uint32_t count)
{
    lib_text_printf(d->out, "%s<sub>%u", isa_op_table[n->op].label, n->site);
    if (count > 1)
        lib_text_printf(d->out, ",%u", n->index);
    lib_text_puts(d->out, "</sub>");
}

/* Where a graph begins or ends. */
static void put_end(struct drawing *d, const char *name, uint32_t count, uint32_t index)
{
    lib_text_puts(d->out, name);
    if (count > 1)
        lib_text_printf(d->out, "<sub>%u</sub>", index);
}

static void put_label(struct drawing *d, const struct isa_node *n)
{
    const struct isa_graph *g = d->graph;
    const struct isa_function *own = &g->functions[n->function];
    switch (isa_op_table[n->op].attributes) {
    case ISA_ATTR_SITE_PARAM:
        put_subscripted(d, n, g->functions[g->sites[n->site].callee].param_count);
        break;
    case ISA_ATTR_SITE_PART:
        put_subscripted(d, n, g->functions[g->sites[n->site].callee].result_count);
        break;
    case ISA_ATTR_SITE_HELD:
        put_subscripted(d, n, g->functions[g->sites[n->site].callee].held_count);
        break;
    case ISA_ATTR_SITE:
        if (n->op == ISA_OP_APPLY)
            put_text(d->out, g->functions[g->sites[n->site].callee].name);
        else
            put_subscripted(d, n, 1);
        break;
    case ISA_ATTR_PARAM:
        put_end(d, "in", own->param_count, n->index);
        break;
    case ISA_ATTR_PART:
        put_end(d, "out", own->result_count, n->index);
        break;
    case ISA_ATTR_CELL:
        lib_text_printf(d->out, "%s <i>", isa_op_table[n->op].label);
        put_text(d->out, g->cells[n->index].name);
        lib_text_puts(d->out, "</i>");
        break;
    default:
        if (d->graph->stage == ISA_STAGE_IMAGE)
            isa_node_write_opcode(n, d->out);
        else if (n->op == ISA_OP_CONST)
            put_immediate(d, n, 0);
        else
            lib_text_puts(d->out, symbol(n->op));
    }
}

static const char *style(enum isa_op op)
{
    const struct isa_op_info *info = &isa_op_table[op];
    const enum isa_op_takes takes = isa_op_does[op].takes;
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

/* SWITCH is a box whose lower half says which side is which. */
static void put_switch(struct drawing *d, uint32_t node)
{
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" style=\"rounded\" "
                    "cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">"
                    "<tr><td colspan=\"2\" port=\"in\" cellpadding=\"4\">SWITCH</td></tr>"
                    "<hr/><tr><td port=\"o0\">T</td><vr/><td port=\"o1\">F</td></tr>"
                    "</table>>];\n",
                    node);
}

/* A row of places where arcs enter or leave, if there is more than one; numbered. */
static void put_row(struct drawing *d, char letter, uint32_t count)
{
    if (count < 2)
        return;
    lib_text_puts(d->out, "<tr>");
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(d->out,
                        "<td port=\"%c%u\" cellpadding=\"1\"><font point-size=\"7\">%u"
                        "</font></td>",
                        letter, i, i);
    lib_text_puts(d->out, "</tr>");
}

/* A call in a function graph is a box with the name of the function; several operands and
 * results have places of their own. */
static void put_apply(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    uint32_t in = n->operand_count, out = n->output_count;
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" cellborder=\"0\" "
                    "cellspacing=\"0\" bgcolor=\"grey90\">",
                    node);
    put_row(d, 'i', in);
    lib_text_printf(d->out, "<tr><td cellpadding=\"5\" colspan=\"%u\">&#160;",
                    in > out ? in : out);
    put_label(d, n);
    lib_text_puts(d->out, "&#160;</td></tr>");
    put_row(d, 'o', out);
    lib_text_puts(d->out, "</table>>];\n");
}

static void put_shape(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (n->op == ISA_OP_SWITCH) {
        put_switch(d, node);
        return;
    }
    if (n->op == ISA_OP_APPLY) {
        put_apply(d, node);
        return;
    }
    lib_text_printf(d->out, "n%u [%s, label=<", node, style(n->op));
    put_label(d, n);
    lib_text_puts(d->out, ">];\n");
}

/* --- nodes as instructions: stage IMAGE --------------------------------------------- */

static void put_instruction(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    uint32_t columns = n->operand_count ? n->operand_count : 1;
    bool sided = n->op == ISA_OP_SWITCH;
    columns = sided ? 2 : columns;
    lib_text_printf(d->out,
                    "n%u [shape=plain, label=<<table border=\"1\" cellborder=\"0\" "
                    "cellspacing=\"0\" cellpadding=\"3\"><tr><td rowspan=\"%d\" "
                    "bgcolor=\"grey90\">%u</td><vr/>",
                    node, sided ? 3 : 2, node);
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

/* --- immediates --------------------------------------------------------------------- */

/* Where the arc to an operand enters its node. */
static void put_head(struct drawing *d, uint32_t node, uint32_t port)
{
    const struct isa_node *n = &d->graph->nodes[node];
    bool row = n->op == ISA_OP_APPLY && n->operand_count > 1;
    if (d->graph->stage == ISA_STAGE_IMAGE || row)
        lib_text_printf(d->out, "n%u:i%u:n", node, port);
    else if (n->op == ISA_OP_SWITCH)
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
        put_head(d, node, port);
        lib_text_puts(d->out, ";\n");
    }
}

/* --- arcs --------------------------------------------------------------------------- */

static void put_tail(struct drawing *d, uint32_t node, uint32_t output)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (n->op == ISA_OP_SWITCH || (n->op == ISA_OP_APPLY && n->output_count > 1))
        lib_text_printf(d->out, "n%u:o%u:s", node, output);
    else if (d->graph->stage == ISA_STAGE_IMAGE)
        lib_text_printf(d->out, "n%u:op:s", node);
    else
        lib_text_printf(d->out, "n%u", node);
}

/* Whether a call leads away from the top level. Figures flow downwards along these; the
 * arcs of all other calls, recursive ones, lead back up. */
static bool is_descent(const struct drawing *d, const struct isa_node *n)
{
    const struct isa_site *site = &d->graph->sites[n->site];
    return d->depth[site->callee] > d->depth[site->caller];
}

static bool leads_back(const struct drawing *d, const struct isa_node *n, bool control,
                       struct isa_dest to)
{
    const struct isa_node *t = &d->graph->nodes[to.node];
    bool result = t->op == ISA_OP_RETURN && to.port == 0;
    return n->op == ISA_OP_NEXT ||
           (n->op == ISA_OP_CALL && !control && !is_descent(d, n)) ||
           (result && !is_descent(d, t));
}

static void put_arc(struct drawing *d, uint32_t node, uint32_t output, struct isa_dest to)
{
    const struct isa_graph *g = d->graph;
    const struct isa_node *n = &g->nodes[node];
    put_tail(d, node, output);
    lib_text_puts(d->out, " -> ");
    if (to.node == ISA_TO_RETURN) {
        lib_text_printf(d->out, "r%u_%u;\n", n->function, to.port);
        return;
    }
    put_head(d, to.node, to.port);
    bool control = isa_node_output_is_control(n, output);
    bool predicate = g->nodes[to.node].op == ISA_OP_SWITCH && to.port == 1;
    bool trigger = isa_node_operand_is_trigger(&g->nodes[to.node], to.port);
    if (control || trigger)
        lib_text_puts(d->out, " [style=dashed]");
    if (predicate)
        lib_text_puts(d->out, " [arrowhead=onormal]");
    if (leads_back(d, n, control, to))
        lib_text_puts(d->out, " [constraint=false]");
    lib_text_puts(d->out, ";\n");
}

static void put_arcs(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t i = 0; i < n->outputs[o].count; i++)
            put_arc(d, node, o, n->outputs[o].items[i]);
}

/* In stage IMAGE, `return K` of a function: a point from which dotted arcs go to the
 * RETURNs that the tag may name. */
static void put_returns(struct drawing *d)
{
    const struct isa_graph *g = d->graph;
    for (uint32_t f = 1; f < g->function_count; f++)
        for (uint32_t k = 0; !g->functions[f].is_loop && k < g->functions[f].result_count;
             k++) {
            lib_text_printf(d->out, "r%u_%u [shape=diamond, margin=0, label=<return", f,
                            k);
            if (g->functions[f].result_count > 1)
                lib_text_printf(d->out, " %u", k);
            lib_text_puts(d->out, ">];\n");
        }
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_RETURN)
            lib_text_printf(d->out, "r%u_%u -> n%u:i0:n [style=dotted%s];\n",
                            g->sites[g->nodes[i].site].callee, g->nodes[i].index, i,
                            is_descent(d, &g->nodes[i]) ? "" : ", constraint=false");
}

/* --- the whole ---------------------------------------------------------------------- */

static void put_function(struct drawing *d, uint32_t f, const uint32_t *next,
                         uint32_t first)
{
    lib_text_printf(d->out, "subgraph cluster_%u {\nlabel=<<i>", f);
    put_text(d->out, d->graph->functions[f].name);
    lib_text_puts(d->out, "</i>>;\n");
    for (uint32_t i = first; i != UINT32_MAX; i = next[i]) {
        if (d->graph->stage == ISA_STAGE_IMAGE) {
            put_instruction(d, i);
        } else {
            put_shape(d, i);
            put_immediates(d, i);
        }
    }
    lib_text_puts(d->out, "}\n");
}

/* The nodes of each function, as lists: `first` per function, `next` per node. */
static void put_functions(struct drawing *d)
{
    const struct isa_graph *g = d->graph;
    uint32_t *first = lib_mem_new(g->function_count * sizeof *first);
    uint32_t *next = lib_mem_new(g->node_count * sizeof *next);
    for (uint32_t f = 0; f < g->function_count; f++)
        first[f] = UINT32_MAX;
    for (uint32_t i = g->node_count; i-- > 0;) {
        next[i] = first[g->nodes[i].function];
        first[g->nodes[i].function] = i;
    }
    for (uint32_t f = 0; f < g->function_count; f++)
        put_function(d, f, next, first[f]);
    lib_mem_free(first);
    lib_mem_free(next);
}

/* Breadth first from the top level, along calls; the sites of a function are a list. */
static void find_depths(struct drawing *d)
{
    const struct isa_graph *g = d->graph;
    uint32_t *first = lib_mem_new(g->function_count * sizeof *first);
    uint32_t *next = lib_mem_new(g->site_count * sizeof *next);
    uint32_t *queue = lib_mem_new(g->function_count * sizeof *queue);
    for (uint32_t f = 0; f < g->function_count; f++)
        first[f] = d->depth[f] = UINT32_MAX;
    for (uint32_t s = g->site_count; s-- > 0;) {
        next[s] = first[g->sites[s].caller];
        first[g->sites[s].caller] = s;
    }
    uint32_t tail = 1;
    d->depth[0] = queue[0] = 0;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t s = first[queue[head]]; s != UINT32_MAX; s = next[s]) {
            uint32_t f = g->sites[s].callee;
            if (d->depth[f] != UINT32_MAX)
                continue;
            d->depth[f] = d->depth[queue[head]] + 1;
            queue[tail++] = f;
        }
    lib_mem_free(first);
    lib_mem_free(next);
    lib_mem_free(queue);
}

void isa_draw_dot(const struct isa_graph *graph, struct lib_text *out)
{
    struct drawing d = {graph, out,
                        lib_mem_new(graph->function_count * sizeof(uint32_t))};
    find_depths(&d);
    lib_text_puts(
        out,
        "digraph hiaton {\n"
        "graph [fontname=Helvetica, fontsize=12, nodesep=0.3, ranksep=0.35, newrank=true,"
        " labeljust=r, color=grey60, style=\"rounded\"];\n"
        "node [fontname=Helvetica, fontsize=12, height=0.3, width=0.4,"
        " margin=\"0.09,0.05\"];\n"
        "edge [arrowsize=0.6, penwidth=0.8];\n");
    put_functions(&d);
    if (graph->stage == ISA_STAGE_IMAGE)
        put_returns(&d);
    for (uint32_t i = 0; i < graph->node_count; i++)
        put_arcs(&d, i);
    lib_text_puts(out, "}\n");
    lib_mem_free(d.depth);
}
