/* Statistics of the classes of PEs of a machine. */
#ifndef ANALYSIS_CLASSES_H
#define ANALYSIS_CLASSES_H

#include "lib/findings.h"
#include "traces/machine.h"
#include "traces/stats.h"

/* Adds a table `classes` with a row for each class, and one for the PEs in none: sums over their
 * PEs, and ratios to their issue slots. PEs have units of their own (stats->pe_units). */
void analysis_classes_findings(const struct traces_machine *machine,
                               const struct traces_stats *stats, struct lib_findings *f);

#endif
