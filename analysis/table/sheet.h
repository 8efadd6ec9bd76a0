/* A sheet shows results as a table whose cells are text for people. Each row begins with its keys
 * (values of settings). Columns are grouped into series, one for each combination of other
 * settings; head lines name the groups. A key or heading that equals the one before it is left
 * blank:
 *
 *                   cycles by order, n           title
 *                    fifo       lifo             a line of groups, and headings of single columns
 *     program  PEs     5    8    5    8
 *     fib        1   212  738  215  740
 *                4   184  373  190  380 */
#ifndef ANALYSIS_TABLE_SHEET_H
#define ANALYSIS_TABLE_SHEET_H

#include "analysis/view/cube.h"
#include "lib/findings.h"

enum analysis_label_marks { ANALYSIS_LABELS_PLAIN, ANALYSIS_LABELS_MARKED };

/* Adds a sheet of `cube` to findings, with the name of the table or figure as key and its caption
 * as help. `table` specifies the number of digits and the summary rows below. If `marks` is
 * ANALYSIS_LABELS_MARKED, characters are added to labels and caption that mark
 * LaTeX code for lib_table_write_latex; other writers would show them. */
const struct lib_table *analysis_sheet_add(struct lib_findings *findings,
                                           const struct analysis_cube *cube,
                                           const struct analysis_table_spec *table,
                                           enum analysis_label_marks marks);

/* Writes the cube as CSV with exact numbers: one line per row, columns such as
 * "cycles[inputs.n=10]", and with a spread also ".low" and ".high". If `table` asks for labels,
 * keys and headings are as in other tables, such as "run time [n = 10]". Summary rows below have no
 * spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
