/* A sheet: a cube as it is printed, all cells texts. Rows have their keys in front; series
 * are groups of columns. */
#ifndef ANALYSIS_TABLE_SHEET_H
#define ANALYSIS_TABLE_SHEET_H

#include "analysis/view/cube.h"

struct analysis_sheet {
    struct lib_arena *arena;
    size_t key_count; /* columns in front that name a row, aligned to the left if texts */
    size_t width, height;     /* includes the rows below */
    size_t below;             /* rows at the end that sum up the others */
    const bool *is_text;      /* [width] */
    const char *const *heads; /* [width] */
    size_t group_count;       /* 0: no line of groups */
    const char *const *groups;
    size_t group_width; /* columns of each; the first stands behind the keys */
    const char **cells; /* [height * width]; NULL where there is no value */
    const char *note;   /* on repetitions and plus-minus signs, or "" */
};

/* `table` has the number of digits, and which rows are added below. */
void analysis_sheet_make(struct analysis_sheet *sheet, const struct analysis_cube *cube,
                         const struct analysis_table_spec *table);
void analysis_sheet_free(struct analysis_sheet *sheet);

/* In columns, for people. `caption` may be empty. */
void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out);

/* A tabular with the rules of booktabs; inside a table if there is a caption, labelled
 * tab:NAME. */
void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out);

/* Adds text so that LaTeX prints it as it is. */
void analysis_latex_text(struct lib_text *out, const char *text);

/* The cube itself as comma-separated values, exact: a line per row, the columns named
 * "cycles[inputs.n=10]", and ".low" and ".high" of a spread. With labels keys and heads are
 * what is shown elsewhere: "run time [n = 10]". The rows below have no ends of a spread. */
void analysis_cube_write_csv(const struct analysis_cube *cube,
                             const struct analysis_table_spec *table,
                             struct lib_text *out);

#endif
