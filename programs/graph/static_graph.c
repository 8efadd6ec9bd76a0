#include "programs/graph/static_graph.h"

#include "lib/memory.h"

#include <assert.h>

/* The graph while its nodes are replaced, and the nodes that it had. For each of those, its nodes
 * now: `first` for one that stays or a PARAM; for an APPLY, from `first` on CALLs, then JOINs, then
 * RETURNs. */
struct plan {
    struct isa_graph *graph;
    const struct isa_node *old;
    uint32_t old_count;
    uint32_t *first;        /* for each old node */
    uint32_t *first_return; /* for each site */
    uint32_t *first_call;   /* for each site */
    uint32_t **merges;      /* for each function: MERGE of each parameter */
    uint32_t *first_site;   /* for each function: first site that calls it */
    uint32_t *next_site;    /* for each site: next site that calls the same function */
};

#define NO_SITE UINT32_MAX

static void list_sites(struct plan *p)
{
    const struct isa_graph *g = p->graph;
    for (uint32_t f = 0; f < g->function_count; f++)
        p->first_site[f] = NO_SITE;
    for (uint32_t s = g->site_count; s-- > 0;) {
        uint32_t callee = g->sites[s].callee;
        p->next_site[s] = p->first_site[callee];
        p->first_site[callee] = s;
    }
}

static const struct isa_function *callee_of(const struct isa_graph *graph, uint32_t site)
{
    return &graph->functions[graph->sites[site].callee];
}

static uint32_t add_call(struct plan *p, const struct isa_node *apply)
{
    struct isa_graph *g = p->graph;
    const struct isa_function *callee = callee_of(g, apply->site);
    uint32_t first = g->node_count;
    for (uint32_t k = 0; k < callee->param_count; k++) {
        const uint32_t call = isa_graph_add_node(g, ISA_OP_CALL, callee->params[k],
                                                 apply->function, apply->site, k,
                                                 apply->pos);
        g->nodes[call].operands[0] = apply->operands[k];
    }
    for (uint32_t k = 0; k + 1 < callee->param_count; k++)
        isa_graph_add_node(g, ISA_OP_JOIN, ISA_BOOL, apply->function, apply->site, 0,
                           apply->pos);
    p->first_call[apply->site] = first;
    p->first_return[apply->site] = g->node_count;
    for (uint32_t k = 0; k < callee->result_count; k++) {
        const uint32_t last = isa_graph_add_node(g, ISA_OP_RETURN, callee->results[k],
                                                 apply->function, apply->site, k,
                                                 apply->pos);
        g->nodes[last].outputs[0] = apply->outputs[k];
    }
    return first;
}

static uint32_t add_merge(struct plan *p, const struct isa_node *param)
{
    const uint32_t merge = isa_graph_add_node(p->graph, ISA_OP_MERGE, param->type,
                                              param->function, 0, 0, param->pos);
    p->graph->nodes[merge].outputs[0] = param->outputs[0];
    p->merges[param->function][param->index] = merge;
    return merge;
}

static void add_nodes(struct plan *p)
{
    struct isa_graph *g = p->graph;
    for (uint32_t i = 0; i < p->old_count; i++) {
        const struct isa_node *n = &p->old[i];
        const uint32_t before = g->node_count;
        if (n->op == ISA_OP_APPLY)
            p->first[i] = add_call(p, n);
        else if (n->op == ISA_OP_PARAM)
            p->first[i] = add_merge(p, n);
        else if (n->op != ISA_OP_RESULT)
            p->first[i] = isa_graph_move_node(g, n);
        for (uint32_t k = before; k < g->node_count; k++)
            g->nodes[k].written = n->written;
    }
}

/* Adds arcs to RETURN k of every call of function f in place of one to result k of f. */
static void connect_result(struct plan *p, struct isa_dests *arcs,
                           const struct isa_node *result)
{
    for (uint32_t s = p->first_site[result->function]; s != NO_SITE; s = p->next_site[s])
        *LIB_ARENA_PUSH(p->graph->arena,
                        arcs) = (struct isa_dest){p->first_return[s] + result->index, 0};
}

