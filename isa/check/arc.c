/* The checker: arcs, and the nodes that make results. */
#include "isa/check/rules.h"
#include "isa/op_columns.h"
#include "isa/parts.h"
#include "lib/memory.h"

static const char *operand_type_name(const struct isa_graph *g, const struct isa_node *n,
                                     uint32_t port)
{
    return isa_node_operand_is_control(n, port)
               ? "control"
               : isa_type_name(isa_node_operand_type(g, n, port));
}

static const char *output_type_name(const struct isa_graph *g, const struct isa_node *n,
                                    uint32_t output)
{
    return isa_node_output_is_control(n, output)
               ? "control"
               : isa_type_name(isa_node_output_type(g, n, output));
}

static void check_to_return(struct isa_check *c, uint32_t node, uint32_t output,
                            uint32_t part)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    uint32_t f = isa_node_output_frame(g, n);
    if (f == 0 || g->functions[f].is_loop || part >= g->functions[f].result_count)
        isa_check_say(c, LIB_DIAG_MEANING, node, "return %u: %s has no result %u", part,
                      isa_check_function(c, f).text, part);
    else if (isa_node_output_is_control(n, output) ||
             isa_node_output_type(g, n, output) != g->functions[f].results[part])
        isa_check_say(c, LIB_DIAG_TYPE, node, "return %u: sends %s, but the result is %s",
                      part, output_type_name(g, n, output),
                      isa_type_name(g->functions[f].results[part]));
}

static void check_arc(struct isa_check *c, uint32_t node, uint32_t output,
                      struct isa_dest to)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node], *d = &g->nodes[to.node];
    const char *sent = output_type_name(g, n, output);
    const char *taken = operand_type_name(g, d, to.port);
    if (!isa_node_operand_is_trigger(d, to.port) && sent != taken)
        isa_check_say(c, LIB_DIAG_TYPE, node, "sends %s, but operand %u of %s takes %s",
                      sent, to.port, isa_check_name(c, to.node).text, taken);
    if (isa_node_output_frame(g, n) != isa_node_frame(g, d))
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "its output has a tag of %s, but %s fires in %s",
                      isa_check_function(c, isa_node_output_frame(g, n)).text,
                      isa_check_name(c, to.node).text,
                      isa_check_function(c, isa_node_frame(g, d)).text);
    if (g->stage == ISA_STAGE_IMAGE && d->op == ISA_OP_RETURN && to.port == 0)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "an arc to operand 0 of %s: in stage image the destination is "
                      "'return %u'",
                      isa_check_name(c, to.node).text, d->index);
}

static void count_arrivals(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    size_t operands = 0;
    c->first = lib_mem_new(((size_t)g->node_count + 1) * sizeof *c->first);
    for (uint32_t i = 0; i < g->node_count; i++) {
        c->first[i] = (uint32_t)operands;
        operands += g->nodes[i].operand_count;
    }
    c->arrivals = lib_mem_new(operands * sizeof *c->arrivals);
    c->from = lib_mem_new(operands * sizeof *c->from);
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++) {
                struct isa_dest to = g->nodes[i].outputs[o].items[k];
                if (to.node == ISA_TO_RETURN) {
                    check_to_return(c, i, o, to.port);
                    continue;
                }
                check_arc(c, i, o, to);
                c->arrivals[c->first[to.node] + to.port]++;
                c->from[c->first[to.node] + to.port] = (struct isa_check_from){i, o};
            }
}

static void check_arrivals(struct isa_check *c, uint32_t node, uint32_t port)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    uint32_t found = c->arrivals[c->first[node] + port], wanted = 1;
    bool more = isa_op_does[n->op].takes == ISA_TAKES_MANY;
    if (n->operands[port].kind != ISA_OPERAND_TOKEN)
        wanted = 0;
    else if (isa_op_does[n->op].takes == ISA_TAKES_PAIR)
        wanted = 2;
    else if (n->op == ISA_OP_RETURN && port == 0 && g->stage == ISA_STAGE_IMAGE)
        wanted = 0; /* the tokens come from `return K` */
    if (found == wanted || (more && found > wanted))
        return;
    if (wanted == 0)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "operand %u is not a token, but %u arc%s it", port, found,
                      found == 1 ? " reaches" : "s reach");
    else
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "operand %u is reached by %u arc%s, not %s %u", port, found,
                      found == 1 ? "" : "s", more ? "at least" : "by", wanted);
}

void isa_check_arcs(struct isa_check *c)
{
    count_arrivals(c);
    for (uint32_t i = 0; i < c->graph->node_count; i++)
        for (uint32_t port = 0; port < c->graph->nodes[i].operand_count; port++)
            check_arrivals(c, i, port);
}

