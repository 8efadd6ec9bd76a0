/* The cycle of a deadlock: steps of which each waits for the next, and the last for the first.
 * Found in the final state of the run, so that running costs nothing. */
#ifndef SIM_ENDING_DEADLOCK_CYCLE_H
#define SIM_ENDING_DEADLOCK_CYCLE_H

#include "isa/exec/exec.h"
#include "lib/text.h"

/* One step of the cycle: a deferred read, or an instruction that has one of two operands. */
struct sim_deadlock_cycle_step {
    uint32_t instr;
    char *tag; /* tag of the instruction as text; owned */
    /* Owned; text that names what the step waits for: "element 3 of the array made at 2:5",
     * "cell 0 (a)", "operand 1". */
    char *for_what;
};

struct sim_deadlock_cycle {
    /* steps of the cycle; empty if there is no cycle, or if the search reached its limit */
    LIB_VEC(struct sim_deadlock_cycle_step) steps;
};
void sim_deadlock_cycle_find(struct sim_deadlock_cycle *circle,
                             const struct isa_exec *exec);
void sim_deadlock_cycle_free(struct sim_deadlock_cycle *circle);

#endif
