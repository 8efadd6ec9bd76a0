/* The source of a program, line by line, with the cost of each line, its cycles on the critical
 * path and their causes. */
#ifndef ANALYSIS_REPORT_LISTING_H
#define ANALYSIS_REPORT_LISTING_H

#include "analysis/report/html.h"
#include "lib/diag.h"

/* The data of a listing. */
struct analysis_listing {
    const struct lib_source *source;  /* or NULL */
    const struct lib_findings *lines; /* findings of the analysis `lines`, or NULL */
    /* With a table `by_line`, for a text; or NULL. */
    const struct lib_findings *causes;
};

/* Adds a table. Line N has the id LN. A long source is shortened to the lines that ran and those
 * around them. */
void analysis_listing_draw(struct lib_text *out, const struct analysis_listing *listing);

#endif
