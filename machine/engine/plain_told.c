/* The issues of the fast engine where what happens is told (machine/events.h). */
#include "machine/engine/plain_issue.h"

void machine_plain_issue_told(struct machine *m, const struct isa_token *const *tokens,
                              size_t count)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_live_instr(tokens[0])];
    machine_plain_issue(m, tokens, count, instr->op, instr->form, isa_fire_operands,
                        true);
}
