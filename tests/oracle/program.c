/* "Code": instructions, their forms and kinds. */
#include "tests/oracle/state.h"

#include <stdlib.h>

unsigned oracle_log2(uint64_t n)
{
    unsigned bits = 0;
    while (bits < 63 && UINT64_C(1) << bits < n)
        bits++;
    return bits;
}

static void make_instr(struct oracle *o, uint32_t n)
{
    const struct isa_node *node = &o->graph->nodes[n];
    struct instr *i = &o->instrs[n];
    *i = (struct instr){.number = n, .node = node, .key = oracle_key(n), .held = NONE};
    for (uint32_t p = 0; p < node->operand_count; p++) {
        i->tokens += node->operands[p].kind == ISA_OPERAND_TOKEN;
        if (node->operands[p].kind == ISA_OPERAND_HELD)
            i->held = p;
    }
    if (node->op == ISA_OP_PARAM || isa_op_receives(node->op))
        i->tokens++; /* sent by its APPLY, or by a SEND */
}

/* An APPLY of m token operands is m instructions; the others follow all nodes. */
static void number_applies(struct oracle *o)
{
    o->instr_count = o->graph->node_count;
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        struct instr *i = &o->instrs[n];
        if (i->node->op != ISA_OP_APPLY || i->tokens < 2 || oracle_wrong(o, FURTHER))
            continue;
        o->instr_count += i->tokens - 1;
    }
}

/* "Room": the greatest sum of the lengths of an instruction's lists. */
static void find_longest(struct oracle *o)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        uint64_t sends = 0;
        if (node->op == ISA_OP_APPLY)
            sends = node->operand_count;
        else
            for (uint32_t l = 0; l < node->output_count; l++)
                sends += oracle_list_length(o, node, l);
        sends += node->op == ISA_OP_SEND;
        if (sends > o->longest)
            o->longest = sends;
    }
}

void oracle_program_make(struct oracle *o)
{
    o->instrs = lib_mem_new(o->graph->node_count * sizeof *o->instrs);
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        make_instr(o, n);
    number_applies(o);
    find_longest(o);
}

/* A number by which kinds are ordered: form HELD first, then rows of isa/ops.def, then form. */
uint64_t oracle_kind(const struct oracle *o, const struct instr *instr)
{
    enum { FIRST, SECOND, TWO } form = FIRST;
    const struct isa_node *node = instr->node;
    const uint64_t row = (uint64_t)node->op << 2;
    if (instr->held != NONE)
        return row;
    if (node->op != ISA_OP_APPLY && instr->tokens == 2)
        form = TWO;
    else if (node->op != ISA_OP_APPLY && node->operand_count > 0 &&
             isa_operand_is_immediate(&node->operands[0]))
        form = SECOND;
    if (oracle_wrong(o, KINDS))
        return ((uint64_t)form << 32) + row;
    return (UINT64_C(1) << 32) + row + form;
}

const struct isa_function *oracle_callee(const struct oracle *o, uint32_t site)
{
    return &o->graph->functions[o->graph->sites[site].callee];
}

/* The loop that a site enters; NULL: it calls a function. */
const struct isa_function *oracle_loop_of(const struct oracle *o, uint32_t site)
{
    const struct isa_function *f = oracle_callee(o, site);
    return f->is_loop ? f : NULL;
}

/* The first instruction of this opcode, site and index (or any), or NULL. */
const struct instr *oracle_find(const struct oracle *o, enum isa_op op, uint32_t site,
                                uint32_t index)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        if (node->op == op && node->site == site &&
            (index == NONE || node->index == index))
            return &o->instrs[n];
    }
    return NULL;
}

const struct instr *oracle_find_param(const struct oracle *o, uint32_t function,
                                      uint32_t index)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        if (node->op == ISA_OP_PARAM && node->function == function &&
            node->index == index)
            return &o->instrs[n];
    }
    return NULL;
}

/* The nodes of a function and of the loops in it. */
uint64_t oracle_copy_nodes(const struct oracle *o, uint32_t function)
{
    uint64_t count = 0;
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        count += o->graph->nodes[n].function == function;
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->sites[s].caller == function && oracle_loop_of(o, s))
            count += oracle_copy_nodes(o, o->graph->sites[s].callee);
    return count;
}

/* The slots of a frame on one machine, for a function called or entered at a site. */
uint64_t oracle_slots_on(const struct oracle *o, uint32_t function, uint32_t site,
                         uint32_t machine)
{
    const struct isa_function *f = &o->graph->functions[function];
    uint64_t slots = 0;
    if (function != 0 && oracle_home_of_site(o, site) == machine)
        slots = f->is_loop ? 1 : f->param_count - 1 + f->result_count;
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        if (node->function != function || node->machine != machine ||
            node->op == ISA_OP_JOIN || node->op == ISA_OP_RETURN)
            continue;
        slots += o->instrs[n].tokens == 2 ||
                 (node->op == ISA_OP_MERGEIF && o->s->propagate);
    }
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->sites[s].caller == function && oracle_loop_of(o, s) &&
            oracle_home_of_site(o, s) == machine)
            slots += 1 + oracle_loop_of(o, s)->held_count;
    return slots;
}

/* "Matching stores". */
uint64_t oracle_slots(const struct oracle *o, uint32_t function)
{
    const struct isa_function *f = &o->graph->functions[function];
    const bool expanding = o->graph->stage == ISA_STAGE_EXPANDING;
    uint64_t slots = f->is_loop;
    if (function != 0 && !f->is_loop && expanding)
        slots = f->param_count > 1 ? 1 + f->param_count : 0;
    else if (function != 0 && !f->is_loop)
        slots = f->param_count - 1 + f->result_count;
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct isa_node *node = &o->graph->nodes[n];
        const bool two = o->instrs[n].tokens == 2 && node->op != ISA_OP_JOIN &&
                         node->op != ISA_OP_RETURN && node->op != ISA_OP_APPLY;
        const bool noted = node->op == ISA_OP_MERGEIF ||
                           (node->op == ISA_OP_APPLY && o->instrs[n].tokens > 1);
        if (node->function == function)
            slots += two || (noted && o->s->propagate);
    }
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->sites[s].caller == function && oracle_loop_of(o, s))
            slots += 1 + (oracle_wrong(o, SLOTS) ? 0 : oracle_loop_of(o, s)->held_count);
    return slots;
}
