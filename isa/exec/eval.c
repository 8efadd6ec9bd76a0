#include "isa/exec/eval.h"

const char *isa_trap_text(enum isa_trap trap)
{
    static const char *const texts[ISA_TRAP_COUNT] = {
#define TRAP(NAME, text) text,
        ISA_TRAPS(TRAP)
#undef TRAP
    };
    return texts[trap];
}
