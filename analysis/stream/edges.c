#include "analysis/stream/edges.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/cost/cost.h"
#include "lib/order.h"

void analysis_edges_start(struct analysis_edges *edges, const struct isa_graph *graph)
{
    uint32_t operands = 0;
    *edges = (struct analysis_edges){.graph = graph};
    edges->first_operand = lib_mem_new((graph->node_count + 1) *
                                       sizeof *edges->first_operand);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        edges->first_operand[n] = operands;
        const uint32_t ports = isa_node_ports(&graph->nodes[n]);
        operands += ports ? ports : 1;
    }
    edges->first = lib_mem_new((operands + 1) * sizeof *edges->first);
    *LIB_VEC_PUSH(&edges->list) = (struct analysis_edge){0};
}

void analysis_edges_free(struct analysis_edges *edges)
{
    LIB_VEC_FREE(&edges->list);
    LIB_MEM_FREE(edges->first, edges->first_operand);
}

struct analysis_edge *analysis_edges_find(struct analysis_edges *edges, uint32_t to,
                                          uint32_t port)
{
    uint32_t *first = &edges->first[edges->first_operand[to] + port];
    for (uint32_t i = *first; i; i = edges->list.items[i].next)
        if (edges->list.items[i].from == edges->sender)
            return &edges->list.items[i];
    struct analysis_edge *edge = LIB_VEC_PUSH(&edges->list);
    *edge = (struct analysis_edge){
        .from = edges->sender, .to = to, .port = port, .next = *first};
    *first = (uint32_t)edges->list.count - 1;
    return edge;
}

void analysis_edges_tell_functions(const struct analysis_edges *edges,
                                   struct lib_findings *f)
{
    const struct isa_graph *g = edges->graph;
    struct analysis_edge *of = lib_mem_new((g->function_count + 1) * sizeof *of);
    uint32_t *around = lib_mem_new((g->function_count + 1) * sizeof *around);
    struct lib_table *t = lib_findings_table(
        f, "functions", "tokens for the instructions of each function and its loops");
    LIB_TABLE_COLUMNS(t, "function", "tokens", "network", "hiatons");
    analysis_cost_functions(g, around);
    for (size_t i = 1; i < edges->list.count; i++) {
        const struct analysis_edge *edge = &edges->list.items[i];
        struct analysis_edge *all = &of[around[g->nodes[edge->to].function]];
        all->tokens += edge->tokens;
        all->network += edge->network;
        all->dead += edge->dead;
    }
    for (uint32_t i = 0; i < g->function_count; i++) {
        if (!of[i].tokens)
            continue;
        lib_table_word(t, g->functions[i].name);
        lib_table_count(t, of[i].tokens);
        lib_table_count(t, of[i].network);
        lib_table_count(t, of[i].dead);
    }
    LIB_MEM_FREE(of, around);
}

static int compare(const void *a, const void *b)
{
    const struct analysis_edge *x = a, *y = b;
    return LIB_ORDER(y->tokens, x->tokens) ?: LIB_ORDER(x->from, y->from)
           ?: LIB_ORDER(x->to, y->to) ?: LIB_ORDER(x->port, y->port);
}

static void add_edge(const struct isa_graph *g, const struct analysis_edge *edge,
                     struct lib_table *t)
{
    const struct isa_node *from = &g->nodes[edge->from], *to = &g->nodes[edge->to];
    lib_table_count(t, edge->from);
    lib_table_word(t, isa_op_table[from->op].text);
    lib_table_count(t, from->pos.line);
    lib_table_count(t, edge->to);
    lib_table_word(t, isa_op_table[to->op].text);
    lib_table_count(t, to->pos.line);
    lib_table_count(t, edge->port);
    lib_table_count(t, edge->tokens);
    lib_table_count(t, edge->network);
    lib_table_count(t, edge->dead);
}

void analysis_edges_tell(const struct analysis_edges *edges, struct lib_findings *f)
{
    static const char *const over[] = {"from", "", "",   "to", "",
                                       "",     "", NULL, NULL, NULL};
    static const char *const labels[] = {"node",   "opcode", "line",   "node",
                                         "opcode", "line",   "operand"};
    const size_t count = edges->list.count - 1;
    struct analysis_edge *sorted = lib_mem_new((count + 1) * sizeof *sorted);
    struct lib_table *t = lib_findings_table(
        f, "edges", "tokens from each node of the graph to an operand, the most first");
    LIB_TABLE_COLUMNS(t, "from", "from_opcode", "from_line", "to", "to_opcode", "to_line",
                      "operand", "tokens", "network", "hiatons");
    for (size_t c = 0; c < sizeof labels / sizeof *labels; c++)
        t->columns.items[c].label = labels[c];
    t->levels = over;
    t->level_count = 1;
    memcpy(sorted, edges->list.items + 1, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count && (!f->for_people || i < f->most); i++)
        add_edge(edges->graph, &sorted[i], t);
    lib_mem_free(sorted);
}
