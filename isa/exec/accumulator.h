/* Accumulators: the sums, or least or greatest values, of the elements of an accumulating array
 * until they are closed. What an accumulator gives does not depend on the order of its
 * contributions:
 *
 *   sum of ints        kept in 128 bits; overflows if and only if the exact sum does
 *   sum of reals       kept exactly (Kulisch 1971; Neal 2015) and rounded once, to the nearest
 *                      real and to the even one of two; NaN if there was a NaN, or inf and -inf;
 *                      -0.0 if all contributions were -0.0, else a sum of zero is 0.0
 *   min, max           those of the language: NaN if there was a NaN; -0.0 < 0.0
 *   and, or, xor       of the bits of ints or bools
 *
 * An accumulator is memory of the caller: places of two words, zeros at first, without addresses.
 * 2^63 contributions of ints, or 2^77 of reals, cannot overflow it. */
#ifndef ISA_EXEC_ACCUMULATOR_H
#define ISA_EXEC_ACCUMULATOR_H

#include "isa/op.h"
#include "isa/value.h"

enum isa_fold {
    ISA_FOLD_NONE,
    ISA_FOLD_ADD_I,
    ISA_FOLD_ADD_R,
    ISA_FOLD_MIN_I,
    ISA_FOLD_MIN_R,
    ISA_FOLD_MAX_I,
    ISA_FOLD_MAX_R,
    ISA_FOLD_AND,
    ISA_FOLD_OR,
    ISA_FOLD_XOR,
    ISA_FOLDS,
};

/* Places of an accumulator for reals, the greatest one. */
enum { ISA_ACCUMULATOR_PLACES = 18 };

/* Returns how the array that an instruction makes accumulates; ISA_FOLD_NONE if it does not. */
enum isa_fold isa_fold_of(enum isa_op op, enum isa_type type);

/* Returns the number of places of an accumulator. A place is two words. */
static inline uint32_t isa_fold_places(enum isa_fold fold)
{
    return fold == ISA_FOLD_ADD_R ? ISA_ACCUMULATOR_PLACES : fold != ISA_FOLD_NONE;
}

void isa_accumulator_add(uint64_t *words, enum isa_fold fold, isa_value value);

/* Sets *total to what an accumulator of at least one contribution has. Returns false if that is no
 * int. */
bool isa_accumulator_total(const uint64_t *words, enum isa_fold fold, isa_value *total);

#endif
