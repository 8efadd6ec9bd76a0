/* Chooses which runs a table or figure shows: runs that completed and satisfy a condition. */
#ifndef ANALYSIS_VIEW_CHOICE_H
#define ANALYSIS_VIEW_CHOICE_H

#include "analysis/condition/condition.h"
#include "traces/results/reader.h"

enum analysis_choice {
    ANALYSIS_CHOICE_SHOWN,
    ANALYSIS_CHOICE_FAILED, /* the run satisfies the condition, but did not complete */
    ANALYSIS_CHOICE_OTHER,
};

/* Returns the choice for a run of loaded results. `where` may be NULL: all runs satisfy it. The
 * column `status` and the columns that `where` names must be loaded. */
enum analysis_choice analysis_choose(const struct traces_reader *frame, size_t run,
                                     const struct analysis_condition *where);

#endif
