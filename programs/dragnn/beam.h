/* A beam: up to `max` states of one sentence that are advanced together. Owns its states. */
#ifndef PROGRAMS_DRAGNN_BEAM_H
#define PROGRAMS_DRAGNN_BEAM_H

#include "programs/dragnn/state.h"

struct dragnn_beam {
    const struct dragnn_system *system;
    int max, count;
    struct dragnn_state **states; /* [count], in slots; the best one first */
};

/* Begins a beam of a sentence. Its first states follow those of the component before, if there is
 * one: the best ones, with their scores. */
void dragnn_beam_begin(struct dragnn_beam *beam, const struct dragnn_system *system,
                       const struct dragnn_sentence *sentence, int max,
                       const struct dragnn_beam *before);
void dragnn_beam_free(struct dragnn_beam *beam);

bool dragnn_beam_is_terminal(const struct dragnn_beam *beam); /* all states are final */

/* Advances each state that is not final by its oracle. Returns false if one has none; then
 * nothing has changed. */
bool dragnn_beam_advance_by_oracle(struct dragnn_beam *beam);

/* Advances by scores: `max` rows with a score for each action. Final states compete unchanged. */
void dragnn_beam_advance_by_scores(struct dragnn_beam *beam, const double *scores,
                                   int actions);

#endif
