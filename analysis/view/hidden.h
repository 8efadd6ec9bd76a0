/* Hidden parameters of a cube: those in which the runs of one number differ, so that the number is
 * a mean over them. Repetitions, seeds and settings that are seeds are counted, not hidden. */
#ifndef ANALYSIS_VIEW_HIDDEN_H
#define ANALYSIS_VIEW_HIDDEN_H

#include "analysis/view/keys.h"

struct analysis_hidden {
    analysis_column_list columns; /* in the order of results; owned */

    /* Least and greatest number of repetitions at a place: runs with the same values in `columns`.
     * 0 without runs. */
    size_t least, most;
};

/* A run, or a part of one, whose number a table or figure shows at a place (a cell, a point). */
struct analysis_shown {
    size_t run, place;
};
typedef LIB_VEC(struct analysis_shown) analysis_shown_list;

/* Finds the hidden parameters of the runs shown. The varying parameters of the frame must be
 * loaded. Free the result with analysis_hidden_free. */
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
