/* Student's t distribution, for the uncertainty of the mean of a few runs (Student, Biometrika
 * 1908).
 *
 * For an integral number of degrees of freedom the distribution is a finite sum (Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4). */
#ifndef ANALYSIS_STUDENT_H
#define ANALYSIS_STUDENT_H

#include <stdint.h>

/* Returns P(-t <= T <= t) for t >= 0 and `freedom` > 0 degrees of freedom. `freedom` above 2^20
 * counts as 2^20, which changes the result by less than one part in a million. */
double analysis_student_within(double t, uint64_t freedom);

/* Returns the t with P(-t <= T <= t) = `share`, where 0 < share < 1. For share 0.95 and freedom 9,
 * t is 2.262. */
double analysis_student_quantile(double share, uint64_t freedom);

#endif
