/* Elementary functions that have the same bits everywhere: of IEEE operations alone, without fused
 * ones and without the C library's mathematics.
 *
 * Each knows its result to 2^-66 of its size before it rounds: errors are below 0.5002 ulp, and nearly
 * all results are the nearest real (doc/tensors.md says what was measured). NaN gives NaN, whose
 * bits are not canonical. */
#ifndef ISA_TENSOR_ELEMENTARY_H
#define ISA_TENSOR_ELEMENTARY_H

double isa_real_exp(double x);
double isa_real_log(double x); /* of less than 0: NaN */
double isa_real_sin(double x); /* of an infinity: NaN */
double isa_real_cos(double x);
double isa_real_tanh(double x);
double isa_real_sigmoid(double x); /* 1 / (1 + exp(-x)) */

static inline double isa_real_abs(double x)
{
    return __builtin_fabs(x);
}

/* NaN if one is; -0.0 is less than 0.0. */
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
