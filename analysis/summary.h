/* Summarises several numbers as one value with a spread (doc/results.md, Statistics). */
#ifndef ANALYSIS_SUMMARY_H
#define ANALYSIS_SUMMARY_H

#include <stddef.h>

enum analysis_of {
    ANALYSIS_MEAN,
    ANALYSIS_MEDIAN,
    ANALYSIS_MIN,
    ANALYSIS_MAX,
    ANALYSIS_SUM,
    ANALYSIS_GEOMEAN, /* geometric mean; NaN unless all numbers are above 0 */
    ANALYSIS_OF_COUNT,
};

enum analysis_spread {
    ANALYSIS_NONE,
    ANALYSIS_SD,    /* sample standard deviation around a mean */
    ANALYSIS_CI95,  /* 95 % confidence interval of the mean, by Student's t */
    ANALYSIS_RANGE, /* smallest and greatest number */
    ANALYSIS_SPREAD_COUNT,
};

/* Names in experiments and on the command line, indexed by the enums. */
extern const char *const analysis_of_names[ANALYSIS_OF_COUNT];
extern const char *const analysis_spread_names[ANALYSIS_SPREAD_COUNT];

/* Names in tables and figures, as "geometric mean". */
extern const char *const analysis_of_words[ANALYSIS_OF_COUNT];

struct analysis_summary {
    size_t count;
    double value;     /* NaN if there are no numbers */
    double low, high; /* ends of the spread; NaN if unknown, as for too few numbers */
};

/* Summarises numbers. May sort them. */
struct analysis_summary analysis_summarise(double *numbers, size_t count,
                                           enum analysis_of of,
                                           enum analysis_spread spread);

/* Returns the quantile `share` of the numbers, 0 <= share <= 1, with linear interpolation (type 7
 * of Hyndman and Fan, The American Statistician 1996). `sorted` must not be empty. */
double analysis_quantile(const double *sorted, size_t count, double share);

/* Sorts numbers, of which none may be a NaN. */
void analysis_sort(double *numbers, size_t count);

#endif
