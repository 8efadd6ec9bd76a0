/* Figures that follow from the counts of a run (Gurd, Kirkham, Watson, CACM 1985:
 * pi = S1 / S_inf, Pby; and means). */
#ifndef ANALYSIS_DERIVE_H
#define ANALYSIS_DERIVE_H

#include <stdbool.h>

#include "traces/stats.h"

/* Fills in the ratios of `stats` from its counts; NaN where there is nothing to divide
 * by. */
void analysis_derive(struct traces_stats *stats);

/* What follows from the counts of one PE, or of one worker of an executor; NaN where units are
 * unlimited. `stats->pe` is there. */
struct analysis_pe_ratios {
#define RATIO(key, part, help) double key;
    TRACES_PE_RATIOS(RATIO)
#undef RATIO
};
struct analysis_pe_ratios analysis_derive_pe(const struct traces_stats *stats, size_t i);

/* Of one of the links of `stats`. */
struct analysis_link_ratios {
#define RATIO(key, part, whole, help) double key;
    TRACES_LINK_RATIOS(RATIO)
#undef RATIO
};
struct analysis_link_ratios analysis_derive_link(const struct traces_stats *stats,
                                                 size_t i);

/* By how much of `base` a value is less, in percent: 100 * (1 - value / base). Of times that
 * is the speedup of paper 1, table 1, with static as value and expanding as base. */
double analysis_percent(double value, double base);

/* Whether one PE of `pe_count` did all the work, though there was something to share: calls and
 * iterations are what is placed, and there were ANALYSIS_SHARED or more of them (doc/metrics.md,
 * working_pes). By a hash of their tags that happens to one run in 2^16, or less. */
enum { ANALYSIS_SHARED = 16 };
bool analysis_is_one_of_many(const struct traces_stats *stats, uint64_t pe_count);

#endif
