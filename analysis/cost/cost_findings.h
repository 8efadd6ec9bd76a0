/* Adds cost tables (analysis/cost/cost.h) to findings. */
#ifndef ANALYSIS_COST_COST_FINDINGS_H
#define ANALYSIS_COST_COST_FINDINGS_H

#include "analysis/cost/cost.h"
#include "lib/diag.h"
#include "lib/findings.h"
#include "traces/stats.h"

/* Adds the table `by_function`, `by_line` or `by_opcode`. In text for people, columns of zeros are
 * omitted, and a last row has the statistics of the run. `source` is the source of the program, or
 * NULL. */
void analysis_costs_findings(const struct analysis_costs *costs,
                             const struct lib_source *source,
                             const struct traces_stats *stats,
                             struct lib_findings *findings);

/* Returns source line `number` without leading blanks, cut to a width for people. Returns "" if
 * `source` is NULL or if `number` is 0 or TRACES_NONE. The text belongs to `findings`. */
const char *analysis_costs_line(const struct lib_source *source, uint32_t number,
                                struct lib_findings *findings);

#endif
