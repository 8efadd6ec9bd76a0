/* The result of an execution as text. Arrays in one pair of brackets are printed together, element
 * by element: an array of ints and one of bools as "[(1, true), (2, false)]". Data is printed with
 * the names of its constructors: "Node(Leaf(1.0), Nil)". */
#ifndef ISA_EXEC_RESULT_H
#define ISA_EXEC_RESULT_H

#include "isa/exec/exec.h"

enum isa_result {
    ISA_RESULT_WHOLE,
    ISA_RESULT_UNWRITTEN, /* an element of the array, or a field, is not written */
    ISA_RESULT_CIRCULAR,  /* data contains itself; found only if nothing is written */
    ISA_RESULT_UNEVEN,    /* the array and others in the same brackets differ in length */
};

/* First fault of a result that cannot be printed. */
struct isa_result_fault {
    enum isa_result what;
    uint32_t part;
    isa_value element; /* if ISA_RESULT_UNWRITTEN: address of the element or field */
};

/* Appends a scalar, or a tensor as nested arrays, as `hiaton run` prints it. */
void isa_result_write_value(const struct isa_exec *exec, enum isa_type type,
                            isa_value value, struct lib_text *out);

/* Appends one part of a completed result: a value, or an array in brackets. */
void isa_result_write_part(const struct isa_exec *exec, uint32_t part,
                           struct lib_text *out);

/* Appends a result whose parts have all arrived to `out`, which may be NULL, up to the first fault.
 * Returns that fault, or ISA_RESULT_WHOLE. */
struct isa_result_fault isa_result_walk(const struct isa_exec *exec,
                                        struct lib_text *out);

#endif
