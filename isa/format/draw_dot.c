#include "isa/format/draw_internal.h"
#include "isa/op_columns.h"

#include "isa/parts.h"
#include "lib/memory.h"

static enum isa_draw_part part_of(const struct drawing *d, uint32_t f)
{
    return d->plan ? d->plan->parts[f] : ISA_DRAW_WHOLE;
}

static bool is_whole(const struct drawing *d, uint32_t f)
{
    return part_of(d, f) == ISA_DRAW_WHOLE;
}

/* Returns the function whose box shows a folded function or its loop. */
static uint32_t box_of(const struct drawing *d, uint32_t f)
{
    return d->plan ? d->plan->owners[f] : f;
}

/* Whether a call leads away from the top level. Figures flow downwards along these calls; arcs of
 * others, recursive ones, lead up. */
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
    const bool calls = n->op == ISA_OP_CALL || n->op == ISA_OP_TRACK_CALL;
    return isa_op_does[n->op].tag == ISA_UNDER_NEXT ||
           (calls && !control && !is_descent(d, n)) || (result && !is_descent(d, t));
}

/* Draw the start and the end of an arc. If only one of its functions is folded, that end is at the
 * function's box. */
static void put_start(struct drawing *d, uint32_t node, uint32_t output)
{
    const uint32_t f = d->graph->nodes[node].function;
    if (is_whole(d, f))
        isa_draw_tail(d, node, output);
    else
        lib_text_printf(d->out, "f%u", box_of(d, f));
}

static void put_end(struct drawing *d, struct isa_dest to)
{
    const uint32_t f = d->graph->nodes[to.node].function;
    if (is_whole(d, f))
        isa_draw_head(d, to.node, to.port);
    else
        lib_text_printf(d->out, "f%u", box_of(d, f));
}

/* Adds an arc. An arc that leads up is given to dot reversed, and drawn backwards, so that the
 * layout leaves room for it. */
static void put_arc(struct drawing *d, uint32_t node, uint32_t output, struct isa_dest to)
{
    const struct isa_graph *g = d->graph;
    const struct isa_node *n = &g->nodes[node];
    const bool leaves = to.node == ISA_TO_RETURN;
    if (!is_whole(d, n->function) && (leaves || !is_whole(d, g->nodes[to.node].function)))
        return;
    if (leaves) {
        put_start(d, node, output);
        lib_text_printf(d->out, " -> r%u_%u;\n", n->function, to.port);
        return;
    }
    const bool control = isa_node_output_is_control(n, output);
    const bool predicate = isa_draw_is_switch(g->nodes[to.node].op) && to.port == 1;
    const bool trigger = isa_node_operand_is_trigger(&g->nodes[to.node], to.port);
    const bool back = leads_back(d, n, control, to);
    if (back)
        put_end(d, to);
    else
        put_start(d, node, output);
    lib_text_puts(d->out, " -> ");
    if (back)
        put_start(d, node, output);
    else
        put_end(d, to);
    const bool schedules = g->nodes[to.node].op == ISA_OP_AWAIT ||
                           g->nodes[to.node].op == ISA_OP_TRACK_MERGE;
    if (control || trigger || schedules)
        lib_text_puts(d->out, " [style=dashed]");
    if (isa_op_tracks(n->op))
        lib_text_puts(d->out, " [color=blue]");
    if (predicate)
        lib_text_printf(d->out, " [%s=onormal]", back ? "arrowtail" : "arrowhead");
    if (back)
        lib_text_puts(d->out, " [dir=back]");
    lib_text_puts(d->out, ";\n");
}

static void put_channel(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    const uint32_t to = d->receives[n->index];
    if (is_whole(d, n->function))
        lib_text_printf(d->out, "n%u -> n%u [style=bold, color=blue];\n", node, to);
}

static void put_arcs(struct drawing *d, uint32_t node)
{
    const struct isa_node *n = &d->graph->nodes[node];
    if (n->op == ISA_OP_SEND)
        put_channel(d, node);
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t i = 0; i < n->outputs[o].count; i++)
            put_arc(d, node, o, n->outputs[o].items[i]);
}

/* Draws `return K` of a function in stage IMAGE: a point with dotted arcs to the RETURNs that the
 * tag may name. */
static void put_return_points(struct drawing *d, uint32_t f)
{
    const struct isa_function *function = &d->graph->functions[f];
    if (f == 0 || function->is_loop || !is_whole(d, f))
        return;
    for (uint32_t k = 0; k < function->result_count; k++) {
        lib_text_printf(d->out, "r%u_%u [shape=diamond, margin=0, label=<return", f, k);
        if (function->result_count > 1)
            lib_text_printf(d->out, " %u", k);
        lib_text_puts(d->out, ">];\n");
    }
}

