/* The checker: loops. Each variable has one MERGE; each constant one HOLD. */
#include "isa/check/rules.h"
#include "lib/memory.h"

/* ENTER and NEXT of each variable of each loop, plus one, or 0: at first_param[f] + variable. */
struct variables {
    uint32_t *enters, *nexts;
};

static void note_variable(struct isa_check *c, struct variables *v, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const uint32_t f = g->sites[n->site].callee;
    const bool enters = n->op == ISA_OP_ENTER;
    uint32_t *place = &(enters ? v->enters : v->nexts)[c->first_param[f] + n->index];
    if (!g->functions[f].is_loop)
        isa_check_say(c, LIB_DIAG_MEANING, node, "site %u calls a function, not a loop",
                      n->site);
    else if (*place)
        isa_check_say(c, LIB_DIAG_MEANING, node, "%s is the %s of variable %u too",
                      isa_check_name(c, *place - 1).text, enters ? "enter" : "next",
                      n->index);
    *place = node + 1;
}

/* Returns the MERGE that is all a node reaches; ISA_CHECK_NONE after an error. */
static uint32_t find_merge(struct isa_check *c, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_dests *to = &g->nodes[node].outputs[0];
    bool one = to->count == 1 && to->items[0].node != ISA_TO_RETURN &&
               g->nodes[to->items[0].node].op == ISA_OP_MERGE;
    if (one)
        return to->items[0].node;
    isa_check_say(c, LIB_DIAG_MEANING, node, "must reach one merge, and nothing else");
    return ISA_CHECK_NONE;
}

static void check_variable(struct isa_check *c, const struct variables *v, uint32_t f,
                           uint32_t k)
{
    const struct isa_graph *g = c->graph;
    const uint32_t enter = v->enters[c->first_param[f] + k];
    const uint32_t next = v->nexts[c->first_param[f] + k];
    if (!enter || !next) {
        isa_check_say_of(c, LIB_DIAG_MEANING, g->functions[f].pos,
                         "loop %u " ISA_CHECK_NAME_FORMAT ": variable %u has no %s", f,
                         g->functions[f].name, k, enter ? "next" : "enter");
        return;
    }
    uint32_t merge = find_merge(c, enter - 1), other = find_merge(c, next - 1);
    if (merge == ISA_CHECK_NONE || other == ISA_CHECK_NONE)
        return;
    if (merge != other)
        isa_check_say(c, LIB_DIAG_MEANING, next - 1,
                      "reaches another merge than %s, the enter of its variable",
                      isa_check_name(c, enter - 1).text);
    else if (c->arrivals[c->first[merge]] != 2)
        isa_check_say(c, LIB_DIAG_MEANING, merge,
                      "is reached by %u arcs, not by 2: it is that of a loop's variable",
                      c->arrivals[c->first[merge]]);
}

/* Records the HOLD of a constant; a second one is an error. `holds` has nodes plus 1, or 0, at
 * first_held[f] + constant. */
static void note_hold(struct isa_check *c, uint32_t *holds, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    uint32_t *place = &holds[c->first_held[g->sites[n->site].callee] + n->index];
    if (*place)
        isa_check_say(c, LIB_DIAG_MEANING, node, "%s is the hold of constant %u too",
                      isa_check_name(c, *place - 1).text, n->index);
    *place = node + 1;
}

static void check_constants(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    uint32_t *holds = lib_mem_new(c->first_held[g->function_count] * sizeof *holds);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_HOLD)
            note_hold(c, holds, i);
    for (uint32_t f = 0; f < g->function_count; f++)
        for (uint32_t k = 0; k < g->functions[f].held_count; k++)
            if (!holds[c->first_held[f] + k])
                isa_check_say_of(c, LIB_DIAG_MEANING, g->functions[f].pos,
                                 "loop %u " ISA_CHECK_NAME_FORMAT
                                 ": constant %u has no hold",
                                 f, g->functions[f].name, k);
    lib_mem_free(holds);
}

void isa_check_loops(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    const uint32_t params = c->first_param[g->function_count];
    const size_t before = c->diags->errors;
    struct variables v = {lib_mem_new(params * sizeof *v.enters),
                          lib_mem_new(params * sizeof *v.nexts)};
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_ENTER || g->nodes[i].op == ISA_OP_NEXT)
            note_variable(c, &v, i);
    if (c->diags->errors == before)
        for (uint32_t f = 0; f < g->function_count; f++)
            for (uint32_t k = 0;
                 g->functions[f].is_loop && k < g->functions[f].param_count; k++)
                check_variable(c, &v, f, k);
    LIB_MEM_FREE(v.enters, v.nexts);
    check_constants(c);
}
