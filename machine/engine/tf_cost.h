/* How many nodes an instruction is in the graph that TensorFlow makes of a program. There a
 * conditional is lowered (tf.cond, version 1), and nothing is an immediate.
 *
 * doc/model.md, "Nodes", has the rule, which is taken from the graphs that TensorFlow made.
 *
 * The firing decides which of the nodes are live: the Const in the branch not taken is dead.
 * tests/unit/machine/executor.c compares the rule with the nodes per call that are known. */
#ifndef MACHINE_ENGINE_TF_COST_H
#define MACHINE_ENGINE_TF_COST_H

#include "isa/exec/code.h"

/* Nodes of a live firing; `taken` is the output list that a SWITCH sends its value to, else 0. */
struct machine_tf_cost {
    uint32_t live[2], dead[2]; /* by `taken` */
    uint32_t all;              /* of a dead firing: so many are dead */
};

struct machine_tf_costs {
    struct machine_tf_cost *of_instr; /* per instruction */
    struct machine_tf_cost
        *of_output;    /* where expanding, per list of an APPLY (outputs of the
                                          code): what its RESULT has beside its own */
    uint32_t *of_copy; /* and per function: nodes of a copy of its graph */
};

void machine_tf_costs_init(struct machine_tf_costs *lowering,
                           const struct isa_code *code);
void machine_tf_costs_free(struct machine_tf_costs *lowering);

#endif
