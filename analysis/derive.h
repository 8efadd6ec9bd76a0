/* Figures that follow from the counts of a run (Gurd, Kirkham, Watson, CACM 1985:
 * pi = S1 / S_inf, Pby; and means). */
#ifndef ANALYSIS_DERIVE_H
#define ANALYSIS_DERIVE_H

#include "traces/stats.h"

/* Fills in the ratios of `stats` from its counts; NaN where there is nothing to divide
 * by. */
void analysis_derive(struct traces_stats *stats);

/* By how much of `base` a value is less, in percent: 100 * (1 - value / base). Of times that
 * is the speedup of paper 1, table 1, with static as value and expanding as base. */
double analysis_percent(double value, double base);

#endif
