#include "analysis/student.h"

#include <assert.h>
#include <math.h>

enum { MAX_FREEDOM = 1 << 20 };

/* 26.7.3: the terms are c, 2/3 c^3, (2 4)/(3 5) c^5, ..., up to c^(n - 2). */
static double within_odd(double sine, double cosine, uint64_t n)
{
    double term = cosine, sum = n > 1 ? cosine : 0;
    for (uint64_t k = 3; k < n; k += 2) {
        term *= cosine * cosine * (double)(k - 1) / (double)k;
        sum += term;
    }
    return M_2_PI * (atan2(sine, cosine) + sine * sum);
}

/* 26.7.4: the terms are 1, 1/2 c^2, (1 3)/(2 4) c^4, ..., up to c^(n - 2). */
static double within_even(double sine, double cosine, uint64_t n)
{
    double term = 1, sum = 1;
    for (uint64_t k = 2; k < n; k += 2) {
        term *= cosine * cosine * (double)(k - 1) / (double)k;
        sum += term;
    }
    return sine * sum;
}

double analysis_student_within(double t, uint64_t freedom)
{
    assert(t >= 0 && freedom > 0);
    uint64_t n = freedom < MAX_FREEDOM ? freedom : MAX_FREEDOM;
    double length = hypot(t, sqrt((double)n));
    double sine = t / length, cosine = sqrt((double)n) / length;
    return n % 2 ? within_odd(sine, cosine, n) : within_even(sine, cosine, n);
}

double analysis_student_quantile(double share, uint64_t freedom)
{
    assert(share > 0 && share < 1);
    double low = 0, high = 1;
    while (analysis_student_within(high, freedom) < share)
        high *= 2;
    /* Bisect until no double lies between the bounds. */
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return high;
        if (analysis_student_within(middle, freedom) < share)
            low = middle;
        else
            high = middle;
    }
}
