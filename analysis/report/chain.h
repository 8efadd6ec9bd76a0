/* The critical path from its start to its end, short enough to be read: pieces that follow each
 * other in one line of the source are one, and of a long path spans of equal time are. */
#ifndef ANALYSIS_REPORT_CHAIN_H
#define ANALYSIS_REPORT_CHAIN_H

#include "analysis/report/html.h"

/* Adds the table `chain` of findings of causes (analysis/causes/causes_summary.h). `links_lines`:
 * a line of the source is a link to it, #L4. */
void analysis_chain_draw(struct lib_text *out,
                         const struct analysis_findings_table *chain, bool links_lines);

#endif
