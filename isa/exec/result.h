/* The result of an execution as text, by its shape (struct isa_graph). Parts that are arrays are
 * read element by element, all parts in one pair of brackets in step. */
#ifndef ISA_EXEC_RESULT_H
#define ISA_EXEC_RESULT_H

#include "isa/exec/exec.h"

enum isa_result {
    ISA_RESULT_WHOLE,
    ISA_RESULT_UNWRITTEN, /* `part` has an element that is not written */
    ISA_RESULT_UNEVEN,    /* `part` has another length than the others in its brackets */
};

/* The first fault of a result. */
struct isa_result_fault {
    enum isa_result what;
    uint32_t part;
    isa_value element; /* ISA_RESULT_UNWRITTEN: address of the element */
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
