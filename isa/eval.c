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

enum isa_trap isa_eval(enum isa_op op, isa_value a, isa_value b, isa_value *value)
{
    int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    double ra = isa_value_real(a), rb = isa_value_real(b);
    bool ba = a != 0, bb = b != 0;
    switch (op) {
#define INT(x) (*value = isa_value_of_int(x))
#define REAL(x) (*value = isa_value_of_real(x))
#define BOOL(x) (*value = (x))
#define TRAP(kind) return ISA_TRAP_##kind
#define EVAL(NAME, ...)                                                                  \
    case ISA_OP_##NAME:                                                                  \
        __VA_ARGS__;                                                                     \
        break;
#include "isa/eval.def"
#undef EVAL
#undef TRAP
#undef BOOL
#undef REAL
#undef INT
    default:
        __builtin_unreachable(); /* the caller asks for pure opcodes only */
    }
    return ISA_TRAP_NONE;
}
