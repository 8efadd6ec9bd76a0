#include "analysis/summary.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/student.h"

const char *const analysis_of_names[ANALYSIS_OF_COUNT] = {"mean", "median", "min",
                                                          "max",  "sum",    "geomean"};
const char *const analysis_of_words[ANALYSIS_OF_COUNT] = {
    "mean", "median", "least", "greatest", "sum", "geometric mean"};
const char *const analysis_spread_names[ANALYSIS_SPREAD_COUNT] = {"none", "sd", "ci95",
                                                                  "range"};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void analysis_sort(double *numbers, size_t count)
{
    if (count)
        qsort(numbers, count, sizeof *numbers, by_size);
}

double analysis_quantile(const double *sorted, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double sum_of(const double *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

static double sd_of(const double *numbers, size_t count, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (numbers[i] - mean) * (numbers[i] - mean);
    return sqrt(squares / (double)(count - 1));
}

/* Uses logarithms, as the product may overflow. */
static double geomean_of(const double *sorted, size_t count)
{
    double sum = 0;
    if (!(sorted[0] > 0))
        return NAN;
    for (size_t i = 0; i < count; i++)
        sum += log(sorted[i]);
    return sorted[0] == sorted[count - 1] ? sorted[0] : exp(sum / (double)count);
}

static double value_of(const double *sorted, size_t count, enum analysis_of of)
{
    switch (of) {
    case ANALYSIS_MEAN:
        return sum_of(sorted, count) / (double)count;
    case ANALYSIS_MEDIAN:
        return analysis_quantile(sorted, count, 0.5);
    case ANALYSIS_MIN:
        return sorted[0];
    case ANALYSIS_MAX:
        return sorted[count - 1];
    case ANALYSIS_SUM:
        return sum_of(sorted, count);
    case ANALYSIS_GEOMEAN:
        return geomean_of(sorted, count);
    default:
        return NAN;
    }
}

/* Returns the distance between the mean and the ends of its spread; NaN for a single number. */
static double half_width(const double *numbers, size_t count, double mean,
                         enum analysis_spread spread)
{
    if (count < 2)
        return NAN;
    double sd = sd_of(numbers, count, mean);
    return spread == ANALYSIS_SD
               ? sd
               : analysis_student_quantile(0.95, count - 1) * sd / sqrt((double)count);
}

struct analysis_summary analysis_summarise(double *numbers, size_t count,
                                           enum analysis_of of,
                                           enum analysis_spread spread)
{
    struct analysis_summary summary = {count, NAN, NAN, NAN};
    if (count == 0)
        return summary;
    analysis_sort(numbers, count);
    summary.value = value_of(numbers, count, of);
    if (spread == ANALYSIS_RANGE && count > 1) {
        summary.low = numbers[0];
        summary.high = numbers[count - 1];
    } else if (spread == ANALYSIS_SD || spread == ANALYSIS_CI95) {
        double mean = sum_of(numbers, count) / (double)count;
        double half = half_width(numbers, count, mean, spread);
        summary.low = mean - half;
        summary.high = mean + half;
    }
    return summary;
}
