/* The checker: calls. Each site has its nodes, joined by control tokens. */
#include "isa/check/rules.h"
#include "lib/memory.h"

/* The nodes of one site. */
struct call {
    uint32_t applies, calls, joins, returns; /* number of nodes */
    uint32_t first_call;                     /* first index in `of_param` */
    uint32_t root; /* node whose control token reaches the last RETURN, or none yet */
};

struct calls {
    struct call *sites;
    uint32_t *of_param; /* per site and parameter: its CALL plus one, or 0 */
    uint32_t *of_part;  /* per site and result: its RETURN plus one, or 0 */
    bool *reached;      /* per node: walking back from a RETURN has reached it */
};

static void count_nodes(const struct isa_graph *g, struct call *sites)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op == ISA_OP_APPLY)
            sites[n->site].applies++;
        else if (n->op == ISA_OP_CALL)
            sites[n->site].calls++;
        else if (n->op == ISA_OP_JOIN)
            sites[n->site].joins++;
        else if (n->op == ISA_OP_RETURN)
            sites[n->site].returns++;
    }
}

static void check_number(struct isa_check *c, uint32_t site, const char *what,
                         uint32_t found, uint32_t wanted)
{
    const struct isa_graph *g = c->graph;
    if (found != wanted)
        isa_check_say_of(
            c, LIB_DIAG_MEANING, g->sites[site].pos,
            "site %u, a call of " ISA_CHECK_NAME_FORMAT ": %u nodes %s, not %u%s", site,
            g->functions[g->sites[site].callee].name, found, what, wanted,
            g->functions[g->sites[site].callee].is_loop ? ": it is a loop" : "");
}

static void check_numbers(struct isa_check *c, const struct call *sites)
{
    const struct isa_graph *g = c->graph;
    for (uint32_t s = 0; s < g->site_count; s++) {
        const struct isa_function *callee = &g->functions[g->sites[s].callee];
        if (callee->is_loop) {
            check_number(c, s, "apply", sites[s].applies, 0);
            check_number(c, s, "call", sites[s].calls, 0);
            check_number(c, s, "join", sites[s].joins, 0);
            check_number(c, s, "return", sites[s].returns, 0);
            continue;
        }
        if (isa_stage_applies(g->stage)) {
            check_number(c, s, "apply", sites[s].applies, 1);
            continue;
        }
        check_number(c, s, "call", sites[s].calls, callee->param_count);
        check_number(c, s, "join", sites[s].joins, callee->param_count - 1);
        check_number(c, s, "return", sites[s].returns, callee->result_count);
    }
}

static void number_places(const struct isa_graph *g, struct calls *calls)
{
    uint32_t places = 0; /* no more than nodes: their numbers were checked */
    for (uint32_t s = 0; s < g->site_count; s++) {
        calls->sites[s].first_call = places;
        calls->sites[s].root = ISA_CHECK_NONE;
        places += calls->sites[s].calls + calls->sites[s].returns;
    }
    calls->of_param = lib_mem_new(places * sizeof *calls->of_param);
    calls->of_part = lib_mem_new(places * sizeof *calls->of_part);
    calls->reached = lib_mem_new(g->node_count * sizeof *calls->reached);
}

static void check_distinct(struct isa_check *c, struct calls *calls)
{
    const struct isa_graph *g = c->graph;
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        bool call = n->op == ISA_OP_CALL;
        if (!call && n->op != ISA_OP_RETURN)
            continue;
        uint32_t *places = call ? calls->of_param : calls->of_part;
        uint32_t *place = &places[calls->sites[n->site].first_call + n->index];
        if (*place)
            isa_check_say(c, LIB_DIAG_MEANING, i, "%s is the %s %u of site %u too",
                          isa_check_name(c, *place - 1).text,
                          call ? "call for parameter" : "return of result", n->index,
                          n->site);
        *place = i + 1;
    }
}

/* Checks the control network of a site, walking back from its root. With one JOIN fewer than CALLs,
 * the network is a tree over all of them if no node is reached twice. */
static void check_tree(struct isa_check *c, struct calls *calls, uint32_t site,
                       uint32_t *stack)
{
    const struct isa_graph *g = c->graph;
    uint32_t depth = 0, leaves = 0;
    stack[depth++] = calls->sites[site].root;
    while (depth) {
        uint32_t node = stack[--depth];
        const struct isa_node *n = &g->nodes[node];
        bool own = (n->op == ISA_OP_CALL || n->op == ISA_OP_JOIN) && n->site == site;
        if (!own || calls->reached[node]) {
            isa_check_say(c, LIB_DIAG_MEANING, node,
                          own ? "its control token reaches the return of site %u twice"
                              : "its control token reaches the return of site %u, to "
                                "which it does not belong",
                          site);
            return;
        }
        calls->reached[node] = true;
        leaves += n->op == ISA_OP_CALL;
        for (uint32_t port = 0; n->op == ISA_OP_JOIN && port < 2; port++)
            stack[depth++] = c->from[c->first[node] + port].node;
    }
    if (leaves < calls->sites[site].calls)
        isa_check_say_of(
            c, LIB_DIAG_MEANING, g->sites[site].pos,
            "site %u: the control tokens of %u of its %u nodes call do not reach "
            "the return of its last result",
            site, calls->sites[site].calls - leaves, calls->sites[site].calls);
}

/* Returns the node whose control token reaches a site's last RETURN, which waits for all CALLs.
 * RETURNs of early results may be reached from within the tree. */
static uint32_t find_root(const struct isa_check *c, const struct calls *calls,
                          uint32_t site)
{
    const struct isa_graph *g = c->graph;
    const struct call *call = &calls->sites[site];
    const uint32_t last =
        calls->of_part[call->first_call +
                       g->functions[g->sites[site].callee].result_count - 1];
    return c->from[c->first[last - 1] + 1].node;
}

static void check_network(struct isa_check *c, struct calls *calls)
{
    const struct isa_graph *g = c->graph;
    /* Each JOIN on the way pops one node and pushes two. */
    uint32_t *stack = lib_mem_new(((size_t)g->node_count + 2) * sizeof *stack);
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op != ISA_OP_RETURN)
            continue;
        struct call *call = &calls->sites[n->site];
        uint32_t root = c->from[c->first[i] + 1].node;
        if (call->root == ISA_CHECK_NONE) {
            call->root = find_root(c, calls, n->site);
            check_tree(c, calls, n->site, stack);
        }
        const struct isa_node *from = &g->nodes[root];
        const bool own = (from->op == ISA_OP_CALL || from->op == ISA_OP_JOIN) &&
                         from->site == n->site && calls->reached[root];
        if (call->root != root && !own) {
            isa_check_say(c, LIB_DIAG_MEANING, i,
                          "takes its control token from %s, another return of site %u "
                          "from %s",
                          isa_check_name(c, root).text, n->site,
                          isa_check_name(c, call->root).text);
        }
    }
    lib_mem_free(stack);
}

void isa_check_calls(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    size_t before = c->diags->errors;
    struct calls calls = {lib_mem_new(g->site_count * sizeof *calls.sites), NULL, NULL,
                          NULL};
    count_nodes(g, calls.sites);
    check_numbers(c, calls.sites);
    if (c->diags->errors == before && !isa_stage_applies(g->stage)) {
        number_places(g, &calls);
        check_distinct(c, &calls);
        if (c->diags->errors == before)
            check_network(c, &calls);
        LIB_MEM_FREE(calls.of_param, calls.of_part, calls.reached);
    }
    lib_mem_free(calls.sites);
}
