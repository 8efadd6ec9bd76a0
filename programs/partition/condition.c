#include "programs/partition/condition.h"

#include "isa/op_columns.h"
#include "lib/key_map.h"

#define NOWHERE UINT32_MAX

/* Source of an operand: one arc; two for a MERGE of a conditional. */
struct from {
    uint32_t node[2], output[2];
};

struct search {
    const struct isa_graph *image;
    struct programs_conditions *found;
    struct from *from;
    uint32_t *first;       /* for each node: index of its first operand in `from` */
    uint32_t *first_param; /* for each site: CALL or ENTER of parameter 0 */
    uint8_t *state;
    struct lib_key_map made; /* from outer condition, predicate and side to a condition */
    LIB_VEC(uint32_t) stack;
};

enum { NEW, OPEN, DONE };

/* --- arcs --------------------------------------------------------------------------------- */

static void add_arc(struct search *s, uint32_t node, uint32_t output, struct isa_dest to)
{
    struct from *from = &s->from[s->first[to.node] + to.port];
    const uint32_t k = from->node[0] != NOWHERE;
    from->node[k] = node;
    from->output[k] = output;
}

static void find_arcs(struct search *s)
{
    const struct isa_graph *g = s->image;
    size_t operands = 0;
    for (uint32_t i = 0; i < g->node_count; i++) {
        s->first[i] = (uint32_t)operands;
        operands += g->nodes[i].operand_count;
        if (isa_op_brings_in(g->nodes[i].op) && g->nodes[i].index == 0)
            s->first_param[g->nodes[i].site] = i;
    }
    s->from = lib_mem_new((operands + 1) * sizeof *s->from);
    for (size_t i = 0; i < operands; i++)
        s->from[i] = (struct from){{NOWHERE, NOWHERE}, {0, 0}};
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++)
                if (g->nodes[i].outputs[o].items[k].node != ISA_TO_RETURN)
                    add_arc(s, i, o, g->nodes[i].outputs[o].items[k]);
}

/* --- conditions ----------------------------------------------------------------------------- */

static bool is_same(const struct isa_predicate *p, const struct isa_predicate *q)
{
    if (p->operand.kind != q->operand.kind || p->function != q->function ||
        p->node != q->node || p->output != q->output)
        return false;
    switch (p->operand.kind) {
    case ISA_OPERAND_LITERAL:
        return p->operand.value == q->operand.value;
    case ISA_OPERAND_INPUT:
        return p->operand.input == q->operand.input;
    case ISA_OPERAND_HELD:
        return p->operand.held == q->operand.held;
    default:
        return true;
    }
}

static uint32_t find_predicate(struct search *s, uint32_t node)
{
    const struct isa_node *n = &s->image->nodes[node];
    const struct from *from = &s->from[s->first[node] + 1];
    const struct isa_predicate p = {n->operands[1], n->function, from->node[0],
                                    from->output[0]};
    for (size_t i = 0; i < s->found->predicates.count; i++)
        if (is_same(&s->found->predicates.items[i], &p))
            return (uint32_t)i;
    *LIB_VEC_PUSH(&s->found->predicates) = p;
    return (uint32_t)s->found->predicates.count - 1;
}

/* Returns the condition of tokens that a SWITCH under condition `outer` sends to list `side`. */
static uint32_t decided(struct search *s, uint32_t outer, uint32_t node, uint32_t side)
{
    if (outer == PROGRAMS_CONDITION_UNKNOWN)
        return outer;
    const uint32_t predicate = find_predicate(s, node);
    const uint64_t key = 1 + ((uint64_t)outer << 32 | predicate << 1 | side);
    const uint64_t *known = lib_key_map_find(&s->made, key);
    if (known)
        return (uint32_t)*known;
    const uint32_t made = (uint32_t)s->found->all.count;
    *LIB_VEC_PUSH(&s->found->all) = (struct programs_condition){
        outer, predicate, side, s->image->nodes[node].pos};
    lib_key_map_put(&s->made, key, made);
    return made;
}

/* Whether condition `a` is part of condition `b`. */
static bool is_part(const struct search *s, uint32_t a, uint32_t b)
{
    while (b != a && b != PROGRAMS_CONDITION_NONE)
        b = s->found->all.items[b].outer;
    return a == b;
}

static uint32_t both(const struct search *s, uint32_t a, uint32_t b)
{
    if (a == PROGRAMS_CONDITION_UNKNOWN || b == PROGRAMS_CONDITION_UNKNOWN)
        return PROGRAMS_CONDITION_UNKNOWN;
    return is_part(s, a, b) ? b : is_part(s, b, a) ? a : PROGRAMS_CONDITION_UNKNOWN;
}

/* Returns the condition under which one of two conditions holds: the two sides of one decision;
 * else PROGRAMS_CONDITION_UNKNOWN. */
