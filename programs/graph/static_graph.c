#include "programs/graph/static_graph.h"

#include <assert.h>

/* For each node of the function graphs, its nodes in the static graph: `first` for a copied node
 * or a PARAM; for an APPLY, from `first` on CALLs, then JOINs, then RETURNs. */
struct plan {
    const struct isa_graph *from;
    struct isa_graph *to;
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
    for (uint32_t f = 0; f < p->from->function_count; f++)
        p->first_site[f] = NO_SITE;
    for (uint32_t s = p->from->site_count; s-- > 0;) {
        uint32_t callee = p->from->sites[s].callee;
        p->next_site[s] = p->first_site[callee];
        p->first_site[callee] = s;
    }
}

static void copy_tables(const struct isa_graph *from, struct isa_graph *to)
{
    for (uint32_t i = 0; i < from->function_count; i++) {
        const struct isa_function *f = &from->functions[i];
        isa_graph_add_function(to, f->name, f->params, f->param_count, f->results,
                               f->result_count, f->pos);
        isa_graph_set_names(to, i, f->names);
        if (f->is_loop)
            isa_graph_set_loop(to, i, f->bound);
        isa_graph_set_constants(to, i, f->held, f->held_count);
    }
    for (uint32_t i = 0; i < from->site_count; i++)
        isa_graph_add_site(to, from->sites[i].caller, from->sites[i].callee,
                           from->sites[i].pos);
    for (uint32_t i = 0; i < from->cell_count; i++)
        isa_graph_add_cell(to, from->cells[i].name, from->cells[i].type);
    isa_graph_add_constants(to, from);
    for (uint32_t i = 0; i < from->placing_count; i++)
        isa_graph_add_placing(to, from->placings[i]);
    isa_graph_add_ports(to, from);
    for (uint32_t i = 0; i < from->input_count; i++)
        isa_graph_add_input(to, from->inputs[i].name, from->inputs[i].type,
                            from->inputs[i].value);
    bool fits = isa_graph_set_shape(to, from->shape);
    assert(fits);
    (void)fits;
}

static const struct isa_function *callee_of(const struct isa_graph *graph, uint32_t site)
{
    return &graph->functions[graph->sites[site].callee];
}

static uint32_t add_call(struct plan *p, const struct isa_node *apply)
{
    const struct isa_function *callee = callee_of(p->from, apply->site);
    uint32_t first = p->to->node_count;
    for (uint32_t k = 0; k < callee->param_count; k++)
        isa_graph_add_node(p->to, ISA_OP_CALL, callee->params[k], apply->function,
                           apply->site, k, apply->pos);
    for (uint32_t k = 0; k + 1 < callee->param_count; k++)
        isa_graph_add_node(p->to, ISA_OP_JOIN, ISA_BOOL, apply->function, apply->site, 0,
                           apply->pos);
    p->first_call[apply->site] = first;
    p->first_return[apply->site] = p->to->node_count;
    for (uint32_t k = 0; k < callee->result_count; k++)
        isa_graph_add_node(p->to, ISA_OP_RETURN, callee->results[k], apply->function,
                           apply->site, k, apply->pos);
    return first;
}

static void add_nodes(struct plan *p)
{
    for (uint32_t i = 0; i < p->from->node_count; i++) {
        const struct isa_node *n = &p->from->nodes[i];
        const uint32_t before = p->to->node_count;
        switch (n->op) {
        case ISA_OP_APPLY:
            p->first[i] = add_call(p, n);
            break;
        case ISA_OP_PARAM:
            p->first[i] = isa_graph_add_node(p->to, ISA_OP_MERGE, n->type, n->function, 0,
                                             0, n->pos);
            p->merges[n->function][n->index] = p->first[i];
            break;
        case ISA_OP_RESULT:
            break;
        default:
            p->first[i] = isa_graph_add_node(p->to, n->op, n->type, n->function, n->site,
                                             n->index, n->pos);
        }
        for (uint32_t k = before; n->written && k < p->to->node_count; k++)
            isa_graph_set_written(p->to, k, n->written);
    }
}

static void copy_immediates(struct plan *p)
{
    for (uint32_t i = 0; i < p->from->node_count; i++) {
        const struct isa_node *n = &p->from->nodes[i];
        for (uint32_t port = 0; port < n->operand_count; port++) {
            bool apply = n->op == ISA_OP_APPLY; /* operand k is that of CALL k */
            uint32_t node = p->first[i] + (apply ? port : 0);
            if (n->op != ISA_OP_RESULT)
                p->to->nodes[node].operands[apply ? 0 : port] = n->operands[port];
        }
    }
}

