/* The constants of loops: values from outside that every iteration sees alike (Arvind and
 * Nikhil's loop constants). A constant is a sticky operand: HOLD keeps it in the frame where the
 * loop stands. Instructions of the loop take it from there beside their token, as often as they
 * fire. It is consumed when the loop ends (isa/exec/activation.h). If it is a reference, the
 * token's reference becomes the slot's, and is given up when the constant is consumed.
 *
 * A loop does not wait for its constants. Only a token whose constant has not come is parked, in
 * the order of arrival, and goes on when the HOLD has fired. It has another turn then; until
 * then it counts as a token that waits. A hiaton needs no constant. */
#ifndef ISA_EXEC_LOOP_CONSTANT_H
#define ISA_EXEC_LOOP_CONSTANT_H

#include "isa/exec/exec.h"

/* The slot of the constant that an instruction of form HELD takes under a tag. */
static inline struct isa_slot *isa_loop_constant_slot(const struct isa_exec *exec,
                                                      isa_tag tag,
                                                      const struct isa_instr *instr)
{
    return isa_exec_slot(exec, isa_activations_get(&exec->tags, tag)->parent, instr);
}

/* A token waits for the constant of a slot that is not HELD. */
void isa_loop_constant_park(struct isa_exec *exec, struct isa_slot *constant,
                            const struct isa_token *token);

/* A HOLD, whose slot is not HELD, keeps its constant; what was parked for it is woken. */
void isa_loop_constant_keep(struct isa_exec *exec, isa_tag tag,
                            const struct isa_instr *hold, isa_value value,
                            uint64_t depth);

/* Gives up the references that loops which have ended held. */
void isa_loop_constant_give_up(struct isa_exec *exec);

/* Takes the next token that the last HOLD has woken, which is to be delivered again; false:
 * there is none. */
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

/* The tokens that are parked for a constant: the first, ISA_PARKED_END where there is none. */
static inline uint32_t isa_loop_constant_first(const struct isa_slot *constant)
{
    return constant->info & ISA_SLOT_WANTED ? (uint32_t)(constant->value >> 32)
                                            : ISA_PARKED_END;
}

#endif