static void put_returns(struct drawing *d)
{
    const struct isa_graph *g = d->graph;
    for (uint32_t f = 0; f < g->function_count; f++)
        put_return_points(d, f);
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op != ISA_OP_RETURN || !is_whole(d, n->function))
            continue;
        const uint32_t callee = g->sites[n->site].callee;
        const bool back = !is_descent(d, n);
        if (back)
            lib_text_printf(d->out, "n%u:i0:n -> ", i);
        if (is_whole(d, callee))
            lib_text_printf(d->out, "r%u_%u", callee, n->index);
        else
            lib_text_printf(d->out, "f%u", box_of(d, callee));
        if (!back)
            lib_text_printf(d->out, " -> n%u:i0:n", i);
        lib_text_printf(d->out, " [style=dotted%s];\n", back ? ", dir=back" : "");
    }
}

/* Puts the class of PEs that the program gives a function behind its name. */
static void put_class(struct drawing *d, uint32_t f)
{
    const char *on = d->graph->functions[f].on;
    if (!on)
        return;
    lib_text_puts(d->out, "<font point-size=\"10\"> on ");
    isa_draw_text(d->out, on);
    lib_text_puts(d->out, "</font>");
}

static void put_size(struct drawing *d, uint32_t f)
{
    lib_text_puts(d->out, "<i>");
    isa_draw_text(d->out, d->graph->functions[f].name);
    lib_text_printf(d->out, "</i><font point-size=\"10\"> %u node%s</font>",
                    d->plan->bodies[f], d->plan->bodies[f] == 1 ? "" : "s");
    put_class(d, f);
}

static uint64_t heat_in(const struct drawing *d, uint32_t f)
{
    uint64_t heat = 0;
    for (uint32_t i = 0; i < d->graph->node_count; i++)
        if (box_of(d, d->graph->nodes[i].function) == f)
            heat += d->plan->heat[i];
    return heat;
}

/* Draws a box for each folded function to which arcs lead. */
static void put_folded(struct drawing *d)
{
    for (uint32_t f = 0; f < d->graph->function_count; f++) {
        if (part_of(d, f) != ISA_DRAW_FOLDED || box_of(d, f) != f)
            continue;
        lib_text_printf(d->out, "f%u [shape=box, peripheries=2, ", f);
        if (isa_draw_is_hot(d)) {
            lib_text_puts(d->out, "style=filled, fillcolor=\"");
            isa_draw_colour(d, heat_in(d, f));
            lib_text_puts(d->out, "\", ");
        }
        lib_text_puts(d->out, "label=<");
        put_size(d, f);
        if (isa_draw_is_hot(d))
            isa_draw_heat(d, heat_in(d, f));
        lib_text_puts(d->out, ">];\n");
    }
}

enum { LISTED_MAX = 12 };

/* Draws a box that lists folded functions, if no arcs lead to them. */
static void list_folded(struct drawing *d)
{
    uint32_t count = 0;
    for (uint32_t f = 0; d->plan && f < d->graph->function_count; f++) {
        if (!d->plan->is_too_large[f] || part_of(d, f) != ISA_DRAW_NONE)
            continue;
        if (count == 0)
            lib_text_puts(d->out, "folded [shape=box, peripheries=2, label=<not drawn:");
        if (count++ < LISTED_MAX) {
            lib_text_puts(d->out, "<br/>");
            put_size(d, f);
        }
    }
    if (count > LISTED_MAX)
        lib_text_printf(d->out, "<br/>and %u more", count - LISTED_MAX);
    lib_text_puts(d->out, count ? ">];\n" : "");
}

/* Draws the nodes of a function on one machine (without machines: machine 0). */
static void put_function(struct drawing *d, uint32_t f, const uint32_t *next,
                         uint32_t first, uint32_t machine)
{
    if (!is_whole(d, f))
        return;
    const bool divided = d->graph->stage == ISA_STAGE_PARTITIONED;
    bool any = !divided;
    for (uint32_t i = first; i != UINT32_MAX && !any; i = next[i])
        any = d->graph->nodes[i].machine == machine;
    if (!any)
        return;
    lib_text_printf(d->out, "subgraph cluster_");
    if (divided)
        lib_text_printf(d->out, "m%u_", machine);
    lib_text_printf(d->out, "%u {\nlabel=<<i>", f);
    isa_draw_text(d->out, d->graph->functions[f].name);
    lib_text_puts(d->out, "</i>");
    put_class(d, f);
    lib_text_puts(d->out, ">;\n");
    for (uint32_t i = first; i != UINT32_MAX; i = next[i])
        if (d->graph->nodes[i].machine == machine)
            isa_draw_node(d, i);
    lib_text_puts(d->out, "}\n");
}