/* Connects an arc to result k of function f to RETURN k of every call of f. */
static void connect_result(struct plan *p, uint32_t node, uint32_t output,
                           const struct isa_node *result)
{
    for (uint32_t s = p->first_site[result->function]; s != NO_SITE; s = p->next_site[s])
        isa_graph_connect(p->to, node, output,
                          (struct isa_dest){p->first_return[s] + result->index, 0});
}

static void connect_values(struct plan *p)
{
    for (uint32_t i = 0; i < p->from->node_count; i++) {
        const struct isa_node *n = &p->from->nodes[i];
        for (uint32_t o = 0; o < n->output_count; o++) {
            bool apply = n->op == ISA_OP_APPLY; /* output k is that of RETURN k */
            uint32_t node = apply ? p->first_return[n->site] + o : p->first[i];
            for (uint32_t k = 0; k < n->outputs[o].count; k++) {
                struct isa_dest to = n->outputs[o].items[k];
                const struct isa_node *target = &p->from->nodes[to.node];
                uint32_t output = apply ? 0 : o;
                if (target->op == ISA_OP_RESULT)
                    connect_result(p, node, output, target);
                else if (target->op == ISA_OP_APPLY)
                    isa_graph_connect(p->to, node, output,
                                      (struct isa_dest){p->first[to.node] + to.port, 0});
                else
                    isa_graph_connect(p->to, node, output,
                                      (struct isa_dest){p->first[to.node], to.port});
            }
        }
    }
}

/* Connects the control network of a call. JOIN 0 joins CALLs 0 and 1, JOIN 1 adds CALL 2, ...;
 * the last JOIN, or the only CALL, reaches every RETURN. For a paired function, the node that
 * joins the CALLs of early parameters reaches the RETURNs of early results. */
static void connect_call(struct plan *p, uint32_t site)
{
    const struct isa_function *callee = callee_of(p->from, site);
    uint32_t params = callee->param_count, call = p->first_call[site];
    const uint32_t *merges = p->merges[p->from->sites[site].callee];
    uint32_t join = call + params;
    for (uint32_t k = 0; k < params; k++) {
        isa_graph_connect(p->to, call + k, 0, (struct isa_dest){merges[k], 0});
        if (params > 1)
            isa_graph_connect(p->to, call + k, 1,
                              (struct isa_dest){join + (k ? k - 1 : 0), k ? 1 : 0});
    }
    for (uint32_t k = 0; k + 2 < params; k++)
        isa_graph_connect(p->to, join + k, 0, (struct isa_dest){join + k + 1, 0});
    for (uint32_t k = 0; k < callee->result_count; k++) {
        const uint32_t joined = k < callee->early_results ? callee->early_params : params;
        const uint32_t last = joined > 1 ? join + joined - 2 : call;
        isa_graph_connect(p->to, last, joined > 1 ? 0 : 1,
                          (struct isa_dest){p->first_return[site] + k, 1});
    }
}

struct isa_graph *programs_static(const struct isa_graph *functions)
{
    struct lib_arena *scratch = lib_arena_new();
    struct plan p = {
        .from = functions,
        .to = isa_graph_new(ISA_STAGE_STATIC, functions->source),
        .first = LIB_ARENA_ARRAY(scratch, uint32_t, functions->node_count),
        .first_return = LIB_ARENA_ARRAY(scratch, uint32_t, functions->site_count),
        .first_call = LIB_ARENA_ARRAY(scratch, uint32_t, functions->site_count),
        .merges = LIB_ARENA_ARRAY(scratch, uint32_t *, functions->function_count),
        .first_site = LIB_ARENA_ARRAY(scratch, uint32_t, functions->function_count),
        .next_site = LIB_ARENA_ARRAY(scratch, uint32_t, functions->site_count),
    };
    for (uint32_t f = 0; f < functions->function_count; f++)
        p.merges[f] = LIB_ARENA_ARRAY(scratch, uint32_t,
                                      functions->functions[f].param_count);
    list_sites(&p);
    copy_tables(functions, p.to);
    add_nodes(&p);
    copy_immediates(&p);
    connect_values(&p);
    for (uint32_t s = 0; s < functions->site_count; s++)
        if (!callee_of(functions, s)->is_loop)
            connect_call(&p, s);
    lib_arena_free(scratch);
    return p.to;
}
