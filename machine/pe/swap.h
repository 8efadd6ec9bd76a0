/* Finite memories for tensors and arrays, and slower stores behind them for tensors (settings:
 * memory, swap; doc/model.md, "Memory").
 *
 * What a function computed for its gradient waits in slots until the adjoints come: on the stack
 * of the iterations of a loop, or of paired calls. A tensor all of whose references wait there
 * rests, and may be moved out. What is used of those that were brings the next ones back (paper
 * 2, section 5.3).
 *
 * A kernel that reads what is away, or has no room for what it makes, is held. Its partner stays
 * in its slot, with ISA_SLOT_SENT until the kernel has fired. */
#ifndef MACHINE_PE_SWAP_H
#define MACHINE_PE_SWAP_H

#include "machine/pe/tensor_memory.h"

/* A token of an instruction on tensors, or of an ALLOC, is issued: as machine_tensor_issue. */
enum machine_tensor_turn machine_swap_issue(struct machine *m, const struct isa_token *t);

/* A token, which has its turn or goes on, is about to wait in a slot, or to meet what waits
 * there. */
void machine_swap_meets(struct machine *m, const struct isa_token *t,
                        const struct isa_instr *instr);

#endif
