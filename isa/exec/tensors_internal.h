/* What the files that fire instructions on tensors share. */
#ifndef ISA_EXEC_TENSORS_INTERNAL_H
#define ISA_EXEC_TENSORS_INTERNAL_H

#include "isa/exec/tensors.h"

/* --- tensors.c --- */

/* Ends the run at an instruction; `why` is said of the tensors. */
enum isa_tensors_fired isa_tensors_trap(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const char *why);

/* Makes the structure of a tensor, which it owns from now on, with one reference. */
enum isa_tensors_fired isa_tensors_keep(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        struct isa_tensor *tensor, isa_value *value);

/* Ends it as there is no such `what`, a row or an element. */
enum isa_tensors_fired isa_tensors_out_of_range(struct isa_exec *exec,
                                                const struct isa_instr *instr,
                                                isa_tag tag,
                                                const struct isa_tensor *tensor,
                                                const char *what, int64_t number);

/* --- tensors_apply.c: kernels and fills --- */

/* Finds the shape of what a VECTOR or a PAIR makes. */
bool isa_tensors_find_joined(enum isa_op op, const struct isa_tensor *a,
                             const struct isa_tensor *b, struct isa_shape *shape,
                             struct lib_text *why);

/* Fires a MAP or COMBINE. */
enum isa_tensors_fired isa_tensors_apply(struct isa_exec *exec,
                                         const struct isa_instr *instr, isa_tag tag,
                                         isa_value a, isa_value b, bool with_word,
                                         isa_value *value);

#endif
