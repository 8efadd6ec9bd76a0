/* Elementary functions that compute the same bits on all hosts, by IEEE operations only, without
 * fused multiply-add and without the C library's mathematics.
 *
 * Results have a relative error of 2^-66 before they are rounded once. Errors are below 0.5002 ulp,
 * and nearly all results are the nearest real (doc/tensors.md). The result for a NaN is a NaN that
 * need not be canonical. */
#ifndef ISA_TENSOR_ELEMENTARY_H
#define ISA_TENSOR_ELEMENTARY_H

#include <stdbool.h>
#include <stdint.h>

double isa_real_exp(double x);
double isa_real_log(double x); /* NaN if x < 0 */
double isa_real_sin(double x); /* NaN if x is infinite */
double isa_real_cos(double x);
double isa_real_tanh(double x);
double isa_real_sigmoid(double x); /* 1 / (1 + exp(-x)) */
double isa_real_atan(double x);
double
isa_real_erf(double x); /* 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x */
double isa_real_erf_slope(double x); /* 2 / sqrt(pi) * exp(-x^2) */

/* Special values are those of C, Annex F: pow(NaN, 0) and pow(1, NaN) are 1, hypot(inf, NaN) is
 * inf, atan2 of two zeros is a multiple of pi. */
double isa_real_atan2(double y, double x); /* angle of the point (x, y), from -pi to pi */
double isa_real_hypot(double x, double y); /* sqrt(x^2 + y^2) */
double isa_real_pow(double x, double y);   /* x^y */

/* Returns a coordinate of a point in the plane, the second if is_second. If u and turn are drawn
 * evenly from [0, 1), both are normally distributed about 0, with standard deviation 1 (Box,
 * Muller, Annals of Mathematical Statistics, 1958). */
double isa_real_gauss(double u, double turn, bool is_second);

static inline double isa_real_abs(double x)
{
    return __builtin_fabs(x);
}

/* Minimum and maximum of two reals: NaN if either is NaN; -0.0 is less than 0.0. */
static inline double isa_real_min(double x, double y)
{
    return x != x || y != y ? x + y
           : x == y         ? (__builtin_signbit(x) ? x : y)
           : x < y          ? x
                            : y;
}

static inline double isa_real_max(double x, double y)
{
    return x != x || y != y ? x + y
           : x == y         ? (__builtin_signbit(x) ? y : x)
           : x > y          ? x
                            : y;
}

/* Computes base^exponent, for an exponent that is not negative. Returns false on overflow. */
static inline bool isa_int_pow(int64_t base, int64_t exponent, int64_t *result)
{
    *result = 1;
    for (;;) {
        if ((exponent & 1) && __builtin_mul_overflow(*result, base, result))
            return false;
        exponent >>= 1;
        if (exponent == 0)
            return true;
        if (__builtin_mul_overflow(base, base, &base))
            return false; /* the result has this square as a factor */
    }
}

#endif
