/* Definitions for isa/exec/eval.def, the file that defines what pure opcodes compute. */
#ifndef ISA_EXEC_EVAL_H
#define ISA_EXEC_EVAL_H

#include "isa/op.h"
#include "isa/tensor/elementary.h"
#include "lib/random.h"

/* Table of the faults by which a program can fail, as TRAP(NAME, text). */
#define ISA_TRAPS(TRAP)                                                                  \
    TRAP(NONE, "no failure")                                                             \
    TRAP(OVERFLOW, "integer overflow")                                                   \
    TRAP(DIVISION, "division by zero")                                                   \
    TRAP(CONVERSION, "the real is out of the range of int")                              \
    TRAP(REWRITE, "a cell is written twice")                                             \
    TRAP(SECOND_STORE, "an element is written twice")                                    \
    TRAP(SECOND_FILL, "a field is written twice")                                        \
    TRAP(CONSTRUCTOR, "data of another constructor")                                     \
    TRAP(CIRCULAR, "data of the result contains itself")                                 \
    TRAP(SECOND_OUTPUT, "a part of the result comes twice")                              \
    TRAP(INDEX, "index out of range")                                                    \
    TRAP(LENGTH, "an array of negative length")                                          \
    TRAP(UNEVEN, "arrays of different lengths in one pair of brackets of the result")    \
    TRAP(COLLISION, "two tokens with one tag reach one operand")                         \
    TRAP(TENSOR, "no such tensor")                                                       \
    TRAP(SHIFT, "bits are moved by less than 0 or more than 63 places")                  \
    TRAP(EXPONENT, "an int to the power of a negative int")                              \
    TRAP(TOTAL, "the total of an element overflows")                                     \
    TRAP(CONTRIBUTION, "a contribution to an element that takes none")

enum isa_trap {
#define TRAP(NAME, text) ISA_TRAP_##NAME,
    ISA_TRAPS(TRAP)
#undef TRAP
        ISA_TRAP_COUNT,
};

const char *isa_trap_text(enum isa_trap trap);

/* A set of elementary functions. Results may differ between sets in the last bit, which IEEE 754
 * does not define. */
struct isa_eval_functions {
    double (*exp)(double);
    double (*log)(double);
    double (*sin)(double);
    double (*cos)(double);
    double (*tanh)(double);
    double (*atan)(double);
    double (*erf)(double);
    double (*pow)(double, double);
    double (*atan2)(double, double);
    double (*hypot)(double, double);
};

/* isa_eval_library: the functions of the C library. isa_eval_own: those of isa/tensor/elementary.h,
 * which give the same bits on every processor. */
extern const struct isa_eval_functions isa_eval_library, isa_eval_own;

/* Returns the smaller real. NaN if either is NaN; -0.0 is below 0.0 (doc/language.md, Types). */
static inline double isa_eval_min(double a, double b)
{
    if (__builtin_isunordered(a, b))
        return __builtin_nan("");
    return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}

#endif
