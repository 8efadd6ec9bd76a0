/* Rules for kinds of elements (real, int, ...): which kinds a kernel accepts, and which one its
 * result has. Column `elements` of isa/tensor/kernels.def names a rule for each kernel. */
#ifndef ISA_TENSOR_ELEMENT_H
#define ISA_TENSOR_ELEMENT_H

#include "isa/tensor/kernel.h"

/* Sets of element kinds, as bits. */
enum {
    ISA_OF_REALS = 1 << ISA_ELEMENT_REAL | 1 << ISA_ELEMENT_REAL32,
    ISA_OF_INTS = 1 << ISA_ELEMENT_INT,
    ISA_OF_NUMBERS = ISA_OF_REALS | 1 << ISA_ELEMENT_INT,
    ISA_OF_TRUTHS = ISA_OF_REALS | 1 << ISA_ELEMENT_BOOL,
    ISA_OF_ALL = ISA_OF_NUMBERS | 1 << ISA_ELEMENT_BOOL,
};

/* Ways in which a rule determines the kind of the result's elements. */
enum isa_element_result {
    ISA_RESULT_FIRST,  /* the kind of operand 0 */
    ISA_RESULT_SECOND, /* the kind of operand 1 */
    /* truth values: 1.0 and 0.0 of the kind of operand 0 if that is real or real32, else bools */
    ISA_RESULT_TRUTH,
    ISA_RESULT_GIVEN, /* the kind in column `given` of the rule */
};

/* Table of the rules, as RULE(NAME, first, second, alike, result, given):
 *   first, second  kinds that the first and the second operand may have; isa/tensor/rule.c checks a
 *                  third operand
 *   alike          whether both must have the same kind
 *   result, given  kind of the result: enum isa_element_result; the kind of ISA_RESULT_GIVEN */
#define ISA_ELEMENT_RULES(RULE)                                                          \
    RULE(ANY, ALL, ALL, true, FIRST, REAL)                                               \
    RULE(NUMBERS, NUMBERS, NUMBERS, true, FIRST, REAL)                                   \
    RULE(REALS, REALS, REALS, true, FIRST, REAL)                                         \
    RULE(TRUTHS, TRUTHS, TRUTHS, true, FIRST, REAL)                                      \
    RULE(ORDER, NUMBERS, NUMBERS, true, TRUTH, REAL)                                     \
    RULE(EQUALITY, ALL, ALL, true, TRUTH, REAL)                                          \
    RULE(CHOOSE, TRUTHS, ALL, false, SECOND, REAL)                                       \
    RULE(LIKE, REALS, REALS, false, SECOND, REAL)                                        \
    RULE(TO_REAL, ALL, ALL, false, GIVEN, REAL)                                          \
    RULE(TO_REAL32, ALL, ALL, false, GIVEN, REAL32)                                      \
    RULE(TO_INT, ALL, ALL, false, GIVEN, INT)                                            \
    RULE(TO_BOOL, ALL, ALL, false, GIVEN, BOOL)                                          \
    RULE(PLACES, NUMBERS, NUMBERS, false, GIVEN, INT)                                    \
    RULE(CLASSES, INTS, INTS, false, GIVEN, REAL)                                        \
    RULE(BITS, INTS, INTS, true, FIRST, REAL)                                            \
    RULE(ROWS, ALL, INTS, false, FIRST, REAL)                                            \
    RULE(ADD_ROWS, NUMBERS, INTS, false, FIRST, REAL)

enum isa_elements {
#define RULE(NAME, ...) ISA_ELEMENTS_##NAME,
    ISA_ELEMENT_RULES(RULE)
#undef RULE
};

/* Rule for the element kinds of a kernel. */
struct isa_element_rule {
    uint8_t first, second; /* kinds that operands 0 and 1 may have, as ISA_OF_ bits */
    bool alike;
    uint8_t result; /* enum isa_element_result */
    uint8_t given;  /* enum isa_element_kind */
};

const struct isa_element_rule *isa_kernel_elements(enum isa_kernel kernel);

/* Finds the kind of the result's elements. `operands` has one shape for each tensor of the kernel.
 * Returns false and adds the reason to `why` if a kind is not accepted. */
bool isa_kernel_element(enum isa_kernel kernel, const struct isa_shape *const operands[],
                        enum isa_element_kind *result, struct lib_text *why);

/* Appends a set of kinds as text: "int, real or real32". */
void isa_elements_write(struct lib_text *out, unsigned set);

/* Appends the start of a message about a kernel: "`matmul` of real[2, 3] and real[4, 5]: ". */
void isa_kernel_write(struct lib_text *out, enum isa_kernel kernel,
                      const struct isa_shape *const operands[]);

#endif
