#include "machine/engine/tf_cost.h"

#include "isa/op_columns.h"
#include "lib/memory.h"

enum {
    PIVOT_LIVE = 3, /* nodes of a conditional besides its SWITCHes and MERGEs */
    PIVOT_DEAD = 1,
};

/* Whether one of the destinations is the control operand of a SWITCH. */
static bool is_predicate(const struct isa_code *code, struct isa_code_list list)
{
    for (uint32_t i = 0; i < list.count; i++) {
        const isa_code_dest dest = code->dests[list.first + i];
        if (!(dest & ISA_CODE_TO_RETURN) && dest & 1 &&
            isa_op_does[code->instrs[dest >> 1].op].sends == ISA_SENDS_ONE)
            return true;
    }
    return false;
}

static bool is_const(const struct isa_operand *operand)
{
    return operand->kind == ISA_OPERAND_LITERAL || operand->kind == ISA_OPERAND_INPUT;
}

/* Returns the nodes of an instruction, except those of a conditional. */
static uint32_t count_own(const struct isa_node *n)
{
    uint32_t count = n->op == ISA_OP_JOIN ? 0 : n->op == ISA_OP_MERGE ? 2 : 1;
    for (uint32_t i = 0; i < n->operand_count && n->op != ISA_OP_CONST; i++)
        count += is_const(&n->operands[i]);
    return count;
}

static struct machine_tf_cost pivot(void)
{
    return (struct machine_tf_cost){.live = {PIVOT_LIVE, PIVOT_LIVE},
                                    .dead = {PIVOT_DEAD, PIVOT_DEAD},
                                    .all = PIVOT_LIVE + PIVOT_DEAD};
}

/* Returns the nodes of an APPLY. If the call is not made it has no RESULTs, whose nodes then die
 * with it. */
static struct machine_tf_cost lower_apply(const struct isa_code *code,
                                          const struct isa_node *n)
{
    const struct isa_code_site *site = &code->sites[n->site];
    const uint32_t own = count_own(n);
    struct machine_tf_cost l = {.live = {own, own}, .all = own};
    for (uint32_t k = 0; k < code->graph->functions[site->callee].result_count; k++)
        if (is_predicate(code, code->outputs[code->first_return[n->site] + k]))
            l.all += pivot().all;
    return l;
}

static struct machine_tf_cost lower(const struct isa_code *code, uint32_t i)
{
    const struct isa_node *n = &code->graph->nodes[isa_code_node(code, i)];
    const struct isa_instr *instr = &code->instrs[i];
    const uint32_t pivots[2] = {is_predicate(code, instr->out[0]),
                                is_predicate(code, instr->out[1])};
    if (n->op == ISA_OP_APPLY)
        return lower_apply(code, n);
    const bool decides = isa_op_does[n->op].sends == ISA_SENDS_ONE;
    const uint32_t branches[2] = {decides && instr->out[0].count > 0,
                                  decides && instr->out[1].count > 0};
    const uint32_t own = decides ? branches[0] + branches[1] : count_own(n);
    struct machine_tf_cost l = {
        .all = own + (pivots[0] + pivots[1]) * (PIVOT_LIVE + PIVOT_DEAD),
    };
    for (int taken = 0; taken < 2; taken++) {
        const bool in_branch = decides && is_const(&n->operands[0]);
        const uint32_t live = in_branch ? branches[taken] : own;
        l.live[taken] = live + pivots[taken] * PIVOT_LIVE;
        l.dead[taken] = l.all - l.live[taken];
    }
    return l;
}

static void lower_calls(struct machine_tf_costs *l, const struct isa_code *code)
{
    const struct isa_graph *graph = code->graph;
    uint32_t outputs = 0;
    for (uint32_t s = 0; s < graph->site_count; s++)
        outputs += graph->functions[graph->sites[s].callee].result_count;
    l->of_output = lib_mem_new(outputs * sizeof *l->of_output);
    for (uint32_t i = 0; i < outputs; i++)
        if (is_predicate(code, code->outputs[i]))
            l->of_output[i] = pivot();
    l->of_copy = lib_mem_new(graph->function_count * sizeof *l->of_copy);
    for (uint32_t i = 0; i < graph->node_count; i++)
        l->of_copy[code->copied_with[graph->nodes[i].function]] += l->of_instr[i].all;
}

void machine_tf_costs_init(struct machine_tf_costs *lowering, const struct isa_code *code)
{
    *lowering = (struct machine_tf_costs){
        .of_instr = lib_mem_new(code->instr_count * sizeof *lowering->of_instr),
    };
    for (uint32_t i = 0; i < code->instr_count; i++)
        lowering->of_instr[i] = lower(code, i);
    if (code->expands)
        lower_calls(lowering, code);
}

void machine_tf_costs_free(struct machine_tf_costs *lowering)
{
    LIB_MEM_FREE(lowering->of_instr, lowering->of_output, lowering->of_copy);
}
