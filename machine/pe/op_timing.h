/* Issue slots that instructions occupy for times of their own (struct traces_timing), for what-if
 * questions. Time is then in ticks, a fraction of a cycle (doc/model.md, "Instructions with times
 * of their own"). */
#ifndef MACHINE_PE_OP_TIMING_H
#define MACHINE_PE_OP_TIMING_H

#include "machine/machine.h"

/* For executors: scales `ticks`, the time of an instruction by the settings, to its own time, if
 * instructions have such times. */
uint64_t machine_op_timing_share(const struct machine *m, uint32_t instr, uint64_t ticks);

/* Returns how many tokens of a PE wait for an issue slot. */
uint32_t machine_op_timing_count(const struct machine *m, uint32_t pe);

/* Moves tokens that need an issue slot from the input queue of a PE to those that wait for one. */
void machine_op_timing_sort(struct machine *m, uint32_t pe);

/* Returns a token that a PE can issue now, and occupies a function unit for it. Returns NULL if no
 * token waits or no unit is free. */
const struct isa_token *machine_op_timing_take(struct machine *m, uint32_t pe);

#endif
