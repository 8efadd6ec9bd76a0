/* Arithmetic: doc/language.md, "Numbers"; the rows of isa/ops.def. "Digests". */
#include "isa/tensor/elementary.h"
#include "tests/oracle/state.h"

#include <math.h>
#include <stdlib.h>

/* --- arithmetic --------------------------------------------------------------------- */

static bool exact(__int128 v, uint64_t *result)
{
    *result = (uint64_t)v;
    return v >= INT64_MIN && v <= INT64_MAX;
}

static bool divide(__int128 a, __int128 b, bool remainder, uint64_t *result)
{
    *result = 0;
    return b != 0 && exact(remainder ? a % b : a / b, result);
}

static bool extent(__int128 low, __int128 high, uint64_t *result)
{
    return exact(high < low ? 0 : high - low + 1, result);
}

/* Rows from AND_I to ROTATE_LEFT. */
static bool on_bits(enum isa_op op, uint64_t a, uint64_t b, uint64_t *result)
{
    const unsigned __int128 twice = (unsigned __int128)a << 64 | a;
    switch (op) {
    case ISA_OP_AND_I:
        *result = ~(~a | ~b);
        return true;
    case ISA_OP_OR_I:
        *result = (a ^ b) + ~(~a | ~b);
        return true;
    case ISA_OP_XOR_I:
        *result = (a & ~b) + (~a & b);
        return true;
    case ISA_OP_NOT_I:
        *result = UINT64_MAX - a;
        return true;
    case ISA_OP_SHIFT_LEFT:
        *result = b < 64 ? (uint64_t)((unsigned __int128)a << b) : 0;
        break;
    case ISA_OP_SHIFT_RIGHT:
        *result = b < 64 ? a >> b : 0;
        break;
    case ISA_OP_SHIFT_SIGNED:
        *result = b < 64 ? (a >> 63 ? ~(~a >> b) : a >> b) : 0;
        break;
    default:
        *result = b < 64 ? (uint64_t)(twice >> (64 - b)) : 0;
    }
    return b < 64;
}

static bool divide_unsigned(uint64_t a, uint64_t b, bool remainder, uint64_t *result)
{
    *result = b == 0 ? 0 : remainder ? a - a / b * b : a / b;
    return b != 0;
}

/* Rows from COUNT_ONES to LT_U: an int is a word of 64 bits. */
static bool on_words(enum isa_op op, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (op) {
    case ISA_OP_COUNT_ONES:
        for (*result = 0; a; a &= a - 1)
            ++*result;
        return true;
    case ISA_OP_ADD_W:
        *result = a + b;
        return true;
    case ISA_OP_SUB_W:
        *result = a + ~b + 1;
        return true;
    case ISA_OP_MUL_W:
        *result = a * b;
        return true;
    case ISA_OP_MUL_HIGH: /* a negative operand is 2^64 too great */
    case ISA_OP_MUL_HIGH_U:
        *result = (uint64_t)((unsigned __int128)a * b >> 64);
        if (op == ISA_OP_MUL_HIGH)
            *result -= (a >> 63 ? b : 0) + (b >> 63 ? a : 0);
        return true;
    case ISA_OP_DIV_U:
        return divide_unsigned(a, b, false, result);
    case ISA_OP_REM_U:
        return divide_unsigned(a, b, true, result);
    default:
        *result = a < b;
        return true;
    }
}

/* One factor after the other; every int but -1, 0 and 1 overflows before the 64th. */
static bool power(__int128 base, int64_t exponent, uint64_t *result)
{
    __int128 all = 1;
    uint64_t rest = 0;
    *result = 0;
    if (exponent < 0)
        return false;
    if (base >= -1 && base <= 1 && exponent > 2)
        exponent = exponent % 2 + 2;
    for (; exponent > 0; exponent--)
        if (!exact(all *= base, &rest))
            return false;
    return exact(all, result);
}

