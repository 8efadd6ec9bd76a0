/* Ratios and means computed from the counts of a run. `parallelism` and `bypass_ratio` are pi = S1
 * / S_inf and Pby of Gurd, Kirkham, Watson, CACM 1985. */
#ifndef ANALYSIS_DERIVE_H
#define ANALYSIS_DERIVE_H

#include <stdbool.h>

#include "traces/stats.h"

/* Sets the ratios in `stats` from the counts in `stats`. A ratio whose divisor is 0 is NaN. */
void analysis_derive(struct traces_stats *stats);

/* Ratios of one PE or worker. Each is NaN if the number of function units is unlimited. `stats->pe`
 * must not be NULL. */
struct analysis_pe_ratios {
#define RATIO(key, part, help) double key;
    TRACES_PE_RATIOS(RATIO)
#undef RATIO
};
struct analysis_pe_ratios analysis_derive_pe(const struct traces_stats *stats, size_t i);

/* Ratios of one network link of `stats`. */
struct analysis_link_ratios {
#define RATIO(key, part, whole, help) double key;
    TRACES_LINK_RATIOS(RATIO)
#undef RATIO
};
struct analysis_link_ratios analysis_derive_link(const struct traces_stats *stats,
                                                 size_t i);

/* Returns 100 * (1 - value / base), the percentage by which `value` is below `base`. With the
 * cycles of the static and of the expanding strategy, this is the speedup in table 1 of paper 1. */
double analysis_percent(double value, double base);

/* minimum number of calls and iterations of a run whose work should be shared by several PEs */
enum { ANALYSIS_SHARED = 16 };

/* Whether one of `pe_count` PEs did all the work, although there were at least ANALYSIS_SHARED
 * calls and iterations (doc/metrics.md, working_pes). If PEs are chosen by hashing tags, chance
 * causes this in at most one of 2^16 runs. */
bool analysis_is_one_of_many(const struct traces_stats *stats, uint64_t pe_count);

#endif
