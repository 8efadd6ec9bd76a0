/* Number of nodes to which TensorFlow would translate an instruction: there a conditional consists
 * of several nodes (tf.cond, version 1) and each constant is a node. The rule is in doc/model.md,
 * "Nodes"; it was taken from graphs that TensorFlow made.
 *
 * Some nodes are live and others dead, depending on the branch that is taken. */
#ifndef MACHINE_ENGINE_TF_COST_H
#define MACHINE_ENGINE_TF_COST_H

#include "isa/exec/code.h"

/* Nodes of an instruction. Index `taken` is the output list to which a SWITCH sends its value, 0
 * for other instructions. */
struct machine_tf_cost {
    uint32_t live[2], dead[2]; /* live and dead nodes of a live firing, by `taken` */
    uint32_t all;              /* dead nodes of a dead firing */
};

struct machine_tf_costs {
    struct machine_tf_cost *of_instr; /* nodes of each instruction */
    /* Expanding strategy only: additional nodes of each result of an APPLY, and nodes of a copy of
     * each function. */
    struct machine_tf_cost *of_output;
    uint32_t *of_copy;
};

void machine_tf_costs_init(struct machine_tf_costs *lowering,
                           const struct isa_code *code);
void machine_tf_costs_free(struct machine_tf_costs *lowering);

#endif
