/* A sheet: a table of results as a table of findings whose cells are texts for people. Rows begin
 * with their keys; series are groups of columns, which lines of heads name. A key or heading that
 * equals the one before it is blank:
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

/* Adds a sheet to findings, with the name of the output as key and its caption as help. `table` has
 * the number of digits and the rows to add below. Labels and the caption are marked as LaTeX if
 * asked for; only lib_table_write_latex knows these marks. */
const struct lib_table *analysis_sheet_add(struct lib_findings *findings,
                                           const struct analysis_cube *cube,
                                           const struct analysis_table_spec *table,
                                           enum analysis_label_marks marks);

/* Writes the cube as CSV with exact numbers: a line per row; columns like "cycles[inputs.n=10]",
 * and with a spread also ".low" and ".high". If labels are wanted, keys and headings are as in
 * other tables: "run time [n = 10]". The rows below have no spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
