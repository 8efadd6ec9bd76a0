/* A sheet: a table of results as texts, ready to be printed. Rows begin with their keys; series are
 * groups of columns. A key or heading that equals the one before it is blank:
 *
 *                   cycles by order, n           title
 *                        fifo      lifo          a line of groups, and headings of single columns
 *     program  PEs     5    8    5    8
 *     fib        1   212  738  215  740
 *                4   184  373  190  380 */
#ifndef ANALYSIS_TABLE_SHEET_H
#define ANALYSIS_TABLE_SHEET_H

#include "analysis/view/cube.h"

struct analysis_sheet {
    struct lib_arena *arena;
    size_t key_count;         /* number of first columns, which name a row */
    size_t width, height;     /* number of columns; of rows, including `below` */
    size_t below;             /* number of last rows, which summarise the others */
    const bool *is_text;      /* [width]; columns of texts, left-aligned */
    const char *const *heads; /* [width]; headings of columns */
    const char *title;  /* heading over all groups: the names of their keys; or NULL */
    size_t group_count; /* 0: no groups */
    /* lines of group headings; keys of single columns are in `heads` */
    size_t level_count;

    /* Headings of groups, [level_count * group_count]; "" if the group to its left has the same. */
    const char *const *levels;

    size_t group_width; /* columns per group; the first group follows the keys */
    const char **cells; /* texts, [height * width]; NULL: missing value */
    const char *note;   /* note on repetitions and plus-minus signs, or "" */
};
enum analysis_label_marks { ANALYSIS_LABELS_PLAIN, ANALYSIS_LABELS_MARKED };

/* Makes a sheet. `table` has the number of digits and the rows to add below. Labels are marked as
 * LaTeX if wanted, for which analysis_sheet_write_text is unsuitable. */
void analysis_sheet_make(struct analysis_sheet *sheet, const struct analysis_cube *cube,
                         const struct analysis_table_spec *table,
                         enum analysis_label_marks marks);
void analysis_sheet_free(struct analysis_sheet *sheet);

/* Writes the sheet as text in aligned columns. `caption` may be empty. */
void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out);

/* Writes the sheet as a LaTeX tabular with the rules of booktabs; with a caption, inside a table
 * with the label tab:NAME. */
void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out);

/* Returns a text marked as LaTeX; "" and NULL unchanged. Lives in the arena. */
const char *analysis_latex_raw(struct lib_arena *arena, const char *text);

/* Writes the cube as CSV with exact numbers: a line per row; columns like "cycles[inputs.n=10]",
 * and with a spread also ".low" and ".high". If labels are wanted, keys and headings are as in
 * other tables: "run time [n = 10]". The rows below have no spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
