/* Firing: pure instructions, for engines that know in advance that an instruction is pure. */
#ifndef ISA_FIRE_FIRE_PURE_H
#define ISA_FIRE_FIRE_PURE_H

#include "isa/fire/fire_account.h"

#include <math.h>

/* Whether an opcode has an operand 1. `in` is the opcode's column of isa/ops.def, a letter per
 * operand. */
#define ISA_FIRE_HAS_SECOND(in) (sizeof(in) > sizeof "t")

/* Fires a pure instruction. isa_fire_operands could do so too, but as a copy is inlined for each
 * opcode, this smaller function halves the time to compile. */
ISA_FIRE_INLINE enum isa_fired isa_fire_pure(struct isa_exec *x,
                                             const struct isa_fire_as as,
                                             const struct isa_fire_to to,
                                             struct isa_ready *f)
{
    isa_value value;
    const int64_t ia = isa_value_int(f->a), ib = isa_value_int(f->b);
    const double ra = isa_value_real(f->a), rb = isa_value_real(f->b);
    const bool ba = f->a != 0, bb = f->b != 0;
    switch (as.op) {
#define TRAP(kind) return isa_fire_trap(x, f->tag, f->instr, ISA_TRAP_##kind)
#include "isa/exec/eval.def"
#undef TRAP
    default:
        __builtin_unreachable(); /* callers pass pure opcodes only */
    }
    return isa_fire_finish(x, as, to, f, value);
}

#endif
