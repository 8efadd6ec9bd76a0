/* Puts drawings of other programs into HTML pages. (lib/findings_html.h writes tables.) */
#ifndef ANALYSIS_REPORT_HTML_H
#define ANALYSIS_REPORT_HTML_H

#include "lib/findings_html.h"

/* Adds a drawing of gnuplot or dot as an SVG element: without prolog and comments, with a title and
 * description, and with `prefix` before each of its names, so that a page can have several. Returns
 * false and adds nothing if `svg` is not such a drawing. */
bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about);

#endif
