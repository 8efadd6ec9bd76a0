/* Draws a tree of calls (traces/call_tree.h) as a flame graph in SVG, and lists its paths in a
 * table. */
#ifndef ANALYSIS_REPORT_FLAME_H
#define ANALYSIS_REPORT_FLAME_H

#include "analysis/report/html.h"
#include "traces/call_tree.h"

/* Draws a tree of calls. Call traces_call_tree_sum before. Callers are below callees; widths are
 * numbers of firings. Calls narrower than a thousandth of the drawing are omitted. */
void analysis_flame_draw(struct lib_text *out, const struct traces_call_tree *tree);

/* Adds a table of the paths of calls with the most firings of their own, at most `most`. */
void analysis_flame_table(struct lib_text *out, const struct traces_call_tree *tree,
                          size_t most);

#endif
