/* Draws figures with the program gnuplot, from a script and data. */
#ifndef ANALYSIS_FIGURE_GNUPLOT_H
#define ANALYSIS_FIGURE_GNUPLOT_H

#include "lib/diag.h"

/* Writes NAME.gp and NAME.dat to a folder, and makes gnuplot draw NAME.pdf and NAME.svg there. The
 * four files appear together. If gnuplot is missing or fails, script and data are still written,
 * and an error of the host is returned. Every error has a diagnostic. */
enum lib_fault analysis_gnuplot_draw(const char *folder, const char *name,
                                     const struct lib_text *script,
                                     const struct lib_text *data,
                                     struct lib_diags *diags);

/* Draws one file `path` in a format, as "pdf", with a script that draws NAME.FORM. No other file
 * remains; after an error none at all. */
enum lib_fault analysis_gnuplot_draw_file(const char *path, const char *form,
                                          const char *name, const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_diags *diags);

/* Draws in a format and adds the drawing to a text. Temporary files are in the folder TMPDIR, or
 * /tmp. */
enum lib_fault analysis_gnuplot_draw_text(const char *form, const char *name,
                                          const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_text *out, struct lib_diags *diags);

#endif
