/* Which runs of a frame are shown: those for which a condition holds, and which completed. */
#ifndef ANALYSIS_VIEW_CHOICE_H
#define ANALYSIS_VIEW_CHOICE_H

#include "analysis/condition/condition.h"
#include "traces/results/reader.h"

enum analysis_choice {
    ANALYSIS_CHOICE_SHOWN,
    ANALYSIS_CHOICE_FAILED, /* it would be shown, but did not complete */
    ANALYSIS_CHOICE_OTHER,
};

/* `where`: NULL holds for all. The columns that it names, and `status`, were wanted. */
enum analysis_choice analysis_choose(const struct traces_reader *frame, size_t run,
                                     const struct analysis_condition *where);

#endif
