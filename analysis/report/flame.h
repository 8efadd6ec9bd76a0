/* A tree of calls (traces/call_tree.h) as a flame graph, in SVG, and as a table of its places. */
#ifndef ANALYSIS_REPORT_FLAME_H
#define ANALYSIS_REPORT_FLAME_H

#include "analysis/report/html.h"
#include "traces/call_tree.h"

/* The tree has been summed up. Callers stand below what they call; widths are firings. Places
 * that would be less than a thousandth wide are left out. */
void analysis_flame_draw(struct lib_text *out, const struct traces_call_tree *tree);

/* The paths with most firings of their own, `most` at most. */
void analysis_flame_table(struct lib_text *out, const struct traces_call_tree *tree,
                          size_t most);

#endif