/* Philox 2x64-10: the upper 53 bits of the first word of counter (0, b), as a fraction. */
static double draw(uint64_t key, uint64_t b)
{
    uint64_t first = 0, second = b;
    for (unsigned round = 0; round < 10; round++) {
        const unsigned __int128 product = (unsigned __int128)first *
                                          UINT64_C(0xd2b74407b1ce6e93);
        first = (uint64_t)(product >> 64) ^ key ^ second;
        second = (uint64_t)product;
        key += UINT64_C(0x9e3779b97f4a7c15);
    }
    return ldexp((double)(first >> 11), -53);
}

static bool on_ints(enum isa_op op, int64_t left, int64_t right, uint64_t *result)
{
    const __int128 a = left, b = right;
    if (op >= ISA_OP_AND_I && op <= ISA_OP_ROTATE_LEFT)
        return on_bits(op, (uint64_t)left, (uint64_t)right, result);
    if (op >= ISA_OP_COUNT_ONES && op <= ISA_OP_LT_U)
        return on_words(op, (uint64_t)left, (uint64_t)right, result);
    switch (op) {
    case ISA_OP_ADD_I:
        return exact(a + b, result);
    case ISA_OP_SUB_I:
        return exact(a - b, result);
    case ISA_OP_MUL_I:
        return exact(a * b, result);
    case ISA_OP_DIV_I:
        return divide(a, b, false, result);
    case ISA_OP_REM_I:
        return divide(a, b, true, result);
    case ISA_OP_POW_I:
        return power(a, right, result);
    case ISA_OP_NEG_I:
        return exact(-a, result);
    case ISA_OP_ABS_I:
        return exact(a < 0 ? -a : a, result);
    case ISA_OP_MIN_I:
        return exact(a < b ? a : b, result);
    case ISA_OP_MAX_I:
        return exact(a > b ? a : b, result);
    case ISA_OP_EXTENT:
        return extent(a, b, result);
    case ISA_OP_EQ_I:
    case ISA_OP_EQ_B:
        return exact(a == b, result);
    case ISA_OP_NE_I:
    case ISA_OP_NE_B:
        return exact(a != b, result);
    case ISA_OP_LT_I:
        return exact(a < b, result);
    case ISA_OP_LE_I:
        return exact(a <= b, result);
    case ISA_OP_GT_I:
        return exact(a > b, result);
    case ISA_OP_GE_I:
        return exact(a >= b, result);
    case ISA_OP_NOT_B:
        return exact(!a, result);
    case ISA_OP_RANDOM:
        *result = isa_value_of_real(draw((uint64_t)left, (uint64_t)right));
        return true;
    case ISA_OP_REAL_I:
        *result = isa_value_of_real((double)left);
        return true;
    default:
        abort();
    }
}

/* NaN with a NaN; -0.0 is less than 0.0. */
static double extreme(double a, double b, bool greater)
{
    if (isnan(a) || isnan(b))
        return NAN;
    const bool a_is_less = a < b || (a == b && signbit(a) && !signbit(b));
    return a_is_less == greater ? b : a;
}

/* Functions that are the same everywhere come from isa/tensor. */
static double elementary(enum isa_op op, double a, double b, bool reference)
{
    switch (op) {
    case ISA_OP_EXP_R:
        return reference ? isa_real_exp(a) : exp(a);
    case ISA_OP_LOG_R:
        return reference ? isa_real_log(a) : log(a);
    case ISA_OP_SIN_R:
        return reference ? isa_real_sin(a) : sin(a);
    case ISA_OP_COS_R:
        return reference ? isa_real_cos(a) : cos(a);
    case ISA_OP_TANH_R:
        return reference ? isa_real_tanh(a) : tanh(a);
    case ISA_OP_ATAN_R:
        return reference ? isa_real_atan(a) : atan(a);
    case ISA_OP_ERF_R:
        return reference ? isa_real_erf(a) : erf(a);
    case ISA_OP_POW_R:
        return reference ? isa_real_pow(a, b) : pow(a, b);
    case ISA_OP_ATAN2_R:
        return reference ? isa_real_atan2(a, b) : atan2(a, b);
    case ISA_OP_HYPOT_R:
        return reference ? isa_real_hypot(a, b) : hypot(a, b);
    default:
        abort();
    }
}

