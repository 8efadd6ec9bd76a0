/* The cycle of a deadlock: places of which each waits for the next, and the last for the first. It
 * is found in the state that the deadlocked run leaves, so a run pays nothing for it. */
#ifndef SIM_ENDING_DEADLOCK_CYCLE_H
#define SIM_ENDING_DEADLOCK_CYCLE_H

#include "isa/exec/exec.h"
#include "lib/text.h"

/* A deferred read, or an instruction that has one of its two operands. It waits for the next step;
 * the last step waits for the first. */
struct sim_deadlock_cycle_step {
    uint32_t instr;
    char *tag; /* as text; owned */
    /* "element 3 of the array made at 2:5", "cell 0 (a)", "operand 1"; owned. */
    char *for_what;
};

struct sim_deadlock_cycle {
    /* Empty if no cycle exists or the search reached its limit. */
    LIB_VEC(struct sim_deadlock_cycle_step) steps;
};
void sim_deadlock_cycle_find(struct sim_deadlock_cycle *circle,
                             const struct isa_exec *exec);
void sim_deadlock_cycle_free(struct sim_deadlock_cycle *circle);

#endif
