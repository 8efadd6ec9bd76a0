/* Dual numbers: with a real goes its derivative in one direction, which follows it forwards. The
 * rules are those of calculus, and at kinks those of doc/gradients.md. */
#include "tests/random/evaluate_internal.h"

#include <math.h>

double evaluate_dual_operation(enum programs_operator op, struct value a, struct value b)
{
    switch (op) {
    case PROGRAMS_ADD:
        return a.d + b.d;
    case PROGRAMS_SUB:
        return a.d - b.d;
    case PROGRAMS_MUL:
        return a.d * b.r + a.r * b.d;
    case PROGRAMS_DIV:
        return (a.d * b.r - a.r * b.d) / (b.r * b.r);
    case PROGRAMS_REM:
        return a.d - trunc(a.r / b.r) * b.d;
    case PROGRAMS_POW:
        return (b.r == 0 ? 0 : b.r * pow(a.r, b.r - 1) * a.d) +
               (b.d == 0 || pow(a.r, b.r) == 0 ? 0 : pow(a.r, b.r) * log(a.r) * b.d);
    default:
        return 0;
    }
}

double evaluate_dual_builtin(enum programs_builtin builtin, struct value a,
                             struct value b)
{
    switch (builtin) {
    case PROGRAMS_BUILTIN_ABS:
        return a.r > 0 ? a.d : a.r < 0 ? -a.d : 0;
    case PROGRAMS_BUILTIN_MIN:
        return a.r <= b.r ? a.d : b.d;
    case PROGRAMS_BUILTIN_MAX:
        return a.r >= b.r ? a.d : b.d;
    case PROGRAMS_BUILTIN_SQRT:
        return 0.5 / sqrt(a.r) * a.d;
    case PROGRAMS_BUILTIN_EXP:
        return exp(a.r) * a.d;
    case PROGRAMS_BUILTIN_LOG:
        return 1 / a.r * a.d;
    case PROGRAMS_BUILTIN_SIN:
        return cos(a.r) * a.d;
    case PROGRAMS_BUILTIN_COS:
        return -sin(a.r) * a.d;
    case PROGRAMS_BUILTIN_TANH:
        return a.d / (cosh(a.r) * cosh(a.r));
    case PROGRAMS_BUILTIN_ATAN:
        return a.d / (1 + a.r * a.r);
    case PROGRAMS_BUILTIN_ERF: /* acos(-1) is pi */
        return 2 / sqrt(acos(-1)) * exp(-a.r * a.r) * a.d;
    case PROGRAMS_BUILTIN_ATAN2:
        return a.r == 0 && b.r == 0 ? 0
                                    : (a.d * b.r - a.r * b.d) / (a.r * a.r + b.r * b.r);
    case PROGRAMS_BUILTIN_HYPOT:
        return a.r == 0 && b.r == 0 ? 0 : (a.r * a.d + b.r * b.d) / hypot(a.r, b.r);
    default:
        return 0;
    }
}
