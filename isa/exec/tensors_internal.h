/* Functions shared by the files that fire instructions on tensors. */
#ifndef ISA_EXEC_TENSORS_INTERNAL_H
#define ISA_EXEC_TENSORS_INTERNAL_H

#include "isa/exec/tensors.h"

/* Traps at an instruction with ISA_TRAP_TENSOR; exec->trap_note becomes `why`. */
enum isa_tensors_fired isa_tensors_trap(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const char *why);

/* Makes a structure that owns `tensor`, and sets *value to a reference to it. Ends the run as out
 * of memory if `tensor` is NULL or the memory limit is reached. */
enum isa_tensors_fired isa_tensors_keep(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        struct isa_tensor *tensor, isa_value *value);

/* Traps because a tensor has no `what` with index `number`. `what` is "row", "element", ... if the
 * index is out of range, or "int", ... if the elements of the tensor have another type. */
enum isa_tensors_fired isa_tensors_out_of_range(struct isa_exec *exec,
                                                const struct isa_instr *instr,
                                                isa_tag tag,
                                                const struct isa_tensor *tensor,
                                                const char *what, int64_t number);

/* Finds the shape of the tensor that a VECTOR or PAIR makes of `a` and `b`. Returns false and adds
 * the reason to `why` if the operands do not fit together. */
bool isa_tensors_find_joined(enum isa_op op, const struct isa_tensor *a,
                             const struct isa_tensor *b, struct isa_shape *shape,
                             struct lib_text *why);

enum isa_tensors_fired isa_tensors_apply(struct isa_exec *exec,
                                         const struct isa_instr *instr, isa_tag tag,
                                         isa_value a, isa_value b, bool with_word,
                                         isa_value *value);

#endif
