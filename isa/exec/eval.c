#include "isa/exec/eval.h"

#include "isa/tensor/elementary.h"

#include <math.h>

const char *isa_trap_text(enum isa_trap trap)
{
    static const char *const texts[ISA_TRAP_COUNT] = {
#define TRAP(NAME, text) text,
        ISA_TRAPS(TRAP)
#undef TRAP
    };
    return texts[trap];
}

const struct isa_eval_functions isa_eval_library = {exp, log, sin, cos, tanh};

const struct isa_eval_functions isa_eval_own = {
    isa_real_exp, isa_real_log, isa_real_sin, isa_real_cos, isa_real_tanh,
};
