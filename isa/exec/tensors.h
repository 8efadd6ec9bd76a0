/* Execution of tensor instructions: SCALAR, NUMBER, VECTOR, PAIR, SHAPE, LOAD, MAP, COMBINE, ITEM,
 * DIM and ROW. This code is not in isa/fire, which each engine inlines: it is long, and one copy
 * serves all engines. */
#ifndef ISA_EXEC_TENSORS_H
#define ISA_EXEC_TENSORS_H

#include "isa/exec/exec.h"
#include "isa/kernel_use.h"

static inline const struct isa_tensor *isa_tensors_get(const struct isa_exec *exec,
                                                       isa_value reference)
{
    return isa_structures_get(&exec->structures, reference)->tensor;
}

enum isa_tensors_fired {
    ISA_TENSORS_MADE,    /* success: *value is what the instruction sends */
    ISA_TENSORS_TRAPPED, /* the run has ended: exec->trap, or exec->out_of_memory */
};

/* Fires a tensor instruction other than ROW, with operands `a` and `b`. `with_word`: whether to
 * compute the hash of the tensor, for digests. */
enum isa_tensors_fired isa_tensors_fire(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value a, isa_value b, bool with_word,
                                        isa_value *value);

/* A row of a tensor: consecutive elements along its last axis. */
struct isa_row {
    const struct isa_tensor *tensor;
    uint64_t first; /* index of the row's first element in the tensor */
    uint64_t length;
};

/* Finds row `b` of tensor `a` for a ROW instruction. Returns false, with an empty row, if the ROW
 * traps: the row does not exist, or an element does not fit in an int. */
bool isa_tensors_find_row(const struct isa_exec *exec, const struct isa_instr *instr,
                          isa_value a, isa_value b, struct isa_row *row);

/* Fires a ROW: makes an array of the elements of a row, all written at `depth`, and sets
 * exec->array to the index of its structure. `made` supplies the array's hash, instr and
 * owner. */
enum isa_tensors_fired isa_tensors_fire_row(struct isa_exec *exec,
                                            const struct isa_instr *instr, isa_tag tag,
                                            isa_value a, isa_value b, uint64_t depth,
                                            const struct isa_structure *made);

/* Fires a GIVEN: makes an array of the elements of its constant, as isa_tensors_fire_row does. */
enum isa_tensors_fired isa_tensors_fire_given(struct isa_exec *exec,
                                              const struct isa_instr *instr,
                                              uint64_t depth,
                                              const struct isa_structure *made);

/* Returns the cost of an instruction of unit TENSOR before it fires; zeros if it will trap. */
struct isa_kernel_cost isa_tensors_cost(const struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_value a,
                                        isa_value b);

/* Returns the bytes of the tensor that a firing will make; 0 if it makes none or will trap. */
uint64_t isa_tensors_made_bytes(const struct isa_exec *exec,
                                const struct isa_instr *instr, isa_value a, isa_value b);

#endif
