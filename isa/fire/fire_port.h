/* Firing: ports (isa/exec/port.h). Instructions that need an element or the length of an open array
 * wait until the host feeds the element or closes the port. */
#ifndef ISA_FIRE_FIRE_PORT_H
#define ISA_FIRE_FIRE_PORT_H

#include "isa/exec/port.h"
#include "isa/fire/fire_account.h"

/* Lets an instruction wait for the host at the port of array `a`. It has consumed `taken` tokens of
 * its tag, and from now on keeps the activation alive as one token does. Takes no argument from the
 * engine, whose state can then be in registers. */
static __attribute__((noinline, cold)) void
isa_fire_add_wait(struct isa_exec *x, const struct isa_instr *instr, isa_tag tag,
                  isa_value a, uint64_t index, uint64_t depth, uint32_t taken,
                  bool divided)
{
    const struct isa_port_wait waiting = {
        .depth = depth,
        .index = index,
        .instr = isa_fire_number(x, instr),
        .tag = tag,
        .structure = isa_reference_structure(a),
    };
    if (!(instr->refers &
          ISA_REFERS_FIRST)) /* the slot of a constant keeps its own reference */
        isa_structures_hold(&x->structures, a, 1);
    isa_ports_wait(x, &waiting);
    isa_activations_get(&x->tags, tag)->live -= taken - 1;
    if (divided)
        isa_shares_change(&x->tags, tag, x->tags.shares->at, 1 - (int32_t)taken);
}

/* Fires an INDEX, LENGTH or MORE that has to wait at the port of an open array. */
ISA_FIRE_INLINE enum isa_fired isa_fire_wait_at_port(struct isa_exec *x,
                                                     const struct isa_fire_as as,
                                                     const struct isa_fire_to to,
                                                     const struct isa_ready *f,
                                                     uint64_t index)
{
    isa_fire_count(x, f->tag, f->instr, as, to, f->depth, 0, false);
    isa_fire_add_wait(x, f->instr, f->tag, f->a, index, f->depth, f->taken, to.divided);
    to.counts->live -= f->taken;
    return ISA_FIRED_LIVE;
}

#define ISA_FIRE_NOT_FOUND UINT64_MAX

/* Returns the address of element `b` of array `a`, or ISA_FIRE_NOT_FOUND. Records the request if
 * the array is open. */
static __attribute__((noinline, cold)) isa_value isa_fire_find(struct isa_exec *x,
                                                               isa_value a, isa_value b)
{
    const struct isa_structure *array = isa_structures_get(&x->structures, a);
    if (array->is_open && isa_value_int(b) >= 0)
        isa_ports_ask(x, a, b);
    return b < array->length ? a | b : ISA_FIRE_NOT_FOUND;
}

/* Whether an INDEX or MORE has to wait: array `a` is open, and element `b` was not fed yet. Records
 * the request. */
static __attribute__((noinline, cold)) bool isa_fire_must_wait(struct isa_exec *x,
                                                               isa_value a, isa_value b)
{
    const bool is_open = isa_structures_get(&x->structures, a)->is_open;
    return is_open && isa_value_int(b) >= 0 &&
           isa_fire_find(x, a, b) == ISA_FIRE_NOT_FOUND;
}

static __attribute__((noinline, cold)) enum isa_fired
isa_fire_trap_index(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
                    isa_value a, isa_value b)
{
    return isa_fire_trap_of(x, tag, instr, ISA_TRAP_INDEX, isa_value_int(b),
                            isa_structures_get(&x->structures, a)->length);
}

static __attribute__((noinline, cold)) enum isa_fired
isa_fire_open(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
              isa_value *value)
{
    const struct isa_activation *a = isa_activations_get(&x->tags, tag);
    const uint32_t made_by = isa_fire_number(x, instr);
    const enum isa_type element = x->code->graph->nodes[made_by].type;
    /* The current length depends on time, so no digest may contain it. */
    const struct isa_structure made = {
        .hash = isa_fire_hash(instr, a->path, 0),
        .instr = made_by,
        .owner = isa_activations_owner(&x->tags, a),
        .holds_references = isa_type_is_reference(element),
    };
    const uint32_t number = isa_ports_open(x, instr->index, &made);
    x->array = number;
    *value = isa_reference(number, 0);
    x->out_of_memory |= number == ISA_STRUCTURE_NONE;
    return number == ISA_STRUCTURE_NONE ? ISA_FIRED_STOPPED : ISA_FIRED_LIVE;
}

/* Answers an instruction that waited at a port: sends the value. `wait` and `value` come from
 * isa_ports_pull. */
static inline void isa_fire_answer_port(struct isa_exec *x,
                                        const struct isa_port_wait *wait, isa_value value,
                                        bool digests, const struct isa_fire_to to)
{
    const struct isa_instr *instr = &x->code->instrs[wait->instr];
    const struct isa_code_list list = instr->out[0];
    if (digests)
        to.counts->value_digest += isa_fire_hash(
            instr, isa_activations_get(&x->tags, wait->tag)->path,
            isa_fire_word(x, instr, (enum isa_op)instr->op, value));
    isa_fire_put(to, instr, wait->tag, value, wait->depth, list, ISA_SEND_HOME);
    if (instr->refers & ISA_REFERS_SENT)
        isa_structures_hold(&x->structures, value, list.count);
    isa_structures_drop(&x->structures, isa_reference(wait->structure, 0));
    /* the wait kept its activation alive, but was not counted as a token */
    to.counts->live++;
    if (to.divided)
        x->tags.shares->at = x->code->machine_of[wait->instr];
    isa_fire_settle(x, to, wait->tag, 1, list.count);
}

#endif
