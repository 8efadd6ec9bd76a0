/* Functions shared by the files that fire instructions on tensors. */
#ifndef ISA_EXEC_TENSORS_INTERNAL_H
#define ISA_EXEC_TENSORS_INTERNAL_H

#include "isa/exec/tensors.h"

/* --- tensors.c --- */

/* Traps at an instruction with ISA_TRAP_TENSOR; `why` becomes exec->trap_note. */
enum isa_tensors_fired isa_tensors_trap(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const char *why);

/* Makes the structure of a tensor, with one reference. Takes over the tensor; NULL means that there
 * was no memory for it. Traps at the limit on memory. */
enum isa_tensors_fired isa_tensors_keep(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        struct isa_tensor *tensor, isa_value *value);

/* Traps because a tensor has no `what`, a row or an element, of that number. */
enum isa_tensors_fired isa_tensors_out_of_range(struct isa_exec *exec,
                                                const struct isa_instr *instr,
                                                isa_tag tag,
                                                const struct isa_tensor *tensor,
                                                const char *what, int64_t number);

/* --- tensors_apply.c: kernels and fills --- */

/* Finds the shape of the tensor that a VECTOR or a PAIR makes. Returns false and adds the reason to
 * `why` if its operands do not fit. */
bool isa_tensors_find_joined(enum isa_op op, const struct isa_tensor *a,
                             const struct isa_tensor *b, struct isa_shape *shape,
                             struct lib_text *why);

/* Fires a MAP or COMBINE. */
enum isa_tensors_fired isa_tensors_apply(struct isa_exec *exec,
                                         const struct isa_instr *instr, isa_tag tag,
                                         isa_value a, isa_value b, bool with_word,
                                         isa_value *value);

#endif
