/* Hidden parameters of a table or figure: parameters that differ among the runs behind one number,
 * which is then a mean over them. Repetitions and seeds are not hidden parameters. */
#ifndef ANALYSIS_VIEW_HIDDEN_H
#define ANALYSIS_VIEW_HIDDEN_H

#include "analysis/view/keys.h"

struct analysis_hidden {
    /* owned; the hidden parameters, in the order of the results */
    analysis_column_list columns;

    /* Smallest and greatest number of repetitions (runs with equal values in `columns`) behind a
     * number; 0 if there are no runs. */
    size_t least, most;
};

/* A run, or one row of its details, and the index of the cell that has its number. */
struct analysis_shown {
    size_t run, place;
};
typedef LIB_VEC(struct analysis_shown) analysis_shown_list;

/* Finds the parameters that differ among runs of one cell in `shown`. All parameters that vary must
 * be loaded. Free the result with analysis_hidden_free. */
void analysis_hidden_find(struct analysis_hidden *hidden,
                          const struct traces_reader *frame,
                          const analysis_shown_list *shown);
void analysis_hidden_free(struct analysis_hidden *hidden);

/* Adds the names of the parameters in `hidden`, with some of their values among the runs in
 * `shown`: "`inputs.n` (22, 23, 24), `strategy` (static, expanding)". */
void analysis_hidden_write(const struct analysis_hidden *hidden,
                           const struct traces_reader *frame,
                           const analysis_shown_list *shown, struct lib_text *text);

#endif
