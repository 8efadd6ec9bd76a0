/* TensorFlow nodes of an instruction: how many nodes TensorFlow would make of it. A conditional
 * consists of several nodes there (tf.cond, version 1), live or dead depending on the branch taken,
 * and each constant is a node. The rule is in doc/model.md, "Nodes"; it was taken from graphs that
 * TensorFlow made. */
#ifndef MACHINE_ENGINE_TF_COST_H
#define MACHINE_ENGINE_TF_COST_H

#include "isa/exec/code.h"

/* TensorFlow nodes of an instruction. `live` and `dead` are indexed by the output list to which a
 * SWITCH sends its value, 0 for other instructions. */
struct machine_tf_cost {
    uint32_t live[2], dead[2]; /* numbers of live and of dead nodes in a live firing */
    uint32_t all;              /* number of nodes in a dead firing: all are dead */
};

struct machine_tf_costs {
    struct machine_tf_cost *of_instr; /* TensorFlow nodes of each instruction */
    /* Expanding strategy only. `of_output`: nodes that each result of an APPLY (a call) adds.
     * `of_copy`: number of nodes in a copy of each function's graph. */
    struct machine_tf_cost *of_output;
    uint32_t *of_copy;
};

void machine_tf_costs_init(struct machine_tf_costs *lowering,
                           const struct isa_code *code);
void machine_tf_costs_free(struct machine_tf_costs *lowering);

#endif
