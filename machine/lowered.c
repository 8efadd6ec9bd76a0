#include "machine/lowered.h"

#include "lib/memory.h"

enum {
    PIVOT_LIVE = 3, /* the nodes that a conditional has beside its SWITCHes and MERGEs */
    PIVOT_DEAD = 1,
};

/* Whether what a list sends decides a SWITCH. */
static bool is_predicate(const struct isa_code *code, struct isa_code_list list)
{
    for (uint32_t i = 0; i < list.count; i++) {
        const isa_code_dest dest = code->dests[list.first + i];
        if (!(dest & ISA_CODE_TO_RETURN) && dest & 1 &&
            code->instrs[dest >> 1].op == ISA_OP_SWITCH)
            return true;
    }
    return false;
}

static bool is_const(const struct isa_operand *operand)
{
    return operand->kind == ISA_OPERAND_LITERAL || operand->kind == ISA_OPERAND_INPUT;
}

/* Its nodes, those of a conditional not among them. */
static uint32_t count_own(const struct isa_node *n)
{
    uint32_t count = n->op == ISA_OP_JOIN ? 0 : n->op == ISA_OP_MERGE ? 2 : 1;
    for (uint32_t i = 0; i < n->operand_count && n->op != ISA_OP_CONST; i++)
        count += is_const(&n->operands[i]);
    return count;
}

static struct machine_lowered lower(const struct isa_code *code, uint32_t i)
{
    const struct isa_node *n = &code->graph->nodes[i];
    const struct isa_instr *instr = &code->instrs[i];
    const uint32_t pivots[2] = {is_predicate(code, instr->out[0]),
                                is_predicate(code, instr->out[1])};
    const bool decides = n->op == ISA_OP_SWITCH;
    const uint32_t branches[2] = {decides && instr->out[0].count > 0,
                                  decides && instr->out[1].count > 0};
    const uint32_t own = decides ? branches[0] + branches[1] : count_own(n);
    struct machine_lowered l = {
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

struct machine_lowered *machine_lowered_make(const struct isa_code *code)
{
    struct machine_lowered *all = lib_mem_new(code->instr_count * sizeof *all);
    for (uint32_t i = 0; i < code->instr_count; i++)
        all[i] = lower(code, i);
    return all;
}
