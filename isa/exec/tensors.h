/* Tensors of a run: structures (isa/exec/structure.h) whose value is whole when they are made.
 * What the instructions SCALAR, NUMBER, VECTOR, PAIR, SHAPE, LOAD, MAP, COMBINE, ITEM, DIM and
 * ROW do stands here, and not in isa/fire: it is long, and engines need not have a copy each. */
#ifndef ISA_EXEC_TENSORS_H
#define ISA_EXEC_TENSORS_H

#include "isa/exec/exec.h"
#include "isa/kernel_use.h"

/* The tensor to which a reference is. */
static inline const struct isa_tensor *isa_tensors_get(const struct isa_exec *exec,
                                                       isa_value reference)
{
    return isa_structures_get(&exec->structures, reference)->tensor;
}

enum isa_tensors_fired {
    ISA_TENSORS_MADE,    /* *value is what the instruction sends */
    ISA_TENSORS_TRAPPED, /* the run has ended: exec->trap, or exec->out_of_memory */
};

/* What an instruction does with operands `a` and `b`, under a tag. `with_word`: digests are
 * summed. */
enum isa_tensors_fired isa_tensors_fire(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value a, isa_value b, bool with_word,
                                        isa_value *value);

/* A row of a tensor along its last axis, as ROW takes it. */
struct isa_row {
    const struct isa_tensor *tensor;
    uint64_t first;  /* its first element in the tensor */
    uint64_t length; /* in elements */
};

/* Finds the row that a ROW takes of tensor `a`, whose number is `b`. Returns false if the ROW
 * traps: the tensor has no such row, or an element does not fit in an int. Then *row is that of
 * no elements. */
bool isa_tensors_find_row(const struct isa_exec *exec, const struct isa_instr *instr,
                          isa_value a, isa_value b, struct isa_row *row);

/* What a ROW does with them: makes exec->array as `made` says, all its elements written at a
 * depth. */
enum isa_tensors_fired isa_tensors_fire_row(struct isa_exec *exec,
                                            const struct isa_instr *instr, isa_tag tag,
                                            isa_value a, isa_value b, uint64_t depth,
                                            const struct isa_structure *made);

/* What it costs, before it is done: zeros for what traps. Of instructions whose unit is TENSOR. */
struct isa_kernel_cost isa_tensors_cost(const struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_value a,
                                        isa_value b);

/* The bytes of the tensor that it makes then: 0 where it makes none, or traps. */
uint64_t isa_tensors_made_bytes(const struct isa_exec *exec,
                                const struct isa_instr *instr, isa_value a, isa_value b);

#endif
