/* Accumulators: what they give, in any order of their contributions, against exact sums. */
#include "tests/unit/main.h"

#include "isa/exec/accumulator.h"
#include "lib/hash.h"

#include <math.h>

enum { MOST = 64 };

static isa_value total_of(enum isa_fold fold, const isa_value *values, size_t count,
                          bool *fits)
{
    uint64_t words[2 * ISA_ACCUMULATOR_PLACES] = {0};
    isa_value total = 0;
    for (size_t i = 0; i < count; i++)
        isa_accumulator_add(words, fold, values[i]);
    *fits = isa_accumulator_total(words, fold, &total);
    return total;
}

static uint64_t draw(uint64_t *state)
{
    *state = lib_hash_mix(*state + UINT64_C(0x9e3779b97f4a7c15));
    return *state;
}

/* --- sums of reals by hand ---------------------------------------------------------------- */

#define INF __builtin_inf()
#define NOT __builtin_nan("")
#define LEAST 0x1p-1074
#define GREATEST 0x1.fffffffffffffp1023

static const struct {
    double values[6], sum;
    size_t count;
} sums[] = {
    {{0.1, 0.2, 0.3}, 0.6, 3}, /* 0.6000000000000001 if rounded twice */
    {{1e16, 1, -1e16}, 1, 3},
    {{1e308, 1e308, -1e308}, 1e308, 3},
    {{GREATEST, GREATEST}, INF, 2},
    {{-GREATEST, -GREATEST}, -INF, 2},
    {{GREATEST, 0x1p969}, GREATEST, 2},
    {{GREATEST, 0x1p970}, INF, 2}, /* half of the last bit: to the even one */
    {{GREATEST, 0x1p970, -LEAST}, GREATEST, 3},
    {{1, 0x1p-53}, 1, 2},
    {{1, 0x1p-53, LEAST}, 1 + 0x1p-52, 3},
    {{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51, 2},
    {{-1, -0x1p-53, -LEAST}, -1 - 0x1p-52, 3},
    {{LEAST, LEAST, LEAST}, 3 * LEAST, 3},
    {{0x1p-1022, -LEAST}, 0x1p-1022 - LEAST, 2},
    {{-LEAST, LEAST}, 0.0, 2},
    {{-0.0, -0.0}, -0.0, 2},
    {{-0.0, 0.0}, 0.0, 2},
    {{-0.0}, -0.0, 1},
    {{INF, -1e300, INF}, INF, 3},
    {{-INF, GREATEST}, -INF, 2},
    {{INF, 1, -INF}, NOT, 3},
    {{NOT, 1}, NOT, 2},
    {{NOT, INF}, NOT, 2},
};

START_TEST(sums_of_reals_are_exact)
{
    isa_value values[6];
    bool fits;
    for (size_t i = 0; i < sums[_i].count; i++)
        values[i] = isa_value_of_real(sums[_i].values[i]);
    const isa_value found = total_of(ISA_FOLD_ADD_R, values, sums[_i].count, &fits);
    ck_assert(fits);
    ck_assert_uint_eq(found, isa_value_of_real(sums[_i].sum));
}
END_TEST

/* --- any order ---------------------------------------------------------------------------- */

/* Draws a value of a kind: reals of all exponents, reals near 1 whose sums must be rounded, now and
 * then a special one; ints that overflow now and then. */
static isa_value draw_value(uint64_t *state, enum isa_fold fold, unsigned way)
{
    static const double specials[] = {0.0, -0.0, INF, -INF, NOT, GREATEST, LEAST};
    const uint64_t bits = draw(state);
    const bool is_real = fold == ISA_FOLD_ADD_R || fold == ISA_FOLD_MIN_R ||
                         fold == ISA_FOLD_MAX_R;
    if (!is_real)
        return way == 0 ? bits : bits % 1000;
    if (way == 2 && bits % 16 == 0)
        return isa_value_of_real(specials[bits / 16 % 7]);
    const double r = isa_value_real(bits);
    return isa_value_of_real(way == 1 || !isfinite(r) ? ldexp((double)(int64_t)bits, -60)
                                                      : r);
}

START_TEST(no_order_changes_a_bit)
{
    const enum isa_fold fold = (enum isa_fold)_i;
    const unsigned orders = 100000 / (ISA_FOLDS - 1) + 1;
    uint64_t state = (uint64_t)_i;
    isa_value values[MOST];
    for (unsigned n = 0; n < orders;) {
        const size_t count = 1 + draw(&state) % MOST;
        bool fits, fits_too;
        for (size_t i = 0; i < count; i++)
            values[i] = draw_value(&state, fold, n % 3);
        const isa_value first = total_of(fold, values, count, &fits);
        for (unsigned k = 0; k < 20; k++, n++) {
            for (size_t i = count; i > 1; i--) {
                const size_t at = draw(&state) % i;
                const isa_value other = values[i - 1];
                values[i - 1] = values[at];
                values[at] = other;
            }
            ck_assert_uint_eq(total_of(fold, values, count, &fits_too), first);
            ck_assert(fits == fits_too);
        }
    }
}
END_TEST

/* Sums of two reals are those of the processor, and so are sums that round only at the end. */
START_TEST(two_reals_are_added_as_by_the_processor)
{
    uint64_t state = 1;
    bool fits;
    for (int n = 0; n < 100000; n++) {
        const isa_value values[] = {draw_value(&state, ISA_FOLD_ADD_R, (unsigned)n % 3),
                                    draw_value(&state, ISA_FOLD_ADD_R, (unsigned)n % 3)};
        const double sum = isa_value_real(values[0]) + isa_value_real(values[1]);
        ck_assert_uint_eq(total_of(ISA_FOLD_ADD_R, values, 2, &fits),
                          isa_value_of_real(sum));
    }
}
END_TEST

/* --- ints ----------------------------------------------------------------------------------- */

START_TEST(sums_of_ints_overflow_as_the_exact_sum_does)
{
    const isa_value most = isa_value_of_int(INT64_MAX),
                    least = isa_value_of_int(INT64_MIN), one = isa_value_of_int(1),
                    minus = isa_value_of_int(-1);
    bool fits;
    ck_assert_uint_eq(total_of(ISA_FOLD_ADD_I, (isa_value[]){most, one, minus}, 3, &fits),
                      most);
    ck_assert(fits);
    ck_assert_uint_eq(
        total_of(ISA_FOLD_ADD_I, (isa_value[]){least, least, most, most, one}, 5, &fits),
        minus);
    ck_assert(fits);
    (void)total_of(ISA_FOLD_ADD_I, (isa_value[]){most, one}, 2, &fits);
    ck_assert(!fits);
    (void)total_of(ISA_FOLD_ADD_I, (isa_value[]){least, minus}, 2, &fits);
    ck_assert(!fits);
    (void)total_of(ISA_FOLD_ADD_I, (isa_value[]){most, most, most}, 3, &fits);
    ck_assert(!fits);
}
END_TEST

START_TEST(other_operations_are_those_of_two)
{
    const isa_value a = isa_value_of_int(-6), b = isa_value_of_int(3);
    const isa_value minus_zero = isa_value_of_real(-0.0), nan = isa_value_of_real(NOT);
    bool fits;
#define TOTAL(fold, ...)                                                                 \
    total_of(ISA_FOLD_##fold, (isa_value[]){__VA_ARGS__},                                \
             sizeof((isa_value[]){__VA_ARGS__}) / sizeof(isa_value), &fits)
    ck_assert_uint_eq(TOTAL(MIN_I, b, a), a);
    ck_assert_uint_eq(TOTAL(MAX_I, a, b), b);
    ck_assert_uint_eq(TOTAL(MAX_I, a), a);
    ck_assert_uint_eq(TOTAL(AND, a, b), a & b);
    ck_assert_uint_eq(TOTAL(OR, a, b), a | b);
    ck_assert_uint_eq(TOTAL(XOR, a, b, b), a);
    ck_assert_uint_eq(TOTAL(MIN_R, 0, minus_zero), minus_zero);
    ck_assert_uint_eq(TOTAL(MAX_R, minus_zero, 0), 0);
    ck_assert_uint_eq(TOTAL(MAX_R, nan, isa_value_of_real(INF)), nan);
    ck_assert_uint_eq(TOTAL(MIN_R, isa_value_of_real(-INF), nan), nan);
#undef TOTAL
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("accumulators");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, sums_of_reals_are_exact, 0, sizeof sums / sizeof *sums);
    tcase_add_loop_test(tcase, no_order_changes_a_bit, 1, ISA_FOLDS);
    tcase_add_test(tcase, two_reals_are_added_as_by_the_processor);
    tcase_add_test(tcase, sums_of_ints_overflow_as_the_exact_sum_does);
    tcase_add_test(tcase, other_operations_are_those_of_two);
    return test_main("isa accumulators", tcase);
}
