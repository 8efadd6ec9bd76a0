/* The result of an execution as text. Arrays in one pair of brackets are printed in step: an
 * array of ints and one of bools as "[(1, true), (2, false)]". */
#ifndef ISA_EXEC_RESULT_H
#define ISA_EXEC_RESULT_H

#include "isa/exec/exec.h"

enum isa_result {
    ISA_RESULT_WHOLE,
    ISA_RESULT_UNWRITTEN, /* an element of array `part` is not written */
    ISA_RESULT_UNEVEN,    /* array `part` and others in its brackets differ in length */
};

/* The first fault of a result. */
struct isa_result_fault {
    enum isa_result what;
    uint32_t part;
    isa_value element; /* address of the element that is not written */
};

/* Adds a value that is not an array, as `hiaton run` prints it: a scalar, or a tensor as nested
 * arrays. */
void isa_result_write_value(const struct isa_exec *exec, enum isa_type type,
                            isa_value value, struct lib_text *out);

/* Walks a result whose parts have all arrived. Adds it to `out`, which may be NULL, up to the first
 * fault. Returns that fault, or ISA_RESULT_WHOLE. */
struct isa_result_fault isa_result_walk(const struct isa_exec *exec,
                                        struct lib_text *out);

#endif
