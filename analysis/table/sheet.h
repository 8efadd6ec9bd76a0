/* A sheet: a cube as texts, ready to be printed. Rows begin with their keys; series are groups of
 * columns. */
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
    size_t group_count;       /* 0 without a line of groups */
    const char *const *groups;
    size_t group_width; /* columns per group; the first group follows the keys */
    const char **cells; /* [height * width]; NULL for a missing value */
    const char *note;   /* on repetitions and plus-minus signs, or "" */
};

/* Makes a sheet. `table` has the number of digits and the rows to add below. */
void analysis_sheet_make(struct analysis_sheet *sheet, const struct analysis_cube *cube,
                         const struct analysis_table_spec *table);
void analysis_sheet_free(struct analysis_sheet *sheet);

/* Writes the sheet in aligned columns. `caption` may be empty. */
void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out);

/* Writes a tabular with the rules of booktabs; with a caption, inside a table with the label
 * tab:NAME. */
void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out);

/* Writes the cube as comma-separated values, with exact numbers: a line per row; columns such as
 * "cycles[inputs.n=10]", and with a spread also ".low" and ".high". With labels, keys and heads are
 * as in other tables: "run time [n = 10]". The rows below have no spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