/* Makes the arcs of a list lead to the nodes that there are now. */
static void connect_list(struct plan *p, struct isa_dests *arcs)
{
    const struct isa_dests old = *arcs;
    uint32_t same = 0; /* arcs at the begin that stay in their places */
    while (same < old.count && p->old[old.items[same].node].op != ISA_OP_RESULT)
        same++;
    if (same < old.count)
        *arcs = (struct isa_dests){0};
    for (uint32_t k = 0; k < old.count; k++) {
        const struct isa_dest to = old.items[k];
        const struct isa_node *target = &p->old[to.node];
        const bool is_call = target->op == ISA_OP_APPLY; /* operand k is that of CALL k */
        const struct isa_dest now = {p->first[to.node] + (is_call ? to.port : 0),
                                     is_call ? 0 : to.port};
        if (target->op == ISA_OP_RESULT)
            connect_result(p, arcs, target);
        else if (same == old.count)
            old.items[k] = now;
        else
            *LIB_ARENA_PUSH(p->graph->arena, arcs) = now;
    }
}

static void connect_values(struct plan *p)
{
    for (uint32_t i = 0; i < p->graph->node_count; i++)
        for (uint32_t o = 0; o < p->graph->nodes[i].output_count; o++)
            connect_list(p, &p->graph->nodes[i].outputs[o]);
}

/* Connects the control network of a call. JOIN 0 joins CALLs 0 and 1, JOIN 1 adds CALL 2, ...;
 * the last JOIN, or the only CALL, reaches every RETURN. For a paired function, the node that
 * joins the CALLs of early parameters reaches the RETURNs of early results. */
static void connect_call(struct plan *p, uint32_t site)
{
    struct isa_graph *g = p->graph;
    const struct isa_function *callee = callee_of(g, site);
    uint32_t params = callee->param_count, call = p->first_call[site];
    const uint32_t *merges = p->merges[g->sites[site].callee];
    uint32_t join = call + params;
    for (uint32_t k = 0; k < params; k++) {
        isa_graph_connect(g, call + k, 0, (struct isa_dest){merges[k], 0});
        if (params > 1)
            isa_graph_connect(g, call + k, 1,
                              (struct isa_dest){join + (k ? k - 1 : 0), k ? 1 : 0});
    }
    for (uint32_t k = 0; k + 2 < params; k++)
        isa_graph_connect(g, join + k, 0, (struct isa_dest){join + k + 1, 0});
    for (uint32_t k = 0; k < callee->result_count; k++) {
        const uint32_t joined = k < callee->early_results ? callee->early_params : params;
        const uint32_t last = joined > 1 ? join + joined - 2 : call;
        isa_graph_connect(g, last, joined > 1 ? 0 : 1,
                          (struct isa_dest){p->first_return[site] + k, 1});
    }
}

static bool has_calls(const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_APPLY || graph->nodes[i].op == ISA_OP_PARAM ||
            graph->nodes[i].op == ISA_OP_RESULT)
            return true;
    return false;
}

static void replace_nodes(struct isa_graph *graph)
{
    struct lib_arena *scratch = lib_arena_new();
    struct isa_node *const old = graph->nodes;
    struct plan p = {
        .graph = graph,
        .old = old,
        .old_count = graph->node_count,
        .first = LIB_ARENA_ARRAY(scratch, uint32_t, graph->node_count),
        .first_return = LIB_ARENA_ARRAY(scratch, uint32_t, graph->site_count),
        .first_call = LIB_ARENA_ARRAY(scratch, uint32_t, graph->site_count),
        .merges = LIB_ARENA_ARRAY(scratch, uint32_t *, graph->function_count),
        .first_site = LIB_ARENA_ARRAY(scratch, uint32_t, graph->function_count),
        .next_site = LIB_ARENA_ARRAY(scratch, uint32_t, graph->site_count),
    };
    for (uint32_t f = 0; f < graph->function_count; f++)
        p.merges[f] = LIB_ARENA_ARRAY(scratch, uint32_t, graph->functions[f].param_count);
    graph->nodes = NULL;
    graph->node_count = 0;
    graph->node_capacity = 0;
    list_sites(&p);
    add_nodes(&p);
    connect_values(&p);
    for (uint32_t s = 0; s < graph->site_count; s++)
        if (!callee_of(graph, s)->is_loop)
            connect_call(&p, s);
    lib_mem_free(old);
    lib_arena_free(scratch);
}

void programs_static(struct isa_graph *graph)
{
    assert(graph->stage == ISA_STAGE_FUNCTIONS);
    if (has_calls(graph))
        replace_nodes(graph);
    for (uint32_t f = 0; f < graph->function_count; f++)
        isa_graph_set_early(graph, f, 0, 0);
    graph->stage = ISA_STAGE_STATIC;
}
