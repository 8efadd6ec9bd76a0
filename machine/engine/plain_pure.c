/* Issue of pure instructions in the plain engine. */
#ifndef MACHINE_PLAIN_EMITS /* plain_pure_traced.c is the same with events */
#define MACHINE_PLAIN_EMITS 0
#endif
#include "machine/engine/plain_issue.h"

#ifndef ISA_FIRE_ONE_PIECE

/* Issues pure instructions whose operand 0 is an immediate: one function for all, because they are
 * rare. */
static __attribute__((noinline)) void take_second(struct machine *m,
                                                  const struct isa_token *const *next,
                                                  const struct isa_token *const *end)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_live_instr(*next)];
    machine_plain_issue(m, next, end, instr->op, ISA_FORM_SECOND, isa_fire_pure);
}

#define PURE(NAME, in)                                                                   \
    MACHINE_PLAIN_KIND(NAME, FIRST, true, isa_fire_pure)                                 \
    MACHINE_PLAIN_KIND(NAME, TWO, ISA_FIRE_HAS_SECOND(in), isa_fire_pure)                \
    MACHINE_PLAIN_KIND(NAME, HELD, ISA_FIRE_HAS_SECOND(in), isa_fire_pure)               \
    void MACHINE_PLAIN(NAME##_SECOND)(struct machine * m,                                \
                                      const struct isa_token *const *next,               \
                                      const struct isa_token *const *end)                \
    {                                                                                    \
        take_second(m, next, end);                                                       \
    }
#define CONTROL(NAME, in)
#define TAG(NAME, in)
#define MEMORY(NAME, in)
#define RESULT(NAME, in)
#define FUNCTION(NAME, in)
#define OP(NAME, text, label, in, out, attributes, unit, effect, ...) effect(NAME, in)
#include "isa/ops.def"
#undef OP

#endif