/* Nodes that make results, parameters and cells: index plus one, or 0. */
struct makers {
    uint32_t *results; /* at first_result[f] + part */
    uint32_t *params;  /* at first_param[f] + param */
    uint32_t *cells;
};

/* Records in *place that a node makes a `what`. Adds an error if another node makes it too. */
static void note_place(struct isa_check *c, uint32_t *place, uint32_t node,
                       const char *what, uint32_t index)
{
    if (*place)
        isa_check_say(c, LIB_DIAG_MEANING, node, "makes %s %u, which %s makes", what,
                      index, isa_check_name(c, *place - 1).text);
    else
        *place = node + 1;
}

static void note_returns(struct isa_check *c, struct makers *m, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    uint32_t f = isa_node_output_frame(g, n);
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t k = 0; k < n->outputs[o].count; k++) {
            struct isa_dest to = n->outputs[o].items[k];
            if (to.node == ISA_TO_RETURN)
                note_place(c, &m->results[c->first_result[f] + to.port], node, "result",
                           to.port);
        }
}

/* In stage STATIC the RETURNs of all calls take a result from the same output list. */
static void note_producer(struct isa_check *c, struct isa_check_from *producers,
                          struct makers *m, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    uint32_t f = c->graph->sites[n->site].callee;
    uint32_t place = c->first_result[f] + n->index;
    struct isa_check_from from = c->from[c->first[node]];
    if (!m->results[place]) {
        m->results[place] = node + 1;
        producers[place] = from;
    } else if (producers[place].node != from.node ||
               producers[place].output != from.output) {
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "takes result %u of %s from %s, but %s takes it from %s", n->index,
                      isa_check_function(c, f).text, isa_check_name(c, from.node).text,
                      isa_check_name(c, m->results[place] - 1).text,
                      isa_check_name(c, producers[place].node).text);
    }
}

static void check_makers(struct isa_check *c, const struct makers *m)
{
    const struct isa_graph *g = c->graph;
    for (uint32_t i = 0; i < g->cell_count; i++)
        if (!m->cells[i])
            isa_check_say_of(c, LIB_DIAG_MEANING, (struct lib_pos){0},
                             "cell %u " ISA_CHECK_NAME_FORMAT ": nothing writes it", i,
                             g->cells[i].name);
    for (uint32_t f = 1; f < g->function_count && isa_stage_applies(g->stage); f++)
        for (uint32_t k = 0; !g->functions[f].is_loop && k < g->functions[f].param_count;
             k++)
            if (!m->params[c->first_param[f] + k])
                isa_check_say_of(c, LIB_DIAG_MEANING, g->functions[f].pos,
                                 "function %u " ISA_CHECK_NAME_FORMAT
                                 ": no param takes its parameter %u",
                                 f, g->functions[f].name, k);
    for (uint32_t f = 0; f < g->function_count; f++)
        for (uint32_t k = 0; k < g->functions[f].result_count; k++)
            if (!m->results[c->first_result[f] + k])
                isa_check_say_of(c, LIB_DIAG_MEANING, g->functions[f].pos,
                                 "function %u " ISA_CHECK_NAME_FORMAT
                                 ": nothing makes its result %u",
                                 f, g->functions[f].name, k);
}

void isa_check_results(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    uint32_t results = c->first_result[g->function_count];
    struct isa_check_from *producers = lib_mem_new(results * sizeof *producers);
    struct makers m = {
        .results = lib_mem_new(results * sizeof *m.results),
        .params = lib_mem_new(c->first_param[g->function_count] * sizeof *m.params),
        .cells = lib_mem_new(g->cell_count * sizeof *m.cells),
    };
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op == ISA_OP_OUTPUT || n->op == ISA_OP_RESULT)
            note_place(c, &m.results[c->first_result[n->function] + n->index], i,
                       "result", n->index);
        else if (n->op == ISA_OP_EXIT) /* n->function is its loop */
            note_place(c, &m.results[c->first_result[n->function] + n->index], i,
                       "result", n->index);
        else if (n->op == ISA_OP_PARAM)
            note_place(c, &m.params[c->first_param[n->function] + n->index], i,
                       "parameter", n->index);
        else if (n->op == ISA_OP_WRITE)
            note_place(c, &m.cells[n->index], i, "cell", n->index);
        else if (n->op == ISA_OP_RETURN && g->stage == ISA_STAGE_STATIC)
            note_producer(c, producers, &m, i);
        note_returns(c, &m, i);
    }
    check_makers(c, &m);
    LIB_MEM_FREE(producers, m.results, m.params, m.cells);
}
