/* The source of a program, line by line: what each costs, and the cycles of the critical path
 * that belong to it, with their causes. */
#ifndef ANALYSIS_REPORT_LISTING_H
#define ANALYSIS_REPORT_LISTING_H

#include "analysis/report/html.h"
#include "lib/diag.h"

/* What is known of lines. */
struct analysis_listing {
    const struct lib_source *source;       /* NULL: it is not at hand */
    const struct analysis_findings *lines; /* of the analysis `lines`; or NULL */
    const struct analysis_findings
        *causes; /* with a table `by_line`, for people; or NULL */
};

/* Adds a table. Line N has the id LN. Of a long source, only what ran is shown, and what is
 * around it. */
void analysis_listing_draw(struct lib_text *out, const struct analysis_listing *listing);

#endif
