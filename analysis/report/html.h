/* HTML as text: what a report is written with. It is HTML that is well-formed XML too: each
 * element is closed, each attribute has a value in quotes. All that comes from a program or a run
 * passes lib_text_html, so that none of it is ever markup. */
#ifndef ANALYSIS_REPORT_HTML_H
#define ANALYSIS_REPORT_HTML_H

#include "analysis/stream/findings.h"
#include "lib/text.h"

void analysis_html_text(struct lib_text *out, const char *text);

/* A value as people read it: "-" if it has no meaning. */
void analysis_html_cell(struct lib_text *out, const struct analysis_cell *cell);
void analysis_html_real(struct lib_text *out, double value);

/* How a table is shown. */
struct analysis_html_table {
    const char
        *of; /* what it belongs to, if two tables of a page have the same help; or NULL */
    const char *id; /* of the table; NULL: it has none */
    size_t most;    /* rows; what is more is told below; 0: all */
    const char
        *line_link; /* the column of numbers of lines, which are links to #L12; or NULL */
};

/* Opens a box that scrolls where what is in it is wider than the page. By keys and by ear it is
 * found under its name, which no other has: "OF: ABOUT", or "ABOUT". `</div>` closes it. */
void analysis_html_wide(struct lib_text *out, const char *of, const char *about);

/* A table with its help as caption. */
void analysis_html_table(struct lib_text *out, const struct analysis_findings_table *t,
                         const struct analysis_html_table *how);

/* The numbers of findings: a table of name, value, meaning. */
void analysis_html_numbers(struct lib_text *out, const struct analysis_findings *f);

/* Adds a drawing of gnuplot or dot as an element: without prolog and comments, and with `prefix`
 * before each of its names, as several stand on one page. Its title and description become those
 * given, which are texts. false: it is no such drawing, and nothing is added. */
bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about);

#endif
