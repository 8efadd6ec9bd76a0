/* Writes HTML for reports. It is also well-formed XML: each element is closed, each attribute has a
 * value in quotes. All texts from a program or a run go through lib_text_html, so that none of them
 * is markup. */
#ifndef ANALYSIS_REPORT_HTML_H
#define ANALYSIS_REPORT_HTML_H

#include "analysis/stream/findings.h"
#include "lib/text.h"

void analysis_html_text(struct lib_text *out, const char *text);

/* Add a value, or "-" if it has no meaning. */
void analysis_html_cell(struct lib_text *out, const struct analysis_cell *cell);
void analysis_html_real(struct lib_text *out, double value);

/* The presentation of a table. */
struct analysis_html_table {
    /* Subject, if two tables of a page have the same help; or NULL. */
    const char *of;

    const char *id; /* id of the element, or NULL */
    size_t most;    /* most rows, with a note about the others; 0 for all */

    /* Column of numbers of lines, which become links such as #L12; or NULL. */
    const char *line_link;
};

/* Opens a box that scrolls if its content is wider than the page. The keyboard and screen readers
 * reach it by its unique name: "OF: ABOUT", or "ABOUT". `</div>` closes it. */
void analysis_html_wide(struct lib_text *out, const char *of, const char *about);

/* Adds a table with its help as caption. */
void analysis_html_table(struct lib_text *out, const struct analysis_findings_table *t,
                         const struct analysis_html_table *how);

/* Adds the numbers of findings, as a table of name, value and meaning. */
void analysis_html_numbers(struct lib_text *out, const struct analysis_findings *f);

/* Adds a drawing of gnuplot or dot as an element: without prolog and comments, with `prefix` before
 * each of its names, as a page can have several drawings, and with the given title and description.
 * Returns false, and adds nothing, if `svg` is not such a drawing. */
bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about);

#endif
