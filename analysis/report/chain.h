/* Draws the critical path of a run from start to end, shortened: adjacent pieces of one source line
 * are joined, and a long path is divided into spans of equal time. */
#ifndef ANALYSIS_REPORT_CHAIN_H
#define ANALYSIS_REPORT_CHAIN_H

#include "analysis/report/html.h"

/* Adds the table `chain` of the causes (analysis/causes/causes_summary.h). With `links_lines`, line
 * numbers are links, as #L4. */
void analysis_chain_draw(struct lib_text *out, const struct lib_table *chain,
                         bool links_lines);

#endif
