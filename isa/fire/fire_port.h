/* Firing: ports (isa/exec/port.h). Arrays that a host feeds are sent and followed, and what asks for an
 * element or a length that is not known yet waits. */
#ifndef ISA_FIRE_FIRE_PORT_H
#define ISA_FIRE_FIRE_PORT_H

#include "isa/exec/port.h"
#include "isa/fire/fire_account.h"

/* An INDEX, LENGTH or MORE of an array of an open port: it fires, and waits for its answer. */
static __attribute__((noinline, cold)) enum isa_fired
isa_fire_wait_at_port(struct isa_exec *x, const struct isa_fire_as as,
                      const struct isa_fire_to to, const struct isa_ready *f,
                      uint64_t index)
{
    const struct isa_port_wait wait = {
        .depth = f->depth,
        .index = index,
        .instr = isa_fire_number(x, f->instr),
        .tag = f->tag,
        .structure = isa_reference_structure(f->a),
    };
    if (!(f->instr->refers &
          ISA_REFERS_FIRST)) /* a constant of a loop, which has its own */
        isa_structures_hold(&x->structures, f->a, 1);
    isa_fire_count(x, f->tag, f->instr, as, to, f->depth, 0, false);
    isa_ports_wait(x, &wait);
    isa_fire_settle(x, to, f->tag, f->taken, 1);
    to.counts->live--; /* it holds the tag, but is no token */
    return ISA_FIRED_LIVE;
}

/* INDEX of an element that is not there: it waits for it, or traps. */
static __attribute__((noinline, cold)) enum isa_fired
isa_fire_index_beyond(struct isa_exec *x, const struct isa_fire_as as,
                      const struct isa_fire_to to, const struct isa_ready *f)
{
    const struct isa_structure *s = isa_structures_get(&x->structures, f->a);
    if (s->is_open && isa_value_int(f->b) >= 0)
        return isa_fire_wait_at_port(x, as, to, f, f->b);
    return isa_fire_trap_of(x, f->tag, f->instr, ISA_TRAP_INDEX, isa_value_int(f->b),
                            s->length);
}

/* Whether a MORE has to wait. */
ISA_FIRE_INLINE bool isa_fire_more_waits(const struct isa_exec *x,
                                         const struct isa_ready *f)
{
    const struct isa_structure *s = isa_structures_get(&x->structures, f->a);
    return s->is_open && f->b >= s->length && isa_value_int(f->b) >= 0;
}

/* OPEN: a new array, with one reference. */
static inline enum isa_fired isa_fire_open(struct isa_exec *x, const struct isa_ready *f,
                                           isa_value *value)
{
    const struct isa_activation *a = isa_activations_get(&x->tags, f->tag);
    const uint32_t made_by = isa_fire_number(x, f->instr);
    const enum isa_type element = x->code->graph->nodes[made_by].type;
    /* How many elements it has by now is a matter of time: no digest takes it. */
    const struct isa_structure made = {
        .hash = isa_fire_hash(f->instr, a->path, 0),
        .instr = made_by,
        .pe_number = isa_activations_pe(&x->tags, a),
        .holds_references = isa_type_is_reference(element),
    };
    const uint32_t number = isa_ports_open(x, f->instr->index, &made);
    x->array = number;
    *value = isa_reference(number, 0);
    x->out_of_memory |= number == ISA_STRUCTURE_NONE;
    return number == ISA_STRUCTURE_NONE ? ISA_FIRED_STOPPED : ISA_FIRED_LIVE;
}

/* Sends what an instruction that has waited sends: `wait` and `value` come from isa_ports_pull. */
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
    to.counts->live++; /* it held the tag, but was no token */
    if (to.divided)
        x->tags.shares->at = x->code->machine_of[wait->instr];
    isa_fire_settle(x, to, wait->tag, 1, list.count);
}

#endif
