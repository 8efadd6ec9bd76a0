/* Elementary functions that compute the same bits on all hosts, by IEEE operations only, without
 * fused multiply-add and without the C library's mathematics.
 *
 * Results have a relative error of 2^-66 before they are rounded once. Errors are below 0.5002 ulp,
 * and nearly all results are the nearest real (doc/tensors.md). The result for a NaN is a NaN that
 * need not be canonical. */
#ifndef ISA_TENSOR_ELEMENTARY_H
#define ISA_TENSOR_ELEMENTARY_H

double isa_real_exp(double x);
double isa_real_log(double x); /* NaN if x < 0 */
double isa_real_sin(double x); /* NaN if x is infinite */
double isa_real_cos(double x);
double isa_real_tanh(double x);
double isa_real_sigmoid(double x); /* 1 / (1 + exp(-x)) */

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

#endif
