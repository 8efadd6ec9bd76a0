#include "isa/exec/eval.h"

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

const struct isa_eval_functions isa_eval_library = {exp,  log, sin, cos,   tanh,
                                                    atan, erf, pow, atan2, hypot};

const struct isa_eval_functions isa_eval_own = {
    isa_real_exp,  isa_real_log, isa_real_sin, isa_real_cos,   isa_real_tanh,
    isa_real_atan, isa_real_erf, isa_real_pow, isa_real_atan2, isa_real_hypot,
};
