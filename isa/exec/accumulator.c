#include "isa/exec/accumulator.h"

#include "isa/exec/eval.h"

#include <assert.h>

enum isa_fold isa_fold_of(enum isa_op op, enum isa_type type)
{
    const bool is_real = type == ISA_REAL;
    switch (op) {
    case ISA_OP_ACCUMULATE_ADD:
        return is_real ? ISA_FOLD_ADD_R : ISA_FOLD_ADD_I;
    case ISA_OP_ACCUMULATE_MIN:
        return is_real ? ISA_FOLD_MIN_R : ISA_FOLD_MIN_I;
    case ISA_OP_ACCUMULATE_MAX:
        return is_real ? ISA_FOLD_MAX_R : ISA_FOLD_MAX_I;
    case ISA_OP_ACCUMULATE_AND:
        return ISA_FOLD_AND;
    case ISA_OP_ACCUMULATE_OR:
        return ISA_FOLD_OR;
    case ISA_OP_ACCUMULATE_XOR:
        return ISA_FOLD_XOR;
    default:
        return ISA_FOLD_NONE;
    }
}

/* --- ints: words[0] is the low word -------------------------------------------------------- */

static void add_int(uint64_t *words, isa_value value)
{
    const uint64_t low = words[0] + value;
    words[1] += (isa_value_int(value) < 0 ? UINT64_MAX : 0) + (low < value);
    words[0] = low;
}

static bool total_int(const uint64_t *words, isa_value *total)
{
    *total = words[0];
    return words[1] == (isa_value_int(words[0]) < 0 ? UINT64_MAX : 0);
}

/* --- reals: a number of 2176 bits in two's complement, the lowest worth 2^-1074 ------------ */

enum {
    WORDS = 34, /* of the number; two more are flags and nothing */
    FLAGS = WORDS,
    MANTISSA_BITS = 52,
    EXPONENTS = 0x7ff, /* biased exponent of inf and NaN */
    HAS_NAN = 1,
    HAS_INF = 2,
    HAS_MINUS_INF = 4,
    HAS_OTHER = 8, /* a contribution was not -0.0 */
};

static_assert(ISA_ACCUMULATOR_PLACES * 2 == WORDS + 2, "a number and its flags");

/* Adds `value` << 64 * `at`. */
static void add_word(uint64_t *words, unsigned at, uint64_t value)
{
    for (; value && at < WORDS; at++) {
        words[at] += value;
        value = words[at] < value;
    }
}

static void subtract_word(uint64_t *words, unsigned at, uint64_t value)
{
    for (; value && at < WORDS; at++) {
        const uint64_t before = words[at];
        words[at] -= value;
        value = before < value;
    }
}

static void add_real(uint64_t *words, isa_value value)
{
    const unsigned exponent = value >> MANTISSA_BITS & EXPONENTS;
    const bool is_minus = value >> 63;
    uint64_t mantissa = value & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    if (exponent == EXPONENTS) {
        words[FLAGS] |= mantissa ? HAS_NAN : is_minus ? HAS_MINUS_INF : HAS_INF;
        return;
    }
    if (value != UINT64_C(1) << 63)
        words[FLAGS] |= HAS_OTHER;
    if (exponent)
        mantissa |= UINT64_C(1) << MANTISSA_BITS;
    const unsigned shift = exponent ? exponent - 1 : 0, within = shift % 64;
    const uint64_t high = within ? mantissa >> (64 - within) : 0;
    void (*const add)(uint64_t *, unsigned, uint64_t) = is_minus ? subtract_word
                                                                 : add_word;
    add(words, shift / 64, mantissa << within);
    add(words, shift / 64 + 1, high);
}

/* Returns `count` bits, at most 64, from bit `first` on. */
static uint64_t take_bits(const uint64_t *words, unsigned first, unsigned count)
{
    const unsigned at = first / 64, within = first % 64;
    uint64_t bits = words[at] >> within;
    if (within && at + 1 < WORDS)
        bits |= words[at + 1] << (64 - within);
    return count == 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

static bool has_bit_below(const uint64_t *words, unsigned end)
{
    for (unsigned i = 0; i < end / 64; i++)
        if (words[i])
            return true;
    return end % 64 && take_bits(words, end - end % 64, end % 64);
}

/* Returns the bits of the real nearest to a number above 0. */
static uint64_t round_words(const uint64_t *words)
{
    unsigned top = WORDS * 64 - 1;
    while (!take_bits(words, top, 1))
        top--;
    if (top <= MANTISSA_BITS) /* with the exponent 0 or 1, exactly */
        return words[0];
    const unsigned lowest = top - MANTISSA_BITS;
    uint64_t bits = take_bits(words, lowest, MANTISSA_BITS + 1);
    const bool is_half = take_bits(words, lowest - 1, 1);
    const bool is_up = is_half && (bits & 1 || has_bit_below(words, lowest - 1));
    /* the first bit of `bits` adds 1 to the exponent, as a carry out of them does */
    if (lowest >= EXPONENTS - 1)
        return (uint64_t)EXPONENTS << MANTISSA_BITS;
    bits += ((uint64_t)lowest << MANTISSA_BITS) + is_up;
    return bits;
}

static isa_value total_real(const uint64_t *words)
{
    uint64_t sum[WORDS];
    const uint64_t flags = words[FLAGS];
    if (flags & HAS_NAN || (flags & HAS_INF && flags & HAS_MINUS_INF))
        return isa_value_of_real(__builtin_nan(""));
    if (flags & (HAS_INF | HAS_MINUS_INF))
        return isa_value_of_real(flags & HAS_INF ? __builtin_inf() : -__builtin_inf());
    const bool is_minus = words[WORDS - 1] >> 63;
    bool is_zero = true;
    uint64_t carry = is_minus;
    for (unsigned i = 0; i < WORDS; i++) {
        sum[i] = is_minus ? ~words[i] + carry : words[i];
        carry = carry && sum[i] == 0;
        is_zero &= sum[i] == 0;
    }
    if (is_zero)
        return flags & HAS_OTHER ? 0 : UINT64_C(1) << 63;
    return round_words(sum) | (uint64_t)is_minus << 63;
}

/* --- all kinds: others are a value, and whether there is one --------------------------- */

static isa_value choose(enum isa_fold fold, isa_value a, isa_value b)
{
    const int64_t ia = isa_value_int(a), ib = isa_value_int(b);
    const double ra = isa_value_real(a), rb = isa_value_real(b);
    switch (fold) {
    case ISA_FOLD_MIN_I:
        return ia < ib ? a : b;
    case ISA_FOLD_MAX_I:
        return ia > ib ? a : b;
    case ISA_FOLD_MIN_R:
        return isa_value_of_real(isa_eval_min(ra, rb));
    case ISA_FOLD_MAX_R:
        return isa_value_of_real(-isa_eval_min(-ra, -rb));
    case ISA_FOLD_AND:
        return a & b;
    case ISA_FOLD_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

void isa_accumulator_add(uint64_t *words, enum isa_fold fold, isa_value value)
{
    if (fold == ISA_FOLD_ADD_I)
        add_int(words, value);
    else if (fold == ISA_FOLD_ADD_R)
        add_real(words, value);
    else {
        words[0] = words[1] ? choose(fold, words[0], value) : value;
        words[1] = 1;
    }
}

bool isa_accumulator_total(const uint64_t *words, enum isa_fold fold, isa_value *total)
{
    if (fold == ISA_FOLD_ADD_I)
        return total_int(words, total);
    *total = fold == ISA_FOLD_ADD_R ? total_real(words) : words[0];
    return true;
}
