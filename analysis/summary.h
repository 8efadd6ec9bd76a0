/* Summarises several numbers as one number with a spread (doc/results.md, Statistics). */
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
    ANALYSIS_SD,    /* sample standard deviation, around the mean */
    ANALYSIS_CI95,  /* 95 % confidence interval of the mean, by Student's t */
    ANALYSIS_RANGE, /* smallest and greatest number */
    ANALYSIS_SPREAD_COUNT,
};

/* Names in experiments and on the command line, indexed by enum analysis_of or analysis_spread. */
extern const char *const analysis_of_names[ANALYSIS_OF_COUNT];
extern const char *const analysis_spread_names[ANALYSIS_SPREAD_COUNT];

/* Names in tables and figures, such as "geometric mean", indexed by enum analysis_of. */
extern const char *const analysis_of_words[ANALYSIS_OF_COUNT];

struct analysis_summary {
    size_t count;
    double value; /* mean, median, ...; NaN if `count` is 0 */
    /* ends of the spread; NaN if unknown, for example with a single number */
    double low, high;
};

/* Summarises `count` numbers. May sort them in place. */
struct analysis_summary analysis_summarise(double *numbers, size_t count,
                                           enum analysis_of of,
                                           enum analysis_spread spread);

/* Returns the quantile `share`, 0 <= share <= 1, of a sorted array of at least one number, with
 * linear interpolation (type 7 of Hyndman and Fan, The American Statistician 1996). */
double analysis_quantile(const double *sorted, size_t count, double share);

/* Sorts numbers in ascending order. None may be NaN. */
void analysis_sort(double *numbers, size_t count);

#endif
