/* The circle of a deadlock: what waits for what, up to itself. It is looked for in what is there
 * when nothing moves any more, so that a run pays nothing for it. */
#ifndef SIM_ENDING_DEADLOCK_CYCLE_H
#define SIM_ENDING_DEADLOCK_CYCLE_H

#include "isa/exec/exec.h"
#include "lib/text.h"

/* A read that was deferred, or an instruction that has one of its two operands. It waits for the
 * next step, and the last one for the first. */
struct sim_deadlock_cycle_step {
    uint32_t instr;
    char *tag; /* as text; owned */
    char *
        for_what; /* "element 3 of the array made at 2:5", "cell 0 (a)", "operand 1"; owned */
};

struct sim_deadlock_cycle {
    LIB_VEC(struct sim_deadlock_cycle_step)
    steps; /* none: there is no circle, or it was not found */
};

void sim_deadlock_cycle_find(struct sim_deadlock_cycle *circle,
                             const struct isa_exec *exec);
void sim_deadlock_cycle_free(struct sim_deadlock_cycle *circle);

#endif
