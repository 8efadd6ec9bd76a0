/* Rows for figures that show details of runs (traces/results/detail.h): instead of one row per run,
 * one per time step, per depth of the profile, per PE or per link. Conditions, keys, bases and
 * summaries treat these rows like rows of runs.
 *
 * All runs of a figure have time steps of the same width (traces/steps.h). After a run has ended
 * its values are 0, up to one step after the end of the longest run, so that its curve falls to
 * 0. */
#ifndef ANALYSIS_VIEW_DETAILS_H
#define ANALYSIS_VIEW_DETAILS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_details {
    struct traces_reader rows; /* ordered by run, then by step, depth, PE or link */
    uint64_t width;  /* width of a step in cycles or depths; 1 for PEs and links */
    uint64_t finest; /* smallest width of a step in the database, over all runs */
};

/* Reads the detail rows of the runs that satisfy `output->where`. `columns` are the columns to
 * show. `runs` must be loaded, and is borrowed. Returns false if the database fails. Free the rows
 * with analysis_details_free in either case. */
bool analysis_details_make(struct analysis_details *details, struct traces_reader *runs,
                           const struct analysis_view_spec *output,
                           const analysis_column_list *columns);
void analysis_details_free(struct analysis_details *details);

/* Requests the columns that analysis_details_make needs. Call this before traces_reader_load. */
void analysis_details_want(struct traces_reader *runs);

#endif
