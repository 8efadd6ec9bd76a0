/* Copying graphs (settings copy.*), in programs compiled with the expanding strategy. For an APPLY
 * (a call) with all its arguments, a worker copies the graph of the called function to the
 * instruction store of a PE. The arguments are sent when the copy is done. The copy is freed with
 * its activation.
 *
 * Workers and stores may be limited. An APPLY waits before it fires if no worker is free, if its
 * copy has no room, or if another APPLY waits for room at the same PE. At the beginning of each
 * cycle, waiting APPLYs are examined in order of arrival, and released under the same conditions.
 *
 * Tokens that take long, of copies and of tensor instructions, wait in a heap (struct
 * machine_late), so that the timing wheel (machine/tokens/wheel.h) can be small. */
#ifndef MACHINE_PE_GRAPH_COPY_H
#define MACHINE_PE_GRAPH_COPY_H

#include "machine/state_table.h"
#include "machine/part.h"
#include "machine/settings.h"

/* Tokens that a graph copy or tensor instruction sends at the distant cycle `when`. `when` and
 * `number` are the sort key of a heap. */
#define MACHINE_LATE_FIELDS(F)                                                           \
    F(NUMBER, uint64_t, when)                                                            \
    F(NUMBER, uint64_t, number)                                                          \
    F(STRUCT, machine_wheel_slot, home)                                                  \
    F(STRUCT, machine_wheel_slot, away)
struct machine_late {
    MACHINE_LATE_FIELDS(LIB_STATE_MEMBER)
};

/* Max length of timing wheels in cycles; later tokens are kept in a heap. The order of events
 * depends on it (doc/model.md). */
enum { MACHINE_GRAPH_COPY_SOON = 1024 };

/* Whether token `t` is the last operand of an APPLY, and no operand is dead: the APPLY then makes a
 * call, for which a graph is copied. */
bool machine_apply_copies(const struct machine *m, const struct isa_token *t,
                          const struct isa_instr *apply);

/* Whether token `t` is the last operand of an APPLY that makes a call; false for other
 * instructions. */
static inline bool machine_makes_copy(const struct machine *m, const struct isa_token *t,
                                      const struct isa_instr *instr)
{
    return instr->op == ISA_OP_APPLY && machine_apply_copies(m, t, instr);
}

/* Returns how many graph nodes are copied for an APPLY. */
uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply);

/* Puts tokens to be sent late into the heap; does nothing if *late has none. */
void machine_late_keep(struct machine *m, struct machine_late *late);

#endif
