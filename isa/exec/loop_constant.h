/* Constants of loops: values from outside that every iteration sees alike (Arvind and Nikhil's
 * loop constants).
 *
 * A constant is a sticky operand. HOLD keeps it in a slot of the frame that contains the loop, and
 * the loop's instructions read it there, beside their token, each time they fire. It is consumed
 * when the loop ends (isa/exec/activation.h). If it is a reference, the slot takes over the
 * reference of HOLD's token and drops it when the constant is consumed.
 *
 * A loop does not wait for its constants. Only a token whose constant has not arrived is parked, in
 * the order of arrival. It counts as a waiting token, and is delivered again once the HOLD has
 * fired. A hiaton needs no constant and is never parked. */
#ifndef ISA_EXEC_LOOP_CONSTANT_H
#define ISA_EXEC_LOOP_CONSTANT_H

#include "isa/exec/exec.h"

/* Returns the slot of the loop constant that is an operand of `instr`. It is in the frame of the
 * activation that contains the loop. */
static inline struct isa_slot *isa_loop_constant_slot(const struct isa_exec *exec,
                                                      isa_tag tag,
                                                      const struct isa_instr *instr)
{
    return isa_exec_slot(exec, isa_activations_get(&exec->tags, tag)->parent, instr);
}

/* Parks a token until its loop constant arrives. The constant's slot must not be HELD, that is,
 * filled. */
void isa_loop_constant_park(struct isa_exec *exec, struct isa_slot *constant,
                            const struct isa_token *token);

/* Stores the constant that a HOLD brings, and wakes the tokens parked for it. Its slot must not
 * be HELD. */
void isa_loop_constant_keep(struct isa_exec *exec, isa_tag tag,
                            const struct isa_instr *hold, isa_value value,
                            uint64_t depth);

/* Drops the references to arrays and tensors among the constants of loops that have ended. */
void isa_loop_constant_give_up(struct isa_exec *exec);

/* Takes the next token that the last HOLD has woken; the caller delivers it again. Returns false if
 * none is left. */
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
