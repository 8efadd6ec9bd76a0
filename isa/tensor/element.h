/* The types of elements: which ones a kernel takes, and which one its result has.
 * isa/tensor/kernels.def names one rule per kernel (column `elements`); isa_kernel_shape applies it
 * before the rule of extents, and the compiler reads the same table when it infers types. */
#ifndef ISA_TENSOR_ELEMENT_H
#define ISA_TENSOR_ELEMENT_H

#include "isa/tensor/kernel.h"

/* Sets of elements. */
enum {
    ISA_OF_REALS = 1 << ISA_ELEMENT_REAL | 1 << ISA_ELEMENT_REAL32,
    ISA_OF_INTS = 1 << ISA_ELEMENT_INT,
    ISA_OF_NUMBERS = ISA_OF_REALS | 1 << ISA_ELEMENT_INT,
    ISA_OF_TRUTHS = ISA_OF_REALS | 1 << ISA_ELEMENT_BOOL,
    ISA_OF_ALL = ISA_OF_NUMBERS | 1 << ISA_ELEMENT_BOOL,
};

/* Where the element of the result comes from. */
enum isa_element_result {
    ISA_RESULT_FIRST,  /* the first operand */
    ISA_RESULT_SECOND, /* the second operand */
    ISA_RESULT_TRUTH, /* the first operand if that is of reals, which are 1.0 or 0.0; else bool */
    ISA_RESULT_GIVEN, /* the rule: column `given` */
};

/* Of a third operand isa/tensor/rule.c says which elements it may have.
 *
 * RULE(NAME, first, second, alike, result, given): the elements that the first and the second operand may
 * have, whether they must be alike, and the element of the result. */
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
    RULE(ROWS, ALL, INTS, false, FIRST, REAL)                                            \
    RULE(ADD_ROWS, NUMBERS, INTS, false, FIRST, REAL)

enum isa_elements {
#define RULE(NAME, ...) ISA_ELEMENTS_##NAME,
    ISA_ELEMENT_RULES(RULE)
#undef RULE
};

struct isa_element_rule {
    uint8_t first, second; /* sets */
    bool alike;
    uint8_t result; /* enum isa_element_result */
    uint8_t given;  /* enum isa_element_kind */
};

/* The rule of a kernel. */
const struct isa_element_rule *isa_kernel_elements(enum isa_kernel kernel);

/* Finds the element of the result, of operands as many as the arity says. Returns false and says
 * why in `why`, as isa_kernel_shape does, if the kernel does not take these. */
bool isa_kernel_element(enum isa_kernel kernel, const struct isa_shape *const operands[],
                        enum isa_element_kind *result, struct lib_text *why);

/* Adds "int, real or real32". */
void isa_elements_write(struct lib_text *out, unsigned set);

/* Adds "`matmul` of real[2, 3] and real[4, 5]: ", with which messages on kernels begin. */
void isa_kernel_write(struct lib_text *out, enum isa_kernel kernel,
                      const struct isa_shape *const operands[]);

#endif
