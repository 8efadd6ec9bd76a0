/* Hidden parameters of a cube: those in which runs differ that come to one number, so that it is
 * a mean over them. Repetitions, seeds and settings that are seeds are not hidden; they are
 * counted. */
#ifndef ANALYSIS_VIEW_HIDDEN_H
#define ANALYSIS_VIEW_HIDDEN_H

#include "analysis/view/keys.h"

struct analysis_hidden {
    analysis_column_list
        columns; /* owned, in the order of results; runs of a place alike in these are repetitions */
    size_t least, most; /* repetitions at a place; 0: there are no runs */
};

/* A run of a frame, or a part of one, that has a number at a place. */
struct analysis_shown {
    size_t run, place;
};
typedef LIB_VEC(struct analysis_shown) analysis_shown_list;

/* Finds what is hidden by the runs shown. The varying parameters of the frame were wanted. Free
 * with analysis_hidden_free. */
void analysis_hidden_find(struct analysis_hidden *hidden,
                          const struct traces_reader *frame,
                          const analysis_shown_list *shown);
void analysis_hidden_free(struct analysis_hidden *hidden);

/* Adds the names of the columns, and some values of the runs shown:
 * "`inputs.n` (22, 23, 24), `strategy` (static, expanding)". */
void analysis_hidden_write(const struct analysis_hidden *hidden,
                           const struct traces_reader *frame,
                           const analysis_shown_list *shown, struct lib_text *text);

#endif
