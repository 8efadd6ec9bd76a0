/* The critical path from its start to its end, shortened: adjacent pieces of one line of the source
 * are joined, and a long path is divided into spans of equal time. */
#ifndef ANALYSIS_REPORT_CHAIN_H
#define ANALYSIS_REPORT_CHAIN_H

#include "analysis/report/html.h"

/* Adds the table `chain` of the findings of causes (analysis/causes/causes_summary.h). With
 * `links_lines`, numbers of lines are links, such as #L4. */
void analysis_chain_draw(struct lib_text *out, const struct lib_table *chain,
                         bool links_lines);

#endif
