/* What the numbers of a cube hide: the parameters in which runs differ that come to one number, and
 * so what a mean is over. Repetitions, seeds and settings that are seeds are not among them, but are
 * counted. */
#ifndef ANALYSIS_VIEW_HIDDEN_H
#define ANALYSIS_VIEW_HIDDEN_H

#include "analysis/view/keys.h"

struct analysis_hidden {
    analysis_column_list
        columns; /* owned, in the order of results: with all of them, nothing else is hidden */
    size_t least,
        most; /* runs alike in all of them, at a place: repetitions; 0: there are no runs */
};

/* A run of a frame, or a part of one, that has a number at a place. */
struct analysis_shown {
    size_t run, place;
};
typedef LIB_VEC(struct analysis_shown) analysis_shown_list;

/* Of runs whose parameters that vary were wanted. Give back with analysis_hidden_free. */
void analysis_hidden_find(struct analysis_hidden *hidden,
                          const struct traces_reader *frame,
                          const analysis_shown_list *shown);
void analysis_hidden_free(struct analysis_hidden *hidden);

/* Adds the names of the columns and some of their values, over runs that are shown:
 * "`inputs.n` (22, 23, 24), `strategy` (static, expanding)". */
void analysis_hidden_write(const struct analysis_hidden *hidden,
                           const struct traces_reader *frame,
                           const analysis_shown_list *shown, struct lib_text *text);

#endif
