/* Findings as HTML, for pages that show more. It is also well-formed XML: each element is closed,
 * each attribute has a value in quotes. All texts from a program or a run go through lib_text_html,
 * so that none of them is markup. */
#ifndef LIB_FINDINGS_HTML_H
#define LIB_FINDINGS_HTML_H

#include "lib/findings.h"

void lib_html_text(struct lib_text *out, const char *text);

/* Adds a number, or "-" if it has no meaning. */
void lib_html_real(struct lib_text *out, double value);

/* The presentation of a table. */
struct lib_html_table {
    /* Subject, if two tables of a page have the same help; or NULL. */
    const char *of;

    const char *id; /* id of the element, or NULL */
    size_t most;    /* most rows, with a note about the others; 0 for all */

    /* Column of numbers of lines, which become links such as #L12; or NULL. */
    const char *line_link;
};

/* Opens a box that scrolls if its content is wider than the page. The keyboard and screen readers
 * reach it by its unique name: "OF: ABOUT", or "ABOUT". `</div>` closes it. */
void lib_html_wide(struct lib_text *out, const char *of, const char *about);

/* Adds a table with its help as caption. */
void lib_html_table(struct lib_text *out, const struct lib_table *t,
                    const struct lib_html_table *how);

#endif
