#include "isa/exec/reexec.h"

#include <string.h>

/* Partition of the top-level nodes into groups that no arc joins. A call or loop is in one group
 * with all nodes that bring tokens in and out. Groups depend on each other only by cells, so a
 * group is computed again as a whole if anything in it, or in what it calls, reads a changed
 * value. */
struct groups {
    const struct isa_graph *graph;
    uint32_t *of; /* union-find forest of nodes, then sites: a parent, or itself */
    /* per function: whether it, or a function that it calls, sees a change */
    bool *functions;
    bool *again; /* per root of the forest: whether its group is computed again */
    struct isa_reexec *found;
    const bool *inputs, *tensors;
};

static uint32_t find_root(const struct groups *g, uint32_t i)
{
    while (g->of[i] != i)
        i = g->of[i] = g->of[g->of[i]];
    return i;
}

static void join_groups(struct groups *g, uint32_t a, uint32_t b)
{
    g->of[find_root(g, a)] = find_root(g, b);
}

/* Whether a node is in function 0 or names a site of function 0. */
static bool is_top(const struct isa_graph *graph, const struct isa_node *n)
{
    return n->function == 0 ||
           (isa_op_has_site(n->op) && graph->sites[n->site].caller == 0);
}

static void make_groups(struct groups *g)
{
    const struct isa_graph *graph = g->graph;
    for (uint32_t i = 0; i < graph->node_count + graph->site_count; i++)
        g->of[i] = i;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        if (!is_top(graph, n))
            continue;
        if (isa_op_has_site(n->op))
            join_groups(g, i, graph->node_count + n->site);
        for (uint32_t k = 0; k < n->output_count; k++)
            for (uint32_t d = 0; d < n->outputs[k].count; d++) {
                const uint32_t to = n->outputs[k].items[d].node;
                if (to != ISA_TO_RETURN && is_top(graph, &graph->nodes[to]))
                    join_groups(g, i, to);
            }
    }
}

/* Whether a change may alter the value that a node computes. */
static bool sees_change(const struct groups *g, const struct isa_node *n)
{
    for (uint32_t k = 0; k < n->operand_count; k++)
        if (n->operands[k].kind == ISA_OPERAND_INPUT && g->inputs[n->operands[k].input])
            return true;
    if (n->op == ISA_OP_READ)
        return g->found->cells[n->index];
    if (n->op == ISA_OP_LOAD || n->op == ISA_OP_GIVEN)
        return g->tensors[n->index];
    return isa_op_has_site(n->op) && g->functions[g->graph->sites[n->site].callee];
}

/* Marks groups and functions that see a change, in one pass. Returns whether any were new. */
static bool spread(struct groups *g)
{
    const struct isa_graph *graph = g->graph;
    bool more = false;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        bool *const of = is_top(graph, n) ? &g->again[find_root(g, i)]
                                          : &g->functions[n->function];
        if (!*of && (n->op == ISA_OP_OUTPUT || sees_change(g, n)))
            more = *of = true;
        if (n->op == ISA_OP_WRITE && *of && !g->found->cells[n->index])
            more = g->found->cells[n->index] = true;
    }
    return more;
}

/* Marks callers of functions and loops that see a change. Returns whether any were new. */
static bool spread_to_callers(struct groups *g)
{
    bool more = false;
    for (uint32_t s = 0; s < g->graph->site_count; s++) {
        const struct isa_site *site = &g->graph->sites[s];
        bool *const of = site->caller ? &g->functions[site->caller]
                                      : &g->again[find_root(g, g->graph->node_count + s)];
        if (g->functions[site->callee] && !*of)
            more = *of = true;
    }
    return more;
}

struct isa_reexec isa_reexec_find(const struct isa_code *code, const bool *inputs,
                                  const bool *tensors)
{
    const struct isa_graph *graph = code->graph;
    struct isa_reexec found = {
        .cells = lib_mem_new(graph->cell_count),
        .starts = lib_mem_new(code->start_count * sizeof(uint32_t))};
    const size_t count = (size_t)graph->node_count + graph->site_count;
    struct groups g = {graph,
                       lib_mem_new(count * sizeof(uint32_t)),
                       lib_mem_new(graph->function_count),
                       lib_mem_new(count),
                       &found,
                       inputs,
                       tensors};
    assert(graph->stage == ISA_STAGE_IMAGE);
    make_groups(&g);
    for (bool more = true; more;) {
        more = spread(&g);
        more |= spread_to_callers(&g);
    }
    for (uint32_t i = 0; i < code->start_count; i++)
        if (g.again[find_root(&g, code->starts[i])])
            found.starts[found.start_count++] = code->starts[i];
    LIB_MEM_FREE(g.of, g.functions, g.again);
    return found;
}

void isa_reexec_free(struct isa_reexec *again)
{
    LIB_MEM_FREE(again->cells, again->starts);
}

void isa_reexec_empty(const struct isa_reexec *again, struct isa_exec *exec)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_function *top = &graph->functions[0];
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        struct isa_element *cell = &exec->cells[c];
        if (!again->cells[c] || !isa_element_is_written(cell))
            continue;
        if (isa_type_is_reference(graph->cells[c].type))
            isa_structures_drop(&exec->structures, cell->value);
        *cell = (struct isa_element){0};
    }
    for (uint32_t part = 0; part < top->result_count; part++) {
        if (exec->has_result[part] && isa_type_is_reference(top->results[part]))
            isa_structures_drop(&exec->structures, exec->results[part]);
        exec->has_result[part] = false;
    }
    exec->results_missing = top->result_count;
}
