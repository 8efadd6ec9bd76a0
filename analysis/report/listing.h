/* Shows the source of a program line by line, with the cost of each line, its cycles on the
 * critical path and the causes of these cycles. */
#ifndef ANALYSIS_REPORT_LISTING_H
#define ANALYSIS_REPORT_LISTING_H

#include "analysis/report/html.h"
#include "lib/diag.h"

struct analysis_listing {
    const struct lib_source *source;  /* may be NULL */
    const struct lib_findings *lines; /* results of the analysis `lines`; may be NULL */
    /* causes of cycles as findings for people, with a table `by_line`; may be NULL */
    const struct lib_findings *causes;
};

/* Adds the source as a table, in which line N has the id LN. If the source is long, shows only the
 * lines that ran and their neighbours. */
void analysis_listing_draw(struct lib_text *out, const struct analysis_listing *listing);

#endif
