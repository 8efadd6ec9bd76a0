/* Elementary functions against the C library's long double, and against pinned bits. */
#include "tests/unit/main.h"

#include "isa/tensor/elementary.h"
#include "isa/tensor/vectors.h"
#include "lib/hash.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static long double sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

static const struct function {
    const char *name;
    double (*ours)(double);
    long double (*exact)(long double);
    double low, high; /* where its values are neither 0, 1 nor infinite */
} functions[] = {
    {"exp", isa_real_exp, expl, -745.2, 709.8},
    {"log", isa_real_log, logl, 0.9, 1.1},
    {"sin", isa_real_sin, sinl, -100, 100},
    {"cos", isa_real_cos, cosl, -100, 100},
    {"tanh", isa_real_tanh, tanhl, -20, 20},
    {"sigmoid", isa_real_sigmoid, sigmoid, -745.2, 40},
    {"atan", isa_real_atan, atanl, -4, 4},
    {"erf", isa_real_erf, erfl, -6, 6},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* --- the bound ------------------------------------------------------------------ */

static double draw(uint64_t i)
{
    return (double)(lib_hash_mix(i) >> 11) * 0x1p-53;
}

/* Three kinds of arguments: evenly between the bounds; of any size; near to 0. */
static double argument(const struct function *f, uint64_t i)
{
    const uint64_t bits = lib_hash_mix(i + 1);
    double x;
    switch (i % 3) {
    case 0:
        return f->low + (f->high - f->low) * draw(i);
    case 1:
        memcpy(&x, &bits, sizeof x);
        return x;
    default:
        return ldexp(draw(i) - 0.5, (int)(bits % 40) - 34);
    }
}

/* What the last bit of a double near to y is worth. */
static double ulp(double y)
{
    int exponent;
    frexp(y, &exponent);
    return ldexp(1, exponent < -1021 ? -1074 : exponent - 53);
}

/* valgrind computes long doubles as doubles. */
static bool has_long_doubles(void)
{
    volatile long double one = 1, small = 0x1p-60L;
    return LDBL_MANT_DIG >= 64 && one + small != one;
}

static double worst_error(const struct function *f, uint64_t count, double *where)
{
    double worst = 0;
    for (uint64_t i = 0; i < count; i++) {
        double x = argument(f, i);
        if (f->ours == isa_real_log)
            x = fabs(x);
        const long double exact = f->exact(x);
        const double y = f->ours(x), nearest = (double)exact;
        if (isnan(nearest) || isinf(nearest) || isinf(y)) {
            ck_assert_msg(isnan(nearest) ? isnan(y) : y == nearest,
                          "%s(%a) is %a, not %a", f->name, x, y, nearest);
            continue;
        }
        const double error = fabs((double)((y - exact) / ulp(nearest)));
        if (error > worst) {
            worst = error;
            *where = x;
        }
    }
    return worst;
}

START_TEST(errors_are_below_the_stated_bound)
{
    const struct function *f = &functions[_i];
    /* What is compared with has errors too: a few units of its own last bit. */
    const double bound = has_long_doubles() ? 0.502 : 4;
    double where = 0;
    const double worst = worst_error(f, test_is_quick() ? 30000 : 1000000, &where);
    printf("%s: at most %.6f ulp, at %a\n", f->name, worst, where);
    ck_assert_msg(worst <= bound, "%s(%a): %f ulp", f->name, where, worst);
}
END_TEST

/* --- pinned bits --------------------------------------------------------------------- */

/* The nearest doubles, from 113 bits. One argument is nearly a multiple of pi / 2. */
static const struct pin {
    double x, values[FUNCTIONS];
} pins[] = {
    {0x1p-60,
     {0x1p+0, -0x1.4cb5ecf0a965p+5, 0x1p-60, 0x1p+0, 0x1p-60, 0x1p-1, 0x1p-60,
      0x1.20dd750429b6dp-60}},
    {-0x1.8p-20,
     {0x1.ffffd000024p-1, NAN, -0x1.7fffffffff7p-20, 0x1.fffffffffdcp-1,
      -0x1.7ffffffffeep-20, 0x1.ffffe8p-2, -0x1.7ffffffffeep-20, -0x1.b14c2f863d4d4p-20}},
    {0x1.123456789abcdp-8,
     {0x1.0112c764ff058p+0, -0x1.5e7ea9ccd559p+2, 0x1.1234220a26ea5p-8,
      0x1.fffeda4c08471p-1, 0x1.1233ed9bdd334p-8, 0x1.00891a1e20b13p-1,
      0x1.1233ed9bf542dp-8, 0x1.35679f799bea8p-8}},
    {0x1.999999999999ap-4,
     {0x1.1aec7b35a00d4p+0, -0x1.26bb1bbb55515p+1, 0x1.98eaecb8bcb2cp-4,
      0x1.fd712f9a817c1p-1, 0x1.983d7795f413ap-4, 0x1.0cca12729afb8p-1,
      0x1.983e282e2cc4dp-4, 0x1.cca5ea24fb334p-4}},
    {-0x1p-1,
     {0x1.368b2fc6f960ap-1, NAN, -0x1.eaee8744b05fp-2, 0x1.c1528065b7d5p-1,
      -0x1.d9353d7568af3p-2, 0x1.829a0565978dfp-2, -0x1.dac670561bb4fp-2,
      -0x1.0a7ef5c18edd2p-1}},
    {0x1.921fb54442d18p-1,
     {0x1.18bd669471caap+1, -0x1.eeb95b094c193p-3, 0x1.6a09e667f3bccp-1,
      0x1.6a09e667f3bcdp-1, 0x1.4fc441fa6d6d6p-1, 0x1.5fa9cdbb3fedfp-1,
      0x1.54e04c05d06ap-1, 0x1.7774985d2d6e2p-1}},
    {0x1p+0,
     {0x1.5bf0a8b145769p+1, 0x0p+0, 0x1.aed548f090ceep-1, 0x1.14a280fb5068cp-1,
      0x1.85efab514f394p-1, 0x1.764d4f5d5a2bdp-1, 0x1.921fb54442d18p-1,
      0x1.af767a741088bp-1}},
    {-0x1.8p+0,
     {0x1.c8f87724b5c1dp-3, NAN, -0x1.feb7a9b2c6d8bp-1, 0x1.21bd54fc5f9a7p-4,
      -0x1.cf6f9786df577p-1, 0x1.759b8355a1bbp-3, -0x1.f730bd281f69bp-1,
      -0x1.eea5557137aep-1}},
    {0x1.921fb54442d18p+1,
     {0x1.724046eb09339p+4, 0x1.250d048e7a1bdp+0, 0x1.1a62633145c07p-53, -0x1p+0,
      0x1.fe175fa29281p-1, 0x1.eaca7ed72415dp-1, 0x1.433b8a322ddd3p+0,
      0x1.fffed62a7bb7cp-1}},
    {-0x1.dp+2,
     {0x1.7455fe323fafdp-11, NAN, -0x1.a56adb62a27b9p-1, 0x1.22c6f50dc3fbep-1,
      -0x1.ffffde2760a41p-1, 0x1.7412593d98a3dp-11, -0x1.6f08f07435fecp+0, -0x1p+0}},
    {0x1.3p+4,
     {0x1.546d8f9ed26e1p+27, 0x1.78e360604b32cp+1, 0x1.32f2d28f584cfp-3,
      0x1.fa377de108258p-1, 0x1.fffffffffffffp-1, 0x1.ffffffcfdf52p-1,
      0x1.84a99fe25186bp+0, 0x1p+0}},
    {0x1.2cp+5,
     {0x1.1293919c201e5p+54, 0x1.cfea67585803dp+1, -0x1.9517897d03677p-3,
      0x1.f5e25d08d9224p-1, 0x1p+0, 0x1p+0, 0x1.8b4c7ed7e4639p+0, 0x1p+0}},
    {-0x1.91p+6,
     {0x1.4acd31e167ebbp-145, NAN, 0x1.1bf00980dc35cp-2, 0x1.ebec72ba6b0ecp-1, -0x1p+0,
      0x1.4acd31e167ebbp-145, -0x1.8f92010a9ab6dp+0, -0x1p+0}},
    {0x1.5e4p+9,
     {0x1.8625c7d4f56c2p+1010, 0x1.a3509950c84a7p+2, 0x1.33929f64471c2p-4,
      -0x1.fe8df14616bc1p-1, 0x1p+0, 0x1p+0, 0x1.91c226f05a0d3p+0, 0x1p+0}},
    {-0x1.61f3333333333p+9,
     {0x1.a4904f4342894p-1022, NAN, 0x1.b9fa9138f1e7p-1, -0x1.02745e0634003p-1, -0x1p+0,
      0x1.a4904f4342894p-1022, -0x1.91c3214d5c0fp+0, -0x1p+0}},
    {-0x1.748p+9,
     {0x0.0000000000001p-1022, NAN, 0x1.b683ccbc86662p-2, -0x1.cead5c656161ap-1, -0x1p+0,
      0x0.0000000000001p-1022, -0x1.91c7bd86f33fcp+0, -0x1p+0}},
    {0x1.5p+40,
     {INFINITY, 0x1.bff7131677703p+4, -0x1.d0a6b2ff35f18p-1, -0x1.ae15c6fe6b6bfp-2,
      0x1p+0, 0x1p+0, 0x1.921fb544420e8p+0, 0x1p+0}},
    {0x1.6ac5b262ca1ffp+849,
     {INFINITY, 0x1.266a4f98a7d3fp+9, 0x1p+0, -0x1.14ae72e6ba22fp-61, 0x1p+0, 0x1p+0,
      0x1.921fb54442d18p+0, 0x1p+0}},
    {0x1.fffffffffffffp+1023,
     {INFINITY, 0x1.62e42fefa39efp+9, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1, 0x1p+0,
      0x1p+0, 0x1.921fb54442d18p+0, 0x1p+0}},
    {0.0, {1, -INFINITY, 0.0, 1, 0.0, 0.5, 0.0, 0.0}},
    {-0.0, {1, -INFINITY, -0.0, 1, -0.0, 0.5, -0.0, -0.0}},
    {INFINITY, {INFINITY, INFINITY, NAN, NAN, 1, 1, 0x1.921fb54442d18p+0, 0x1p+0}},
    {-INFINITY, {0, NAN, NAN, NAN, -1, 0, -0x1.921fb54442d18p+0, -0x1p+0}},
    {NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
    {0x1p-1074,
     {1, -0x1.74385446d71c3p+9, 0x1p-1074, 1, 0x1p-1074, 0.5, 0x0.0000000000001p-1022,
      0x0.0000000000001p-1022}},
};

START_TEST(bits_are_those_that_are_pinned)
{
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        for (size_t f = 0; f < FUNCTIONS; f++) {
            const double expected = pins[i].values[f],
                         found = functions[f].ours(pins[i].x);
            ck_assert_msg(isnan(expected) ? isnan(found)
                                          : memcmp(&expected, &found, sizeof found) == 0,
                          "%s(%a) is %a, not %a", functions[f].name, pins[i].x, found,
                          expected);
        }
}
END_TEST

/* --- functions of two numbers -------------------------------------------------------------- */

static const struct function_of_two {
    const char *name;
    double (*ours)(double, double);
    long double (*exact)(long double, long double);
    double (*library)(double, double);
} of_two[] = {
    {"atan2", isa_real_atan2, atan2l, atan2},
    {"hypot", isa_real_hypot, hypotl, hypot},
    {"pow", isa_real_pow, powl, pow},
};
enum { OF_TWO = sizeof of_two / sizeof *of_two };

/* Sets x and y of any size; or near to each other; or so that a power is neither 0 nor infinite. */
static void draw_two(uint64_t i, double *x, double *y)
{
    const uint64_t a = lib_hash_mix(2 * i), b = lib_hash_mix(2 * i + 1);
    switch (i % 4) {
    case 0:
        memcpy(x, &a, sizeof *x);
        memcpy(y, &b, sizeof *y);
        break;
    case 1:
        *x = 8 * draw(a) - 4;
        *y = 8 * draw(b) - 4;
        break;
    case 2:
        *x = 10 * draw(a);
        *y = 600 * draw(b) - 300;
        break;
    default:
        *x = 1 + ldexp(draw(a) - 0.5, -(int)(a % 50));
        *y = ldexp(draw(b) - 0.5, (int)(b % 60));
    }
}

START_TEST(errors_of_two_are_below_the_stated_bound)
{
    const struct function_of_two *f = &of_two[_i];
    const double bound = has_long_doubles() ? 0.502 : 4;
    double worst = 0;
    for (uint64_t i = 0; i < (test_is_quick() ? 30000 : 1000000); i++) {
        double x, y;
        draw_two(i, &x, &y);
        const long double exact = f->exact(x, y);
        const double found = f->ours(x, y), nearest = (double)exact;
        if (isnan(nearest) || isinf(nearest) || isinf(found)) {
            ck_assert_msg(isnan(nearest) ? isnan(found) : found == nearest,
                          "%s(%a, %a) is %a, not %a", f->name, x, y, found, nearest);
            continue;
        }
        const double error = fabs((double)((found - exact) / ulp(nearest)));
        worst = error > worst ? error : worst;
        ck_assert_msg(error <= bound, "%s(%a, %a): %f ulp", f->name, x, y, error);
    }
    printf("%s: at most %.6f ulp\n", f->name, worst);
}
END_TEST

START_TEST(special_values_are_those_of_c)
{
    static const double values[] = {
        0.0,       -0.0,    1,      -1,          INFINITY,
        -INFINITY, NAN,     0.5,    -0.5,        2,
        -2,        3,       -3,     1e300,       -1e300,
        4e-324,    -4e-324, 0x1p53, -0x1p53 - 2, 0x1.fffffffffffffp52,
        1.5,       -2.5};
    const struct function_of_two *f = &of_two[_i];
    enum { COUNT = sizeof values / sizeof *values };
    for (int i = 0; i < COUNT * COUNT; i++) {
        const double x = values[i / COUNT], y = values[i % COUNT];
        const double expected = f->library(x, y), found = f->ours(x, y);
        const bool is_same = isnan(expected)
                                 ? isnan(found)
                                 : memcmp(&expected, &found, sizeof found) == 0;
        ck_assert_msg(is_same || fabs(found - expected) <= ulp(expected),
                      "%s(%a, %a) is %a, not %a", f->name, x, y, found, expected);
        ck_assert_msg(isnan(found) || signbit(found) == signbit(expected),
                      "%s(%a, %a) has another sign", f->name, x, y);
    }
}
END_TEST

/* The nearest doubles, from 300 bits. */
static const struct pin_of_two {
    const struct function_of_two *f;
    double x, y, value;
} pins_of_two[] = {
    {&of_two[0], 0x1p+0, 0x1.8p+1, 0x1.4978fa3269ee1p-2},
    {&of_two[0], -0x1.999999999999ap-4, 0x1.6666666666666p-1, -0x1.229aec47638ddp-3},
    {&of_two[0], 0x1.56e1fc2f8f359p-997, -0x1.4p+1, 0x1.921fb54442d18p+1},
    {&of_two[0], 0x0.03739a252b281p-1022, 0x1.a36e2eb1c432dp-15, 0x1.0da76a97cb99ep-1014},
    {&of_two[0], -0x1.24a35bcdc760fp+667, -0x1.1f48eaf234ad4p+631, -0x1.921fb54452869p+0},
    {&of_two[0], 0x1p-1, 0x1p-1, 0x1.921fb54442d18p-1},
    {&of_two[1], 0x1.8p+1, 0x1p+2, 0x1.4p+2},
    {&of_two[1], 0x1p+0, 0x1p+0, 0x1.6a09e667f3bcdp+0},
    {&of_two[1], 0x1.1ccf385ebc8ap+1023, 0x1.1ccf385ebc8ap+1023, 0x1.92c80954c51f5p+1023},
    {&of_two[1], 0x1.e42d130773b76p+1023, 0x1.c7b1f3cac7433p+1019,
     0x1.e503557b4416dp+1023},
    {&of_two[1], 0x0.00000000017b8p-1022, 0x0.0000000001fap-1022,
     0x0.0000000002788p-1022},
    {&of_two[1], 0x1p+0, 0x1p-60, 0x1p+0},
    {&of_two[1], 0x1.999999999999ap-4, -0x1.6666666666666p-1, 0x1.6a09e667f3bccp-1},
    {&of_two[2], 0x1p+1, 0x1p-1, 0x1.6a09e667f3bcdp+0},
    {&of_two[2], 0x1.199999999999ap+0, 0x1.648p+9, 0x1.07330c668f03dp+98},
    {&of_two[2], 0x1.4p+3, -0x1.438p+8, 0x0.0000000000001p-1022},
    {&of_two[2], 0x1.fffffffffdcd1p-1, 0x1.2309ce54p+43, 0x1.7ced2d47bbaep-15},
    {&of_two[2], -0x1.8p+1, 0x1.4p+2, -0x1.e6p+7},
    {&of_two[2], 0x1.0000000000001p+0, 0x1p+58, 0x1.425982cf597a5p+92},
    {&of_two[2], 0x1p+1, -0x1.0c8p+10, 0x0.0000000000001p-1022},
    {&of_two[2], 0x1p+1, 0x1p+10, INFINITY},
    {&of_two[2], 0x1.4173dc6c96423p-994, 0x1.47ae147ae147bp-7, 0x1.0b7ac1cc88ef1p-10},
    {&of_two[2], -0x1.8p+0, -0x1.5p+4, -0x1.a472fadb4b9efp-13},
};

START_TEST(bits_of_two_are_those_that_are_pinned)
{
    for (size_t i = 0; i < sizeof pins_of_two / sizeof *pins_of_two; i++) {
        const struct pin_of_two *pin = &pins_of_two[i];
        const double found = pin->f->ours(pin->x, pin->y);
        ck_assert_msg(memcmp(&pin->value, &found, sizeof found) == 0,
                      "%s(%a, %a) is %a, not %a", pin->f->name, pin->x, pin->y, found,
                      pin->value);
    }
}
END_TEST

START_TEST(powers_of_ints)
{
    for (int64_t base = -12; base <= 12; base++) {
        __int128 exact = 1;
        bool fits = true;
        for (int64_t exponent = 0; exponent < 80; exponent++) {
            int64_t found;
            fits = fits && exact >= INT64_MIN && exact <= INT64_MAX;
            ck_assert(isa_int_pow(base, exponent, &found) == fits);
            ck_assert(!fits || found == exact);
            exact = fits ? exact * base : exact;
        }
        int64_t found;
        ck_assert(isa_int_pow(base, INT64_MAX, &found) == (base >= -1 && base <= 1));
        ck_assert(base < -1 || base > 1 || found == base);
    }
}
END_TEST

/* --- vectors ---------------------------------------------------------------------------- */

/* Arguments as above, and some that a vector leaves to the function of one element. */
static double argument_of_vector(const struct function *f, uint64_t i)
{
    const uint64_t count = sizeof pins / sizeof *pins;
    return i % 5 == 0 ? pins[i / 5 % count].x : argument(f, i);
}

static void compare_vectors(const struct isa_vector_functions *kind,
                            isa_reals_function *many, const struct function *f,
                            uint64_t count, uint64_t first)
{
    double x[40] = {0}, y[40] = {0};
    for (uint64_t i = 0; i < count; i++)
        x[i] = y[i] = argument_of_vector(f, first + i);
    many(y, y, count);
    for (uint64_t i = 0; i < count; i++) {
        const double expected = f->ours(x[i]);
        ck_assert_msg(isnan(expected) ? isnan(y[i])
                                      : memcmp(&expected, &y[i], sizeof expected) == 0,
                      "%s, %s(%a) is %a, not %a", kind->name, f->name, x[i], y[i],
                      expected);
    }
}

START_TEST(vectors_have_the_bits_of_one_element)
{
    const struct isa_vector_functions *kind = isa_vector_functions((unsigned)_i);
    for (uint64_t r = 0; kind && r < (test_is_quick() ? 3000 : 100000); r++) {
        compare_vectors(kind, kind->exp, &functions[0], r % 41, 40 * r);
        compare_vectors(kind, kind->tanh, &functions[4], r % 41, 40 * r);
        compare_vectors(kind, kind->sigmoid, &functions[5], r % 41, 40 * r);
    }
    ck_assert(kind || _i > 0);
}
END_TEST

/* Operands whose sums and products are NaN, 0 of both signs, subnormal and infinite. */
static double operand(uint64_t i)
{
    static const double special[] = {-0.0,     0.0,       1.5,    -1e-310, 4e-324,
                                     INFINITY, 2.0,       -1e300, 0.25,    NAN,
                                     -3.0,     -INFINITY, 1e30,   -1.5e-8, 1e-160};
    return special[i * 7 % (sizeof special / sizeof *special)];
}

#define COMPARE(T)                                                                       \
    static void compare_##T(bool has_nan, uint64_t steps, const T *a, const T *b,        \
                            const T *to, char symbol, uint64_t count)                    \
    {                                                                                    \
        bool expects_nan = false;                                                        \
        for (uint64_t i = 0; i < count; i++) {                                           \
            const T x = a[steps & 1 ? i : 0], y = b[steps & 2 ? i : 0];                  \
            const T z = symbol == '+' ? x + y : symbol == '-' ? x - y : x * y;           \
            expects_nan |= isnan(z);                                                     \
            ck_assert_msg(isnan(z) ? isnan(to[i]) : memcmp(&z, &to[i], sizeof z) == 0,   \
                          "%a %c %a is %a, not %a", (double)x, symbol, (double)y,        \
                          (double)to[i], (double)z);                                     \
        }                                                                                \
        ck_assert(has_nan == expects_nan);                                               \
    }
COMPARE(double)
COMPARE(float)

/* `steps`: bit 0 and 1 are the steps of the operands. */
static void check_operations(const struct isa_vector_functions *kind, uint64_t count,
                             uint64_t first, uint64_t steps)
{
    isa_reals_operation *const reals[] = {kind->add, kind->sub, kind->mul};
    isa_reals32_operation *const reals32[] = {kind->add32, kind->sub32, kind->mul32};
    double a[40], b[40], to[40];
    float c[40], d[40], out[40];
    for (uint64_t i = 0; i < 40; i++) {
        a[i] = operand(first + i);
        b[i] = operand(first + 3 * i + 5);
        c[i] = (float)a[i];
        d[i] = (float)b[i];
    }
    for (int k = 0; k < 3; k++) {
        const uint64_t step_a = steps & 1, step_b = steps >> 1;
        compare_double(reals[k](a, step_a, b, step_b, to, count), steps, a, b, to,
                       "+-*"[k], count);
        compare_float(reals32[k](c, step_a, d, step_b, out, count), steps, c, d, out,
                      "+-*"[k], count);
        if (steps != 3)
            continue;
        memcpy(to, a, sizeof to); /* the result in place of an operand */
        memcpy(out, d, sizeof out);
        compare_double(reals[k](to, 1, b, 1, to, count), steps, a, b, to, "+-*"[k],
                       count);
        compare_float(reals32[k](c, 1, out, 1, out, count), steps, c, d, out, "+-*"[k],
                      count);
    }
}

START_TEST(operations_have_the_bits_of_one_element)
{
    const struct isa_vector_functions *kind = isa_vector_functions((unsigned)_i);
    for (uint64_t r = 0; kind && r < 1000; r++)
        check_operations(kind, r % 41, r, r % 3 + 1);
    for (uint64_t nan = 0; kind && nan < 40; nan++) {
        double x[40] = {0};
        float y[40] = {0};
        x[nan] = y[nan] = NAN;
        for (uint64_t count = 0; count <= 40; count++) {
            ck_assert(kind->have_nan(x, count) == (count > nan));
            ck_assert(kind->have_nan32(y, count) == (count > nan));
        }
    }
}
END_TEST

/* --- what follows from mathematics ------------------------------------------------------ */

START_TEST(signs_are_symmetric)
{
    for (uint64_t i = 0; i < 10000; i++) {
        const double x = argument(&functions[2], i);
        if (isnan(x) || isinf(x))
            continue;
        ck_assert(isa_real_sin(-x) == -isa_real_sin(x));
        ck_assert(isa_real_cos(-x) == isa_real_cos(x));
        ck_assert(isa_real_tanh(-x) == -isa_real_tanh(x));
        ck_assert(isa_real_atan(-x) == -isa_real_atan(x));
        ck_assert(isa_real_erf(-x) == -isa_real_erf(x));
    }
}
END_TEST

START_TEST(the_lesser_and_the_greater)
{
    ck_assert(signbit(isa_real_min(0.0, -0.0)) && signbit(isa_real_min(-0.0, 0.0)));
    ck_assert(!signbit(isa_real_max(0.0, -0.0)) && !signbit(isa_real_max(-0.0, 0.0)));
    ck_assert(isnan(isa_real_min(NAN, 1)) && isnan(isa_real_min(1, NAN)));
    ck_assert(isnan(isa_real_max(NAN, 1)) && isnan(isa_real_max(1, NAN)));
    ck_assert(isa_real_min(-2, 3) == -2 && isa_real_max(-2, 3) == 3);
    ck_assert(isa_real_min(INFINITY, -INFINITY) == -INFINITY);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("elementary");
    tcase_add_loop_test(tcase, errors_are_below_the_stated_bound, 0, FUNCTIONS);
    tcase_add_test(tcase, bits_are_those_that_are_pinned);
    tcase_add_loop_test(tcase, errors_of_two_are_below_the_stated_bound, 0, OF_TWO);
    tcase_add_loop_test(tcase, special_values_are_those_of_c, 0, OF_TWO);
    tcase_add_test(tcase, bits_of_two_are_those_that_are_pinned);
    tcase_add_test(tcase, powers_of_ints);
    tcase_add_loop_test(tcase, vectors_have_the_bits_of_one_element, 0, 3);
    tcase_add_loop_test(tcase, operations_have_the_bits_of_one_element, 0, 3);
    tcase_add_test(tcase, signs_are_symmetric);
    tcase_add_test(tcase, the_lesser_and_the_greater);
    return test_main("elementary", tcase);
}
