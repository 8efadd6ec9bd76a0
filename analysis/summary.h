/* Summaries of several numbers: one value, and their spread (doc/results.md, Statistics). */
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
    ANALYSIS_RANGE, /* least and greatest */
    ANALYSIS_SPREAD_COUNT,
};

/* Names in experiments and on the command line, in the order of the enums. */
extern const char *const analysis_of_names[ANALYSIS_OF_COUNT];
extern const char *const analysis_spread_names[ANALYSIS_SPREAD_COUNT];

/* Words in tables and figures, such as "geometric mean". */
extern const char *const analysis_of_words[ANALYSIS_OF_COUNT];

struct analysis_summary {
    size_t count;
    double value;     /* NaN without numbers */
    double low, high; /* ends of the spread; NaN without one, or with too few numbers */
};

/* Summarises numbers. Sorts them if the summary needs an order. */
struct analysis_summary analysis_summarise(double *numbers, size_t count,
                                           enum analysis_of of,
                                           enum analysis_spread spread);

/* Returns the number below which a share of all numbers lies, 0 <= share <= 1, with linear
 * interpolation (type 7 of Hyndman and Fan, The American Statistician 1996). `sorted` must have at
 * least one number. */
double analysis_quantile(const double *sorted, size_t count, double share);

/* Sorts numbers, none of which is a NaN. */
void analysis_sort(double *numbers, size_t count);

#endif
