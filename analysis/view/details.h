/* The rows of a figure of details (traces/results/detail.h). The frame of results has a row per
 * run; this frame has a row per step of the series or profile of a run, or per PE or link.
 * Conditions, keys, bases and summaries work with both frames.
 *
 * All runs of a figure have steps of the same width (traces/steps.h). After its end a run counts as
 * 0, up to one step after the end of the longest run: curves fall to 0 where their last run
 * ends. */
#ifndef ANALYSIS_VIEW_DETAILS_H
#define ANALYSIS_VIEW_DETAILS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_details {
    struct traces_reader rows; /* in the order of runs, then of places */
    uint64_t width;  /* width of a step in cycles or depths; 1 for PEs and links */
    uint64_t finest; /* least width of the rows of any run */
};

/* Makes the rows of the runs for which the condition of the output holds. `columns` are the columns
 * of the detail that are shown. `runs` must be loaded, and is borrowed. Returns false after an
 * error of its database. Free the rows with analysis_details_free in either case. */
bool analysis_details_make(struct analysis_details *details, struct traces_reader *runs,
                           const struct analysis_view_spec *output,
                           const analysis_column_list *columns);
void analysis_details_free(struct analysis_details *details);

/* Requests the columns of results that it needs, before traces_reader_load. */
void analysis_details_want(struct traces_reader *runs);

#endif
