/* Draws the critical path of a run, shortened: adjacent pieces of one source line are joined, and a
 * long path is divided into spans of equal time. */
#ifndef ANALYSIS_REPORT_CHAIN_H
#define ANALYSIS_REPORT_CHAIN_H

#include "analysis/report/html.h"

/* Draws the table `chain` of analysis/causes/causes_summary.h. With `links_lines`, line numbers are
 * hyperlinks such as #L4. */
void analysis_chain_draw(struct lib_text *out, const struct lib_table *chain,
                         bool links_lines);

#endif
