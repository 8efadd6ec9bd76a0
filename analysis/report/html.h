/* Drawings of other programs in pages of HTML. Tables are written by lib/findings_html.h. */
#ifndef ANALYSIS_REPORT_HTML_H
#define ANALYSIS_REPORT_HTML_H

#include "lib/findings_html.h"

/* Adds a drawing of gnuplot or dot as an element: without prolog and comments, with `prefix` before
 * each of its names, as a page can have several drawings, and with the given title and description.
 * Returns false, and adds nothing, if `svg` is not such a drawing. */
bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about);

#endif