/* Draws the functions of a machine, in a frame if there are several machines. */
static void put_machine(struct drawing *d, const uint32_t *next, const uint32_t *first,
                        uint32_t machine)
{
    const bool divided = d->graph->stage == ISA_STAGE_PARTITIONED;
    if (divided)
        lib_text_printf(d->out,
                        "subgraph cluster_m%u {\nlabel=\"machine %u\"; style=\"\"; "
                        "color=black;\n",
                        machine, machine);
    for (uint32_t f = 0; f < d->graph->function_count; f++)
        put_function(d, f, next, first[f], machine);
    if (divided)
        lib_text_puts(d->out, "}\n");
}

/* Draws all functions. `first` and `next` are lists of their nodes: first per function, next per
 * node. */
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
    const bool divided = g->stage == ISA_STAGE_PARTITIONED;
    for (uint32_t m = 0; m < (divided ? g->machine_count : 1); m++)
        put_machine(d, next, first, m);
    LIB_MEM_FREE(first, next);
}

static void find_depths(struct drawing *d)
{
    const struct isa_draw_choice all = {.depth = UINT32_MAX};
    uint32_t *own = lib_mem_new(d->graph->function_count * sizeof *own);
    for (uint32_t f = 0; f < d->graph->function_count; f++)
        own[f] = f;
    isa_draw_depths(d->graph, own, &all, d->depth);
    lib_mem_free(own);
}

static void name_merges(struct drawing *d)
{
    const struct isa_graph *g = d->graph;
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op != ISA_OP_CALL && n->op != ISA_OP_ENTER)
            continue;
        const char **names = g->functions[g->sites[n->site].callee].names;
        for (uint32_t k = 0; names && k < n->outputs[0].count; k++) {
            uint32_t to = n->outputs[0].items[k].node;
            if (g->nodes[to].op == ISA_OP_SEND) /* to the MERGE, on another machine */
                to = g->nodes[d->receives[g->nodes[to].index]].outputs[0].items[0].node;
            if (!isa_op_tracks(g->nodes[to].op))
                d->entered[to] = names[n->index];
        }
    }
}

static void put_head(struct drawing *d)
{
    lib_text_puts(d->out, "digraph hiaton {\n"
                          "graph [fontname=\"Helvetica,Liberation Sans,Arial\", "
                          "fontsize=12, nodesep=0.3, ranksep=0.35, newrank=true,"
                          " labeljust=r, color=grey60, style=\"rounded\"];\n"
                          "node [fontname=\"Helvetica,Liberation Sans,Arial\", "
                          "fontsize=12, height=0.3, width=0.4,"
                          " margin=\"0.09,0.05\"];\n"
                          "edge [arrowsize=0.6, penwidth=0.8];\n");
}

/* Adds a title, after the frames, which would inherit its left alignment. */
static void put_title(struct drawing *d)
{
    const enum isa_stage stage = d->graph->stage;
    if (stage >= ISA_STAGE_EXPANDING)
        lib_text_printf(d->out, "label=\"stage %s: %s\"; labelloc=t; labeljust=l;\n",
                        isa_stage_name(stage), isa_stage_about(stage));
}

void isa_draw_dot(const struct isa_graph *graph, const struct isa_draw_plan *plan,
                  struct lib_text *out)
{
    struct drawing d = {
        .graph = graph,
        .plan = plan,
        .out = out,
        .depth = lib_mem_new(graph->function_count * sizeof(uint32_t)),
        .entered = lib_mem_new(graph->node_count * sizeof(const char *)),
    };
    for (uint32_t i = 0; isa_draw_is_hot(&d) && i < graph->node_count; i++)
        d.hottest = plan->heat[i] > d.hottest ? plan->heat[i] : d.hottest;
    uint32_t *sends;
    isa_parts_channels(graph, &sends, &d.receives);
    find_depths(&d);
    name_merges(&d);
    put_head(&d);
    put_functions(&d);
    put_folded(&d);
    list_folded(&d);
    if (graph->stage == ISA_STAGE_IMAGE)
        put_returns(&d);
    for (uint32_t i = 0; i < graph->node_count; i++)
        put_arcs(&d, i);
    put_title(&d);
    lib_text_puts(out, "}\n");
    LIB_MEM_FREE(sends, d.receives, d.depth, d.entered);
}
