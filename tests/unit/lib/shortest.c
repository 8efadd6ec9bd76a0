/* Shortest decimals of doubles: those that are found by printing and reading. */
#include "tests/unit/support.h"

#include "lib/random.h"
#include "lib/shortest.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Returns `value` printed with `count` digits, or, if `next`, the next decimal above that. */
static struct lib_decimal print_digits(double value, int count, bool next)
{
    char text[48];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *exponent = strchr(text, 'e');
    struct lib_decimal d = {0, atoi(exponent + 1) - count + 1};
    for (const char *p = text; p < exponent; p++)
        if (*p != '.')
            d.digits = 10 * d.digits + (uint64_t)(*p - '0');
    d.digits += next;
    return d;
}

static bool reads_back(struct lib_decimal d, double value)
{
    char text[48];
    snprintf(text, sizeof text, "%" PRIu64 "e%d", d.digits, d.exponent);
    return strtod(text, NULL) == value;
}

/* Below a power of two the nearest decimal can fail, and the next one above it be right. */
static struct lib_decimal print_shortest(double value)
{
    for (int count = 1; count < 17; count++)
        for (int next = 0; next < 2; next++) {
            const struct lib_decimal d = print_digits(value, count, next);
            if (reads_back(d, value))
                return d;
        }
    return print_digits(value, 17, false);
}

static struct lib_decimal without_zeros(struct lib_decimal d)
{
    for (; d.digits % 10 == 0; d.exponent++)
        d.digits /= 10;
    return d;
}

static void check_shortest(double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    const struct lib_decimal printed = without_zeros(print_shortest(value));
    const struct lib_decimal d = without_zeros(lib_shortest(value));
    ck_assert_msg(d.digits == printed.digits && d.exponent == printed.exponent,
                  "%a: %" PRIu64 "e%d, printed %" PRIu64 "e%d", value, d.digits,
                  d.exponent, printed.digits, printed.exponent);
}

/* They need all powers of ten. */
START_TEST(powers_of_two_and_their_neighbours)
{
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double power = ldexp(1, exponent);
        check_shortest(power);
        check_shortest(nextafter(power, 0));
        check_shortest(nextafter(power, INFINITY));
    }
    check_shortest(DBL_MAX);
}
END_TEST

/* Random bits, of all and of the smallest doubles; integers; quotients; decimals of few digits, and
 * what is halfway between two decimals. */
START_TEST(random_doubles)
{
    const uint64_t count = test_is_quick() ? 2000 : 50000;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = lib_random_draw(1, LIB_RANDOM_PLACEMENT, i, 0);
        const uint64_t rest = bits >> 8;
        check_shortest(isa_value_real(bits & INT64_MAX));
        check_shortest(isa_value_real(rest >> (4 + bits % 52)));
        check_shortest((double)(rest >> bits % 56));
        check_shortest((double)(rest % 100000) / (double)(1 + rest / 100000 % 1000));
        check_shortest((double)(rest % 1000000) * pow(10, (int)(bits % 64) - 32));
        check_shortest(ldexp((double)(rest % 100000), -(int)(bits % 64)));
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("shortest");
    tcase_add_test(tcase, powers_of_two_and_their_neighbours);
    tcase_add_test(tcase, random_doubles);
    return test_main("shortest", tcase);
}
