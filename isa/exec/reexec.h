/* Incremental re-execution: runs a program again after some inputs or tensors have changed.
 *
 * Cells hold the constants of a program. A cell that depends on no change keeps its value; all
 * others are computed again, and so is the result. The graph alone decides which. */
#ifndef ISA_EXEC_REEXEC_H
#define ISA_EXEC_REEXEC_H

#include "isa/exec/exec.h"

struct isa_reexec {
    bool *cells; /* for each cell: whether it is computed again */
    /* instructions that fire at the start of the new run, in ascending order */
    uint32_t *starts;
    uint32_t start_count;
};

/* Finds what has to be computed again if the flagged inputs and tensors of the graph change. The
 * code must have the strategy static and a single machine. The caller frees the result with
 * isa_reexec_free. */
struct isa_reexec isa_reexec_find(const struct isa_code *code, const bool *inputs,
                                  const bool *tensors);
void isa_reexec_free(struct isa_reexec *again);

/* Empties the result of a completed execution and the cells that are computed again, so that the
 * instructions in `starts` can fire. */
void isa_reexec_empty(const struct isa_reexec *again, struct isa_exec *exec);

#endif
