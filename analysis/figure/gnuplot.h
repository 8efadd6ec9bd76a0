/* gnuplot, the program: draws a figure from its script and data. */
#ifndef ANALYSIS_FIGURE_GNUPLOT_H
#define ANALYSIS_FIGURE_GNUPLOT_H

#include "lib/diag.h"

/* Writes NAME.gp and NAME.dat in a folder, and has gnuplot draw NAME.pdf and NAME.svg
 * there. The four appear together when all is well. Where gnuplot is not found or fails,
 * script and data are there all the same; that is a fault of the host. Every fault has a
 * diagnostic. */
enum lib_fault analysis_gnuplot_draw(const char *folder, const char *name,
                                     const struct lib_text *script,
                                     const struct lib_text *data,
                                     struct lib_diags *diags);

/* The same for one file `path` of a form, "pdf", that the script draws as NAME.FORM: nothing else
 * stays, and where it fails nothing at all. */
enum lib_fault analysis_gnuplot_draw_file(const char *path, const char *form,
                                          const char *name, const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_diags *diags);

/* The same, added to a text: nothing stays on the disk. It is drawn in the folder TMPDIR, or
 * /tmp. */
enum lib_fault analysis_gnuplot_draw_text(const char *form, const char *name,
                                          const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_text *out, struct lib_diags *diags);

#endif
