/* Running a program again, with another value of an input or other elements of a tensor: what has
 * to be computed anew, and what stays.
 *
 * Constants of a program stand in cells. Those that depend on nothing that changes keep what they
 * have; all others are computed again, and so is the result. Which these are follows from the
 * graph alone. */
#ifndef ISA_EXEC_REEXEC_H
#define ISA_EXEC_REEXEC_H

#include "isa/exec/exec.h"

struct isa_reexec {
    bool *cells; /* per cell: it is written again */
    uint32_t
        *starts; /* the instructions that fire at the start of another run, in order */
    uint32_t start_count;
};

/* What changes: flags per input and per tensor of the graph. The code is static, of one machine.
 * To be given back with isa_reexec_free. */
struct isa_reexec isa_reexec_find(const struct isa_code *code, const bool *inputs,
                                  const bool *tensors);
void isa_reexec_free(struct isa_reexec *again);

/* Empties the cells and the result of an execution that has completed, so that the starts can
 * fire. */
void isa_reexec_empty(const struct isa_reexec *again, struct isa_exec *exec);

#endif
