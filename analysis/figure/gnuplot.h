/* Draws figures with the program gnuplot, from a script and data. */
#ifndef ANALYSIS_FIGURE_GNUPLOT_H
#define ANALYSIS_FIGURE_GNUPLOT_H

#include "lib/diag.h"

/* Writes NAME.gp and NAME.dat to a folder, and has gnuplot draw NAME.pdf and NAME.svg there. The
 * four files appear together. If gnuplot is missing or fails, script and data are written
 * nevertheless, and an error of the host is returned. Adds a diagnostic for every error. */
enum lib_fault analysis_gnuplot_draw(const char *folder, const char *name,
                                     const struct lib_text *script,
                                     const struct lib_text *data,
                                     struct lib_diags *diags);

/* Runs a gnuplot script that draws NAME.FORM, where NAME is `name` and FORM is `form`, such as
 * "pdf". Puts the drawing into the file `path`. No other new file remains, and after an error
 * none. */
enum lib_fault analysis_gnuplot_draw_file(const char *path, const char *form,
                                          const char *name, const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_diags *diags);

/* Draws in the format `form`, such as "svg", and adds the drawing to `out`. Temporary files are in
 * the folder TMPDIR, or /tmp. */
enum lib_fault analysis_gnuplot_draw_text(const char *form, const char *name,
                                          const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_text *out, struct lib_diags *diags);

#endif
