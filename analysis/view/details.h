/* Rows for figures that show details of runs (traces/results/detail.h): not a row per run, but one
 * per time step of its series, per depth of its profile, per PE or per link. Conditions, keys,
 * bases and summaries treat such rows like rows of runs.
 *
 * All runs of a figure have steps of the same width (traces/steps.h). After its end a run counts as
 * 0, up to one step after the end of the longest run: curves fall to 0 where their last run
 * ends. */
#ifndef ANALYSIS_VIEW_DETAILS_H
#define ANALYSIS_VIEW_DETAILS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_details {
    struct traces_reader rows; /* ordered by run, then by step, PE or link */
    uint64_t width;  /* width of a step in cycles or depths; 1 for PEs and links */
    uint64_t finest; /* smallest width of a step in the stored rows of a run */
};

/* Reads the rows of the runs that satisfy the condition of the output. `columns` are the columns to
 * show. `runs` must be loaded, and is borrowed. Returns false if its database fails. Free the rows
 * with analysis_details_free in either case. */
bool analysis_details_make(struct analysis_details *details, struct traces_reader *runs,
                           const struct analysis_view_spec *output,
                           const analysis_column_list *columns);
void analysis_details_free(struct analysis_details *details);

/* Requests the columns that analysis_details_make needs, before traces_reader_load. */
void analysis_details_want(struct traces_reader *runs);

#endif
