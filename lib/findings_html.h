/* Findings (lib/findings.h) as HTML, for parts of larger pages. The HTML is also well-formed XML.
 * All strings from a program or a run go through lib_text_html, so none acts as markup. */
#ifndef LIB_FINDINGS_HTML_H
#define LIB_FINDINGS_HTML_H

#include "lib/findings.h"

void lib_html_text(struct lib_text *out, const char *text);

/* Adds a number, or "-" if it is NaN. */
void lib_html_real(struct lib_text *out, double value);

/* Description of a table of findings in HTML. */
struct lib_html_table {
    /* Subject of the table, if several on the page have the same help; or NULL. */
    const char *of;

    const char *id; /* attribute `id` of the HTML element, or NULL */
    /* Maximum number of rows to show; 0: no limit. */
    size_t most;

    /* Key of the column of line numbers, which become links such as #L12; or NULL. */
    const char *line_link;
};

/* Opens a scrolling box for wide content, with the accessible name "OF: ABOUT" (or "ABOUT"), which
 * must be unique in the page. The caller closes it with `</div>`. */
void lib_html_wide(struct lib_text *out, const char *of, const char *about);

/* Adds a table, with its help as caption. */
void lib_html_table(struct lib_text *out, const struct lib_table *t,
                    const struct lib_html_table *how);

#endif
