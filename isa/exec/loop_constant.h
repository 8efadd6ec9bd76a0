/* Constants of loops: values from outside a loop that all its iterations share (Arvind and Nikhil's
 * loop constants).
 *
 * A constant is a sticky operand. HOLD keeps it in a slot of the frame that contains the loop, and
 * the loop's instructions read it there, beside their token, each time they fire. The constant is
 * consumed when the loop ends (isa/exec/activation.h). The slot owns the reference if the constant
 * is one.
 *
 * A loop does not wait for its constants. A token whose constant has not arrived is parked, in the
 * order of arrival; it counts as waiting, and is delivered again once the HOLD has fired. Dead
 * tokens need no constant and are never parked.
 */
#ifndef ISA_EXEC_LOOP_CONSTANT_H
#define ISA_EXEC_LOOP_CONSTANT_H

#include "isa/exec/exec.h"

/* Returns the slot of the loop constant that is an operand of `instr`, in the frame of the
 * activation that contains the loop. */
static inline struct isa_slot *isa_loop_constant_slot(const struct isa_exec *exec,
                                                      isa_tag tag,
                                                      const struct isa_instr *instr)
{
    return isa_exec_slot(exec, isa_activations_get(&exec->tags, tag)->parent, instr);
}

/* Parks a token until its loop constant arrives in slot `constant`. The constant must not have
 * arrived yet. */
void isa_loop_constant_park(struct isa_exec *exec, struct isa_slot *constant,
                            const struct isa_token *token);

/* Stores the value of a loop constant for a HOLD that fires, and wakes the tokens parked for it.
 * The constant must not be in its slot yet. */
void isa_loop_constant_keep(struct isa_exec *exec, isa_tag tag,
                            const struct isa_instr *hold, isa_value value,
                            uint64_t depth);

/* Drops references to arrays and tensors that constants of ended loops held. */
void isa_loop_constant_give_up(struct isa_exec *exec);

/* Removes the next token that the last HOLD has woken; the caller delivers it again. Returns false
 * if none is left. */
static inline bool isa_loop_constant_wake(struct isa_exec *exec, struct isa_token *token)
{
    const uint32_t at = exec->woken;
    if (__builtin_expect(at == ISA_PARKED_END, 1))
        return false;
    struct isa_parked *p = &exec->parked.items[at];
    *token = p->token;
    exec->woken = p->next;
    p->next = exec->parked_free;
    exec->parked_free = at;
    exec->counts.waiting--;
    return true;
}

/* Returns the index of the first token that is parked for a constant, or ISA_PARKED_END. */
static inline uint32_t isa_loop_constant_first(const struct isa_slot *constant)
{
    return constant->info & ISA_SLOT_WANTED ? (uint32_t)(constant->value >> 32)
                                            : ISA_PARKED_END;
}

#endif
