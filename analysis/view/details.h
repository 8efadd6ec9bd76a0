/* The rows of a figure of details (traces/results/detail.h): a frame that has a row for each step
 * of the series or profile of a run, or for each of its PEs or links, where that of results has
 * one for the run. So what is said of runs - conditions, keys, bases, summaries - is said of them
 * as well.
 *
 * Steps are as wide in all runs of a figure (traces/steps.h). A run that has ended counts as 0 up
 * to the end of the longest one, and one step beyond: curves come down where their last run
 * ends. */
#ifndef ANALYSIS_VIEW_DETAILS_H
#define ANALYSIS_VIEW_DETAILS_H

#include "analysis/view/view_spec.h"
#include "traces/results/reader.h"

struct analysis_details {
    struct traces_reader rows; /* in the order of runs, then of places */
    uint64_t width;            /* of a step, in cycles or depths; of PEs and links 1 */
    uint64_t finest;           /* how wide rows are in the run where they are least so */
};

/* Of the runs for which the condition of the output holds. `columns` are those of the detail that
 * are shown; `runs` was loaded, and is borrowed. false after an error of its store. Give back with
 * analysis_details_free in either case. */
bool analysis_details_make(struct analysis_details *details, struct traces_reader *runs,
                           const struct analysis_view_spec *output,
                           const analysis_column_list *columns);
void analysis_details_free(struct analysis_details *details);

/* Says which columns of results it looks at: before traces_reader_load. */
void analysis_details_want(struct traces_reader *runs);

#endif