static uint32_t either(const struct search *s, uint32_t a, uint32_t b)
{
    if (a == PROGRAMS_CONDITION_UNKNOWN || b == PROGRAMS_CONDITION_UNKNOWN || a == 0 ||
        b == 0)
        return PROGRAMS_CONDITION_UNKNOWN;
    const struct programs_condition *x = &s->found->all.items[a],
                                    *y = &s->found->all.items[b];
    return x->outer == y->outer && x->predicate == y->predicate && x->side != y->side
               ? x->outer
               : PROGRAMS_CONDITION_UNKNOWN;
}

/* Returns the condition of the tokens of an arc, whose source is done. */
static uint32_t brought(struct search *s, const struct from *from, uint32_t k)
{
    const struct isa_node *n = &s->image->nodes[from->node[k]];
    const uint32_t own = s->found->of_node[from->node[k]];
    if (n->op == ISA_OP_SWITCH)
        return decided(s, own, from->node[k], from->output[k]);
    return isa_op_makes_tag(n->op) ? PROGRAMS_CONDITION_NONE : own;
}

static uint32_t condition_of(struct search *s, uint32_t node)
{
    const struct isa_node *n = &s->image->nodes[node];
    if (n->op == ISA_OP_MERGE || isa_op_takes_control(n->op)) {
        if (n->op == ISA_OP_RETURN)
            return s->found->of_node[s->first_param[n->site]];
        return PROGRAMS_CONDITION_NONE;
    }
    if (n->op == ISA_OP_EXIT)
        return s->found->of_node[s->first_param[n->site]];
    const struct from *from = &s->from[s->first[node]];
    if (isa_op_chooses(n->op))
        return either(s, brought(s, from, 0), brought(s, from, 1));
    uint32_t found = PROGRAMS_CONDITION_NONE;
    for (uint32_t port = 0; port < n->operand_count; port++)
        if (n->operands[port].kind == ISA_OPERAND_TOKEN)
            found = both(s, found, brought(s, &from[port], 0));
    return found;
}

/* --- the order -------------------------------------------------------------------------------- */

/* Pushes the nodes that a node depends on; a node that depends on itself is unknown. */
static bool need(struct search *s, uint32_t node)
{
    if (s->state[node] == NEW)
        *LIB_VEC_PUSH(&s->stack) = node;
    else if (s->state[node] == OPEN)
        return false;
    return true;
}

static bool need_all(struct search *s, uint32_t node)
{
    const struct isa_node *n = &s->image->nodes[node];
    if (n->op == ISA_OP_RETURN || n->op == ISA_OP_EXIT)
        return need(s, s->first_param[n->site]);
    if (n->op == ISA_OP_MERGE || isa_op_takes_control(n->op))
        return true;
    bool good = true;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const struct from *from = &s->from[s->first[node] + port];
        for (uint32_t k = 0; k < 2; k++)
            if (n->operands[port].kind == ISA_OPERAND_TOKEN && from->node[k] != NOWHERE &&
                !isa_op_makes_tag(s->image->nodes[from->node[k]].op))
                good &= need(s, from->node[k]);
    }
    return good;
}

static void find_condition(struct search *s, uint32_t start)
{
    *LIB_VEC_PUSH(&s->stack) = start;
    while (s->stack.count) {
        const uint32_t node = s->stack.items[s->stack.count - 1];
        if (s->state[node] == DONE) {
            s->stack.count--;
        } else if (s->state[node] == OPEN) {
            if (s->found->of_node[node] != PROGRAMS_CONDITION_UNKNOWN)
                s->found->of_node[node] = condition_of(s, node);
            s->state[node] = DONE;
            s->stack.count--;
        } else {
            s->state[node] = OPEN;
            if (!need_all(s, node))
                s->found->of_node[node] = PROGRAMS_CONDITION_UNKNOWN;
        }
    }
}

struct programs_conditions *programs_conditions_make(const struct isa_graph *image)
{
    struct programs_conditions *found = lib_mem_new(sizeof *found);
    struct search s = {
        .image = image,
        .found = found,
        .first = lib_mem_new(((size_t)image->node_count + 1) * sizeof *s.first),
        .first_param = lib_mem_new(((size_t)image->site_count + 1) *
                                   sizeof *s.first_param),
        .state = lib_mem_new((size_t)image->node_count + 1),
    };
    *found = (struct programs_conditions){
        .of_node = lib_mem_new(((size_t)image->node_count + 1) * sizeof(uint32_t))};
    *LIB_VEC_PUSH(&found->all) = (struct programs_condition){0};
    find_arcs(&s);
    for (uint32_t i = 0; i < image->node_count; i++)
        find_condition(&s, i);
    LIB_MEM_FREE(s.from, s.first, s.first_param, s.state);
    lib_key_map_free(&s.made);
    LIB_VEC_FREE(&s.stack);
    return found;
}

void programs_conditions_free(struct programs_conditions *conditions)
{
    LIB_VEC_FREE(&conditions->all, &conditions->predicates);
    LIB_MEM_FREE(conditions->of_node, conditions);
}
