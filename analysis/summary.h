/* What several numbers come to: one value, and how far they spread (doc/results.md,
 * Statistics). */
#ifndef ANALYSIS_SUMMARY_H
#define ANALYSIS_SUMMARY_H

#include <stddef.h>

enum analysis_of {
    ANALYSIS_MEAN,
    ANALYSIS_MEDIAN,
    ANALYSIS_MIN,
    ANALYSIS_MAX,
    ANALYSIS_SUM,
    ANALYSIS_GEOMEAN, /* the geometric mean; NaN unless all are above 0 */
    ANALYSIS_OF_COUNT,
};

enum analysis_spread {
    ANALYSIS_NONE,
    ANALYSIS_SD,    /* sample standard deviation; of a mean */
    ANALYSIS_CI95,  /* 95 % interval of the mean, by Student's t */
    ANALYSIS_RANGE, /* least and greatest */
    ANALYSIS_SPREAD_COUNT,
};

/* The names in experiments and on the command line, in the order of the enums. */
extern const char *const analysis_of_names[ANALYSIS_OF_COUNT];
extern const char *const analysis_spread_names[ANALYSIS_SPREAD_COUNT];
/* The words for them in tables and figures: "geometric mean". */
extern const char *const analysis_of_words[ANALYSIS_OF_COUNT];

struct analysis_summary {
    size_t count;
    double value;     /* NaN of no numbers */
    double low, high; /* of the spread; NaN where there is none, or too few numbers */
};

/* `numbers` are sorted on the way where an order is needed. */
struct analysis_summary analysis_summarise(double *numbers, size_t count,
                                           enum analysis_of of,
                                           enum analysis_spread spread);

/* The number below which a share of all lies, 0 <= share <= 1: between two numbers on the
 * line that joins them (type 7 of Hyndman and Fan, The American Statistician 1996).
 * `sorted` holds at least one number. */
double analysis_quantile(const double *sorted, size_t count, double share);

/* Sorts numbers, none of which is a NaN. */
void analysis_sort(double *numbers, size_t count);

#endif
