/* The checker: graphs divided among machines. The rest is checked on the undivided graph. */
#include "isa/parts.h"

#include "isa/check/rules.h"
#include "lib/memory.h"

/* Machine, plus one, of each site (and its loop's constants) and of each cell; 0 if unknown. */
struct homes {
    uint32_t *of_site, *of_cell;
    uint32_t *site_of_loop;
};

static void check_carrier(struct isa_check *c, const uint32_t *sends,
                          const uint32_t *receives, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const uint32_t send = sends[n->index], receive = receives[n->index];
    const bool sends_it = n->op == ISA_OP_SEND;
    if (node != (sends_it ? send : receive)) {
        isa_check_say(c, LIB_DIAG_MEANING, node, "%s is of channel %u too",
                      isa_check_name(c, sends_it ? send : receive).text, n->index);
        return;
    }
    if ((sends_it ? receive : send) == UINT32_MAX) {
        isa_check_say(c, LIB_DIAG_MEANING, node, "channel %u has no %s", n->index,
                      sends_it ? "recv" : "send");
        return;
    }
    const struct isa_node *s = &g->nodes[send], *r = &g->nodes[receive];
    if (s->machine == r->machine)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "both ends of channel %u are on machine %u", n->index, n->machine);
    if (s->type != r->type || s->function != r->function)
        isa_check_say(c, LIB_DIAG_TYPE, node,
                      "the send and the recv of channel %u are of different %s", n->index,
                      s->type != r->type ? "types" : "functions");
    const bool results = isa_parts_is_result(g, receive);
    for (uint32_t k = 0; k < r->outputs[0].count; k++) {
        const struct isa_dest to = r->outputs[0].items[k];
        if (isa_graph_is_result_arc(g, to) != results ||
            (results &&
             g->nodes[to.node].index != g->nodes[r->outputs[0].items[0].node].index))
            isa_check_say(c, LIB_DIAG_MEANING, receive,
                          "leads to operand 0 of a return, and elsewhere: each result "
                          "has a channel of its own");
    }
    if (r->outputs[0].count == 0)
        isa_check_say(c, LIB_DIAG_MEANING, receive, "leads nowhere");
}

/* Checks the value and tag of an arc to a SEND; the undivided graph does not have it. */
static void check_sent(struct isa_check *c, uint32_t node, uint32_t output, uint32_t send,
                       uint8_t *arrivals)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node], *s = &g->nodes[send];
    if (isa_op_carries(n->op))
        isa_check_say(c, LIB_DIAG_MEANING, node, "leads to a send");
    if (isa_node_output_is_control(n, output) ||
        isa_node_output_type(g, n, output) != s->type)
        isa_check_say(c, LIB_DIAG_TYPE, node, "sends %s, but %s takes %s",
                      isa_node_output_is_control(n, output)
                          ? "control, which stays on its machine"
                          : isa_type_name(isa_node_output_type(g, n, output)),
                      isa_check_name(c, send).text, isa_type_name(s->type));
    if (isa_node_output_frame(g, n) != s->function)
        isa_check_say(
            c, LIB_DIAG_MEANING, node, "its output has a tag of %s, but %s is in %s",
            isa_check_function(c, isa_node_output_frame(g, n)).text,
            isa_check_name(c, send).text, isa_check_function(c, s->function).text);
    arrivals[send] += arrivals[send] < 2;
}

static void check_arcs(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    uint8_t *arrivals = lib_mem_new(g->node_count * sizeof *arrivals);
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++) {
                const uint32_t to = g->nodes[i].outputs[o].items[k].node;
                if (g->nodes[to].machine != g->nodes[i].machine)
                    isa_check_say(c, LIB_DIAG_MEANING, i,
                                  "is on machine %u, but an arc leads to %s on machine "
                                  "%u: expected a send and a recv between machines",
                                  g->nodes[i].machine, isa_check_name(c, to).text,
                                  g->nodes[to].machine);
                if (g->nodes[to].op == ISA_OP_SEND)
                    check_sent(c, i, o, to, arrivals);
            }
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_SEND && arrivals[i] != 1)
            isa_check_say(c, LIB_DIAG_MEANING, i, "is reached by %s, not by one",
                          arrivals[i] ? "several arcs" : "no arc");
    lib_mem_free(arrivals);
}

static void check_home(struct isa_check *c, uint32_t node, uint32_t *home, const char *of,
                       uint32_t number)
{
    const uint32_t machine = c->graph->nodes[node].machine;
    if (*home == 0)
        *home = machine + 1;
    else if (*home != machine + 1)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "is on machine %u, but %s %u is on machine %u: what names it is on "
                      "one machine",
                      machine, of, number, *home - 1);
}

static void check_node(struct isa_check *c, struct homes *homes, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    if (isa_op_has_site(n->op) && !isa_op_tracks(n->op))
        check_home(c, node, &homes->of_site[n->site], "site", n->site);
    if (isa_op_table[n->op].attributes == ISA_ATTR_CELL)
        check_home(c, node, &homes->of_cell[n->index], "cell", n->index);
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const uint32_t site = homes->site_of_loop[n->function];
        if (n->operands[port].kind == ISA_OPERAND_HELD && site != UINT32_MAX)
            check_home(c, node, &homes->of_site[site], "the loop of site", site);
    }
}

static void check_homes(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    struct homes homes = {lib_mem_new(((size_t)g->site_count + 1) * sizeof(uint32_t)),
                          lib_mem_new(((size_t)g->cell_count + 1) * sizeof(uint32_t)),
                          lib_mem_new(g->function_count * sizeof(uint32_t))};
    for (uint32_t f = 0; f < g->function_count; f++)
        homes.site_of_loop[f] = UINT32_MAX;
    for (uint32_t s = 0; s < g->site_count; s++)
        if (g->functions[g->sites[s].callee].is_loop)
            homes.site_of_loop[g->sites[s].callee] = s;
    for (uint32_t i = 0; i < g->node_count; i++)
        check_node(c, &homes, i);
    LIB_MEM_FREE(homes.of_site, homes.of_cell, homes.site_of_loop);
}

void isa_check_parts(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    const size_t before = c->diags->errors;
    const uint32_t whole = isa_parts_whole(g);
    uint32_t *sends, *receives;
    for (uint32_t i = 0; i < whole; i++)
        if (isa_op_divides(g->nodes[i].op)) {
            isa_check_say(c, LIB_DIAG_MEANING, i,
                          "nodes that divide a program follow all other nodes");
            return;
        }
    isa_parts_channels(g, &sends, &receives);
    for (uint32_t i = whole; i < g->node_count; i++)
        if (isa_op_carries(g->nodes[i].op))
            check_carrier(c, sends, receives, i);
    LIB_MEM_FREE(sends, receives);
    if (c->diags->errors == before)
        check_arcs(c);
    if (c->diags->errors == before)
        check_homes(c);
    if (c->diags->errors == before)
        isa_check_tracking(c);
}
