/* Firing of pure instructions alone, for an engine that knows that an instruction is pure. A
 * part of isa/exec/fire.h, which includes it behind what it needs. */
#ifndef ISA_EXEC_FIRE_PURE_H
#define ISA_EXEC_FIRE_PURE_H

/* isa_fire_operands does the same with them. */
ISA_FIRE_INLINE enum isa_fired isa_fire_pure(struct isa_exec *x, isa_tag tag,
                                             const struct isa_instr *instr,
                                             const struct isa_fire_as as,
                                             const struct isa_fire_to to, isa_value a,
                                             isa_value b, uint64_t depth, uint32_t taken)
{
    isa_value value;
    int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    double ra = isa_value_real(a), rb = isa_value_real(b);
    bool ba = a != 0, bb = b != 0;
    switch (as.op) {
#define TRAP(kind) return isa_fire_trap(x, tag, instr, ISA_TRAP_##kind)
#include "isa/exec/eval.def"
#undef TRAP
    default:
        __builtin_unreachable(); /* who calls it knows that it is pure */
    }
    isa_fire_count(x, tag, instr, as, to, depth, value, true);
    isa_fire_put_first(to, instr, tag, value, depth, ISA_SEND_HOME);
    isa_fire_settle(x, to, tag, taken,
                    instr->only != ISA_CODE_MANY ? 1 : instr->out[0].count);
    return ISA_FIRED_LIVE;
}

/* Of a row of isa/ops.def: the smaller one that knows the opcode. What is inlined for each
 * opcode is made from a copy of it all: compilers need half their time for cases that go. */
#define ISA_FIRE_EFFECT(effect)                                                          \
    (ISA_EFFECT_##effect == ISA_EFFECT_PURE ? isa_fire_pure : isa_fire_operands)

/* And whether its instructions can have operand 1. */
#define ISA_FIRE_HAS_SECOND(in) (sizeof(in) > sizeof "t")

#endif
