/* The result of an execution, as its shape says (isa/graph.h): parts that are arrays are read
 * element by element, all parts of one pair of brackets in step. */
#ifndef ISA_EXEC_RESULT_H
#define ISA_EXEC_RESULT_H

#include "isa/exec/exec.h"

enum isa_result {
    ISA_RESULT_WHOLE,
    ISA_RESULT_UNWRITTEN, /* `part` has an element that is not written */
    ISA_RESULT_UNEVEN,    /* `part` is longer or shorter than another of its brackets */
};

/* What is wrong with a result. */
struct isa_result_fault {
    enum isa_result what;
    uint32_t part;
    isa_value element; /* the address of the one that is not written */
};

/* Adds a value that is not an array, as `hiaton run` prints it: a scalar, or a tensor as nested
 * arrays. */
void isa_result_write_value(const struct isa_exec *exec, enum isa_type type,
                            isa_value value, struct lib_text *out);

/* Looks at a result of which all parts have come; adds it to `out` (NULL: only looks) up to
 * the first thing that is wrong. */
struct isa_result_fault isa_result_walk(const struct isa_exec *exec,
                                        struct lib_text *out);

#endif
