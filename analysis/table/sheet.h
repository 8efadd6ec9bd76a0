/* A sheet: a cube as texts, ready to be printed. Rows begin with their keys; series are groups of
 * columns. What a key or a head has in common with the one before it is blank:
 *
 *                   cycles by order, n           title
 *                        fifo      lifo          a line of groups, and the heads of single columns
 *     program  PEs     5    8    5    8
 *     fib        1   212  738  215  740
 *                4   184  373  190  380 */
#ifndef ANALYSIS_TABLE_SHEET_H
#define ANALYSIS_TABLE_SHEET_H

#include "analysis/view/cube.h"

struct analysis_sheet {
    struct lib_arena *arena;
    size_t key_count;     /* first columns, which name a row; texts are left-aligned */
    size_t width, height; /* columns; rows, including `below` */
    size_t below;         /* last rows, which summarise the others */
    const bool *is_text;  /* [width] */
    const char *const *heads; /* [width] */
    const char *title;        /* over all groups: the names of their keys; or NULL */
    size_t group_count;       /* 0 without groups */
    size_t level_count;       /* lines of groups; a key of single columns is in `heads` */

    /* Heads of groups, [level_count * group_count]; "" under the same head as the group before. */
    const char *const *levels;

    size_t group_width; /* columns per group; the first group follows the keys */
    const char **cells; /* [height * width]; NULL for a missing value */
    const char *note;   /* on repetitions and plus-minus signs, or "" */
};
enum analysis_label_marks { ANALYSIS_LABELS_PLAIN, ANALYSIS_LABELS_MARKED };

/* Makes a sheet. `table` has the number of digits and the rows to add below. Labels are marked as
 * LaTeX if asked for; analysis_sheet_write_text does not know these marks. */
void analysis_sheet_make(struct analysis_sheet *sheet, const struct analysis_cube *cube,
                         const struct analysis_table_spec *table,
                         enum analysis_label_marks marks);
void analysis_sheet_free(struct analysis_sheet *sheet);

/* Writes the sheet in aligned columns. `caption` may be empty. */
void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out);

/* Writes a tabular with the rules of booktabs; with a caption, inside a table with the label
 * tab:NAME. */
void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out);

/* Returns a text marked as LaTeX; "" and NULL as they are. It lives in the arena. */
const char *analysis_latex_raw(struct lib_arena *arena, const char *text);

/* Writes the cube as comma-separated values, with exact numbers: a line per row; columns such as
 * "cycles[inputs.n=10]", and with a spread also ".low" and ".high". With labels, keys and heads are
 * as in other tables: "run time [n = 10]". The rows below have no spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
