/* A tree of calls (traces/call_tree.h) as a flame graph, in SVG, and as a table of its places. */
#ifndef ANALYSIS_REPORT_FLAME_H
#define ANALYSIS_REPORT_FLAME_H

#include "analysis/report/html.h"
#include "traces/call_tree.h"

/* Draws a tree, which must be summed up. Callers are below their callees; widths are firings.
 * Places narrower than a thousandth are left out. */
void analysis_flame_draw(struct lib_text *out, const struct traces_call_tree *tree);

/* Adds a table of at most `most` paths: those with the most firings of their own. */
void analysis_flame_table(struct lib_text *out, const struct traces_call_tree *tree,
                          size_t most);

#endif
