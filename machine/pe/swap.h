/* Finite memories for tensors and arrays, and slower stores behind them for tensors (settings:
 * memory, swap; doc/model.md, "Memory").
 *
 * Values that a function computed for its gradient wait in slots until the adjoints come: on the
 * stack of the iterations of a loop, or of paired calls. A tensor whose references all wait there
 * rests, and can be moved out. Using one that was moved out also brings the next ones back (paper
 * 2, section 5.3).
 *
 * A kernel that reads a tensor that is out, or has no room for its result, is held. Its partner
 * stays in its slot, with ISA_SLOT_SENT, until the kernel has fired. */
#ifndef MACHINE_PE_SWAP_H
#define MACHINE_PE_SWAP_H

#include "machine/pe/tensor_memory.h"

/* Issues a token of an instruction on tensors, or of an ALLOC, as machine_tensor_issue. */
enum machine_tensor_turn machine_swap_issue(struct machine *m, const struct isa_token *t);

/* Notes that a token, at its turn or release, is about to wait in a slot, or to meet the operand
 * that waits there. */
void machine_swap_meets(struct machine *m, const struct isa_token *t,
                        const struct isa_instr *instr);

#endif
