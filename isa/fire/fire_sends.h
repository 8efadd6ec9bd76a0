/* Firing: where an instruction sends, and under whose tag, as columns of isa/ops.def say. The
 * effects of opcodes send to these lists, and what is foretold of a token (isa/fire/fire_foresee.h)
 * is told by them. */
#ifndef ISA_FIRE_FIRE_SENDS_H
#define ISA_FIRE_FIRE_SENDS_H

#include "isa/fire/fire_base.h"
#include "isa/op_columns.h"

struct isa_sends {
    struct isa_code_list lists[2];
    /* Own tag, that of the caller, or that of an activation that may have to be made first. */
    enum isa_op_tag under;
};

/* What a token does when it is delivered. */
enum isa_outcome {
    ISA_OUTCOME_LIVE,
    ISA_OUTCOME_DEAD,   /* its instruction fires with a dead operand */
    ISA_OUTCOME_UNMADE, /* the same, as a call is not made or a loop not entered */
    ISA_OUTCOME_ABSORBED,
    ISA_OUTCOME_WAITS, /* for other operands */
    ISA_OUTCOME_PARKS, /* until a loop constant is there */
};

static inline bool isa_outcome_fires(enum isa_outcome outcome)
{
    return outcome <= ISA_OUTCOME_UNMADE;
}

/* Returns the destinations of a RESULT that fires under `tag`. Its tokens have the caller's tag. */
static inline struct isa_code_list isa_fire_outputs(const struct isa_exec *x, isa_tag tag,
                                                    const struct isa_instr *result)
{
    const uint32_t site = isa_activations_get(&x->tags, tag)->site;
    return x->code->outputs[x->code->first_return[site] + result->index];
}

/* Returns where an instruction of opcode `op` sends if it fires under `tag` with an outcome. A
 * SWITCH that suppresses dead tokens sends to one of the lists. A dead CALL or ENTER sends for all
 * operands of the site together. */
ISA_FIRE_INLINE struct isa_sends isa_fire_sends(const struct isa_exec *x, enum isa_op op,
                                                const struct isa_instr *instr,
                                                isa_tag tag, enum isa_outcome outcome)
{
    const struct isa_op_does *does = &isa_op_does[op];
    if (outcome == ISA_OUTCOME_UNMADE)
        return (struct isa_sends){{instr->out[0]}, ISA_UNDER_OWN};
    if (outcome != ISA_OUTCOME_LIVE && does->dead == ISA_DEAD_SITE)
        return (struct isa_sends){{x->code->sites[instr->site].dead}, ISA_UNDER_OWN};
    struct isa_sends sends = {{instr->out[0], instr->out[1]}, (enum isa_op_tag)does->tag};
    if (does->sends == ISA_SENDS_RESULTS)
        sends.lists[0] = isa_fire_outputs(x, tag, instr);
    return sends;
}

#endif
