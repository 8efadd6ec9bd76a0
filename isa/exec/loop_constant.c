#include "isa/exec/loop_constant.h"

/* Returns the slot of a constant for which tokens are parked, from `first` to `last`. */
static struct isa_slot wanted(uint32_t first, uint32_t last)
{
    return (struct isa_slot){(uint64_t)first << 32 | last, ISA_SLOT_WANTED};
}

static uint32_t new_place(struct isa_exec *exec)
{
    const uint32_t at = exec->parked_free;
    if (at == ISA_PARKED_END) {
        (void)LIB_VEC_PUSH(&exec->parked);
        return (uint32_t)exec->parked.count - 1;
    }
    exec->parked_free = exec->parked.items[at].next;
    return at;
}

void isa_loop_constant_park(struct isa_exec *exec, struct isa_slot *constant,
                            const struct isa_token *token)
{
    const uint32_t at = new_place(exec), first = isa_loop_constant_first(constant);
    exec->parked.items[at] = (struct isa_parked){*token, ISA_PARKED_END};
    if (first != ISA_PARKED_END)
        exec->parked.items[(uint32_t)constant->value].next = at;
    *constant = wanted(first != ISA_PARKED_END ? first : at, at);
    exec->counts.waiting++;
}

void isa_loop_constant_keep(struct isa_exec *exec, isa_tag tag,
                            const struct isa_instr *hold, isa_value value, uint64_t depth)
{
    struct isa_slot *constant = isa_exec_slot(exec, tag, hold);
    exec->woken = isa_loop_constant_first(constant);
    isa_activations_hold(&exec->tags, tag, hold->site, constant, value, depth,
                         hold->refers & ISA_REFERS_FIRST);
    isa_loop_constant_give_up(exec);
}

void isa_loop_constant_give_up(struct isa_exec *exec)
{
    while (exec->tags.consumed.count) {
        const isa_value value = exec->tags.consumed.items[--exec->tags.consumed.count];
        isa_structures_drop(&exec->structures, value);
    }
}
