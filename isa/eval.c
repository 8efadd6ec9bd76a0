#include "isa/eval.h"

const char *isa_trap_text(enum isa_trap trap)
{
    static const char *const texts[ISA_TRAP_COUNT] = {
#define TRAP(NAME, text) text,
        ISA_TRAPS(TRAP)
#undef TRAP
    };
    return texts[trap];
}

enum isa_trap isa_eval(enum isa_op op, isa_value a, isa_value b, isa_value *result)
{
    int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    double ra = isa_value_real(a), rb = isa_value_real(b);
    bool ba = a != 0, bb = b != 0;
    isa_value value;
    switch (op) {
#define TRAP(kind) return ISA_TRAP_##kind
#include "isa/eval.def"
#undef TRAP
    default:
        __builtin_unreachable(); /* the caller asks for pure opcodes only */
    }
    *result = value;
    return ISA_TRAP_NONE;
}
