/* Choice of the runs of a frame to be shown: those that completed, and for which a condition
 * holds. */
#ifndef ANALYSIS_VIEW_CHOICE_H
#define ANALYSIS_VIEW_CHOICE_H

#include "analysis/condition/condition.h"
#include "traces/results/reader.h"

enum analysis_choice {
    ANALYSIS_CHOICE_SHOWN,
    ANALYSIS_CHOICE_FAILED, /* the condition holds, but the run did not complete */
    ANALYSIS_CHOICE_OTHER,
};

/* Returns the choice for a run. `where` NULL holds for all runs. The columns that it names, and
 * `status`, must be loaded. */
enum analysis_choice analysis_choose(const struct traces_reader *frame, size_t run,
                                     const struct analysis_condition *where);

#endif
