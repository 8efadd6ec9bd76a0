/* Student's t distribution: the uncertainty of the mean of a few runs (Student, Biometrika 1908).
 *
 * For an integral number of degrees of freedom the distribution is a finite sum (Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4), so no table is needed. */
#ifndef ANALYSIS_STUDENT_H
#define ANALYSIS_STUDENT_H

#include <stdint.h>

/* Returns P(-t <= T <= t), for t >= 0 and `freedom` > 0 degrees of freedom. More than 2^20 count as
 * 2^20, which changes less than one part in a million. */
double analysis_student_within(double t, uint64_t freedom);

/* Returns the t with P(-t <= T <= t) = `share`, 0 < share < 1; for example 2.262 for 0.95 and 9. */
double analysis_student_quantile(double share, uint64_t freedom);

#endif