static double real_of(enum isa_op op, double a, double b, bool reference)
{
    switch (op) {
    case ISA_OP_ADD_R:
        return a + b;
    case ISA_OP_SUB_R:
        return a - b;
    case ISA_OP_MUL_R:
        return a * b;
    case ISA_OP_DIV_R:
        return a / b;
    case ISA_OP_REM_R:
        return fmod(a, b);
    case ISA_OP_NEG_R:
        return -a;
    case ISA_OP_ABS_R:
        return fabs(a);
    case ISA_OP_MIN_R:
        return extreme(a, b, false);
    case ISA_OP_MAX_R:
        return extreme(a, b, true);
    case ISA_OP_SQRT_R:
        return sqrt(a);
    case ISA_OP_FLOOR_R:
        return floor(a);
    default:
        return elementary(op, a, b, reference);
    }
}

static bool compare_reals(enum isa_op op, double a, double b)
{
    switch (op) {
    case ISA_OP_EQ_R:
        return a == b;
    case ISA_OP_NE_R:
        return a != b;
    case ISA_OP_LT_R:
        return a < b;
    case ISA_OP_LE_R:
        return a <= b;
    case ISA_OP_GT_R:
        return a > b;
    default:
        return a >= b;
    }
}

static bool truncate_real(double a, uint64_t *result)
{
    *result = 0;
    a = trunc(a);
    if (isnan(a) || a < -9223372036854775808.0 || a >= 9223372036854775808.0)
        return false;
    *result = (uint64_t)(int64_t)a;
    return true;
}

/* Returns false if a pure instruction fails. Ignores `b` with one operand. */
bool oracle_evaluate(enum isa_op op, uint64_t a, uint64_t b, bool reference,
                     uint64_t *result)
{
    const struct isa_op_info *row = &isa_op_table[op];
    if (row->in[0] != 'r')
        return on_ints(op, (int64_t)a, (int64_t)b, result);
    const double x = isa_value_real(a), y = isa_value_real(b);
    if (op == ISA_OP_INT_R)
        return truncate_real(x, result);
    if (row->out[0] == 'b')
        *result = compare_reals(op, x, y);
    else
        *result = isa_value_of_real(real_of(op, x, y, reference));
    return true;
}

/* --- digests ------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t fold(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t oracle_path_root(void)
{
    return UINT64_C(0x68696174f6e0001d);
}

uint64_t oracle_path(uint64_t parent, uint32_t site)
{
    return mix(parent + UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)site + 1));
}

uint64_t oracle_path_iteration(uint64_t path, uint64_t iteration)
{
    return mix(path ^ (UINT64_C(0xc2b2ae3d27d4eb4f) * (iteration + 1)));
}

uint64_t oracle_key(uint32_t number)
{
    return mix(UINT64_C(0xd1b54a32d192ed03) * ((uint64_t)number + 1));
}

uint64_t oracle_hash(const struct instr *instr, const struct activation *tag,
                     uint64_t word)
{
    return fold(tag->path ^ instr->key, word ^ UINT64_C(0xa0761d6478bd642f));
}

/* "Matching stores": the set of a hash table in which an operand lies. */
uint64_t oracle_set_of(const struct instr *instr, const struct activation *tag,
                       uint64_t sets)
{
    return (mix(tag->path ^ instr->key) >> 32) * sets >> 32;
}

/* The word for a reference to element `index` of the array with that name. */
uint64_t oracle_reference_word(uint64_t name, uint64_t index)
{
    return mix(name + index);
}
